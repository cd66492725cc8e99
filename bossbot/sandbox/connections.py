"""The sandbox's port: it can be closed for a while, and the platforms' open connections can be cut."""

import asyncio
import contextlib
import socket
import struct
import weakref
from collections.abc import Coroutine

from aiohttp import web

from bossbot.sandbox.clock import Clock


class Connections:
    """Which connections are a platform's, and the port that they come in by."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: dict[str, weakref.WeakSet[asyncio.BaseTransport]] = {
            "telegram": weakref.WeakSet(),
            "slack": weakref.WeakSet(),
        }
        self._runner: web.AppRunner | None = None
        self._site: web.TCPSite | None = None
        self._address = ("", 0)
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self, runner: web.AppRunner, host: str, port: int) -> int:
        """Open the port and return its number. Raises `OSError`."""
        self._runner, self._address = runner, (host, port)
        await self._open_port()
        self._address = (host, runner.addresses[0][1])
        return self._address[1]

    def note(self, platform: str, request: web.Request) -> None:
        """This request's connection is the bot's, on this platform."""
        if request.transport is not None:
            self._open[platform].add(request.transport)

    async def refuse(self, platform: str, seconds: float) -> None:
        """Close the port for a while (the sandbox's time) and cut what the platform has open."""
        await self._close_port()
        for transport in list(self._open[platform]):
            if isinstance(transport, asyncio.Transport):
                cut(transport)
        self._clock.call_later(seconds, lambda: self._start(self._open_port()))

    async def close(self) -> None:
        """Wait for what is under way; the runner closes the port itself."""
        for task in list(self._tasks):
            with contextlib.suppress(OSError):
                await task

    async def _open_port(self) -> None:
        if self._runner is not None and self._site is None:
            site = web.TCPSite(self._runner, *self._address)
            self._site = site
            try:
                await site.start()
            except OSError:
                self._site = None
                raise

    async def _close_port(self) -> None:
        site, self._site = self._site, None
        if site is not None:
            await site.stop()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def cut(transport: asyncio.BaseTransport) -> None:
    """Reset a connection (RST, not an orderly end); what is written to it then goes nowhere."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if isinstance(transport, asyncio.Transport):
        transport.abort()
