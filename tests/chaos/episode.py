"""An episode: one bot, one store, and a number of jobs, during each of which the bot is killed."""

import random
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.chaos import truth
from tests.chaos.house import House
from tests.chaos.killing import Plan, kill_at
from tests.journeys.people import Post

HESITATES_S = 0.25
PRESS_AGAIN_S = 1.0
"""A person whose press did nothing presses again."""


@dataclass
class Figures:
    """What an episode was. `answers` and `ambiguous` count the manager's answers."""

    kills: int = 0
    in_time: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    events: int = 0
    answers: int = 0
    ambiguous: int = 0
    commands_run: int = 0
    asked_again: int = 0
    seconds: float = 0.0


@dataclass
class Person:
    """Ada: she writes jobs, and presses what they wait for, some time after she has seen it."""

    house: House
    hesitates_s: float = 0.0
    seen: dict[str, float] = field(default_factory=dict)
    pressed: dict[str, float] = field(default_factory=dict)

    async def wait_for(self, job: int, verdict: str) -> None:
        """Decides what waits for a decision, until the job has been answered and everything is at rest."""

        async def over() -> bool:
            for post in await self.house.posts():
                await self._decide(post, verdict)
            return await self._answered(job) and await self.house.at_rest()

        await self.house.until(over, f"the answer to job {job}")

    async def _decide(self, post: Post, verdict: str) -> None:
        now = time.monotonic()
        if verdict not in post.buttons or now - self.seen.setdefault(post.id, now) < self.hesitates_s:
            return
        if now - self.pressed.get(post.id, -PRESS_AGAIN_S) >= PRESS_AGAIN_S:
            self.pressed[post.id] = now
            await self.house.press(post, verdict)

    async def _answered(self, job: int) -> bool:
        """By what the log says; whether people see it is checked afterwards."""
        state = await self.house.state()
        return any(said.role == "manager" and said.content.startswith(f"Job {job} ") for said in state.recent)


async def episode(house: House, kills: int, rng: random.Random) -> Figures:
    """Kills the bot so many times, checks everything after each, and returns the figures.

    A machine may be so fast that a kill comes after the work: it goes on until most came in the middle of it.
    """
    figures, person, began = Figures(), Person(house), time.monotonic()
    await house.start()
    log = await truth.check_log(house, [])
    while figures.kills < kills or (figures.in_time <= kills // 2 and figures.kills < 3 * kills):
        job, plan = figures.kills + 1, Plan.drawn(rng)
        verdict = "Reject" if plan.kind != "ran" and rng.random() < 0.2 else "Approve"
        text = f"job {job}: {plan.job}"
        person.hesitates_s = rng.uniform(0, HESITATES_S)

        async def work(text: str = text, job: int = job, verdict: str = verdict) -> None:
            await house.say(text)
            await person.wait_for(job, verdict)

        in_time = await _killed(house, plan, work)
        figures.in_time += in_time
        figures.kinds[plan.kind] += 1
        figures.kills += 1
        log = await truth.check_log(house, log)
        await house.start()
        if plan.kind == "early":
            figures.kills += 1
            figures.in_time += await kill_at(house, plan, partial(person.wait_for, job, verdict))
            log = await truth.check_log(house, log)
            await house.start()
        try:
            await person.wait_for(job, verdict)
            log = await truth.check_log(house, log)
            await truth.check_people(house, log)
            truth.check_approvals(house, log)
            await truth.check_processes(house)
        except AssertionError as error:
            raise AssertionError(f"kill {figures.kills} ({plan}, {text}): {error}") from None
    figures.ambiguous = await truth.check_answers(house, log)
    figures.events = len(log)
    figures.answers = sum(e.type == "session.message.added" and e.source == "manager" for e in log)
    figures.commands_run = len(house.ledger)
    figures.asked_again = sum(e.type == "approval.withdrawn" for e in log)
    figures.seconds = time.monotonic() - began
    return figures


async def _killed(house: House, plan: Plan, work: Any) -> bool:
    """An `early` kill's first one comes at a random time too."""
    first = Plan("time", plan.job, plan.count) if plan.kind == "early" else plan
    running: Coroutine[Any, Any, bool] = kill_at(house, first, work)
    return await running
