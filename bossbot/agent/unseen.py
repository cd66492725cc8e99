"""Notices a turn that nobody sees: cbc has answered what it was told, and the answer was lost in the CLI.

That happens to what is told after a stop of background tasks, when cbc begins a turn by itself at the same moment. Its
result comes, then the main session's `system/init` twice with nothing between: the beginning and the end of the turn in
which the message was answered. Seen in 9 of 9 such losses, and in none of 132 turns that were shown (cbc 2.163.0).
"""

import asyncio
from collections.abc import Callable

INITS = 2
"""So many `system/init` without a word between them are a turn that was not shown."""


class Unseen:
    """Of one process. `lost` is called once for each message whose answer was lost."""

    def __init__(self, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._watching = self._ended = False
        self._inits = 0
        self._timer: asyncio.TimerHandle | None = None

    def told(self, *, after_stop: bool) -> None:
        """A message was written, `after_stop` before the CLI has told the end of all that was stopped."""
        self.forget()
        self._watching = after_stop

    def ended(self) -> None:
        """A turn's result has come."""
        self._ended, self._inits = self._watching, 0

    def shown(self) -> None:
        """A turn shows itself."""
        if self._ended:
            self.forget()

    def init(self, settle_s: float) -> None:
        """The main session has told of itself. A turn that is shown says more within `settle_s`."""
        if self._ended:
            self._inits += 1
            if self._inits == INITS:
                self._timer = asyncio.get_running_loop().call_later(settle_s, self._give_up)

    def forget(self) -> None:
        """Nothing is awaited any more."""
        self._watching = self._ended = False
        self._inits = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self.forget()
        self._lost()
