"""The server of the feeds: where it listens, and its end."""

import asyncio
import errno
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from aiohttp import web

from bossbot.http.feeds import FEEDS, PACE, Pace, serve
from bossbot.http.guards import LOCAL, TOKEN_CHARS, Handler, guard, is_loopback, refusal
from bossbot.store.protocol import EventStore

if TYPE_CHECKING:
    from bossbot.settings import HttpSettings

log = logging.getLogger(__name__)

MOST_READERS = 64
HEADER_BYTES = 8 * 1024
GOODBYE_S = 1.0


class HttpError(Exception):
    """The server cannot start. The text names the key and the fix."""


@asynccontextmanager
async def serving(settings: "HttpSettings", store: EventStore, pace: Pace = PACE) -> AsyncIterator[str]:
    """Serves the feeds of `store` while the context lasts; gives the address. Raises `HttpError`."""
    _check(settings)
    readers: WeakSet[asyncio.Task[object]] = WeakSet()
    app = web.Application(middlewares=[guard(settings.token, _names(settings)), _errors], client_max_size=0)
    for name in FEEDS:
        feed = partial(_feed, readers, partial(serve, feed=name, store=store, pace=pace))
        app.router.add_get(f"/{name}", feed, allow_head=False)
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=GOODBYE_S,
        handler_cancellation=True,
        max_line_size=HEADER_BYTES,
        max_field_size=HEADER_BYTES,
    )
    await runner.setup()
    try:
        await _listen(runner, settings)
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        yield f"http://{name}:{runner.addresses[0][1]}"
    finally:
        for reader in list(readers):
            reader.cancel()
        await runner.cleanup()


def _check(settings: "HttpSettings") -> None:
    if len(settings.token) < TOKEN_CHARS or not settings.token.isascii() or not settings.token.isprintable():
        raise HttpError(
            f"[http] token: the feeds need one of at least {TOKEN_CHARS} ASCII characters; put it into"
            " BOSSBOT_HTTP__TOKEN, for example the output of: openssl rand -hex 20"
        )
    if not is_loopback(settings.host):
        log.warning("[http] host = %r: other machines reach the feeds, and see the token on its way", settings.host)


def _names(settings: "HttpSettings") -> frozenset[str]:
    return LOCAL | {settings.host.lower()} | {name.lower() for name in settings.names}


async def _listen(runner: web.AppRunner, settings: "HttpSettings") -> None:
    # `localhost` can stand for two addresses, and port 0 would then be two ports.
    host = "127.0.0.1" if settings.host == "localhost" else settings.host
    try:
        await web.TCPSite(runner, host, settings.port).start()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        fix = "another program uses it; choose another [http] port" if taken else f"{error.strerror}; correct it"
        raise HttpError(f"[http] host and port: cannot listen on {settings.host}:{settings.port}: {fix}") from None


async def _feed(
    readers: "WeakSet[asyncio.Task[object]]", serve_it: Handler, request: web.Request
) -> web.StreamResponse:
    if len(readers) >= MOST_READERS:
        answer = refusal(503, f"{MOST_READERS} readers are connected; come back later")
        answer.headers["Retry-After"] = "10"
        return answer
    task = asyncio.current_task()
    assert task is not None
    readers.add(task)
    try:
        return await serve_it(request)
    finally:
        readers.discard(task)


@web.middleware
async def _errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return refusal(404, f"there is no such thing here; there are {', '.join(f'/{name}' for name in FEEDS)}")
    except web.HTTPException as error:
        return _with(refusal(error.status, error.reason), error.headers)


def _with(answer: web.Response, headers: Mapping[str, str]) -> web.Response:
    if "Allow" in headers:
        answer.headers["Allow"] = headers["Allow"]
    return answer
