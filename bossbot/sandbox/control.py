"""The control API: a script plays the people, looks at everything, and makes trouble."""

import math
from typing import Literal, TypeVar

import msgspec
from aiohttp import web

from bossbot.sandbox import slack_file_bytes, slack_response, slack_wire, telegram_dispatch, telegram_wire
from bossbot.sandbox.fault_kinds import KINDS
from bossbot.sandbox.faults import Fault, Kind
from bossbot.sandbox.json_types import encode
from bossbot.sandbox.telegram_updates import KINDS as UPDATE_KINDS
from bossbot.sandbox.world import WORLD

METHODS = {
    "telegram": frozenset(telegram_dispatch.METHODS) | {telegram_wire.DOWNLOAD},
    "slack": frozenset(slack_wire.METHODS) | {slack_response.NAME, slack_file_bytes.UPLOAD, slack_file_bytes.DOWNLOAD},
}
NUMBERS = ("retry_after", "seconds")
NUMBER_MAX = 10_000_000
"""A fault's `retry_after` and `seconds` at most: four months."""
ADVANCE_MAX_S = 366 * 86_400
"""A year: further on, programs meet dates that they were not made for."""
Body = TypeVar("Body", bound=msgspec.Struct)


class ControlError(Exception):
    """A control request that cannot be done: 400 (wrong) or 404 (nothing there of that name)."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class FaultBody(msgspec.Struct, forbid_unknown_fields=True):
    platform: Literal["telegram", "slack"]
    kind: str
    count: int = 1
    method: str | None = None
    event: str | None = None
    retry_after: int | None = None
    seconds: float | None = None


class SettingsBody(msgspec.Struct, forbid_unknown_fields=True):
    rate_limits: bool | None = None
    privacy_mode: bool | None = None


class ClockBody(msgspec.Struct, forbid_unknown_fields=True):
    advance_s: float


class EmptyBody(msgspec.Struct, forbid_unknown_fields=True):
    pass


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
        fields = ", ".join(field.name if field.required else f"{field.name}?" for field in msgspec.structs.fields(kind))
        raise ControlError(400, f"{error}; the fields are: {fields or 'none'}") from None


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
    """What is still to be played, and every kind there is with the fields it takes."""
    kinds = [{"platform": platform, **kind.view()} for platform, table in KINDS.items() for kind in table.values()]
    waiting = [fault.view() for fault in request.app[WORLD].faults.waiting()]
    return answer({"ok": True, "faults": waiting, "kinds": kinds})


async def add_fault(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    body = await read_body(request, FaultBody)
    kind = KINDS[body.platform].get(body.kind)
    if kind is None:
        known = ", ".join(KINDS[body.platform])
        raise ControlError(400, f"{body.platform} has no fault of kind {body.kind!r}; its kinds: {known}")
    fault = _fault(body, kind)
    if kind.act is not None:
        return answer({"ok": True, **await kind.act(world, fault)})
    world.faults.add(fault)
    return answer({"ok": True})


def _fault(body: FaultBody, kind: Kind) -> Fault:
    numbers = {name: value for name in NUMBERS if (value := getattr(body, name)) is not None}
    given = {"method": body.method, "event": body.event, **numbers}
    for name in (name for name, value in given.items() if value is not None and name not in kind.takes()):
        raise ControlError(400, f"a fault of kind {kind.name!r} takes no {name}; it takes {', '.join(kind.takes())}")
    if body.count < 1 or not all(0 < value <= NUMBER_MAX for value in numbers.values()):
        raise ControlError(400, "count, retry_after and seconds must be positive: retry_after at least 1")
    if body.method is not None:
        _require_method(body, kind)
    if body.event is not None and body.platform == "telegram" and body.event not in UPDATE_KINDS:
        raise ControlError(404, f"telegram has no update {body.event!r}; it has {', '.join(sorted(UPDATE_KINDS))}")
    values = {**kind.options, **numbers}
    return Fault(
        body.platform, kind, body.count, body.method, body.event,
        int(values.get("retry_after", 1)), values.get("seconds", 0.0),
    )  # fmt: skip


def _require_method(body: FaultBody, kind: Kind) -> None:
    if body.method not in METHODS[body.platform]:
        raise ControlError(404, f"{body.platform} has no method {body.method!r} here")
    if kind.methods and body.method not in kind.methods:
        fitting = ", ".join(sorted(kind.methods & METHODS[body.platform]))
        raise ControlError(400, f"a fault of kind {kind.name!r} does not meet {body.method}; it meets {fitting}")


async def settings(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    body = await read_body(request, SettingsBody)
    if body.rate_limits is None and body.privacy_mode is None:
        raise ControlError(400, "give rate_limits or privacy_mode, true or false")
    if body.rate_limits is not None:
        world.switches.rate_limits = body.rate_limits
        world.budgets.clear()
    if body.privacy_mode is not None:
        world.switches.privacy_mode = body.privacy_mode
    return answer({"ok": True, "settings": world.switches.view()})


async def clock(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    body = await read_body(request, ClockBody)
    if not math.isfinite(body.advance_s) or not 0 <= body.advance_s <= ADVANCE_MAX_S:
        raise ControlError(400, f"advance_s must be a number of seconds from 0 to {ADVANCE_MAX_S}")
    world.clock.advance(body.advance_s)
    for platform in ("telegram", "slack"):  # what shows for a while may have run out
        world.feed.changed(platform)
    return answer({"ok": True, "now": world.clock.now()})


async def reset(request: web.Request) -> web.Response:
    await read_body(request, EmptyBody)
    request.app[WORLD].reset()
    return answer({"ok": True})
