"""When the CLI is ready to be told something: some moments after a turn's end, and more of them on a slow machine.

A CLI may also begin a turn by itself, to tell its model of a background task that has ended; what it is told beside
that is answered in a turn that nobody sees.
"""

import asyncio

from bossbot.streamjson.dialects import Dialect

MOST_SLOWNESS = 8.0
"""On no machine does a moment last longer than so many times the dialect's `settle_s`."""

AFTER_STOP = 3.0
"""So many moments pass before a turn shows itself in which the CLI tells its model what was stopped."""


class Readiness:
    """Of one process. Made when it starts. `patience_s`: how long a turn that shows itself may take to end."""

    def __init__(self, dialect: Dialect, patience_s: float) -> None:
        self._dialect, self._patience_s = dialect, patience_s
        self._loop = asyncio.get_running_loop()
        self._born_s = self._loop.time()
        self._settle_s = dialect.settle_s
        self._settled_at_s = 0.0
        self._free = asyncio.Event()
        self._free.set()

    @property
    def settle_s(self) -> float:
        """How long after a turn's end it is not ready, in seconds."""
        return self._settle_s

    def started(self) -> None:
        """It answers for the first time. Where that takes long, the same is slow after a turn's end."""
        slowness = (self._loop.time() - self._born_s) / self._dialect.usual_start_s
        self._settle_s = self._dialect.settle_s * min(max(slowness, 1.0), MOST_SLOWNESS)

    def turn_begun(self) -> None:
        """It has shown that a turn runs."""
        self._free.clear()

    def turn_ended(self) -> None:
        """It has just written a turn's last word."""
        self._settled_at_s = max(self._settled_at_s, self._loop.time() + self._settle_s)
        self._free.set()

    def stopped(self) -> None:
        """It has just said that it stops what ran in the background. It may tell its model in a turn of its own, of
        which nothing is seen in the beginning, or only when it is spoken to."""
        self._settled_at_s = self._loop.time() + self._settle_s * AFTER_STOP

    async def settled(self) -> None:
        """Returns some moments after the last turn's end, also while another one runs."""
        pause_s = self._settled_at_s - self._loop.time()
        if pause_s > 0:
            await asyncio.sleep(pause_s)
            await self.settled()  # another one may have ended meanwhile

    async def free(self) -> None:
        """Returns once no turn runs, and the last one has ended some moments ago; at last when patience ends."""
        try:
            async with asyncio.timeout(self._patience_s):
                await self.settled()
                while not self._free.is_set():
                    await self._free.wait()
                    await self.settled()
        except TimeoutError:
            self._free.set()
