"""`python -m tests.fuzz [LINES] [SEED]`: damaged and invented lines, a million by default, through the whole bridge.

Each line comes from a recording of a real CLI, changed in one of many ways, or is made of random words and bytes; all
go through framer, decoder, connection, translator and session, in chunks of random length. Nothing may raise, and
nothing may grow: the memory after the last tenth is compared with that after the first.
"""

import argparse
import gc
import json
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil

from bossbot.agent.long_frames import read_long
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain.errors import DomainError
from bossbot.domain.evolve import evolve
from bossbot.domain.policy import Policy
from bossbot.domain.session import decide
from bossbot.domain.state import SessionState
from bossbot.ids import EventId, SessionId, WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import DIALECTS

CAPTURES = Path(__file__).parent / "captures"
AT = datetime(2026, 1, 1, tzinfo=UTC)
LINES_A_SESSION = 2_000
"""Then a new agent and a new session begin, as in life: what one session knows does grow with what it is told."""

GROWTH_MIB = 32.0


class Bridge:
    """One agent's way into one session."""

    def __init__(self, dialect: str) -> None:
        numbers = count(1)
        self._mint: Callable[[str], str] = lambda prefix: f"{prefix}_{next(numbers)}"
        self.connection = Connection(DIALECTS[dialect], max_line_bytes=100_000)
        self._translator = Translator(self._mint, Policy(), WorkerId("w"), dialect, secrets=("hunter2hunter2",))
        self._state = SessionState(id=SessionId("ps_fuzz"))
        self.frames = self.events = 0
        self._decide(c.OpenSession("Fuzz", "fuzz", "fuzz", None))

    def feed(self, chunk: bytes) -> None:
        for frame in self.connection.feed(chunk):
            self.frames += 1
            frame.extra()
            reading = self._translator.read(frame, self.frames * 0.01)
            long = f.Long(frame=frame, length=2, sha256="")
            read_long(self._translator, long, self.frames * 0.01)
            for command in (*self._translator.follow(self.connection.session_id), *reading.commands):
                self._decide(command)

    def _decide(self, command: c.Command) -> None:
        try:
            decided = decide(self._state, command)
        except DomainError:
            return
        for new in decided:
            event = new.sealed(EventId(self._mint("evt")), self._state.id, AT)
            event.model_dump_json()
            self._state = evolve(self._state, event)
            self.events += 1


def recorded() -> list[bytes]:
    """Every line that a real CLI wrote, a few very long ones excepted."""
    found = []
    for path in sorted(CAPTURES.glob("*/*.ndjson")):
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if record["dir"] == "out":
                found.append(json.dumps(record["msg"], ensure_ascii=False, separators=(",", ":")).encode())
    return [line for line in found if len(line) < 20_000]


class Damage:
    """Lines that a CLI never wrote, or nearly did."""

    def __init__(self, seed: int, lines: list[bytes]) -> None:
        self._random = random.Random(seed)
        self._lines = lines
        self._documents = [json.loads(line) for line in lines]
        self._values = [value for document in self._documents for value in _values(document)][:20_000]
        self._keys = sorted({key for value in self._values if isinstance(value, dict) for key in value})
        self._ways = (self._cut, self._byte, self._joined, self._changed, self._changed, self._changed, self._invented)

    def line(self) -> bytes:
        way = self._random.choice(self._ways) if self._random.random() < 0.8 else self._as_it_is
        return way() + self._random.choice((b"\n", b"\n", b"\n", b"\r\n", b"\n\n"))

    def _as_it_is(self) -> bytes:
        return self._random.choice(self._lines)

    def _cut(self) -> bytes:
        line = self._as_it_is()
        start, end = sorted(self._random.choices(range(len(line) + 1), k=2))
        return self._random.choice((line[:end], line[start:], line[start:end], line[:start] + line[end:]))

    def _byte(self) -> bytes:
        line = bytearray(self._as_it_is())
        for _ in range(self._random.randint(1, 4)):
            line[self._random.randrange(len(line))] = self._random.choice(b'\x00"\\{}[],:\xff\xf0ud0129 \t')
        return bytes(line)

    def _joined(self) -> bytes:
        return self._cut() + self._cut()

    def _changed(self) -> bytes:
        document = json.loads(self._as_it_is())
        for _ in range(self._random.randint(1, 3)):
            self._change(document)
        return json.dumps(document, ensure_ascii=self._random.random() < 0.3).encode("utf-8", "surrogatepass")

    def _change(self, document: object) -> None:
        """Goes down a random way, and changes what it comes to: drops, doubles, or puts another value there."""
        inner = document
        while isinstance(inner, dict | list) and inner:
            key: Any = self._random.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
            below = inner[key]
            if not isinstance(below, dict | list) or not below or self._random.random() < 0.25:
                self._put(inner, key)
                return
            inner = below

    def _put(self, container: Any, key: Any) -> None:
        match self._random.randrange(4):
            case 0:
                del container[key]
            case 1 if isinstance(container, dict):
                container[self._random.choice(self._keys)] = self._value()
            case _:
                container[key] = self._value()

    def _value(self) -> object:
        odd: tuple[object, ...] = (
            None,
            True,
            -1,
            1e308,
            10**40,
            "",
            "\ud83d",
            "x" * 5000,
            [],
            {},
            [[]],
            "\u2028\x1b[31m",
        )
        return self._random.choice(odd) if self._random.random() < 0.5 else self._random.choice(self._values)

    def _invented(self) -> bytes:
        if self._random.random() < 0.5:
            return self._random.randbytes(self._random.randint(0, 300)).replace(b"\n", b"")
        document = {self._random.choice(self._keys): self._value() for _ in range(self._random.randint(0, 6))}
        return json.dumps({"type": self._random.choice(("system", "user", "assistant", "x")), **document}).encode()


def _values(value: object) -> list[object]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for each in inner for found in _values(each))]


def run(lines: int, seed: int, tell: Callable[[str], None]) -> int:
    """Feeds so many lines; 1 when the memory has grown. Whatever raises ends it, with seed and line told before."""
    damage, chance = Damage(seed, recorded()), random.Random(seed)
    begin, first_mib, frames, events, size = perf_counter(), 0.0, 0, 0, 0
    bridge = Bridge("cbc")
    for number in range(1, lines + 1):
        line = damage.line()
        size += len(line)
        cut = chance.randrange(len(line))
        try:
            bridge.feed(line[:cut])
            bridge.feed(line[cut:])
        except Exception:
            tell(f"line {number} of seed {seed}: {line!r}")
            raise
        if number % LINES_A_SESSION == 0:
            frames, events = frames + bridge.frames, events + bridge.events
            bridge = Bridge(("cbc", "claude")[number // LINES_A_SESSION % 2])
        if number in (lines // 10, lines // 2, lines):
            gc.collect()
            now_mib = psutil.Process().memory_info().rss / 1024**2
            first_mib = first_mib or now_mib
            took_s = perf_counter() - begin
            sums = f"{size / 1e6:.0f} MB, {frames} frames, {events} events"
            tell(f"{number} lines, {sums}, {took_s:.0f} s, {now_mib:.0f} MiB")
    grown_mib = psutil.Process().memory_info().rss / 1024**2 - first_mib
    tell(f"no crash; memory {grown_mib:+.1f} MiB since the first tenth (goal ≤ {GROWTH_MIB:g})")
    return int(grown_mib > GROWTH_MIB)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Damaged lines through the whole bridge.")
    parser.add_argument("lines", type=int, nargs="?", default=1_000_000, help="how many (default: a million)")
    parser.add_argument("seed", type=int, nargs="?", help="repeats a run (default: a new one, which is told)")
    parsed = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if parsed.seed is None else parsed.seed
    print(f"fuzz: {parsed.lines} lines, seed {seed}", flush=True)
    return run(parsed.lines, seed, lambda text: print(f"  {text}", flush=True))


if __name__ == "__main__":
    sys.exit(main())
