"""A bell: whoever waits hears the next stroke. Strokes that nobody waits for are not kept."""

import asyncio


class Bell:
    """Within one event loop."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def tell(self) -> None:
        """Wakes everybody who waits now."""
        self._next.set()
        self._next = asyncio.Event()

    async def heard(self, timeout_s: float) -> None:
        """Returns at the next stroke, or after the time."""
        waiting = asyncio.ensure_future(self._next.wait())
        try:
            await asyncio.wait({waiting}, timeout=timeout_s)
        finally:
            waiting.cancel()
