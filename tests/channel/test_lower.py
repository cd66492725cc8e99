"""Cards mean the same on every platform: signs, rows, notes, and text that is never interpreted."""

from hypothesis import given

from bossbot.channel import Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.channel.lower import FALLBACK_MAX, SIGNS, fallback_line, pieces, title_line
from bossbot.text import Fence, Span, Text, utf16_len
from tests.adapters.cards import CARDS


def test_every_tone_has_a_sign_of_its_own() -> None:
    assert set(SIGNS) == set(Tone)
    assert len(set(SIGNS.values())) == len(Tone)


def test_a_title_shows_its_tone_and_a_neutral_one_stands_alone() -> None:
    assert title_line(Card("Build", Tone.GOOD)) == "✅ Build"
    assert title_line(Card("Build")) == "Build"
    assert title_line(Card("", Tone.GOOD)) == ""
    assert title_line(Card("two\nlines")) == "two lines"


def test_rows_are_a_tree_of_signs_under_their_heading() -> None:
    rows = Rows((Row("Plan", Tone.RUNNING), Row("agent", Tone.UNKNOWN, "no word", 1)), "Phases")
    assert pieces(Card(blocks=(rows,))) == [
        Text((Span("Phases"),), heading=6),
        Text((Span("Plan"),), marker="⏳ ", tight=True),
        Text((Span("agent"), Span(" — no word")), indent=1, marker="❓ ", tight=True),
    ]


def test_only_markdown_is_parsed() -> None:
    card = Card(blocks=(Plain("**p**"), Note("_n_"), Code("`c`", "sh"), Markdown("**m**")))
    assert pieces(card) == [
        Text((Span("**p**"),)),
        Text((Span("_n_"),), small=True),
        Fence("`c`", "sh"),
        Text((Span("m", bold=True),)),
    ]


def test_secrets_and_hidden_characters_leave_every_kind_of_block() -> None:
    hidden = "xoxb-1234567890-abcdef \u202e"
    card = Card(
        hidden,
        blocks=(
            Plain(hidden),
            Note(hidden),
            Code(hidden),
            Markdown(hidden),
            Rows((Row(hidden, detail=hidden),), hidden),
        ),
    )
    shown = repr(pieces(card)) + title_line(card) + fallback_line(card)
    assert "1234567890" not in shown
    assert "\u202e" not in shown


def test_blank_blocks_take_no_room() -> None:
    assert pieces(Card(blocks=(Plain(" \n"), Note(""), Markdown("\n\n"), Rows(())))) == []


def test_the_notification_says_the_most_telling_line() -> None:
    assert fallback_line(Card("T", fallback="said")) == "said"
    assert fallback_line(Card("T", Tone.BAD, (Plain("p"),))) == "❌ T"
    assert fallback_line(Card(blocks=(Plain("first\nsecond"),))) == "first second"
    assert fallback_line(Card(blocks=(Code("ls"),))) == "ls"
    assert fallback_line(Card()) == ""


@given(CARDS)
def test_the_notification_is_one_short_line(card: Card) -> None:
    line = fallback_line(card)
    assert "\n" not in line
    assert utf16_len(line) <= FALLBACK_MAX
