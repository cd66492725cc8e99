"""A desk whose manager is a real agent CLI, turned to a scripted model on loopback."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from bossbot.agent.hired import Hired
from bossbot.agent.longlines import LongLines
from bossbot.agent.pool import AgentPool
from bossbot.app.app import App
from bossbot.channel import Card, Rows
from bossbot.domain.events import Event, Payload, SessionTurnStarted
from bossbot.domain.policy import Policy
from tests.agent.stage import PATIENCE_S, Stage
from tests.app.desk import Counter, Desk, Platform, desk, text_of
from tests.fakes.scripted_model import Script, ScriptedModel

P = TypeVar("P", bound=Payload)


@dataclass
class LiveDesk:
    """The desk, and what the model was given to read."""

    desk: Desk
    model: ScriptedModel

    async def sees(self, words: str) -> Card:
        """Waits until the chat shows these words, and returns the newest card that does."""
        await self.until(lambda: any(words in drawn(card) for card in self.cards), f"“{words}” in the chat")
        return next(card for card in reversed(self.cards) if words in drawn(card))

    @property
    def cards(self) -> list[Card]:
        return list(self.desk.platform.shown.values())

    async def until(self, done: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not done():
            if time.monotonic() > deadline:
                shown = "\n---\n".join(map(drawn, self.cards))
                raise AssertionError(f"waited in vain for {what}; the chat shows:\n{shown}")
            await asyncio.sleep(0.02)

    async def idle(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while (await self.desk.state()).busy:
            assert time.monotonic() < deadline, "the session is still busy"
            await asyncio.sleep(0.02)

    async def log(self) -> list[Event]:
        return await self.desk.store.load(await self.desk.session())

    async def told(self) -> list[str]:
        """What the manager was told, turn by turn."""
        return [payload.content for payload in await self.payloads(SessionTurnStarted)]

    async def payloads(self, kind: type[P]) -> list[P]:
        return [event.payload for event in await self.log() if isinstance(event.payload, kind)]

    def results(self, tool: str) -> list[str]:
        """What the model read as results of this tool, oldest first."""
        return [result.content for result in self.model.tool_results(f"mcp__boss__{tool}")]


def drawn(card: Card) -> str:
    """Title, words and rows of a card."""
    rows = [f"{row.label} — {row.detail}" for block in card.blocks if isinstance(block, Rows) for row in block.rows]
    return "\n".join((text_of(card), *rows))


@asynccontextmanager
async def live_desk(
    stage: Stage,
    script: Script,
    platform: Platform | None = None,
    env: Mapping[str, str] = MappingProxyType({}),
    **changes: object,
) -> AsyncIterator[LiveDesk]:
    """`changes` are keys of `[agent]`; `env` is added to that of the stage."""
    async with ScriptedModel(script) as model:

        def hire(app: App) -> AgentPool:
            settings = stage.settings(model)
            settings = settings.model_copy(update={"env": {**settings.env, **env}, **changes})
            hired = Hired(stage.program, settings, Policy(), (), Counter("a"), app.submit, LongLines(), write=app.write)
            return AgentPool(lambda state: hired)

        async with desk(platform=platform, hire=hire) as d:
            yield LiveDesk(d, model)
