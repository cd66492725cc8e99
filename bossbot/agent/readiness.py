"""When the CLI is ready to be told something: some moments after a turn's end, and more of them on a slow machine."""

import asyncio

from bossbot.streamjson.dialects import Dialect

MOST_SLOWNESS = 8.0
"""No message waits longer than so many times the dialect's `settle_s`."""


class Readiness:
    """Of one process. Made when it starts."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._loop = asyncio.get_running_loop()
        self._born_s = self._loop.time()
        self._settle_s = dialect.settle_s
        self._ready_at_s = 0.0

    @property
    def settle_s(self) -> float:
        """How long after a turn's end it is not ready, in seconds."""
        return self._settle_s

    def started(self) -> None:
        """It answers for the first time. Where that takes long, the same is slow after a turn's end."""
        slowness = (self._loop.time() - self._born_s) / self._dialect.usual_start_s
        self._settle_s = self._dialect.settle_s * min(max(slowness, 1.0), MOST_SLOWNESS)

    def turn_ended(self) -> None:
        """It has just written a turn's result."""
        self._ready_at_s = self._loop.time() + self._settle_s

    async def wait(self) -> None:
        """Returns once it is ready."""
        pause_s = self._ready_at_s - self._loop.time()
        if pause_s > 0:
            await asyncio.sleep(pause_s)
