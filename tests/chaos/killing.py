"""When the bot is killed: at a random time, or the moment something is seen from outside.

Seen on the wire (`asked`, `accepted`), in the store (`committed`) or in the agent's ledger (`ran`); `early` kills it
again while it starts.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from tests.chaos.house import House
from tests.chaos.wire import Moment

POLL_S = 0.001
KINDS = ("time", "asked", "accepted", "committed", "ran", "early")
SAYING, RUNNING = "say", "run"
CALLS = {
    SAYING: {"sendMessage": 1, "getUpdates": 1},
    RUNNING: {"sendMessage": 2, "getUpdates": 2, "editMessageText": 1, "answerCallbackQuery": 1},
}
"""How often a job of this kind makes the bot call which method, at least."""
EVENTS = {SAYING: 6, RUNNING: 14}
"""How many events it brings, about."""
LASTS_MS = {SAYING: 150, RUNNING: 500}
STARTS_MS = 300


@dataclass(frozen=True)
class Plan:
    """One kill, in the middle of a `job`. `count`: which of the things seen it is, or how many milliseconds to wait."""

    kind: str
    job: str
    count: int
    method: str = ""

    @classmethod
    def drawn(cls, rng: random.Random) -> "Plan":
        kind = rng.choice(KINDS)
        job = RUNNING if kind == "ran" or rng.random() < 0.7 else SAYING
        match kind:
            case "asked" | "accepted":
                method = rng.choice(sorted(CALLS[job]))
                return cls(kind, job, rng.randint(1, CALLS[job][method]), method)
            case "committed":
                return cls(kind, job, rng.randint(1, EVENTS[job]))
            case "ran":
                return cls(kind, job, 1)
            case "early":
                return cls(kind, job, rng.randint(0, STARTS_MS))
            case _:
                return cls("time", job, rng.randint(0, LASTS_MS[job]))

    def __str__(self) -> str:
        return f"{self.kind} {self.method} {self.count} in {self.job}".replace("  ", " ")


async def kill_at(house: House, plan: Plan, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
    """Does `work` and kills the bot as planned; True if that moment came before the work was done."""
    killed = asyncio.Event()

    def kill() -> None:
        house.kill()
        killed.set()

    watching = asyncio.ensure_future(_watch(house, plan, kill))
    working = asyncio.ensure_future(work())
    gone = asyncio.ensure_future(killed.wait())
    try:
        await asyncio.wait({gone, working}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        house.wire.watch = None
        for task in (watching, gone, working):
            if task is not working or killed.is_set():
                task.cancel()
        results = await asyncio.gather(watching, gone, working, return_exceptions=True)
    in_time = killed.is_set()
    if not in_time:
        house.kill()
        if isinstance(results[2], BaseException):
            raise results[2]
    return in_time


async def _watch(house: House, plan: Plan, kill: Callable[[], None]) -> None:
    match plan.kind:
        case "asked" | "accepted":
            house.wire.watch = _on_wire(plan, kill)
        case "committed":
            await _grown(house.version, plan.count)
            kill()
        case "ran":
            await _grown(house.commands_run, plan.count)
            kill()
        case _:
            await asyncio.sleep(plan.count / 1000)
            kill()


async def _grown(number: Callable[[], Coroutine[Any, Any, int]], by: int) -> None:
    wanted = await number() + by
    while True:
        if await number() >= wanted:
            return
        await asyncio.sleep(POLL_S)


def _on_wire(plan: Plan, kill: Callable[[], None]) -> Callable[[Moment, str], bool]:
    left = plan.count

    def watch(moment: Moment, method: str) -> bool:
        nonlocal left
        if moment.value != plan.kind or method != plan.method:
            return False
        left -= 1
        if left == 0:
            kill()
        return left <= 0

    return watch
