"""A local Telegram and a local Slack on one port of this machine, with a page and a control API."""

import errno
from pathlib import Path

from aiohttp import web

from bossbot.sandbox import (
    control,
    control_slack,
    control_slack_admin,
    control_slack_app,
    control_slack_press,
    control_telegram,
    control_telegram_press,
    control_telegram_world,
    page_files,
    session_feed,
    shown_files,
    slack_file_bytes,
    slack_response,
    slack_wire,
    telegram_answered,
    telegram_wire,
)
from bossbot.sandbox.errors import SandboxPortInUseError
from bossbot.sandbox.guards import Handler, guarded, require_loopback
from bossbot.sandbox.json_types import encode
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.world import WORLD, World

BODY_BYTES = 60 * 1024 * 1024
"""Uploads to Telegram may have 50 MB; the rest of a form comes on top."""
SHUTDOWN_S = 2.0


class RunningSandbox:
    """A sandbox that listens; `close()` ends it and every connection to it."""

    def __init__(self, world: World, runner: web.AppRunner, state_file: Path | None) -> None:
        self.world = world
        self.base_url = world.base_url
        self.telegram_api_base = f"{world.base_url}/telegram"
        self.slack_api_base = f"{world.base_url}/slack/api/"
        self._runner = runner
        self._state_file = state_file

    def show_feed(self, url: str, token: str) -> None:
        """The page shows the events of this feed, which a bot serves on this machine. Raises `ValueError`."""
        session_feed.show_feed(self.world, url, token)

    async def close(self) -> None:
        if self._state_file is not None:
            self._state_file.write_bytes(encode(_last_words(self.world)))
        await self.world.close()
        await self._runner.cleanup()


async def start_sandbox(host: str = "127.0.0.1", port: int = 8700, state_file: Path | None = None) -> RunningSandbox:
    """Listen on `host`:`port` (0: any free port) and return the running sandbox.

    Nothing is kept when it closes; with `state_file`, what people and bots saw is written there then,
    for looking at a failed run.

    Raises `SandboxNotLoopbackError` for a host that is not this machine's own, and
    `SandboxPortInUseError` when the port is taken.
    """
    require_loopback(host)
    judge()
    app = web.Application(client_max_size=BODY_BYTES)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_S)
    world = World("")
    app[WORLD] = world
    world.telegram.webhook.on_answer = telegram_answered.carry_out(world)
    for module in (
        telegram_wire, slack_wire, slack_file_bytes, slack_response, page_files, session_feed, shown_files,
        control, control_telegram, control_telegram_press,
        control_telegram_world, control_slack, control_slack_press, control_slack_app,
        control_slack_admin,
    ):  # fmt: skip
        app.add_routes(map(_served, module.routes()))
    app.add_routes([_served(web.route("*", "/{rest:.*}", _nothing_here))])
    await runner.setup()
    try:
        # `localhost` can stand for two addresses, and port 0 would then be two ports.
        port = await world.connections.listen(runner, "127.0.0.1" if host == "localhost" else host, port)
    except OSError as error:
        await runner.cleanup()
        if error.errno == errno.EADDRINUSE:
            raise SandboxPortInUseError(port) from None
        raise
    name = f"[{host}]" if ":" in host else host
    world.set_base_url(f"http://{name}:{port}")
    return RunningSandbox(world, runner, state_file)


def _last_words(world: World) -> object:
    calls = {platform: world.calls.view(platform) for platform in ("telegram", "slack")}
    return {"state": world.view(), "calls": calls}


def _served(route: web.RouteDef) -> web.RouteDef:
    """The route, with the guard before it and errors of the control API as JSON."""
    return web.RouteDef(route.method, route.path, guarded(_with_errors(route.handler)), route.kwargs)


def _with_errors(handler: Handler) -> Handler:
    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except control.ControlError as error:
            return control.answer({"ok": False, "error": str(error)}, error.status)
        except web.HTTPException as error:
            return control.answer({"ok": False, "error": error.reason}, error.status)

    return answer


async def _nothing_here(request: web.Request) -> web.StreamResponse:
    """No route leads here: the path is unknown, or known for other methods."""
    allowed: set[str] = set()
    for resource in request.app.router.resources():
        if resource.canonical != "/{rest}":
            allowed |= (await resource.resolve(request))[1]
    if allowed:
        raise web.HTTPMethodNotAllowed(request.method, allowed)
    raise web.HTTPNotFound
