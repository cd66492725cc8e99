"""The Web API's door: token, method, faults, budgets, and the envelope of every answer."""

import re
from collections.abc import Callable

from aiohttp import web

from bossbot.sandbox.faults import Fault
from bossbot.sandbox.faulty import answered, begun, logged_error
from bossbot.sandbox.json_types import Json, as_object, encode
from bossbot.sandbox.limits import retry_after_s
from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_call import Call
from bossbot.sandbox.slack_errors import SlackError, ratelimited
from bossbot.sandbox.slack_files import METHODS as FILE_METHODS
from bossbot.sandbox.slack_history import METHODS as HISTORY_METHODS
from bossbot.sandbox.slack_lookups import METHODS as LOOKUP_METHODS
from bossbot.sandbox.slack_messages import METHODS as MESSAGE_METHODS
from bossbot.sandbox.slack_params import Args, read_args
from bossbot.sandbox.slack_reactions import METHODS as REACTION_METHODS
from bossbot.sandbox.slack_scopes import check_scopes
from bossbot.sandbox.slack_sessions import METHODS as SESSION_METHODS
from bossbot.sandbox.slack_streams import METHODS as STREAM_METHODS
from bossbot.sandbox.slack_table import METHODS as TABLE
from bossbot.sandbox.slack_table import Signature
from bossbot.sandbox.slack_validate import METHODS as VALIDATE_METHODS
from bossbot.sandbox.slack_views import METHODS as VIEW_METHODS
from bossbot.sandbox.world import WORLD, World

BOT_TOKEN = re.compile(r"xoxb-[A-Za-z0-9-]{8,}")
APP_TOKEN = re.compile(r"xapp-[A-Za-z0-9-]{8,}")
Method = Callable[[Call], Json]
METHODS: dict[str, Method] = {
    **FILE_METHODS,
    **HISTORY_METHODS,
    **LOOKUP_METHODS,
    **MESSAGE_METHODS,
    **REACTION_METHODS,
    **SESSION_METHODS,
    **STREAM_METHODS,
    **VALIDATE_METHODS,
    **VIEW_METHODS,
}


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
        signature = TABLE.get(name)
        args = args if signature is None else args.typed(signature)
        if begun(world, fault):
            result = _run(world, name, args, signature)
    except SlackError as error:
        refusal = error
    _log(world, arrived_at, name, args, refusal, fault)
    return await answered(request, world, fault, _answer(world, refusal, result, args.warning))


def _run(world: World, name: str, args: Args, signature: Signature | None) -> Json:
    if signature is None:
        raise SlackError("unknown_method")
    _check_token(name, args.token)
    team = world.slack.team_of(args.token)
    if world.switches.rate_limits:
        _pace(world, team, name, args, signature)
    check_scopes(world.slack, team, args, signature)
    args.check(signature)
    return METHODS[name](Call(world, args, team))


def _check_token(name: str, token: str) -> None:
    if not token:
        raise SlackError("not_authed")
    wanted, other = (APP_TOKEN, BOT_TOKEN) if name == "apps.connections.open" else (BOT_TOKEN, APP_TOKEN)
    if wanted.fullmatch(token):
        return
    raise SlackError("not_allowed_token_type" if other.fullmatch(token) else "invalid_auth")


def _pace(world: World, team: SlackTeam, name: str, args: Args, signature: Signature) -> None:
    """Budgets are kept for each method and workspace, some also for each conversation."""
    rate = signature.rate
    if rate is None:
        return
    key = f"slack:{team.id}:{name}"
    if signature.channel:
        channel = world.slack.channel(args.text(signature.channel), team)
        key = f"{key}:{'' if channel is None else channel.id}"
    now = world.clock.now()
    wait_s = world.budgets.wait_s(key, rate, now)
    if wait_s > 0:
        raise ratelimited(retry_after_s(wait_s))
    world.budgets.take(key, rate, now)


def _log(world: World, t: float, name: str, args: Args, refusal: SlackError | None, fault: Fault | None) -> None:
    error = None if refusal is None else refusal.error
    kind = None if fault is None else fault.kind
    world.calls.add("slack", t, name, dict(args.values), logged_error(error, fault), kind, args.ignored)


def _answer(world: World, refusal: SlackError | None, result: Json, warning: str) -> web.Response:
    headers = {"x-oauth-scopes": ",".join(sorted(world.slack.manifest.scopes))}
    body = {"ok": True, **result} if refusal is None else refusal.as_json()
    warnings = [word for word in (warning, body.get("warning")) if word]
    if warnings:
        body["warning"] = ",".join(map(str, warnings))
        body["response_metadata"] = {**(as_object(body.get("response_metadata")) or {}), "warnings": warnings}
    if refusal is not None and refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    status = 200 if refusal is None else refusal.status
    return web.Response(status=status, body=encode(body), content_type="application/json", headers=headers)
