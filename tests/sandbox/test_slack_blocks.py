"""Block Kit as the local Slack judges it, with slack_sdk's own models as a second opinion."""

from typing import Any

import pytest
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from bossbot.sandbox.json_types import encode
from bossbot.sandbox.slack_checks import ALL_BLOCKS, checked_blocks, checked_view
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args

Shape = dict[str, Any]


def plain(text: str) -> Shape:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Shape:
    return {"type": "mrkdwn", "text": text}


def button(**fields: Any) -> Shape:
    return {"type": "button", "text": plain("Go"), "action_id": "go", **fields}


def actions(*elements: Shape) -> Shape:
    return {"type": "actions", "elements": list(elements)}


def rich(*elements: Shape) -> Shape:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


def complaints(*blocks: Any) -> list[str]:
    """What is wrong with a message's blocks; empty when Slack would take them."""
    try:
        checked_blocks(Args({"blocks": list(blocks)}, ""))
    except SlackError as error:
        return list(error.messages) or [error.error]
    return []


GOOD: list[Shape] = [
    {"type": "divider"},
    {"type": "section", "text": mrkdwn("x" * 3000), "block_id": "b" * 255},
    {"type": "section", "fields": [mrkdwn("x" * 1000)] * 10},
    {"type": "section", "text": mrkdwn("x"), "accessory": button(value="v" * 2000, style="danger")},
    {"type": "header", "text": plain("x" * 150)},
    {"type": "context", "elements": [mrkdwn("x")] * 10},
    actions(*[button(action_id=f"a{number}") for number in range(25)]),
    actions(
        button(
            confirm={"title": plain("Sure?"), "text": mrkdwn("x"), "confirm": plain("Yes"), "deny": plain("No")},
        )
    ),
    {"type": "markdown", "text": "x" * 12_000},
    rich({"type": "text", "text": "rm -rf build", "style": {"code": True}}, {"type": "user", "user_id": "U0ADA"}),
    {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x"}]},
            {"type": "rich_text_quote", "elements": [{"type": "link", "url": "https://a.bc", "text": "x"}]},
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [{"type": "rich_text_section", "elements": [{"type": "emoji", "name": "eyes"}]}],
            },
        ],
    },
    {"type": "image", "image_url": "https://a.bc/d.png", "alt_text": "x"},
    {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, rich({"type": "text", "text": "b"})]]},
    {"type": "alert", "text": mrkdwn("x"), "level": "warning"},
    {"type": "task_card", "task_id": "1", "title": "Build", "status": "in_progress"},
    {
        "type": "plan",
        "title": "Plan",
        "tasks": [{"type": "task_card", "task_id": "1", "title": "Build", "status": "pending"}],
    },
]


@pytest.mark.parametrize("block", GOOD, ids=lambda block: block["type"])
def test_what_slack_takes_is_taken(block: Shape) -> None:
    assert complaints(block) == []
    Block.parse(block).to_dict()  # type: ignore[union-attr]


BAD: list[tuple[Shape, str]] = [
    ({"type": "banner"}, "unsupported type: banner [json-pointer:/blocks/0/type]"),
    ({"text": mrkdwn("x")}, "missing required field: type [json-pointer:/blocks/0]"),
    ({"type": "section"}, "missing required field: text or fields [json-pointer:/blocks/0]"),
    (
        {"type": "section", "text": mrkdwn("x" * 3001)},
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ),
    ({"type": "section", "text": mrkdwn("")}, "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
    ({"type": "section", "text": "x"}, "must be an object [json-pointer:/blocks/0/text]"),
    (
        {"type": "section", "text": mrkdwn("x"), "colour": "red"},
        "invalid additional property: colour [json-pointer:/blocks/0]",
    ),
    (
        {"type": "section", "fields": [mrkdwn("x")] * 11},
        "no more than 10 items allowed [json-pointer:/blocks/0/fields]",
    ),
    ({"type": "header", "text": mrkdwn("x")}, "unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]"),
    (
        {"type": "header", "text": plain("x" * 151)},
        "must be less than 151 characters [json-pointer:/blocks/0/text/text]",
    ),
    ({"type": "divider", "block_id": "b" * 256}, "must be less than 256 characters [json-pointer:/blocks/0/block_id]"),
    (actions(), "no fewer than 1 items allowed [json-pointer:/blocks/0/elements]"),
    (
        actions(*[button(action_id=str(n)) for n in range(26)]),
        "no more than 25 items allowed [json-pointer:/blocks/0/elements]",
    ),
    (
        actions(button(text=plain("x" * 76))),
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
    ),
    (actions(button(text=mrkdwn("x"))), "unsupported type: mrkdwn [json-pointer:/blocks/0/elements/0/text/type]"),
    (actions(button(value="x" * 2001)), "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]"),
    (
        actions(button(action_id="x" * 256)),
        "must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]",
    ),
    (actions(button(style="purple")), "must be a valid enum value [json-pointer:/blocks/0/elements/0/style]"),
    (actions(button(url="x" * 3001)), "must be less than 3001 characters [json-pointer:/blocks/0/elements/0/url]"),
    (actions(button(), button()), "`action_id` already exists: go [json-pointer:/blocks/0/elements/1/action_id]"),
    (actions({"type": "lever"}), "unsupported type: lever [json-pointer:/blocks/0/elements/0/type]"),
    (
        {"type": "context", "elements": [mrkdwn("x")] * 11},
        "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
    ),
    ({"type": "markdown", "text": "x" * 12_001}, "must be less than 12001 characters [json-pointer:/blocks/0/text]"),
    ({"type": "image", "alt_text": "x"}, "missing required field: image_url or slack_file [json-pointer:/blocks/0]"),
    ({"type": "image", "image_url": "https://a.bc"}, "missing required field: alt_text [json-pointer:/blocks/0]"),
    (
        rich({"type": "shout", "text": "x"}),
        "unsupported type: shout [json-pointer:/blocks/0/elements/0/elements/0/type]",
    ),
    (
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 21]},
        "no more than 20 items allowed [json-pointer:/blocks/0/rows/0]",
    ),
    (
        {"type": "task_card", "task_id": "1", "title": "x", "status": "lost"},
        "must be a valid enum value [json-pointer:/blocks/0/status]",
    ),
    (
        {"type": "input", "label": plain("x"), "element": {"type": "plain_text_input"}},
        "input blocks are not allowed in messages [json-pointer:/blocks/0/type]",
    ),
]
UNSEEN_BY_THE_SDK = (
    "action_id` already",
    "additional property",
    "input blocks",
    "more than 0",
    "an object",
    "mrkdwn",
    "20 items",
    "missing",
    "fewer",
    "unsupported",
)


@pytest.mark.parametrize(("block", "complaint"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_what_slack_refuses_is_refused_with_the_place_of_the_fault(block: Shape, complaint: str) -> None:
    assert f"[ERROR] {complaint}" in complaints(block)


@pytest.mark.parametrize(
    "block", [block for block, complaint in BAD if not any(words in complaint for words in UNSEEN_BY_THE_SDK)]
)
def test_slacks_own_models_refuse_the_same_lengths_and_words(block: Shape) -> None:
    with pytest.raises(SlackObjectFormationError):
        Block.parse(block).to_dict()  # type: ignore[union-attr]


def test_a_message_has_fifty_blocks_at_most() -> None:
    assert complaints(*[{"type": "divider"}] * 50) == []
    assert complaints(*[{"type": "divider"}] * 51) == ["[ERROR] no more than 50 items allowed [json-pointer:/blocks]"]


def test_markdown_blocks_share_one_length() -> None:
    parts = [{"type": "markdown", "text": "x" * 6001}] * 2
    assert complaints(*parts) == [
        "[ERROR] all markdown blocks must be less than 12001 characters [json-pointer:/blocks]"
    ]


def test_all_texts_of_a_message_share_one_budget() -> None:
    parts = [{"type": "section", "text": mrkdwn("x" * 3000)}] * 4
    assert complaints(*parts) == []
    rest = {"type": "section", "text": mrkdwn("x" * (ALL_BLOCKS - 12_000 + 1))}
    assert complaints(*parts, rest) == ["msg_blocks_too_long"]


def test_two_blocks_cannot_have_one_id() -> None:
    divider = {"type": "divider", "block_id": "b"}
    assert complaints(divider, divider) == ["[ERROR] block_id already exists: b [json-pointer:/blocks/1/block_id]"]


def test_a_refusal_carries_its_messages_as_slacks_does() -> None:
    error = SlackError("invalid_blocks", ("[ERROR] must be a string [json-pointer:/x]",))
    assert error.as_json() == {
        "ok": False,
        "error": "invalid_blocks",
        "errors": ["must be a string [json-pointer:/x]"],
        "response_metadata": {"messages": ["[ERROR] must be a string [json-pointer:/x]"]},
    }


def test_a_modal_needs_a_title_and_may_hold_inputs() -> None:
    reason = {
        "type": "input",
        "label": plain("Why?"),
        "element": {"type": "plain_text_input", "multiline": True, "action_id": "why"},
    }
    view = {"type": "modal", "title": plain("Reject"), "submit": plain("Send"), "blocks": [reason]}
    assert checked_view(Args({"view": view}, "")) == view
    for wrong, words in (
        ({**view, "title": None}, "missing required field: title"),
        ({**view, "title": plain("x" * 25)}, "less than 25"),
        ({**view, "type": "toast"}, "enum"),
        ({**view, "blocks": [{"type": "banner"}]}, "unsupported type"),
        ({**view, "private_metadata": "x" * 3001}, "less than 3001"),
    ):
        with pytest.raises(SlackError) as refused:
            checked_view(Args({"view": encode(wrong).decode()}, ""))
        assert words in " ".join(refused.value.messages)
