"""Very long lines of one session, and what another session feels of them: how late its event loop comes.

Lines of 64 KiB + 1, 1, 12 and 64 MiB, of one long text and of many small objects, are read as a session's pump reads
them, while another task of the same loop wakes every two milliseconds. Then the memory of the bot and of its readers
is looked at again.
"""

import asyncio
import gc
import sys
from pathlib import Path
from time import perf_counter

import psutil

from bossbot.agent.guarded import Guarded
from bossbot.agent.longlines import FrameReader, LongLines
from bossbot.streamjson import frames as f
from bossbot.streamjson.framing import DEFAULT_MAX_LINE_BYTES

MIB = 1024 * 1024
SIZES = (64 * 1024 + 1, MIB, 12 * MIB, 64 * MIB)
GOAL_DELAY_MS = 100.0
GOAL_LEFT_MIB = 32.0
TICK_S = 0.002
READER_IDLE_S = 0.5

WRITER = """
import sys
kind, size = sys.argv[1], int(sys.argv[2])
out = sys.stdout.buffer.write
block = b'{"type":"tool_result","tool_use_id":"t1","content":"'
out(b'{"type":"user","session_id":"s","message":{"role":"user","content":[' + block)
if kind == "text":
    for _ in range(size // 65536):
        out(b"a line of it, and more.\\\\n" * 2520)
    out(b"x" * (size % 65536) + b'"}]}}\\n')
else:
    out(b'ok"}]},"tool_use_result":[')
    for _ in range(size // 65536):
        out(b'{"a":1},' * 8192)
    out(b'{"a":1},' * (size % 65536 // 8) + b'{}]}\\n')
"""
"""The lines come from a process, as in life: made here, they would be in this process's memory."""


class Loop:
    """How late the loop came at worst since it was last asked."""

    def __init__(self) -> None:
        self._worst_s = 0.0

    async def watch(self) -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(TICK_S)
            self._worst_s = max(self._worst_s, perf_counter() - before - TICK_S)

    def worst_ms(self) -> float:
        worst_s, self._worst_s = self._worst_s, 0.0
        return worst_s * 1000


def main() -> int:
    """Prints a line for each; 1 when a goal is missed."""
    return asyncio.run(_main())


async def _main() -> int:
    long_lines = LongLines(idle_s=READER_IDLE_S)
    loop = Loop()
    watching = asyncio.create_task(loop.watch())
    await _read("text", 12 * MIB, long_lines)  # warms up what is imported late
    before_mib, worst = _rss_mib(), 0.0
    loop.worst_ms()
    for kind in ("text", "objects"):
        for size in SIZES:
            begin = perf_counter()
            frame = await _read(kind, size, long_lines)
            late_ms = loop.worst_ms()
            worst = max(worst, late_ms)
            took_s = perf_counter() - begin
            print(f"  {_shown(size):>8} of {kind:<7} → {frame:<4} {took_s:5.2f} s, others ≤ {late_ms:5.1f} ms late")
    readers_mib = sum(_rss_mib(child) for child in psutil.Process().children(recursive=True))
    await asyncio.sleep(READER_IDLE_S * 3)
    gc.collect()
    left_mib = _rss_mib() - before_mib
    children = psutil.Process().children(recursive=True)
    watching.cancel()
    await long_lines.close()
    print(f"  another session's event is delayed by {worst:.1f} ms at most (goal ≤ {GOAL_DELAY_MS:g} ms)")
    print(f"  memory: the bot {left_mib:+.1f} MiB (goal ≤ {GOAL_LEFT_MIB:g})")
    print(f"  readers: {readers_mib:.0f} MiB behind the last line, {len(children)} alive {READER_IDLE_S * 3:g} s later")
    return 0 if worst <= GOAL_DELAY_MS and left_mib <= GOAL_LEFT_MIB and not children else 1


async def _read(kind: str, size: int, long_lines: LongLines) -> str:
    """The kind of frame that the line became."""
    process = await Guarded.spawn([sys.executable, "-S", "-c", WRITER, kind, str(size)], cwd=Path("/"), env={})
    process.end_input()
    reader = FrameReader(process, long_lines, DEFAULT_MAX_LINE_BYTES)
    frames = [frame async for batch in reader.batches() for frame in batch]
    await process.wait()
    [frame] = frames
    if isinstance(frame, f.Malformed):
        raise AssertionError(frame.reason)
    return type(frame).__name__


def _shown(size: int) -> str:
    return f"{size // MIB} MiB" if size >= MIB else f"{size} B"


def _rss_mib(process: psutil.Process | None = None) -> float:
    try:
        return float((process or psutil.Process()).memory_info().rss / MIB)
    except psutil.NoSuchProcess:
        return 0.0


if __name__ == "__main__":
    sys.exit(main())
