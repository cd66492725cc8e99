"""How long a durable append takes, next to bare sqlite3 that writes rows of the same sizes into the same tables.

One append is what a step of the agent costs: three events, one card to show, one inbox key, one commit. The two are
measured in turns, on the same disk, so that a busy machine slows both alike. FULL waits for the disk at each commit;
NORMAL does not, and may lose the last commits with the power (never by kill -9). Many sessions at once share a wait for
the disk in the store; by hand they are written one after the other, each with its commit.
"""

import asyncio
import sqlite3
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Literal

from bossbot.channel import Card, Code, Row, Rows, ThreadRef, Tone, card_to_json
from bossbot.domain.events import Event, NewEvent, SessionMessageAdded, Source
from bossbot.ids import EventId, SessionId
from bossbot.store import Show
from bossbot.store.opening import open_store
from bossbot.store.sql import SqlStore

APPENDS, AT_ONCE = 400, 20
GOAL = 0.5
"""Of the rate of sqlite3, where both wait for the disk."""

AT = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)
SESSION, THREAD = SessionId("ps_1"), ThreadRef("telegram", "-100")
ROWS = Rows(tuple(Row(f"agent {i}", Tone.RUNNING, "reads the log") for i in range(8)))


def three_events(number: int, session: SessionId = SESSION) -> list[Event]:
    said = SessionMessageAdded(id=f"msg_{number}", role="manager", channel="agent", content="All tests pass. " * 12)
    new = NewEvent(source=Source.MANAGER, payload=said)
    return [new.sealed(EventId(f"evt_{number}_{i}"), session, AT) for i in range(3)]


def card(number: int) -> Card:
    return Card(f"Step {number}", Tone.RUNNING, (Code("make test", "bash"), ROWS))


async def by_the_store(store: SqlStore, number: int, session: SessionId = SESSION) -> None:
    await store.append(
        session,
        3 * number,
        three_events(number, session),
        deliveries=[Show(f"card {number % 20}", THREAD, card(number))],
        inbox_key=f"in {session} {number}",
        at=AT,
    )


async def by_the_store_at_once(store: SqlStore, number: int) -> None:
    """The same of many sessions."""
    sessions = [SessionId(f"ps_many_{i}") for i in range(AT_ONCE)]
    await asyncio.gather(*(by_the_store(store, number, session) for session in sessions))


def by_hand(raw: sqlite3.Connection, number: int) -> None:
    envelope, shown = three_events(number)[0].model_dump_json(), card_to_json(card(number))
    events = [("ps_1", 3 * number + i, "session.message.added", envelope, "0" * 64) for i in range(1, 4)]
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("INSERT INTO inbox VALUES (?, ?)", (f"in {number}", "2026-03-23T12:00:00.000Z"))
    raw.execute(
        "INSERT INTO sessions VALUES ('ps_1', '', 'active', ?, ?, '', '')"
        " ON CONFLICT (id) DO UPDATE SET version = excluded.version",
        (3 * number + 3, "0" * 64),
    )
    raw.executemany("INSERT INTO events (session_id, version, type, envelope, hash) VALUES (?, ?, ?, ?, ?)", events)
    raw.execute(
        "INSERT INTO deliveries (session_id, channel, chat, thread, key, card, once, revision, shown_revision, state,"
        " doubtful, owner, attempts, error) VALUES ('ps_1', 'telegram', '-100', '', ?, ?, 0, 1, 0, 'pending', 0, '', 0,"
        " '') ON CONFLICT DO UPDATE SET card = excluded.card",
        (f"card {number % 20}", shown),
    )
    raw.execute("COMMIT")


@dataclass
class Seen:
    """Seconds of each append, sorted; of those at once, an even share of the time of all."""

    hand: list[float]
    ours: list[float]
    at_once: list[float]


async def measure(folder: Path, synchronous: Literal["FULL", "NORMAL"]) -> Seen:
    """By hand, by the store, and by the store of many sessions at once, in turns."""
    await (await open_store(folder / "raw.db")).close()
    raw = sqlite3.connect(folder / "raw.db", isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute(f"PRAGMA synchronous={synchronous}")
    store = await open_store(folder / "store.db", synchronous=synchronous)
    seen = Seen([], [], [])
    for number in range(APPENDS):
        start = perf_counter()
        by_hand(raw, number)
        seen.hand.append(perf_counter() - start)
        start = perf_counter()
        await by_the_store(store, number)
        seen.ours.append(perf_counter() - start)
        if number % AT_ONCE == 0:
            start = perf_counter()
            await by_the_store_at_once(store, number // AT_ONCE)
            seen.at_once += [(perf_counter() - start) / AT_ONCE] * AT_ONCE
    await store.close()
    raw.close()
    return Seen(sorted(seen.hand), sorted(seen.ours), sorted(seen.at_once))


def line(name: str, times: list[float]) -> str:
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    return f"  {name:<24} p50 {p50 * 1000:6.2f} ms   p99 {p99 * 1000:6.2f} ms"


def main() -> int:
    """Prints the times; 1 when the goal is missed."""
    missed = False
    for synchronous in ("FULL", "NORMAL"):
        with tempfile.TemporaryDirectory() as folder:
            seen = asyncio.run(measure(Path(folder), synchronous))
        print(line(f"sqlite3 {synchronous}", seen.hand))
        for name, times in (("store", seen.ours), (f"{AT_ONCE} sessions at once", seen.at_once)):
            rate = sum(seen.hand) / sum(times)
            goal = f" (goal ≥ {GOAL:.0%})" if synchronous == "FULL" and times is seen.ours else ""
            missed = missed or (goal != "" and rate < GOAL)
            print(line(name, times), f"  {rate:.0%} of its rate{goal}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
