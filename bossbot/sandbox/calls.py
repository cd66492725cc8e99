"""Every request the bot made, in the order of its end: what tests and `make bench` read."""

from collections import deque

from bossbot.sandbox.events import Feed
from bossbot.sandbox.json_types import Json

KEPT = 20_000
"""Entries kept for each platform; older ones are forgotten."""


class CallLog:
    """`{t, method, payload, ok, error}` a call; `t` is its arrival, in seconds since the epoch.

    `fault` names the fault that was played, if any: a call under `timeout` has `ok` true (it took
    effect) although the bot never heard of it.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._entries: dict[str, deque[Json]] = {}
        self.clear()

    def clear(self) -> None:
        self._entries = {"telegram": deque(maxlen=KEPT), "slack": deque(maxlen=KEPT)}

    def add(
        self, platform: str, t: float, method: str, payload: Json, error: str | None, fault: str | None = None
    ) -> None:
        entry: Json = {"t": t, "method": method, "payload": payload, "ok": error is None, "error": error}
        if fault is not None:
            entry["fault"] = fault
        self._entries[platform].append(entry)
        self._feed.publish("call", {"platform": platform, **entry})

    def of(self, platform: str) -> list[Json]:
        return list(self._entries[platform])
