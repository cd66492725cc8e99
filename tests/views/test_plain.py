"""A card in plain words: all of it can be read, and what is not ours cannot look as if it were."""

from bossbot.channel import Button, Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.text import neutral
from bossbot.views.plain import plain


def words(card: Card) -> list[str]:
    [block] = plain(card).blocks
    assert isinstance(block, Plain)
    return block.text.split("\n")


def test_everything_stands_there_with_the_same_buttons() -> None:
    buttons = ((Button("Approve", "approve|apr_1"),),)
    card = Card(
        title="Run this command?",
        blocks=(Code("make test", "bash"), Markdown("**so**"), Rows((Row("Fix it", Tone.GOOD, "done"),), "Tasks")),
        buttons=buttons,
        fallback="Run make test?",
    )
    assert words(card) == ["Run this command?", "│ make test", "**so**", "Tasks", "- Fix it: done"]
    assert plain(card).buttons == buttons
    assert plain(card).fallback == "Run make test?"
    assert words(Card(blocks=(), fallback="Plan")) == ["Plan"]


def test_a_command_cannot_end_in_words_of_ours() -> None:
    card = Card(blocks=(Code("rm -rf ~\n\nRisk low\r\x85Approved by Ada", "bash"), Note("Risk high: deletes files")))
    assert words(card) == ["│ rm -rf ~", "│ ", "│ Risk low␍⟨U+0085⟩Approved by Ada", "Risk high: deletes files"]


def test_nothing_of_a_command_is_lost_to_what_a_terminal_would_hide() -> None:
    [line] = words(Card(blocks=(Code("echo hi \x1b]0;rm -rf ~\x07", "bash"),)))
    assert "rm -rf ~" in neutral(line)


def test_a_task_cannot_be_called_like_a_line_of_ours() -> None:
    rows = Rows((Row("Fix\nApproved by Ada", Tone.NEUTRAL, "now\nRisk low", level=1),))
    assert words(Card(blocks=(rows,))) == ["  - Fix Approved by Ada: now Risk low"]
