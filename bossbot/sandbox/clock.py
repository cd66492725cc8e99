"""The sandbox's time: the real one plus what a script has pushed it forward.

Lifetimes (150 s of a press, 20 messages a minute) are measured on this clock, so that a test can
pass them without waiting.
"""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass

from bossbot.sandbox.json_types import Json

Callback = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Fleeting:
    """Something that shows for a while and then ends by itself: typing, a status, a draft."""

    body: Json
    began_at: float
    ends_at: float

    def view(self) -> Json:
        return {**self.body, "t": self.began_at, "expires_at": self.ends_at}


class Clock:
    """Seconds since the epoch, and timers that also fire when time is pushed forward."""

    def __init__(self) -> None:
        self._offset_s = 0.0
        self._order = itertools.count()
        self._timers: list[tuple[float, int, Timer]] = []
        self._handle: asyncio.TimerHandle | None = None

    def now(self) -> float:
        return time.time() + self._offset_s

    def fleeting(self, body: Json, life_s: float) -> Fleeting:
        """Something that begins now and lives for `life_s`."""
        now = self.now()
        return Fleeting(body, now, now + life_s)

    def advance(self, seconds: float) -> None:
        """Push time forward; timers that fall due fire at once, in their order."""
        self._offset_s += seconds
        self._fire()

    def call_later(self, delay_s: float, callback: Callback) -> "Timer":
        timer = Timer(callback)
        heapq.heappush(self._timers, (self.now() + delay_s, next(self._order), timer))
        self._arm()
        return timer

    def stop(self) -> None:
        """Forget every timer (the server is closing)."""
        self._timers.clear()
        self._arm()

    def _fire(self) -> None:
        while self._timers and self._timers[0][0] <= self.now():
            _, _, timer = heapq.heappop(self._timers)
            timer.run()
        self._arm()

    def _arm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._timers:
            wait_s = max(0.0, self._timers[0][0] - self.now())
            self._handle = asyncio.get_running_loop().call_later(wait_s, self._fire)


class Timer:
    """One pending callback; cancelling it twice, or after it ran, does nothing."""

    def __init__(self, callback: Callback) -> None:
        self._callback: Callback | None = callback

    @property
    def waits(self) -> bool:
        """Is it still to run?"""
        return self._callback is not None

    def cancel(self) -> None:
        self._callback = None

    def run(self) -> None:
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()
