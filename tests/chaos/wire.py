"""A wire tap between the bot and the platform: it sees each call before the platform does, and each answer before the
bot does, and may do something at that very moment. It knows nothing of either side but HTTP's first line.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum

_CALL = re.compile(rb"POST /\S*/(\w+) HTTP/1")
CHUNK_BYTES = 256 * 1024


class Moment(Enum):
    """`ASKED`: the bot has sent the call, and the platform has not seen it. `ACCEPTED`: the platform has done it, and
    the bot has not heard of it.
    """

    ASKED = "asked"
    ACCEPTED = "accepted"


Watch = Callable[[Moment, str], bool]
"""Told the moment and the method. True cuts the wire: what was on its way does not arrive."""


@dataclass
class Wire:
    """Forwards to `port`. Made by `open`."""

    port: int
    watch: Watch | None = None
    server: asyncio.Server | None = None
    at_work: set[asyncio.StreamWriter] = field(default_factory=set)
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def open(cls, port: int) -> "Wire":
        wire = cls(port)
        wire.server = await asyncio.start_server(wire._serve, "127.0.0.1", 0)
        return wire

    @property
    def base_url(self) -> str:
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        assert self.server is not None
        self.server.close()
        # A connection that the end of the loop cancels is told as an error of the server (Python 3.11).
        for writer in self.at_work:
            writer.close()
        while self.at_work:
            self.idle.clear()
            await self.idle.wait()

    async def _serve(self, bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        self.at_work.add(to_bot)
        try:
            await self._forward(bot, to_bot)
        finally:
            self.at_work.discard(to_bot)
            self.idle.set()

    async def _forward(self, bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        platform, to_platform = await asyncio.open_connection("127.0.0.1", self.port)
        method = ""

        async def up() -> None:
            nonlocal method
            while chunk := await bot.read(CHUNK_BYTES):
                found = _CALL.match(chunk)
                if found is not None:
                    method = found[1].decode()
                    if self._tell(Moment.ASKED, method):
                        return
                to_platform.write(chunk)
                await to_platform.drain()

        async def down() -> None:
            while chunk := await platform.read(CHUNK_BYTES):
                if chunk.startswith(b"HTTP/1") and self._tell(Moment.ACCEPTED, method):
                    return
                to_bot.write(chunk)
                await to_bot.drain()

        both = [asyncio.ensure_future(work()) for work in (up, down)]
        with suppress(ConnectionError):
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        for writer in (to_bot, to_platform):
            writer.close()

    def _tell(self, moment: Moment, method: str) -> bool:
        return self.watch is not None and self.watch(moment, method)
