"""conversations.history and conversations.replies: what was written, page by page."""

import re
from collections.abc import Sequence
from typing import TypeVar

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_call import Call, find_channel
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_message import SlackMessage

PAGE = 100
PAGE_MAX = 999
CURSOR = re.compile(r"[0-9]{1,12}")
Item = TypeVar("Item")


def history(call: Call) -> Json:
    """`conversations.history`: newest first; answers in threads are not part of it, unless broadcast."""
    channel = _readable(call)
    found = [item for item in channel.messages.values() if item.thread_ts in (None, item.ts) or item.broadcast]
    return _shown(call, channel, found[::-1])


def replies(call: Call) -> Json:
    """`conversations.replies`: a thread from its beginning, oldest first."""
    channel = _readable(call)
    named = channel.messages.get(call.args.need("ts"))
    if named is None:
        raise SlackError("thread_not_found")
    first = channel.messages.get(named.thread_ts or named.ts, named)
    return _shown(call, channel, [first, *channel.replies(first.ts)])


def page(call: Call, items: Sequence[Item]) -> tuple[Sequence[Item], str]:
    """One page of a list, and the cursor of the next ("" after the last)."""
    cursor = call.args.text("cursor")
    if cursor and CURSOR.fullmatch(cursor) is None:
        raise SlackError("invalid_cursor")
    begin = int(cursor or 0)
    end = begin + call.args.integer("limit", PAGE, 1, PAGE_MAX)
    return items[begin:end], str(end) if end < len(items) else ""


def _readable(call: Call) -> Channel:
    channel = find_channel(call)
    if not channel.has_bot:
        raise SlackError("not_in_channel")
    return channel


def _shown(call: Call, channel: Channel, found: list[SlackMessage]) -> Json:
    kept, cursor = page(call, [item for item in found if _within(call, float(item.ts))])
    with_metadata = call.args.flag("include_all_metadata")
    return {
        "messages": [channel.wire_message(message, with_metadata) for message in kept],
        "has_more": cursor != "",
        "response_metadata": {"next_cursor": cursor},
    }


def _within(call: Call, ts: float) -> bool:
    oldest, latest = _time(call, "oldest"), _time(call, "latest")
    if call.args.flag("inclusive"):
        return (oldest is None or oldest <= ts) and (latest is None or ts <= latest)
    return (oldest is None or oldest < ts) and (latest is None or ts < latest)


def _time(call: Call, name: str) -> float | None:
    if not call.args.has(name):
        return None
    try:
        return float(call.args.text(name))
    except ValueError:
        raise SlackError(f"invalid_ts_{name}") from None


METHODS = {"conversations.history": history, "conversations.replies": replies}
