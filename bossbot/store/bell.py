"""A bell that counts its strokes: whoever has counted as far as another number has missed some, and need not wait."""

import asyncio


class Bell:
    """Within one event loop."""

    def __init__(self) -> None:
        self.strokes = 0
        self._next = asyncio.Event()

    def tell(self) -> None:
        """Strikes once."""
        self.strokes += 1
        self._next.set()
        self._next = asyncio.Event()

    async def heard(self, since: int, timeout_s: float) -> None:
        """Returns when there have been more strokes than `since`, or after the time."""
        if self.strokes > since:
            return
        waiting = asyncio.ensure_future(self._next.wait())
        try:
            await asyncio.wait({waiting}, timeout=timeout_s)
        finally:
            waiting.cancel()
