"""Whatever JSON comes, the local Slack takes it or refuses it in Slack's words; nothing else comes out."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bossbot.sandbox.slack_checks import checked_blocks, checked_view
from bossbot.sandbox.slack_chunks import checked_chunks, streamed
from bossbot.sandbox.slack_content import checked_content, checked_metadata
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_live import live
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_table import METHODS
from tests.sandbox.slack_examples import BLOCKS, ELEMENTS, MODAL

NAMES = st.sampled_from(
    ["type", "text", "blocks", "elements", "child_blocks", "rows", "tasks", "id", "title", "status", "details", "url",
     "block_id", "action_id", "fields", "accessory", "options", "attachments", "sources", "event_type", "value"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["section", "mrkdwn", "markdown", "task_update", "plan_update", "blocks", "container", "actions", "link", "table",
     "<!here>", "<http://[|http://x.com>", "[a](b)", "x" * 3001, "", "complete", "modal"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)


@st.composite
def nearly(draw: st.DrawFn, values: list[Any]) -> Any:
    """One of the values with a part of it replaced by anything."""
    value = draw(st.sampled_from(values))
    return _with(draw, value) if draw(st.booleans()) else [_with(draw, value)]


def _with(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: _with(draw, value[name])}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        return [_with(draw, value[0]), *value[1:3]]
    return draw(JSON)


ANYTHING = JSON | nearly(BLOCKS) | nearly(ELEMENTS) | nearly([MODAL])
CHECKS: dict[str, Callable[[Args], object]] = {
    "blocks": checked_blocks,
    "view": checked_view,
    "attachments": checked_content,
    "metadata": checked_metadata,
    "chunks": lambda args: streamed([], checked_chunks(args), as_plan=True),
}


@pytest.mark.parametrize("name", CHECKS)
@settings(max_examples=40)
@given(value=ANYTHING)
def test_a_check_takes_or_refuses(name: str, value: Any) -> None:
    with contextlib.suppress(SlackError):
        CHECKS[name](Args({name: value}, ""))


@settings(max_examples=40)
@given(value=ANYTHING)
def test_what_acts_is_found_in_anything(value: Any) -> None:
    blocks = [block for block in (value if isinstance(value, list) else [value]) if isinstance(block, dict)]
    assert all(set(found) == {"kind", "what", "where"} for found in live("", blocks, blocks))


@settings(max_examples=40)
@given(values=st.dictionaries(NAMES | st.sampled_from(["channel", "thread_ts", "mrkdwn"]) | st.text(max_size=5), JSON))
def test_arguments_are_typed_or_refused(values: dict[str, Any]) -> None:
    signature = METHODS["chat.postMessage"]
    with contextlib.suppress(SlackError):
        Args(values, "").typed(signature).check(signature)
