"""Who may ask: a request with the token, for a name that is ours, made by no foreign page.

The token alone keeps people out. The names in `Host` and `Origin` keep out pages in a browser on the same machine,
which could reach the port though nobody else can.
"""

from collections.abc import Awaitable, Callable
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
TOKEN_CHARS = 16
"""A shorter token could be guessed."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches this address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def guard(token: str, names: frozenset[str]) -> Middleware:
    """A middleware that lets in whoever has the token and calls us by one of these names."""
    expected = _digest(f"Bearer {token}")

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        foreign = _foreign(request, names)
        if foreign is not None:
            return refusal(403, foreign)
        given = request.headers.getall("Authorization", [])
        if len(given) != 1 or not compare_digest(_digest(given[0]), expected):
            answer = refusal(401, "the token is missing or wrong; send Authorization: Bearer with [http] token")
            answer.headers["WWW-Authenticate"] = 'Bearer realm="bossbot"'
            return answer
        return await handler(request)

    return check


def refusal(status: int, why: str) -> web.Response:
    """An answer for a program that also reads well."""
    return web.json_response({"error": why}, status=status)


def _foreign(request: web.Request, names: frozenset[str]) -> str | None:
    hosts = request.headers.getall("Host", [])
    name = _name(hosts[0]) if len(hosts) == 1 else None
    if name is None or name not in names:
        return "this Host is not ours; ask by one of the names of the bot, or add it to [http] names"
    if any(_netloc(origin) != hosts[0].lower() for origin in request.headers.getall("Origin", [])):
        return "this request was made by a page from elsewhere"
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        return "this request was made by a page from elsewhere"
    return None


def _name(host: str) -> str | None:
    """The name in a `Host` header, without its port."""
    try:
        parts = urlsplit(f"//{host}")
        _port = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _digest(text: str) -> bytes:
    """Of one length, so that comparing tells nothing about it."""
    return sha256(text.encode("utf-8", "surrogateescape")).digest()
