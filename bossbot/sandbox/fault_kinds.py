"""The kinds of trouble on each platform: those that both have, and each platform's own table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bossbot.sandbox import slack_faults, telegram_faults
from bossbot.sandbox.faults import Fault, Kind, Send
from bossbot.sandbox.json_types import Json

if TYPE_CHECKING:
    from bossbot.sandbox.world import World

REFUSE_MAX_S = 60.0
"""A closed port stays closed this long at most: the control API is behind it too."""


def _jump(world: World, fault: Fault) -> None:
    world.clock.advance(fault.seconds)


async def _close_port(world: World, fault: Fault) -> Json:
    seconds = min(fault.seconds, REFUSE_MAX_S)
    await world.connections.refuse(fault.platform, seconds)
    return {"seconds": seconds}


def _twice(_world: World, _fault: Fault, send: Send, again: Send) -> None:
    send()
    again()


def _later(world: World, fault: Fault, send: Send, _again: Send) -> None:
    world.deliveries.later(fault.seconds, send)


def _after_the_next(world: World, fault: Fault, send: Send, _again: Send) -> None:
    world.deliveries.hold(fault.platform, send, fault.seconds)


SHARED = (
    Kind(
        "reset", "call", "the connection is cut with nothing sent; nothing was done",
        answer="cut",
    ),
    Kind(
        "reset_after", "call", "the call takes effect, and the connection is cut in place of its answer",
        carried_out=True, answer="cut",
    ),
    Kind(
        "timeout", "call", "the call takes effect, and its answer never comes",
        carried_out=True, answer="none",
    ),
    Kind(
        "timeout_before", "call", "nothing is done, and no answer comes",
        answer="none",
    ),
    Kind(
        "clock_jump", "call", "the platform's time jumps `seconds` ahead just before the call",
        options={"seconds": 151.0}, carried_out=True, before=_jump,
    ),
    Kind(
        "refused", "now",
        "the port is closed for `seconds` (60 at most), for everybody, and the platform's open connections are cut",
        options={"seconds": 5.0}, act=_close_port,
    ),
    Kind(
        "duplicate", "delivery", "the next update or event is delivered twice",
        deliver=_twice,
    ),
    Kind(
        "delayed", "delivery", "the next update or event is delivered `seconds` later",
        options={"seconds": 30.0}, deliver=_later,
    ),
    Kind(
        "reordered", "delivery", "the next update or event comes after the one that follows it, or after `seconds`",
        options={"seconds": 30.0}, deliver=_after_the_next,
    ),
)  # fmt: skip

KINDS: dict[str, dict[str, Kind]] = {
    "telegram": {kind.name: kind for kind in (*telegram_faults.KINDS, *SHARED)},
    "slack": {kind.name: kind for kind in (*slack_faults.KINDS, *SHARED)},
}
