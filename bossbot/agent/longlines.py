"""Long lines are read by other processes: this end of them.

A session that meets a line of more than a mebibyte borrows a reader, hands it the line's parts as they come and gets
the abridged frame back, so that neither the bytes nor the work are ever the event loop's. Readers are started when
they are first needed, lent to one line at a time, and end when nobody has needed one for a while; as guarded
processes they also end with the bot, however it ends.
"""

import asyncio
import logging
import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import msgspec

import bossbot
from bossbot.agent.guarded import Guarded
from bossbot.agent.longline_worker import DROP, LENGTH, Answer
from bossbot.streamjson import frames as f
from bossbot.streamjson.abridge import SHORT_BYTES
from bossbot.streamjson.decoder import decode, long_frame, oversize, unread
from bossbot.streamjson.framing import LineFramer, Oversize, Part, PartsEnd, Piece

log = logging.getLogger(__name__)

IDLE_S = 10.0
"""A reader that nobody needs for so long is ended, and its memory is given back."""

MAX_READERS = 4
"""Lines that are read at once; a further one waits, and with it the agent that writes it."""

ANSWER_TIMEOUT_S = 120.0
"""64 MiB of one text take a second, of small values ten, on a machine that is not busy."""

BATCH_FRAMES = 1_000
"""One reading may hold a hundred thousand lines of a byte: after so many the other sessions have their turn."""


class LongLines:
    """The readers of all sessions. `folder` is where they put the whole outputs of tools, if anywhere."""

    def __init__(self, folder: Path | None = None, *, idle_s: float = IDLE_S) -> None:
        self._folder, self._idle_s = folder, idle_s
        self._free: list[_Reader] = []
        self._places = asyncio.Semaphore(MAX_READERS)
        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def reader(self) -> "AsyncIterator[_Reader]":
        """A reader for one line; one that is not done with its line by the end is ended. Raises OSError."""
        async with self._places:
            reader = self._free.pop() if self._free else await _Reader.start(self._folder)
            reader.stop_waiting()
            try:
                yield reader
            finally:
                if reader.usable:
                    self._free.append(reader)
                    reader.wait_idle(self._idle_s, lambda: self._end(reader))
                else:
                    self._end(reader)

    def _end(self, reader: "_Reader") -> None:
        if reader in self._free:
            self._free.remove(reader)
        reader.process.kill()
        task = asyncio.ensure_future(_buried(reader.process))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    @property
    def pids(self) -> list[int]:
        """The guards of the readers that wait for a line."""
        return [reader.process.pid for reader in self._free]

    async def close(self) -> None:
        """Ends all readers that wait."""
        for reader in list(self._free):
            reader.stop_waiting()
            self._end(reader)
        await asyncio.gather(*self._closing, return_exceptions=True)


async def _buried(process: Guarded) -> None:
    await process.wait()


class _Reader:
    """One process. `usable` while it has answered for every line that it was given."""

    def __init__(self, process: Guarded) -> None:
        self.process = process
        self.usable = True
        self._timer: asyncio.TimerHandle | None = None
        self._unread = b""

    @classmethod
    async def start(cls, folder: Path | None) -> Self:
        command = [sys.executable, "-m", "bossbot.agent.longline_worker", *([str(folder)] if folder else [])]
        home = str(Path(bossbot.__file__).parents[1])
        env = {"PYTHONPATH": home, "PATH": os.environ.get("PATH", os.defpath)}
        return cls(await Guarded.spawn(command, cwd=Path("/"), env=env))

    def wait_idle(self, seconds: float, end: Callable[[], None]) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, end)

    def stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def add(self, part: bytes) -> None:
        """A part of the line. Waits while the reader is behind. Raises ConnectionError when it has ended."""
        self.usable = False
        await self.process.write(LENGTH.pack(len(part)) + part)

    async def drop(self) -> None:
        """The line grew above the bound: nobody wants it any more."""
        await self.process.write(LENGTH.pack(DROP))
        self.usable = True

    async def end(self) -> tuple[Answer, bytes]:
        """The line is whole. Raises ConnectionError or TimeoutError."""
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            await self.process.write(LENGTH.pack(0))
            answer = msgspec.json.decode(await self._packet(), type=Answer)
            short = await self._packet()
        self.usable = True
        return answer, short

    async def _packet(self) -> bytes:
        (length,) = LENGTH.unpack(await self._exactly(LENGTH.size))
        return await self._exactly(length)

    async def _exactly(self, size: int) -> bytes:
        while len(self._unread) < size:
            chunk = await self.process.read()
            if not chunk:
                raise ConnectionResetError("the reader of long lines ended")
            self._unread += chunk
        found, self._unread = self._unread[:size], self._unread[size:]
        return found


class FrameReader:
    """One agent's output as frames, in the order of its lines, whatever their length up to `max_line_bytes`."""

    def __init__(self, source: Guarded, long_lines: LongLines, max_line_bytes: int) -> None:
        self._source, self._long_lines = source, long_lines
        self._framer = LineFramer(max_line_bytes, SHORT_BYTES)
        self._pieces: list[Piece] = []

    async def batches(self) -> AsyncIterator[list[f.AnyFrame]]:
        """The frames as they come, those of one reading together; ends with the output."""
        while chunk := await self._source.read():
            async for batch in self._read(self._framer.feed(chunk)):
                yield batch
        async for batch in self._read(self._framer.close()):
            yield batch

    async def _read(self, pieces: list[Piece]) -> AsyncIterator[list[f.AnyFrame]]:
        batch: list[f.AnyFrame] = []
        left = deque(pieces)
        while left:
            if len(batch) == BATCH_FRAMES:
                yield batch
                batch = []
                await asyncio.sleep(0)
            piece = left.popleft()
            match piece:
                case bytes():
                    batch.append(decode(piece))
                case Oversize():
                    batch.append(oversize(piece))
                case Part() | PartsEnd():
                    if batch:
                        yield batch
                        batch = []
                    rest, frame = await self._long([piece, *left])
                    left = deque(rest)
                    batch.append(frame)
        if batch:
            yield batch

    async def _long(self, pieces: list[Piece]) -> tuple[list[Piece], f.AnyFrame]:
        """One long line, of which the first pieces are here; gives what came behind it, and its frame."""
        try:
            async with self._long_lines.reader() as reader:
                return await self._through(reader, pieces)
        except (ConnectionError, TimeoutError, OSError) as error:
            log.warning("a long line could not be read: %s", error)
            return await self._skip(pieces, f"its reader failed: {str(error) or type(error).__name__}")

    async def _through(self, reader: _Reader, pieces: list[Piece]) -> tuple[list[Piece], f.AnyFrame]:
        while True:
            while pieces:
                piece = pieces[0]
                if isinstance(piece, PartsEnd):
                    answer, short = await reader.end()
                    del pieces[0]
                    frame = unread(piece, answer.error) if answer.error else long_frame(piece, short, answer.texts)
                    return pieces, frame
                if isinstance(piece, Oversize):
                    await reader.drop()
                    return pieces[1:], oversize(piece)
                assert isinstance(piece, Part)
                await reader.add(piece.data)
                del pieces[0]
            pieces += await self._more()

    async def _skip(self, pieces: list[Piece], reason: str) -> tuple[list[Piece], f.AnyFrame]:
        """The rest of a line that nobody can read any more."""
        while True:
            while pieces:
                piece = pieces.pop(0)
                if isinstance(piece, PartsEnd):
                    return pieces, unread(piece, reason)
                if isinstance(piece, Oversize):
                    return pieces, oversize(piece)
            pieces += await self._more()

    async def _more(self) -> list[Piece]:
        chunk = await self._source.read()
        return self._framer.feed(chunk) if chunk else self._framer.close()
