"""200 live sessions whose agents report 20 times a second each: how late the loop is, and what it costs.

The whole application over a real SQLite file that waits for the disk, with agents that only talk and a chat platform
that takes everything at once. The agents do not wait for the bot: what it cannot keep up with queues up, and is told.

The goal is to keep up; on a machine whose processor others hold, that the processor time would have been enough. How
late the loop is while nothing happens is measured first: no program comes back earlier than that.
"""

import asyncio
import contextlib
import gc
import logging
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

import psutil

from bossbot.app.access import Access
from bossbot.app.app import App, Parts
from bossbot.app.mint import mint
from bossbot.channel import ActorRef, MessageReceived, ThreadRef
from bossbot.domain import commands as c
from bossbot.domain.events import Event
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.settings import ChannelSettings
from bossbot.store.opening import open_store
from bossbot.store.protocol import EventStore
from tests.app.desk import Platform

SESSIONS, PER_SECOND, SECONDS = 200, 20, 10.0
TICK_S = 0.02
IDLE_S, DRAIN_S = 1.0, 120.0
GOAL_LATE_MS = 100.0


@dataclass
class TalkingAgents:
    """Agents that hear nothing; the bench lets them talk."""

    async def run(self) -> None:
        await asyncio.Event().wait()

    def react(self, session_id: SessionId, events: Sequence[Event], state: SessionState) -> None:
        return


@dataclass
class Seen:
    """What was measured."""

    idle_lags: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    told: int = 0
    idle_mb: float = 0.0
    opened_mb: float = 0.0
    loaded_mb: float = 0.0
    busy_s: float = 0.0
    lasted_s: float = 0.0


async def begin(platform: Platform, number: int) -> None:
    """A person opens a session."""
    assert platform.sink is not None
    await platform.sink(
        MessageReceived(
            delivery_id=f"m{number}",
            thread=ThreadRef("chat", str(number)),
            actor=ActorRef("chat", "1"),
            actor_name="Ada",
            message_id=f"said{number}",
            text="clean the build cache",
            sent_at=datetime.now(UTC),
            addressed=True,
            private=True,
        )
    )


async def talk(app: App, session: SessionId, seen: Seen, until: float) -> None:
    """An agent that calls one tool after the other: two reports a call."""
    now = asyncio.get_running_loop().time
    number, due = 0, now()
    while due < until:
        number += 1
        use = f"tool_{number}"
        await app.submit(session, [c.RequestToolCall(use, "Bash", "make test")])
        await asyncio.sleep(max(0.0, due + 1 / PER_SECOND - now()))
        await app.submit(session, [c.FinishToolCall(use, False, "all tests pass " * 8, 120, "0" * 64)])
        seen.told += 2
        due += 2 / PER_SECOND
        await asyncio.sleep(max(0.0, due - now()))


async def watch(lags: list[float]) -> None:
    """How late the loop comes back from a short sleep, again and again."""
    while True:
        before = perf_counter()
        await asyncio.sleep(TICK_S)
        lags.append(perf_counter() - before - TICK_S)


async def committed_since(store: EventStore, before: int, told: int) -> int:
    """How many events were committed, once all that was told is, or no more comes in time."""
    until = perf_counter() + DRAIN_S
    while (committed := await store.position() - before) < told and perf_counter() < until:
        await store.appended(store.appends, 1.0)
    return committed


async def measure(path: Path) -> tuple[Seen, int]:
    """Runs it; what was seen, and the events that were committed while the agents talked."""
    seen, platform = Seen(), Platform()
    store = await open_store(path, exclusive=True)
    people = ChannelSettings(owners=("1",))
    app = App(Parts(store, {"chat": platform}, Access({"chat": people}), None, mint, edit_interval_s=1.0))
    running = asyncio.create_task(app.run(TalkingAgents()))
    await asyncio.gather(app.ready.wait(), platform.listening.wait())
    seen.idle_mb = memory_mb()
    gc.freeze()  # as the program does
    await asyncio.gather(*(begin(platform, number) for number in range(SESSIONS)))
    seen.opened_mb = memory_mb()
    sessions = [row.id for row in await store.sessions()]
    before = await store.position()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(watch(seen.idle_lags), IDLE_S)
    watching = asyncio.create_task(watch(seen.lags))
    started, busy = perf_counter(), process_time()
    until = asyncio.get_running_loop().time() + SECONDS
    await asyncio.gather(*(talk(app, session, seen, until) for session in sessions))
    committed = await committed_since(store, before, seen.told)
    seen.lasted_s, seen.busy_s = perf_counter() - started, process_time() - busy
    seen.loaded_mb = memory_mb()
    watching.cancel()
    running.cancel()
    await asyncio.wait({running, watching})
    await store.close()
    return seen, committed


def memory_mb() -> float:
    """What this process holds now."""
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 1e6


def main() -> int:
    """Prints what was seen."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        seen, committed = asyncio.run(measure(Path(folder) / "bossbot.db"))
    wanted = SESSIONS * PER_SECOND
    rate, event_us, enough_us = committed / seen.lasted_s, seen.busy_s / committed * 1e6, 1e6 / wanted
    print(f"{SESSIONS} sessions × {PER_SECOND} events/s for {SECONDS:g} s, took {seen.lasted_s:.1f} s")
    print(f"  {rate:,.0f} events/s committed of {wanted:,} wanted")
    print(f"  the loop is late by {spread_ms(seen.lags)} (goal p99 ≤ {GOAL_LATE_MS:g} ms)")
    print(f"  and before, when nothing happened, by {spread_ms(seen.idle_lags)}")
    share = seen.busy_s / seen.lasted_s
    print(f"  processor: {share:.0%} of one, {event_us:.0f} µs an event (with {enough_us:.0f} it keeps up)")
    each = (seen.loaded_mb - seen.idle_mb) / SESSIONS * 1000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"  memory: {each:.0f} kB a session; {seen.idle_mb:.0f} MB before, {peak:.0f} MB at most")
    return 0 if rate >= 0.95 * wanted or event_us <= enough_us else 1


def spread_ms(lags: list[float]) -> str:
    """Half of them, nearly all, and the worst."""
    found = [lag * 1000 for lag in sorted(lags)]
    p50, p99 = found[len(found) // 2], found[len(found) * 99 // 100]
    return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, at most {found[-1]:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
