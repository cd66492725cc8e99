"""The kinds of trouble that only Slack makes, in its words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bossbot.sandbox.faults import Fault, Kind
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_errors import SlackError, missing_scope, ratelimited
from bossbot.sandbox.slack_table import METHODS

if TYPE_CHECKING:
    from bossbot.sandbox.world import World


WRITES = frozenset(
    {
        "chat.postMessage", "chat.postEphemeral", "chat.update", "chat.delete", "chat.startStream",
        "reactions.add", "reactions.remove", "files.completeUploadExternal",
    }
)  # fmt: skip


POSTS = frozenset({"chat.postMessage", "chat.postEphemeral", "chat.startStream"})


def _disconnect(reason: str) -> Callable[[World, Fault], Awaitable[Json]]:
    async def act(world: World, fault: Fault) -> Json:
        return {"disconnected": world.sockets.disconnect(fault.count, reason)}

    return act


def _without_scope(fault: Fault) -> Exception:
    signature = METHODS.get(fault.method or "chat.postMessage")
    return missing_scope("" if signature is None else signature.scope, "")


async def _silence(world: World, fault: Fault) -> Json:
    return {"silenced": world.sockets.silence(fault.count)}


KINDS = (
    Kind(
        "429", "call", "too many requests, with `retry_after` seconds in the header",
        options={"retry_after": 1}, refusal=lambda fault: ratelimited(fault.retry_after),
    ),
    Kind(
        "rate_limited", "call", "too many messages were posted: the other word for it, `rate_limited`",
        options={"retry_after": 1}, methods=POSTS,
        refusal=lambda fault: SlackError("rate_limited", status=429, retry_after=fault.retry_after),
    ),
    Kind(
        "500", "call", "the platform's internal error",
        refusal=lambda _: SlackError("fatal_error", status=500),
    ),
    Kind(
        "disconnect", "now", "`count` sockets are asked to leave (`refresh_requested`) and closed 2 s later",
        act=_disconnect("refresh_requested"),
    ),
    Kind(
        "disconnect_warning", "now", "`count` sockets hear that they will be closed soon (`warning`), and stay",
        act=_disconnect("warning"),
    ),
    Kind(
        "link_disabled", "now", "`count` sockets hear that Socket Mode was switched off and are closed 2 s later",
        act=_disconnect("link_disabled"),
    ),
    Kind(
        "silent", "now", "`count` sockets stay open, and nothing moves on them any more, pings included",
        act=_silence,
    ),
    Kind(
        "two_event_ids", "delivery", "the next event is told twice, each time under an event id of its own",
    ),
    Kind(
        "expired_trigger", "call", "the trigger has just run out",
        methods=frozenset({"views.open", "views.push"}), refusal=lambda _: SlackError("expired_trigger_id"),
    ),
    Kind(
        "is_archived", "call", "the channel has just been archived",
        methods=WRITES, refusal=lambda _: SlackError("is_archived"),
    ),
    Kind(
        "missing_scope", "call", "a scope was taken from the app's token",
        refusal=_without_scope,
    ),
)  # fmt: skip
