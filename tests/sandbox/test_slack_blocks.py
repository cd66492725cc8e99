"""Block Kit as the local Slack judges it, with slack_sdk's own models as a second opinion."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

from bossbot.sandbox import slack_shape_elements, slack_shape_rich, slack_shapes
from bossbot.sandbox.json_types import encode
from bossbot.sandbox.slack_checks import ALL_BLOCKS, checked_blocks, checked_view
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args
from tests.sandbox.slack_examples import (
    BLOCKS,
    ELEMENTS,
    INPUTS,
    MODAL,
    RICH,
    Shape,
    actions,
    button,
    mrkdwn,
    plain,
    rich,
)


def complaints(*blocks: Any) -> list[str]:
    """What is wrong with a message's blocks; empty when Slack would take them."""
    try:
        checked_blocks(Args({"blocks": list(blocks)}, ""))
    except SlackError as error:
        return list(error.messages) or [error.error]
    return []


GOOD: list[Shape] = [*BLOCKS, *(actions(element) for element in ELEMENTS)]
UNKNOWN_TO_THE_SDK = {"data_table"}


def name_of(block: Shape) -> str:
    return str(block["elements"][0]["type"] if block["type"] == "actions" else block["type"])


@pytest.mark.parametrize("block", GOOD, ids=name_of)
def test_what_slack_takes_is_taken(block: Shape) -> None:
    """And slack_sdk's own models read it, check its lengths and drop nothing of it."""
    assert complaints(block) == []
    if block["type"] not in UNKNOWN_TO_THE_SDK:
        assert Block.parse(block).to_dict() == block  # type: ignore[union-attr]


def test_there_is_an_example_of_every_type() -> None:
    assert {block["type"] for block in BLOCKS} | {"input"} == set(slack_shapes.BLOCKS)
    assert {element["type"] for element in ELEMENTS} == set(slack_shape_elements.ACTIONS)
    assert {element["type"] for element in (*INPUTS, *ELEMENTS[4:])} == set(slack_shape_elements.INPUTS)
    assert {element["type"] for element in RICH} == set(slack_shape_rich.ELEMENTS)


def variants(value: Any, change: Callable[[Shape], Any]) -> Iterator[Any]:
    """The value once for each object in it, with that object changed."""
    if isinstance(value, dict):
        yield change(value)
        for name, part in value.items():
            yield from ({**value, name: variant} for variant in variants(part, change))
    if isinstance(value, list):
        for index, part in enumerate(value[:2]):
            yield from ([*value[:index], variant, *value[index + 1 :]] for variant in variants(part, change))


@pytest.mark.parametrize("block", GOOD, ids=name_of)
def test_an_unknown_key_is_refused_wherever_it_stands(block: Shape) -> None:
    for variant in variants(block, lambda part: {**part, "surprise": 1}):
        (complaint,) = complaints(variant)
        assert complaint.startswith("[ERROR] invalid additional property: surprise [json-pointer:/blocks/0")


@pytest.mark.parametrize("block", GOOD, ids=name_of)
def test_a_part_of_another_kind_is_refused_wherever_it_stands(block: Shape) -> None:
    for variant in variants(block, lambda part: "x"):
        assert complaints(variant) != []
    for variant in variants(block, lambda part: {**part, "type": "surprise"} if "type" in part else "x"):
        assert complaints(variant) != []


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
    (
        {"type": "container", "child_blocks": [{"type": "markdown", "text": "x"}]},
        "unsupported type: markdown [json-pointer:/blocks/0/child_blocks/0/type]",
    ),
    (
        {"type": "container", "child_blocks": [actions(button(), button())]},
        "`action_id` already exists: go [json-pointer:/blocks/0/child_blocks/0/elements/1/action_id]",
    ),
    (
        {"type": "card", "title": mrkdwn("x"), "actions": [button(), button()]},
        "`action_id` already exists: go [json-pointer:/blocks/0/actions/1/action_id]",
    ),
    (
        {"type": "carousel", "elements": [{"type": "card", "title": mrkdwn("x"), "actions": [button(), button()]}]},
        "`action_id` already exists: go [json-pointer:/blocks/0/elements/0/actions/1/action_id]",
    ),
    (
        {"type": "card", "subtitle": mrkdwn("x")},
        "missing required field: hero_image or title or actions or body [json-pointer:/blocks/0]",
    ),
    (actions(button(url="good.com")), "must be a valid URL [json-pointer:/blocks/0/elements/0/url]"),
    (
        actions({"type": "static_select"}),
        "missing required field: options or option_groups [json-pointer:/blocks/0/elements/0]",
    ),
    (
        actions({"type": "datepicker", "initial_date": "30.11.2026"}),
        "must be a date as YYYY-MM-DD [json-pointer:/blocks/0/elements/0/initial_date]",
    ),
    (
        actions({"type": "timepicker", "initial_time": "24:00"}),
        "must be a time as HH:mm [json-pointer:/blocks/0/elements/0/initial_time]",
    ),
    (
        actions({"type": "datetimepicker", "initial_date_time": 12.5}),
        "must be an integer [json-pointer:/blocks/0/elements/0/initial_date_time]",
    ),
    (
        {"type": "image", "alt_text": "x", "image_url": "https://a.bc", "slack_file": {"id": "F1"}},
        "only one of image_url or slack_file is allowed [json-pointer:/blocks/0]",
    ),
    (
        {"type": "data_table", "rows": [[{"type": "raw_text", "text": "x"}]], "caption": "x", "page_size": 101},
        "must be between 1 and 100 [json-pointer:/blocks/0/page_size]",
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
    "URL",
    "a date as",
    "a time as",
    "integer",
    "only one of",
    "between",
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
    assert checked_view(Args({"view": MODAL}, "")) == MODAL == View(**MODAL).to_dict()
    for wrong, words in (
        ({**view, "title": None}, "missing required field: title"),
        ({**view, "title": plain("x" * 25)}, "less than 25"),
        ({**view, "type": "toast"}, "enum"),
        ({**view, "blocks": [{"type": "banner"}]}, "unsupported type"),
        ({**view, "private_metadata": "x" * 3001}, "less than 3001"),
        ({**view, "submit": None}, "missing required field: submit"),
        ({**view, "blocks": [{"type": "markdown", "text": "x"}]}, "markdown blocks are not allowed in views"),
        ({**view, "blocks": [{"type": ["markdown"]}]}, "unsupported type: ['markdown']"),
        ({**view, "blocks": [{**reason, "block_id": "b"}] * 2}, "block_id already exists"),
    ):
        with pytest.raises(SlackError) as refused:
            checked_view(Args({"view": encode(wrong).decode()}, ""))
        assert words in " ".join(refused.value.messages)
