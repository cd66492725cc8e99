"""The Bot API's door: token, method, faults, budgets, and the envelope of every answer."""

import re
from collections.abc import Awaitable, Callable

from aiohttp import web

from bossbot.sandbox.faults import Fault
from bossbot.sandbox.faulty import answered, begun, logged_error
from bossbot.sandbox.json_types import Json, encode
from bossbot.sandbox.limits import Rate, retry_after_s
from bossbot.sandbox.telegram_call import Call
from bossbot.sandbox.telegram_errors import TelegramError, too_many_requests
from bossbot.sandbox.telegram_messages import METHODS as MESSAGE_METHODS
from bossbot.sandbox.telegram_methods import METHODS as OTHER_METHODS
from bossbot.sandbox.telegram_params import Params
from bossbot.sandbox.telegram_request import read_request
from bossbot.sandbox.telegram_table import table
from bossbot.sandbox.world import WORLD, World

TOKEN = re.compile(r"[1-9]\d*:[A-Za-z0-9_-]{30,}")
Method = Callable[[Call], Awaitable[object]]
METHODS: dict[str, tuple[str, Method]] = {
    name.lower(): (name, method) for name, method in {**MESSAGE_METHODS, **OTHER_METHODS}.items()
}
PACED = frozenset({"sendMessage", "sendDocument", "editMessageText", "editMessageReplyMarkup"})
"""Sends and edits share one budget for each chat (platform staff: tdlib/td issue 3034)."""
PRIVATE_RATE = Rate(burst=20, per_s=1.0)
GROUP_RATE = Rate(burst=20, per_s=20 / 60)
OVERALL_RATE = Rate(burst=30, per_s=30.0)


def routes() -> list[web.RouteDef]:
    return [
        web.route("*", "/telegram/bot{token}/{method}", call_method),
        web.get("/telegram/file/bot{token}/{path:.+}", download),
        web.route("*", "/telegram/{rest:.*}", not_found),
    ]


async def call_method(request: web.Request) -> web.StreamResponse:
    """One Bot API call, from its arrival to its entry in the log."""
    world = request.app[WORLD]
    world.connections.note("telegram", request)
    arrived_at = world.clock.now()
    token, asked = request.match_info["token"], request.match_info["method"]
    if not TOKEN.fullmatch(token):
        return _answer(TelegramError(401, "Unauthorized: invalid token specified"))
    name, method = METHODS.get(asked.lower(), (asked, None))
    fault = world.faults.take_for_call("telegram", name)
    params = Params()
    refusal: TelegramError | None = None
    result: object = None
    try:
        params = Params(name, table().method(name), *await read_request(request))
        if begun(world, fault):
            result = await _run(world, name, method, int(token.split(":")[0]), params)
    except TelegramError as error:
        refusal = error
    _log(world, arrived_at, name, params, refusal, fault)
    return await answered(request, world, fault, _answer(refusal, result))


async def _run(world: World, name: str, method: Method | None, bot_id: int, params: Params) -> object:
    if method is None and name.lower() in table().names:
        raise TelegramError(501, f"Not Implemented: the sandbox has no {table().names[name.lower()]} yet")
    if method is None:
        raise TelegramError(404, "Not Found: method not found")
    if name in PACED and world.switches.rate_limits:
        _pace(world, params.integer("chat_id"))
    return await method(Call(world, bot_id, params))


def _pace(world: World, chat_id: int) -> None:
    now = world.clock.now()
    chat_key, chat_rate = f"telegram:{chat_id}", PRIVATE_RATE if chat_id > 0 else GROUP_RATE
    wait_s = max(
        world.budgets.wait_s(chat_key, chat_rate, now),
        world.budgets.wait_s("telegram", OVERALL_RATE, now),
    )
    if wait_s > 0:
        raise too_many_requests(retry_after_s(wait_s))
    world.budgets.take(chat_key, chat_rate, now)
    world.budgets.take("telegram", OVERALL_RATE, now)


def _log(world: World, t: float, name: str, params: Params, refusal: TelegramError | None, fault: Fault | None) -> None:
    error = None if refusal is None else refusal.description
    world.calls.add(
        "telegram", t, name, params.payload(), logged_error(error, fault), None if fault is None else fault.kind
    )


def _answer(refusal: TelegramError | None, result: object = None) -> web.Response:
    if refusal is None:
        return _json(200, {"ok": True, "result": result})
    retry_after = refusal.retry_after
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return _json(refusal.code, refusal.as_json(), headers)


def _json(status: int, body: Json, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(status=status, body=encode(body), content_type="application/json", headers=headers)


async def download(request: web.Request) -> web.StreamResponse:
    """A file that `getFile` has named."""
    if not TOKEN.fullmatch(request.match_info["token"]):
        return _answer(TelegramError(401, "Unauthorized: invalid token specified"))
    file_id = request.match_info["path"].removeprefix("documents/")
    known = request.app[WORLD].telegram.files.get(file_id)
    if known is None:
        return _answer(TelegramError(404, "Not Found"))
    return web.Response(body=known[1], content_type="application/octet-stream")


async def not_found(request: web.Request) -> web.StreamResponse:
    return _answer(TelegramError(404, "Not Found"))
