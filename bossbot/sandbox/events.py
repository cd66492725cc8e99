"""What happened in the sandbox, as a stream: the page follows it, and so may a script.

`change` says that a platform's state moved on (read `/sandbox/state` again), `call` carries one entry
of `/sandbox/calls`. The last 2,000 entries can be had again with `Last-Event-ID`.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from bossbot.sandbox.json_types import Json, encode

RING_SIZE = 2_000
Data = Json | Callable[[], Json]
"""What an event carries, or what makes it when somebody reads: most events are read by nobody."""


class Entry(NamedTuple):
    """One event of the stream; ids count from 1 without gaps."""

    id: int
    kind: str
    data: Data

    def as_sse(self) -> bytes:
        data = self.data() if callable(self.data) else self.data
        return b"id: %d\nevent: %s\ndata: %s\n\n" % (self.id, self.kind.encode(), encode(data))


class Feed:
    """A ring of entries that any number of readers follow at their own pace."""

    def __init__(self) -> None:
        self._ring: deque[Entry] = deque(maxlen=RING_SIZE)
        self._last_id = 0
        self._changes = {"telegram": 0, "slack": 0}
        self._waiters: set[asyncio.Future[None]] = set()
        self.closed = False

    @property
    def last_id(self) -> int:
        return self._last_id

    def publish(self, kind: str, data: Data) -> None:
        self._last_id += 1
        self._ring.append(Entry(self._last_id, kind, data))
        self._wake()

    def changed(self, platform: str) -> None:
        """Say that the platform's state moved on."""
        self._changes[platform] += 1
        self.publish("change", {"platform": platform, "seq": self._changes[platform]})

    def seq(self, platform: str) -> int:
        """How often the platform's state has changed since the server started."""
        return self._changes[platform]

    def after(self, last_id: int) -> list[Entry]:
        """The entries that follow `last_id`, as far as the ring still holds them."""
        missed = self._last_id - last_id
        if missed <= 0:
            return []
        return list(self._ring)[-missed:]

    async def wait(self, timeout_s: float) -> None:
        """Return at the next entry, when the feed closes, or after `timeout_s`."""
        if self.closed:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            await asyncio.wait((waiter,), timeout=timeout_s)
        finally:
            self._waiters.discard(waiter)

    def close(self) -> None:
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()
