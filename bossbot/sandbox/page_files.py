"""The page for a person, and the stream it follows."""

from pathlib import Path
from typing import Final

from aiohttp import web

from bossbot.sandbox.world import WORLD

FOLDER: Final = Path(__file__).parent / "page"
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TYPES: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
}
QUIET_S = 15.0


def routes() -> list[web.RouteDef]:
    return [web.get("/", index), web.get("/page/{name}", asset), web.get("/sandbox/events", events)]


async def index(request: web.Request) -> web.StreamResponse:
    return _file("index.html")


async def asset(request: web.Request) -> web.StreamResponse:
    return _file(request.match_info["name"])


def _file(name: str) -> web.StreamResponse:
    path = FOLDER / name
    if path.parent != FOLDER or path.suffix not in TYPES or not path.is_file():
        return web.Response(status=404, text="there is no such file", headers=HEADERS)
    response = web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], charset="utf-8", headers=HEADERS)
    response.enable_compression()
    return response


async def events(request: web.Request) -> web.StreamResponse:
    """Server-Sent Events from now on, or from `Last-Event-ID` on; a quiet stream is kept alive."""
    feed = request.app[WORLD].feed
    last_id = _last_id(request, feed.last_id)
    response = web.StreamResponse(headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
    response.content_type = "text/event-stream"
    await response.prepare(request)
    try:
        await response.write(b": the sandbox's events\n\n")
        while not feed.closed:
            entries = feed.after(last_id)
            if entries:
                last_id = entries[-1].id
                await response.write(b"".join(entry.as_sse() for entry in entries))
                continue
            await feed.wait(QUIET_S)
            if not feed.after(last_id):
                await response.write(b": quiet\n\n")
    except ConnectionError:
        pass
    return response


def _last_id(request: web.Request, newest: int) -> int:
    text = request.headers.get("Last-Event-ID", request.query.get("last_event_id", ""))
    return min(int(text), newest) if text.isdigit() else newest
