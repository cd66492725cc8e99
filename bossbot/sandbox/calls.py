"""Every request the bot made, in the order of its end: what tests and `make bench` read."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from bossbot.sandbox.events import Data, Feed
from bossbot.sandbox.json_types import Json

KEPT = 20_000
"""Entries kept for each platform; older ones are forgotten."""


class Entry(NamedTuple):
    """One call; `t` is its arrival, in seconds since the epoch.

    `fault` names the fault that was played, if any: a call under `timeout` has no error (it took
    effect) although the bot never heard of it. `ignored` names parameters that the method does not have.
    """

    t: float
    method: str
    payload: Data
    error: str | None
    fault: str | None
    ignored: Sequence[str] = ()

    def view(self) -> Json:
        body: Json = {
            "t": self.t,
            "method": self.method,
            "payload": self.payload() if callable(self.payload) else self.payload,
            "ok": self.error is None,
            "error": self.error,
        }
        if self.ignored:
            body["ignored"] = list(self.ignored)
        return body if self.fault is None else {**body, "fault": self.fault}


class CallLog:
    """The calls of both platforms; each one also goes into the feed."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._entries: dict[str, deque[Entry]] = {}
        self.clear()

    def clear(self) -> None:
        self._entries = {"telegram": deque(maxlen=KEPT), "slack": deque(maxlen=KEPT)}

    def add(
        self,
        platform: str,
        t: float,
        method: str,
        payload: Data,
        error: str | None,
        fault: str | None = None,
        ignored: Sequence[str] = (),
    ) -> None:
        entry = Entry(t, method, payload, error, fault, ignored)
        self._entries[platform].append(entry)
        self._feed.publish("call", lambda: {"platform": platform, **entry.view()})

    def view(self, platform: str, method: str | None = None, since: float = 0.0) -> list[Json]:
        """A platform's calls, of one method or of all, that arrived at `since` or later."""
        entries = self._entries[platform]
        return [entry.view() for entry in entries if method in (None, entry.method) and entry.t >= since]
