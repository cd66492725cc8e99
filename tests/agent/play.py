"""A real agent CLI in the whole application: what people do, and the Boss events that follow."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bossbot.agent.discovery import Program
from bossbot.agent.hired import Hired
from bossbot.agent.longlines import LongLines
from bossbot.agent.pool import AgentPool
from bossbot.app.app import App
from bossbot.domain.events import ApprovalRequested, Event, ToolCallRequested
from bossbot.domain.policy import Policy
from bossbot.domain.state import SessionState
from bossbot.ids import ThreadRef
from bossbot.settings import AgentSettings
from bossbot.store.memory import MemoryData
from tests.agent.stage import Stage
from tests.app.desk import Counter, Desk, Platform, desk
from tests.fakes.scripted_model import Answer, Rule, Script, ScriptedModel, Turn

PATIENCE_S = 120.0
SETTLE_S = 0.6
NOISE = frozenset(
    {
        *("worker.heartbeat", "worker.capabilities.updated", "task.progress", "tool.call.ruled"),
        *("task.step.started", "task.step.finished", "task.step.failed"),
    }
)
"""How often, and between which others, these are told depends on how fast the machine is."""


@dataclass
class Play:
    """One thread of the application, with a process of its own behind it. `since`: where the row's events begin."""

    stage: Stage
    desk: Desk
    model: ScriptedModel
    script: Script
    pool: AgentPool
    thread: ThreadRef
    since: int = 0
    holds: list[asyncio.Event] = field(default_factory=list)

    @property
    def workspace(self) -> Path:
        return self.stage.workspace

    def when(self, words: str, *steps: Answer) -> None:
        """The model answers so when a line of what it is told begins with these words."""

        def told(turn: Turn) -> bool:
            return any(line.startswith(words) for line in turn.text.splitlines()) and not turn.is_notification

        self.script.rules.insert(0, Rule(told, steps))

    async def begin(self) -> None:
        """A new row: its events and the chat are its own."""
        self.since = len(await self._log())
        self.desk.platform.shown.clear()

    def kill_agent(self) -> None:
        """SIGKILL for the program itself; its guard lives on."""
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # one that the program had started, and that has just ended
                if process.cmdline()[:1] == [str(self.stage.command)]:
                    process.kill()

    async def say(self, text: str) -> None:
        await self.desk.say(text, thread=self.thread)

    async def says_now(self, text: str) -> None:
        """What cannot wait for the turn's end."""
        await self.say(f"!now {text}")
        await self.happens("session.turn.steered")

    async def press(self, label: str) -> None:
        """As soon as there is such a button."""
        await self._wait(lambda: self._shows(label), f"a button {label}")
        await self.desk.press_action(*self.desk.platform.with_button(label), thread=self.thread)

    async def sees(self, words: str) -> None:
        """Waits for words in the chat."""
        await self._wait(lambda: any(words in text for text in self.desk.platform.texts), f"“{words}” in the chat")

    async def happens(self, kind: str, times: int = 1) -> None:
        """Waits until so many events of the kind have happened in this row."""
        await self._wait_for(lambda events: sum(e.type == kind for e in events) >= times, f"{times} × {kind}")

    async def ends(self, settle_s: float = SETTLE_S) -> None:
        """Waits until nothing runs or waits any more, and nothing more comes."""
        while True:
            await self._wait_for(lambda events: not self._busy(events), "the end of everything")
            before = len(await self._log())
            await asyncio.sleep(settle_s)
            if len(await self._log()) == before and not self._busy(await self.events()):
                return

    def _busy(self, events: list[Event]) -> bool:
        return self._state.busy or bool(self._state.queue)

    _state: SessionState = field(default_factory=lambda: SessionState(id="ps_none"))  # type: ignore[arg-type]

    async def events(self) -> list[Event]:
        """What has happened in this row."""
        return (await self._log())[self.since :]

    async def story(self) -> list[str]:
        """Its types, less what depends on the machine's speed; the same one many times over counts once."""
        types = [event.type for event in calls_first(await self.events()) if event.type not in NOISE]
        return [kind for at, kind in enumerate(types) if at == 0 or types[at - 1] != kind]

    async def payloads(self, kind: str) -> list[dict[str, object]]:
        return [event.payload.model_dump() for event in await self.events() if event.type == kind]

    async def _log(self) -> list[Event]:
        session = await self.desk.store.session_of(self.thread)
        if session is None:
            return []
        self._state = await self.desk.state(self.thread)
        return list(await self.desk.store.load(session))

    def _shows(self, label: str) -> bool:
        cards = self.desk.platform.shown.values()
        return any(button.label == label for card in cards for row in card.buttons for button in row)

    async def _wait(self, done: Callable[[], bool], what: str) -> None:
        await self._wait_for(lambda _: done(), what)

    async def _wait_for(self, done: Callable[[list[Event]], bool], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not done(await self.events()):  # noqa: ASYNC110 - the other end is a process
                    await asyncio.sleep(0.02)
        except TimeoutError:
            story, shown = await self.story(), self.desk.platform.texts[-5:]
            raise AssertionError(f"waited in vain for {what}; there is {story}; the chat shows {shown}") from None


def calls_first(events: list[Event]) -> list[Event]:
    """The same events, each tool call before the request for its permission: cbc may tell them in either order."""
    ordered = list(events)
    for event in events:
        if isinstance(event.payload, ToolCallRequested):
            asked = [
                at
                for at, other in enumerate(ordered[: ordered.index(event)])
                if isinstance(other.payload, ApprovalRequested)
                and other.payload.tool_use_id == event.payload.tool_use_id
            ]
            if asked:
                ordered.remove(event)
                ordered.insert(asked[0], event)
    return ordered


@asynccontextmanager
async def playing(stage: Stage, data: MemoryData | None = None, word: str = "") -> AsyncIterator[Play]:
    """An application whose agents are the real program, and its first thread."""
    script = Script()
    async with ScriptedModel(script) as model:
        settings, hired = stage.settings(model), list[AgentPool]()
        settings = settings.model_copy(update={"partial_messages": True})

        def hire(app: App) -> AgentPool:
            hired.append(pool(stage.program, settings, app, word))
            return hired[0]

        async with desk(data, word=word, hire=hire, platform=Platform(drafts=[])) as d:
            yield Play(stage, d, model, script, hired[0], ThreadRef("chat", "1"))


def pool(program: Program, settings: AgentSettings, app: App, word: str) -> AgentPool:
    mint, lines = Counter(f"a{word}"), LongLines()
    hired = Hired(program, settings, Policy(), (), mint, app.submit, lines, write=app.write)
    return AgentPool(lambda _: hired)
