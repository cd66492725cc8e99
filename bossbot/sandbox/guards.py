"""Only this machine's own programs and the sandbox's own page may talk to it.

A page elsewhere that could reach the port would otherwise press Approve: the name in `Host` stops DNS
rebinding, `Origin` and `Sec-Fetch-Site` stop requests that other pages make.
"""

import functools
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

from bossbot.sandbox.json_types import encode

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class SandboxNotLoopbackError(ValueError):
    """The sandbox was asked to listen where other machines could reach it."""

    def __init__(self, host: str) -> None:
        super().__init__(f"the sandbox listens on this machine only: host {host!r} is refused, use 127.0.0.1")
        self.host = host


def require_loopback(host: str) -> None:
    """Raise unless `host` is one of this machine's own names, by which alone requests are taken too."""
    if host not in LOCAL_NAMES:
        raise SandboxNotLoopbackError(host)


@functools.lru_cache(maxsize=64)
def is_local_host(host: str) -> bool:
    """Is this `Host` header (name, or name and port) one of this machine's own names?"""
    try:
        parts = urlsplit(f"http://{host}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return False
    return name in LOCAL_NAMES and parts.netloc == host and not parts.username


def refusal(request: web.Request) -> str | None:
    """Why this request is refused, or None."""
    hosts = request.headers.getall("Host", [])
    if len(hosts) != 1 or not is_local_host(hosts[0]):
        return "this Host is not one of localhost, 127.0.0.1, [::1]"
    origins = request.headers.getall("Origin", [])
    if any(origin.lower() != f"http://{hosts[0].lower()}" for origin in origins):
        return "this Origin is not the sandbox's own page"
    site = request.headers.get("Sec-Fetch-Site", "none")
    if site not in ("none", "same-origin") and not _is_link_to_page(request):
        return "this request was made by another page"
    return None


def _is_link_to_page(request: web.Request) -> bool:
    # Following a link to the page itself only shows the page.
    return (
        request.path == "/"
        and request.method == "GET"
        and request.headers.get("Sec-Fetch-Mode") == "navigate"
        and request.headers.get("Sec-Fetch-Dest") == "document"
    )


def guarded(handler: Handler) -> Handler:
    """The handler for this machine's own requests; others are refused, WebSockets and event streams too.

    Around the handler and not as a middleware: of two middlewares aiohttp makes a tenth of all work for a message.
    """

    async def answer(request: web.Request) -> web.StreamResponse:
        reason = refusal(request)
        if reason is None:
            return await handler(request)
        return web.Response(status=403, body=encode({"ok": False, "error": reason}), content_type="application/json")

    return answer
