"""Where a real agent CLI plays under bossbot's own process and connection, with a scripted model on loopback."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from bossbot.agent.discovery import Program
from bossbot.agent.process import AgentProcess
from bossbot.settings import AgentSettings
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import DIALECTS, Dialect
from tests.fakes.real_cli import CliSetup, cbc_setup, claude_setup, find_cbc, find_claude
from tests.fakes.scripted_model import Script, ScriptedModel

F = TypeVar("F", bound=f.Frame)
PATIENCE_S = 120.0
"""cbc needs two seconds of processor time to start; on a busy machine that is many more on the clock."""


@dataclass
class Stage:
    """One of the two programs, a home of its own and a workspace."""

    dialect: Dialect
    command: Path
    home: Path

    @property
    def workspace(self) -> Path:
        folder = self.home / "workspace"
        folder.mkdir(exist_ok=True)
        return folder

    def setup(self, model: ScriptedModel) -> CliSetup:
        make = cbc_setup if self.dialect.name == "cbc" else claude_setup
        return make(self.command, self.home, model.port)

    def settings(self, model: ScriptedModel) -> AgentSettings:
        setup = self.setup(model)
        return AgentSettings(
            command=(str(setup.command),),
            workspace=self.workspace,
            model=setup.model or "",
            env=setup.env,
            close_grace_s=10.0,
        )

    @property
    def program(self) -> Program:
        return Program((str(self.command),), self.dialect)

    async def has_kept(self, words: str) -> None:
        """Waits until they stand in the history that the program resumes from: a moment after it has told them."""
        async with asyncio.timeout(PATIENCE_S):
            while not any(words in path.read_text() for path in self.home.glob("*/projects/**/*.jsonl")):  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    @asynccontextmanager
    async def talk(self, model: ScriptedModel, resume: str = "") -> "AsyncIterator[Talk]":
        """A conversation that has been opened."""
        process = await AgentProcess.start(self.program, self.settings(model), resume=resume)
        talk = Talk(process, Connection(self.dialect))
        try:
            await process.write(talk.connection.initialize())
            yield talk
        finally:
            process.kill()
            await process.wait()


@dataclass
class Talk:
    """The process, our side of the pipe, and every frame so far."""

    process: AgentProcess
    connection: Connection
    frames: list[f.AnyFrame] = field(default_factory=list)
    _unread: list[f.AnyFrame] = field(default_factory=list)

    async def say(self, text: str) -> None:
        await self.process.write(self.connection.user_message(text))

    async def next(self, kind: type[F], fits: Callable[[F], bool] = lambda _: True, timeout_s: float = PATIENCE_S) -> F:
        """The next frame of this kind; those before it are in `frames`."""
        async with asyncio.timeout(timeout_s):
            while True:
                while self._unread:
                    frame = self._unread.pop(0)
                    self.frames.append(frame)
                    if isinstance(frame, kind) and fits(frame):
                        return frame
                chunk = await self.process.read()
                if not chunk:
                    raise EOFError(self.process.last_words(await self.process.wait()))
                self._unread += self.connection.feed(chunk)

    async def quiet_for(self, seconds: float) -> bool:
        """Whether the CLI says nothing that counts for so long."""
        try:
            await self.next(
                f.Frame, lambda frame: isinstance(frame, f.Assistant | f.ControlRequest | f.Result), seconds
            )
        except TimeoutError:
            return True
        return False

    async def complains(self) -> bool:
        """Whether the CLI says soon that it could not read a line."""
        try:
            return bool((await self.next(f.CliError, timeout_s=20.0)).text)
        except TimeoutError:
            return False

    async def settle(self) -> None:
        """Waits until the dialect takes a new message after a result."""
        await asyncio.sleep(self.connection.dialect.settle_s)

    def of(self, kind: type[F]) -> list[F]:
        return [frame for frame in self.frames if isinstance(frame, kind)]


def real_stage(name: str, home: Path) -> Stage:
    """The stage of the real program, or a skip with the reason."""
    command = find_cbc() if name == "cbc" else find_claude()
    if command is None:
        reasons = {
            "cbc": "no cbc: the codebuddy-agent-sdk wheel is not installed",
            "claude": "no claude: BOSSBOT_TEST_CLAUDE names no program and none is on PATH",
        }
        pytest.skip(reasons[name])
    return Stage(DIALECTS[name], command, home)


@asynccontextmanager
async def playing(script: Script) -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel(script) as model:
        yield model
