"""Cards as Slack messages, judged by slack_sdk's own block models."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from slack_sdk.models.blocks import Block

from bossbot.channel import Button, ButtonStyle, Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.text import redact, utf16_len, visible
from bossbot_slack.render import BLOCKS_MAX, MESSAGE_MAX, Json, Part, bare, escape, render, unformatted
from tests.adapters.cards import ANY_TEXT, CARDS


def objects(value: object) -> Iterator[Json]:
    """Every JSON object in a value."""
    if isinstance(value, dict):
        yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from objects(child)


def texts(part: Part) -> Iterator[str]:
    for found in objects(part.blocks):
        if isinstance(text := found.get("text"), str):
            yield text


def code_of(parts: list[Part]) -> str:
    blocks = [
        found for part in parts for found in objects(part.blocks) if found.get("type") == "rich_text_preformatted"
    ]
    return "".join(str(found["text"]) for block in blocks for found in objects(block) if "text" in found)


def judged(block: Json) -> None:
    """slack_sdk refuses wrong lengths and unknown elements; a key that it drops is one that it does not know."""
    parsed = Block.parse(json.loads(json.dumps(block)))
    assert parsed is not None
    assert parsed.to_dict() == block


@given(CARDS)
@settings(max_examples=100)
def test_any_card_is_messages_within_slacks_limits(card: Card) -> None:
    parts = render(card)
    for part in parts:
        assert 1 <= len(part.blocks) <= BLOCKS_MAX
        assert part.text.strip()
        shown = replace(part, blocks=tuple(block for block in part.blocks if block["type"] != "actions"))
        assert sum(utf16_len(text) for text in texts(shown)) <= MESSAGE_MAX
        assert all(1 <= utf16_len(text) <= 3000 for text in texts(part))
        for block in part.blocks:
            if block["type"] == "header":
                assert utf16_len(next(texts(Part((block,), "", "")))) <= 150
            judged(block)


@given(CARDS)
@settings(max_examples=100)
def test_no_field_that_slack_parses_holds_a_token(card: Card) -> None:
    for part in render(card):
        for form in (part, unformatted(part), bare(part)):
            assert "<" not in form.text
            assert ">" not in form.text
            assert all(found.get("type") != "mrkdwn" for found in objects(form.blocks))
            assert all(
                found.get("type") not in ("user", "usergroup", "channel", "broadcast") for found in objects(form.blocks)
            )


@given(ANY_TEXT)
@settings(max_examples=60)
def test_a_command_is_all_there_over_all_its_parts(command: str) -> None:
    shown = visible(redact(command))
    if shown.strip():
        assert code_of(render(Card("Run this?", blocks=(Code(command, "bash"),)))) == shown


@given(CARDS)
@settings(max_examples=60)
def test_only_the_last_message_has_buttons_and_all_of_them(card: Card) -> None:
    *before, last = render(card)
    assert not any(block["type"] == "actions" for part in before for block in part.blocks)
    buttons = [found for found in objects(last.blocks) if found.get("type") == "button"]
    assert [found["value"] for found in buttons] == [button.action for row in card.buttons for button in row]
    assert len({str(found["action_id"]) for found in buttons}) == len(buttons)


def test_buttons_have_the_words_and_the_colour_of_the_card() -> None:
    (part,) = render(
        Card("Run?", buttons=((Button("Approve", "approve|a", ButtonStyle.PRIMARY), Button("No", "reject|a")),))
    )
    assert part.blocks[-1] == {
        "type": "actions",
        "elements": [
            {
                "type": "button",
                "text": {"type": "plain_text", "text": "Approve", "emoji": False},
                "action_id": "approve|a",
                "value": "approve|a",
                "style": "primary",
            },
            {
                "type": "button",
                "text": {"type": "plain_text", "text": "No", "emoji": False},
                "action_id": "reject|a",
                "value": "reject|a",
            },
        ],
    }


@pytest.mark.parametrize("length", [2999, 3000, 3001, 4001, 13_300, 40_000])
def test_an_answer_of_any_length_arrives_whole(length: int) -> None:
    answer = ("word " * length)[:length].strip()
    shown = "".join(text for part in render(Card(blocks=(Markdown(answer),))) for text in texts(part))
    assert shown == answer


def test_more_rules_than_a_message_has_blocks_become_several_messages() -> None:
    parts = render(Card("Title", blocks=(Markdown("text\n\n---\n\n" * 51),)))
    assert len(parts) > 1
    assert sum(block["type"] == "divider" for part in parts for block in part.blocks) == 51


def test_long_code_is_numbered_over_messages() -> None:
    parts = render(Card("Run?", blocks=(Code("echo x\n" * 3000),)))
    labels = [text for part in parts for text in texts(part) if text.startswith("Part ")]
    assert labels == [f"Part {n} of {len(parts)}" for n in range(1, len(parts) + 1)]


def test_a_title_too_long_for_a_header_is_written_out_below() -> None:
    (part,) = render(Card("word " * 60))
    header, rich = part.blocks
    assert header["type"] == "header"
    assert " ".join(texts(Part((rich,), "", ""))) == ("word " * 60).strip()


def test_the_notification_text_is_the_cards_fallback_escaped() -> None:
    (part,) = render(Card("Run?", fallback="<!channel> a & b"))
    assert part.text == "&lt;!channel&gt; a &amp; b" == escape("<!channel> a & b")


def test_agent_formatting_becomes_rich_text_without_any_token() -> None:
    (part,) = render(Card(blocks=(Markdown("**b** <!channel> `c` [l](https://a.example/x)\n\n> q\n\n- i"),)))
    (rich,) = part.blocks
    assert rich == {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "text", "text": "b", "style": {"bold": True}},
                    {"type": "text", "text": " <!channel> "},
                    {"type": "text", "text": "c", "style": {"code": True}},
                    {"type": "text", "text": " "},
                    {"type": "link", "url": "https://a.example/x", "text": "l"},
                ],
            },
            {"type": "rich_text_quote", "elements": [{"type": "text", "text": "q"}]},
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "• "}, {"type": "text", "text": "i"}]},
        ],
    }


def test_a_card_of_all_blocks_reads_well() -> None:
    card = Card(
        "Nightly build",
        Tone.RUNNING,
        (Rows((Row("Fetch", Tone.GOOD), Row("sources", Tone.GOOD, "3 s", 1)), "Phases"), Code("make"), Note("by Ada")),
    )
    (part,) = render(card)
    assert [block["type"] for block in part.blocks] == ["header", "rich_text", "context"]
    assert "".join(texts(part)) == "⏳ Nightly buildPhases\n✅ Fetch\n  ✅ sources — 3 smakeby Ada"
    assert part.plain == "⏳ Nightly build\n\nPhases\n✅ Fetch\n  ✅ sources — 3 s\n\nmake\n\nby Ada"


def test_the_plain_fallback_keeps_words_and_buttons() -> None:
    (part,) = render(Card("T", blocks=(Markdown("**b** " + "x" * 4000),), buttons=((Button("Go", "approve|a"),),)))
    plain = unformatted(part)
    assert [block["type"] for block in plain.blocks] == ["section", "section", "actions"]
    assert "".join(texts(Part(plain.blocks[:2], "", ""))) == "T\n\nb " + "x" * 4000
    assert bare(part).blocks == ()


def test_an_empty_card_is_still_a_message() -> None:
    (part,) = render(Card())
    assert list(texts(part)) == ["(empty)"]


def test_plain_text_stays_plain() -> None:
    (part,) = render(Card(blocks=(Plain("*a* _b_ `c` :smile: @here <@U1>"),)))
    assert list(texts(part)) == ["*a* _b_ `c` :smile: @here <@U1>"]


def test_a_secret_in_a_label_is_not_shown() -> None:
    (part,) = render(Card(title="x", buttons=((Button("use xoxb-870000000001-secret", "a"),),)))
    assert "870000000001" not in str(part)
