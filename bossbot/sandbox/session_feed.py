"""The bot's own events on the page: the bot serves them with a token, and the sandbox hands them on to its page.

So the page needs no token and no second address, and the sandbox keeps nothing of what passes.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.guards import LOCAL_NAMES
from bossbot.sandbox.world import WORLD, World

QUIET_S = 60.0
"""A feed that says nothing for so long, not even that it is quiet, is taken for dead (the bot's says so every 15 s)."""
RETRY_MS = 1000
"""When a browser asks again after the bot went away, in milliseconds."""


@dataclass(frozen=True, slots=True)
class FeedSource:
    """Where the bot serves its session feed, and the bearer token that it asks for."""

    url: str
    token: str


class FeedBody(msgspec.Struct, forbid_unknown_fields=True):
    url: str
    token: str = ""


def routes() -> list[web.RouteDef]:
    return [web.get("/sandbox/feed", feed), web.post("/sandbox/feed", set_feed)]


def show_feed(world: World, url: str, token: str) -> None:
    """From now on the page shows the events of this feed. Raises `ValueError` for an address elsewhere."""
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.hostname not in LOCAL_NAMES or parts.username:
        raise ValueError(f"the feed must be at http:// on this machine, not at {url!r}")
    world.feed_source = FeedSource(url, token)
    world.feed.publish("feed", {"ready": True})


async def set_feed(request: web.Request) -> web.Response:
    """A script says where the bot serves its feed."""
    body = await read_body(request, FeedBody)
    try:
        show_feed(request.app[WORLD], body.url, body.token)
    except ValueError as error:
        raise ControlError(400, str(error)) from None
    return answer({"ok": True})


async def feed(request: web.Request) -> web.StreamResponse:
    """The bot's feed, byte for byte, from `Last-Event-ID` on; it ends when the bot's ends."""
    source = request.app[WORLD].feed_source
    if source is None:
        raise ControlError(404, "no bot has said where it serves its feed: POST /sandbox/feed {url, token}")
    last_id = request.headers.get("Last-Event-ID", request.query.get("last_event_id", ""))
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=5.0, sock_read=QUIET_S)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        try:
            response = await _read(request, session, source, last_id)
            if response is None and last_id:
                response = await _read(request, session, source, "")
        except (aiohttp.ClientError, TimeoutError):
            return _come_again("the bot's feed is not there: is the bot running?")
    return response or _come_again("the bot's feed knows no place to begin at")


def _come_again(why: str) -> web.StreamResponse:
    """An empty stream: a browser asks again by itself, with the last id it has seen, and complains of nothing."""
    response = web.Response(text=f": {why}\nretry: {RETRY_MS}\n\n", content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    return response


async def _read(
    request: web.Request, session: aiohttp.ClientSession, source: FeedSource, last_id: str
) -> web.StreamResponse | None:
    """The feed from a place on; None where the bot's log has no such place, as when another bot has started."""
    headers = {"Authorization": f"Bearer {source.token}", "Accept": "text/event-stream"}
    if last_id:
        headers["Last-Event-ID"] = last_id
    async with session.get(source.url, headers=headers, allow_redirects=False) as upstream:
        if upstream.status in (400, 409):
            return None
        if upstream.status != 200:
            return _come_again(f"the bot's feed answered {upstream.status}")
        return await _hand_on(request, upstream)


async def _hand_on(request: web.Request, upstream: aiohttp.ClientResponse) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
    response.content_type = "text/event-stream"
    await response.prepare(request)
    closing = asyncio.create_task(request.app[WORLD].closing.wait())
    closing.add_done_callback(lambda _: upstream.close())
    # Once begun, the answer can only end: the page then comes again with the last id it has seen.
    with contextlib.suppress(aiohttp.ClientError, TimeoutError, ConnectionError):
        async for chunk in upstream.content.iter_any():
            await response.write(chunk)
    closing.cancel()
    return response
