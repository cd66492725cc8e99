"""The kinds of trouble that only Slack makes, in its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bossbot.sandbox.faults import Fault, Kind
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_errors import SlackError, ratelimited

if TYPE_CHECKING:
    from bossbot.sandbox.world import World


async def _disconnect(world: World, fault: Fault) -> Json:
    return {"disconnected": world.sockets.disconnect(fault.count, "refresh_requested")}


KINDS = (
    Kind(
        "429", "call", "too many requests, with `retry_after` seconds in the header",
        options={"retry_after": 1}, refusal=lambda fault: ratelimited(fault.retry_after),
    ),
    Kind(
        "500", "call", "the platform's internal error",
        refusal=lambda _: SlackError("fatal_error", status=500),
    ),
    Kind(
        "disconnect", "now", "`count` sockets are asked to leave (`refresh_requested`) and closed 2 s later",
        act=_disconnect,
    ),
)  # fmt: skip
