"""The Web API's door: token, method, faults, budgets, and the envelope of every answer."""

import re
from collections.abc import Callable

from aiohttp import web

from bossbot.sandbox.faults import Fault
from bossbot.sandbox.faulty import answered, begun, logged_error
from bossbot.sandbox.json_types import Json, encode
from bossbot.sandbox.limits import Rate, retry_after_s
from bossbot.sandbox.slack_call import Call
from bossbot.sandbox.slack_errors import SlackError, ratelimited
from bossbot.sandbox.slack_files import METHODS as FILE_METHODS
from bossbot.sandbox.slack_messages import METHODS as MESSAGE_METHODS
from bossbot.sandbox.slack_methods import METHODS as OTHER_METHODS
from bossbot.sandbox.slack_params import Args, read_args
from bossbot.sandbox.world import WORLD, World

BOT_TOKEN = re.compile(r"xoxb-[A-Za-z0-9-]{8,}")
APP_TOKEN = re.compile(r"xapp-[A-Za-z0-9-]{8,}")
SCOPES = (
    "app_mentions:read,assistant:write,channels:history,channels:read,chat:write,files:read,files:write,"
    "groups:history,im:history,im:read,im:write,reactions:write,users:read"
)
Method = Callable[[Call], Json]
METHODS: dict[str, Method] = {**OTHER_METHODS, **MESSAGE_METHODS, **FILE_METHODS}
POST_RATE = Rate(burst=20, per_s=1.0)
"""One message a second and conversation, with bursts (docs.slack.dev, rate limits, "special")."""
TIERS = {
    "chat.update": Rate(burst=50, per_s=50 / 60),
    "chat.delete": Rate(burst=50, per_s=50 / 60),
    "chat.postEphemeral": Rate(burst=100, per_s=100 / 60),
    "reactions.add": Rate(burst=50, per_s=50 / 60),
    "views.open": Rate(burst=100, per_s=100 / 60),
}
"""Tiers 3 and 4: that many a minute for each method and workspace."""
PER_CHANNEL = {"chat.postMessage": "channel", "assistant.threads.setStatus": "channel_id"}


def routes() -> list[web.RouteDef]:
    return [
        web.get("/slack/socket", open_socket),
        web.route("*", "/slack/api/{method}", call_method),
    ]


async def open_socket(request: web.Request) -> web.StreamResponse:
    world = request.app[WORLD]
    world.connections.note("slack", request)
    return await world.sockets.serve(request)


async def call_method(request: web.Request) -> web.StreamResponse:
    """One Web API call, from its arrival to its entry in the log."""
    world = request.app[WORLD]
    world.connections.note("slack", request)
    arrived_at = world.clock.now()
    name = request.match_info["method"]
    fault = world.faults.take_for_call("slack", name)
    args = Args({}, "")
    refusal: SlackError | None = None
    result: Json = {}
    try:
        args = await read_args(request)
        if begun(world, fault):
            result = _run(world, name, args)
    except SlackError as error:
        refusal = error
    _log(world, arrived_at, name, args, refusal, fault)
    return await answered(request, world, fault, _answer(refusal, result))


def _run(world: World, name: str, args: Args) -> Json:
    method = METHODS.get(name)
    if method is None:
        raise SlackError("unknown_method")
    _check_token(name, args.token)
    if world.switches.rate_limits:
        _pace(world, name, args)
    return method(Call(world, args, world.slack.team_of(args.token)))


def _check_token(name: str, token: str) -> None:
    if not token:
        raise SlackError("not_authed")
    wanted, other = (APP_TOKEN, BOT_TOKEN) if name == "apps.connections.open" else (BOT_TOKEN, APP_TOKEN)
    if wanted.fullmatch(token):
        return
    raise SlackError("not_allowed_token_type" if other.fullmatch(token) else "invalid_auth")


def _pace(world: World, name: str, args: Args) -> None:
    team = world.slack.team_of(args.token)
    if name in PER_CHANNEL:
        key, rate = f"slack:{team.id}:{name}:{args.text(PER_CHANNEL[name])}", POST_RATE
    elif name in TIERS:
        key, rate = f"slack:{team.id}:{name}", TIERS[name]
    else:
        return
    now = world.clock.now()
    wait_s = world.budgets.wait_s(key, rate, now)
    if wait_s > 0:
        raise ratelimited(retry_after_s(wait_s))
    world.budgets.take(key, rate, now)


def _log(world: World, t: float, name: str, args: Args, refusal: SlackError | None, fault: Fault | None) -> None:
    error = None if refusal is None else refusal.error
    world.calls.add("slack", t, name, args.payload(), logged_error(error, fault), None if fault is None else fault.kind)


def _answer(refusal: SlackError | None, result: Json) -> web.Response:
    headers = {"x-oauth-scopes": SCOPES}
    if refusal is None:
        return web.Response(body=encode({"ok": True, **result}), content_type="application/json", headers=headers)
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    body = encode(refusal.as_json())
    return web.Response(status=refusal.status, body=body, content_type="application/json", headers=headers)
