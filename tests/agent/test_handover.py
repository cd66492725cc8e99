"""Nothing falls between an agent that has ended and the one that goes on in its place."""

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bossbot.agent.discovery import Program
from bossbot.agent.driver import Driver
from bossbot.agent.hired import Hired
from bossbot.agent.live import SAY_AGAIN
from bossbot.agent.longlines import LongLines
from bossbot.agent.readiness import AFTER_STOP
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.events import Source
from bossbot.domain.policy import Policy
from bossbot.domain.state import SessionState, WorkerState
from bossbot.ids import EventId, SessionId
from bossbot.settings import AgentSettings
from bossbot.streamjson.dialects import CBC
from tests.agent.office import TINY, until
from tests.app.desk import Counter

SESSION = SessionId("ps_handover")
STATE = SessionState(id=SESSION, worker=WorkerState("worker_1", agent_session_id="session-1", dialect="cbc"))


@dataclass
class Told:
    """A driver whose agent is the tiny CLI, and what it told its session."""

    driver: Driver
    folder: Path
    commands: list[c.Command] = field(default_factory=list)

    def happens(self, payload: ev.Payload) -> None:
        number = EventId("evt_1")
        at = datetime(2026, 1, 1, tzinfo=UTC)
        event = ev.Event(
            id=number, session_id=SESSION, task_id=None, source=Source.USER, type=payload.TYPE, timestamp=at,
            payload=payload,
        )  # fmt: skip
        self.driver.react([event], STATE)

    def notes(self, name: str) -> list[str]:
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def of(self, kind: type[c.Command]) -> list[c.Command]:
        return [command for command in self.commands if isinstance(command, kind)]


@asynccontextmanager
async def driving(folder: Path) -> AsyncIterator[Told]:
    async def submit(_: SessionId, commands: Sequence[c.Command]) -> None:
        told.commands += commands

    settings = AgentSettings(workspace=folder, close_grace_s=1.0)
    program = Program((sys.executable, "-I", str(TINY)), CBC)
    driver = Driver(SESSION, Hired(program, settings, Policy(), (), Counter("h"), submit, LongLines()))
    told = Told(driver, folder)
    running = asyncio.create_task(driver.run())
    try:
        yield told
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


class WhenSaid(logging.Handler):
    """Does something at the very moment at which these words are logged."""

    def __init__(self, words: str, do: Callable[[], None]) -> None:
        super().__init__()
        self._words, self._do = words, do

    def emit(self, record: logging.LogRecord) -> None:
        if self._words in record.getMessage():
            self._do()


async def test_a_stop_between_an_agent_that_cannot_resume_and_the_next_reaches_the_next(tmp_path: Path) -> None:
    """Else it would work on, although the session says that it was stopped."""
    (tmp_path / "refuse").touch()
    async with driving(tmp_path) as told:
        stop = WhenSaid("starting anew", lambda: told.happens(ev.SessionInterruptRequested(reason="enough")))
        logger = logging.getLogger("bossbot.agent.driver")
        level = logger.level
        logger.addHandler(stop)
        logger.setLevel(logging.INFO)
        try:
            told.happens(ev.SessionTurnStarted(turn_id="turn_1", content="please wait"))
            await until(lambda: told.of(c.EndTurn) + told.of(c.AgentExited) != [], "the end of the turn")
        finally:
            logger.removeHandler(stop)
            logger.setLevel(level)
        [end] = told.of(c.EndTurn) + told.of(c.AgentExited)
        assert isinstance(end, c.EndTurn)
        assert end.outcome == "interrupted"
        assert len(told.notes("interrupts")) == 1
        assert ["--resume" in start for start in told.notes("starts")] == [True, False]


async def tell_after_a_stop(told: Told, content: str, ends: int) -> None:
    """Stops a task that ran in the background, tells the agent this at once, and waits until so many turns ended."""
    told.happens(ev.SessionTurnStarted(turn_id="turn_1", content="be stubborn"))
    await until(lambda: told.of(c.EndTurn) != [], "the end of the turn")
    told.happens(ev.SessionInterruptRequested(reason="the plan changed"))
    told.happens(ev.SessionTurnStarted(turn_id="turn_2", content=content))
    await until(lambda: len(told.of(c.EndTurn)) == ends, f"the end of {ends} turns")


async def test_a_message_waits_longer_after_a_stop_of_what_ran_in_the_background(tmp_path: Path) -> None:
    """cbc is to tell its model what was stopped, and loses the answer to what it is told beside that."""
    async with driving(tmp_path) as told:
        await tell_after_a_stop(told, "say hello", ends=2)
        assert float(told.notes("since")[1]) > CBC.settle_s * AFTER_STOP * 0.9


async def test_an_answer_that_the_cli_has_lost_is_asked_for_again(tmp_path: Path) -> None:
    async with driving(tmp_path) as told:
        await tell_after_a_stop(told, "answer unseen", ends=3)
        assert told.notes("told") == ["be stubborn", "answer unseen", SAY_AGAIN]
