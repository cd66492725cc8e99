"""The control API: a script plays the people, looks at everything, and makes trouble."""

import math
from typing import Literal, TypeVar

import msgspec
from aiohttp import web

from bossbot.sandbox import slack_response, slack_wire, telegram_wire
from bossbot.sandbox.faults import Fault, Kind
from bossbot.sandbox.json_types import encode
from bossbot.sandbox.world import WORLD

METHODS = {
    "telegram": frozenset(name for name, _ in telegram_wire.METHODS.values()),
    "slack": frozenset(slack_wire.METHODS) | {slack_response.NAME},
}
Body = TypeVar("Body", bound=msgspec.Struct)


class ControlError(Exception):
    """A control request that cannot be done: 400 (wrong) or 404 (nothing there of that name)."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class FaultBody(msgspec.Struct, forbid_unknown_fields=True):
    platform: Literal["telegram", "slack"]
    kind: Kind
    count: int = 1
    method: str | None = None
    retry_after: int = 1


class SettingsBody(msgspec.Struct, forbid_unknown_fields=True):
    rate_limits: bool


class ClockBody(msgspec.Struct, forbid_unknown_fields=True):
    advance_s: float


def routes() -> list[web.RouteDef]:
    return [
        web.get("/sandbox/state", state),
        web.get("/sandbox/calls", calls),
        web.get("/sandbox/faults", faults),
        web.post("/sandbox/faults", add_fault),
        web.post("/sandbox/settings", settings),
        web.post("/sandbox/clock", clock),
        web.post("/sandbox/reset", reset),
    ]


async def read_body(request: web.Request, kind: type[Body]) -> Body:
    """The request's JSON, typed. Forms are refused: another site's page could send those."""
    if request.content_type != "application/json":
        raise ControlError(400, "send JSON, with Content-Type: application/json")
    try:
        return msgspec.json.decode(await request.read() or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ControlError(400, str(error)) from None


def answer(body: object, status: int = 200) -> web.Response:
    return web.Response(status=status, body=encode(body), content_type="application/json")


async def state(request: web.Request) -> web.Response:
    return answer(request.app[WORLD].view())


async def calls(request: web.Request) -> web.Response:
    """The log of one platform, as a bare array; `method` and `since` (seconds) narrow it."""
    platform = request.query.get("platform", "")
    if platform not in ("telegram", "slack"):
        raise ControlError(400, "platform must be telegram or slack")
    method = request.query.get("method")
    try:
        since = float(request.query.get("since", "0"))
    except ValueError:
        raise ControlError(400, "since must be a number of seconds") from None
    return answer(request.app[WORLD].calls.view(platform, method, since))


async def faults(request: web.Request) -> web.Response:
    waiting = request.app[WORLD].faults.waiting()
    return answer({"ok": True, "faults": [msgspec.to_builtins(fault) for fault in waiting]})


async def add_fault(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    body = await read_body(request, FaultBody)
    if body.count < 1 or body.retry_after < 1:
        raise ControlError(400, "count and retry_after must be at least 1")
    if body.kind == "disconnect":
        if body.platform != "slack":
            raise ControlError(400, "disconnect is a fault of slack only")
        return answer({"ok": True, "disconnected": world.sockets.disconnect(body.count, "refresh_requested")})
    if body.method is not None and body.method not in METHODS[body.platform]:
        raise ControlError(404, f"{body.platform} has no method {body.method!r} here")
    world.faults.add(Fault(body.platform, body.kind, body.count, body.method, body.retry_after))
    return answer({"ok": True})


async def settings(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    body = await read_body(request, SettingsBody)
    world.switches.rate_limits = body.rate_limits
    world.budgets.clear()
    return answer({"ok": True, "settings": {"rate_limits": body.rate_limits}})


async def clock(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    body = await read_body(request, ClockBody)
    if not math.isfinite(body.advance_s) or body.advance_s < 0:
        raise ControlError(400, "advance_s must be a number of seconds, not negative")
    world.clock.advance(body.advance_s)
    return answer({"ok": True, "now": world.clock.now()})


async def reset(request: web.Request) -> web.Response:
    await read_body(request, msgspec.Struct)
    request.app[WORLD].reset()
    return answer({"ok": True})
