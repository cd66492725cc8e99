"""The Bot API's door: token, method, faults, budgets, and the envelope of every answer."""

import re

from aiohttp import web

from bossbot.sandbox.faults import Fault
from bossbot.sandbox.faulty import answered, begun, logged_error
from bossbot.sandbox.json_types import Json, encode
from bossbot.sandbox.telegram_call import Described
from bossbot.sandbox.telegram_dispatch import proper_name, run
from bossbot.sandbox.telegram_errors import TelegramError
from bossbot.sandbox.telegram_limits import DOWNLOAD_BYTES
from bossbot.sandbox.telegram_params import NO_PARAMS, Params
from bossbot.sandbox.telegram_request import read_request
from bossbot.sandbox.telegram_table import table
from bossbot.sandbox.world import WORLD, World

TOKEN = re.compile(r"[1-9][0-9]{0,17}:[A-Za-z0-9_-]{30,}")
DOWNLOAD = "download"
"""What downloads of files are called in the log and by faults."""
_HEADERS = {"Content-Type": "application/json"}


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
    name = proper_name(asked)
    fault = world.faults.take_for_call("telegram", name)
    params = NO_PARAMS
    refusal: TelegramError | None = None
    result: object = None
    try:
        params = Params(name, table().method(name), *await read_request(request))
        if begun(world, fault):
            result = await run(world, int(token.split(":")[0]), name, params)
    except TelegramError as error:
        refusal = error
    _log(world, arrived_at, name, params, refusal, fault)
    return await answered(request, world, fault, _answer(refusal, result))


def _log(world: World, t: float, name: str, params: Params, refusal: TelegramError | None, fault: Fault | None) -> None:
    error = None if refusal is None else refusal.description
    # A payload is made when somebody reads it; the bytes of files are not kept for that.
    payload = params.payload() if params.files else params.payload
    kind = None if fault is None else fault.kind
    world.calls.add("telegram", t, name, payload, logged_error(error, fault), kind, params.ignored())


def _answer(refusal: TelegramError | None, result: object = None) -> web.Response:
    if isinstance(result, Described):
        return _json(200, {"ok": True, "result": result.result, "description": result.description})
    if refusal is None:
        return _json(200, {"ok": True, "result": result})
    retry_after = refusal.retry_after
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return _json(refusal.code, refusal.as_json(), headers)


def _json(status: int, body: Json, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(status=status, body=encode(body), headers=_HEADERS if not headers else {**_HEADERS, **headers})


async def download(request: web.Request) -> web.StreamResponse:
    """A file that `getFile` has named."""
    world = request.app[WORLD]
    world.connections.note("telegram", request)
    arrived_at, path = world.clock.now(), request.match_info["path"]
    fault = world.faults.take_for_call("telegram", DOWNLOAD)
    refusal: TelegramError | None = None
    data = b""
    try:
        if begun(world, fault):
            data = _content(world, request.match_info["token"], path)
    except TelegramError as refused:
        refusal = refused
    error = None if refusal is None else refusal.description
    kind = None if fault is None else fault.kind
    world.calls.add("telegram", arrived_at, DOWNLOAD, {"file_path": path}, logged_error(error, fault), kind)
    given = web.Response(body=data, content_type="application/octet-stream")
    return await answered(request, world, fault, given if refusal is None else _answer(refusal))


def _content(world: World, token: str, path: str) -> bytes:
    if not TOKEN.fullmatch(token):
        raise TelegramError(401, "Unauthorized: invalid token specified")
    file = world.telegram.files.at(path)
    if file is None or len(file.data) > DOWNLOAD_BYTES:
        raise TelegramError(404, "Not Found")
    return file.data


async def not_found(request: web.Request) -> web.StreamResponse:
    return _answer(TelegramError(404, "Not Found"))
