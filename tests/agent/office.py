"""An office: the application at a desk, whose agents are real processes of the tiny CLI, guarded as in life."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from bossbot.agent.discovery import Program
from bossbot.agent.hired import Hired
from bossbot.agent.longlines import LongLines
from bossbot.agent.patience import USUAL, Patience
from bossbot.agent.pool import AgentPool
from bossbot.app.app import App
from bossbot.domain.events import SessionTurnFinished, SessionTurnStarted
from bossbot.domain.policy import Policy
from bossbot.ids import ThreadRef
from bossbot.settings import AgentSettings, RetrySettings
from bossbot.store.memory import MemoryData
from bossbot.streamjson.dialects import CBC, Dialect
from tests.app.desk import PRIVATE, Counter, Desk, desk

TINY = Path(__file__).parents[1] / "fakes" / "tiny_cli.py"
PATIENCE_S = 90.0
QUICK = RetrySettings(max_retries=2, first_pause_s=0.01, longest_pause_s=0.02)


@dataclass
class Office:
    """A desk whose agents are processes. `folder` is where they leave their notes."""

    desk: Desk
    folder: Path

    def notes(self, name: str) -> list[str]:
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    async def sees(self, words: str) -> None:
        await until(lambda: any(words in text for text in self.desk.platform.texts), f"“{words}” in the chat")

    async def idle(self, thread: ThreadRef = PRIVATE) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while (await self.desk.state(thread)).busy:
            assert time.monotonic() < deadline, "the session is still busy"
            await asyncio.sleep(0.02)

    async def joins_mid_turn(self) -> bool:
        worker = (await self.desk.state()).worker
        return worker is not None and worker.joins_mid_turn

    async def outcomes(self) -> list[str]:
        log = await self.desk.store.load(await self.desk.session())
        return [event.payload.outcome for event in log if isinstance(event.payload, SessionTurnFinished)]

    async def lost(self) -> None:
        """Waits until the first turn is lost."""
        deadline = time.monotonic() + PATIENCE_S
        while (await self.outcomes())[:1] != ["lost"]:
            assert time.monotonic() < deadline, "no turn was lost"
            await asyncio.sleep(0.01)

    async def turns(self) -> list[str]:
        log = await self.desk.store.load(await self.desk.session())
        return [event.payload.content for event in log if isinstance(event.payload, SessionTurnStarted)]


def tiny_ones() -> list[psutil.Process]:
    """The agents that live."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if str(TINY) in process.cmdline():
                found.append(process)
    return found


async def until(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for: {what}")
        await asyncio.sleep(0.01)


async def until_async(find: Callable[[], Awaitable[object]], wanted: object) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while (found := await find()) != wanted:
        assert time.monotonic() < deadline, f"waited in vain for {wanted}; there is {found}"
        await asyncio.sleep(0.01)


@asynccontextmanager
async def office(
    folder: Path,
    data: MemoryData | None = None,
    *,
    word: str = "",
    policy: Policy | None = None,
    idle_s: float = 60.0,
    patience: Patience = USUAL,
    retries: RetrySettings | None = None,
    approval_expires_s: float = 3600.0,
    dialect: Dialect = CBC,
) -> AsyncIterator[Office]:
    settings = AgentSettings(workspace=folder, close_grace_s=1.0, idle_close_s=idle_s)
    program = Program((sys.executable, "-I", str(TINY)), dialect)

    def hire(app: App) -> AgentPool:
        mint, lines = Counter(f"a{word}"), LongLines()
        hired = Hired(program, settings, policy or Policy(), (), mint, app.submit, lines, patience=patience)
        return AgentPool(lambda _: hired)

    async with desk(data, word=word, hire=hire, retries=retries, approval_expires_s=approval_expires_s) as d:
        yield Office(d, folder)
