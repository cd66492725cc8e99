"""The feeds: committed events as Server-Sent Events, in the order of their commits, from any position on.

A reader reads the log at its own pace, a page at a time: nothing is queued for it, so a slow one costs no memory and a
late one misses nothing. Each event carries its position as its id; a reader that comes back with `Last-Event-ID`, also
to another run of the bot, goes on behind it: no gap, no repeat.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from aiohttp import web
from aiohttp_sse import EventSourceResponse, sse_response

from bossbot.http.guards import refusal
from bossbot.ids import SESSION_ID, SessionId
from bossbot.store.chain import current_envelope
from bossbot.store.protocol import EventStore

PAGE = 200
"""Events that are read at once, and held in memory for one reader."""

LOOK_S = 2.0
"""How long to wait for an append before looking anyway."""

_TASKS, _WORKERS = ("task.", "tool."), ("worker.",)

FEEDS: Mapping[str, tuple[str, ...] | None] = {
    "session_feed": (),
    "task_feed": _TASKS,
    "worker_feed": _WORKERS,
    "feed": None,
}
"""Name → how its event types begin. Each event is in one of the first three: what no other takes is in
`session_feed` (messages, plans, approvals). `feed` has them all.
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often an idle feed says that it lives, and how long a reader may take nothing before it is let go: it can
    come back and go on.
    """

    heartbeat_s: float = 15.0
    stalled_s: float = 30.0


PACE = Pace()


@dataclass(frozen=True, slots=True)
class Wish:
    """What a reader asked for."""

    feed: str
    session_id: SessionId | None
    place: int

    def takes(self, event_type: str) -> bool:
        """Whether the event belongs to the feed."""
        begins = FEEDS[self.feed]
        if begins is None:
            return True
        return event_type.startswith(begins) if begins else not event_type.startswith(_TASKS + _WORKERS)


class BadWish(Exception):
    """The request cannot be served. The text says why and what would be right."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


async def wish_of(request: web.Request, feed: str, store: EventStore) -> Wish:
    """Reads a request. `Last-Event-ID` wins over `after`: it is what a reader that comes back has seen."""
    unknown = sorted(set(request.query) - {"session", "after"})
    if unknown:
        raise BadWish(400, f"{unknown[0]!r} is not known here; there are session and after")
    session = request.query.get("session")
    if session is not None and not (SESSION_ID.fullmatch(session) and await store.version(SessionId(session))):
        raise BadWish(404, f"there is no session {session[:80]!r}")
    newest = await store.position()
    asked = request.headers.get("Last-Event-ID") or request.query.get("after", "0")
    place = newest if asked == "now" else _number(asked)
    if place > newest:
        raise BadWish(409, f"there is no event {place} yet, the newest is {newest}: is this another bot's log?")
    return Wish(feed, SessionId(session) if session is not None else None, place)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise BadWish(400, "Last-Event-ID and after are the number of an event of the feed, or after=now")
    return int(text)


async def serve(request: web.Request, feed: str, store: EventStore, pace: Pace) -> web.StreamResponse:
    """Answers with the feed, until the reader goes."""
    try:
        wish = await wish_of(request, feed, store)
    except BadWish as error:
        return refusal(error.status, str(error))
    async with sse_response(request, sep="\n", ping_interval=pace.heartbeat_s, send_timeout=pace.stalled_s) as response:
        with suppress(ConnectionResetError, TimeoutError):  # the reader went, or took nothing
            await _write(response, wish, store)
    return response


async def _write(response: EventSourceResponse, wish: Wish, store: EventStore) -> None:
    place, told = wish.place, -1
    while response.is_connected():
        appends = store.appends
        page = await store.after(place, PAGE, wish.session_id)
        for entry in page:
            place = entry.position
            if wish.takes(entry.type):
                await response.send(current_envelope(entry.link, entry.type), id=str(place))
                told = place
        if not page:
            if told != place:
                # An id without data moves the reader's Last-Event-ID past what is not in this feed.
                await response.write(f"id: {place}\n\n".encode())
                told = place
            await store.appended(appends, LOOK_S)
