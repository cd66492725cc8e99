"""The application: everything that runs, in one TaskGroup, and the order in which it starts and ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from bossbot.app.access import Access
from bossbot.app.expiry import Expiry
from bossbot.app.intake import Intake
from bossbot.app.judging import Judging, PlannerOf
from bossbot.app.mailbox import Change
from bossbot.app.outbox import Outbox
from bossbot.app.recovery import Recovery
from bossbot.app.sessions import Sessions, Spawn
from bossbot.app.streaming import Streams, Writing
from bossbot.app.typing import show_typing
from bossbot.channel import BadChannelConfig, Channel, ChannelError
from bossbot.domain.commands import Command, DoubtMessage
from bossbot.domain.events import Event, Steering
from bossbot.domain.state import SessionState
from bossbot.ids import MessageId, Mint, SessionId, ThreadRef
from bossbot.settings import RetrySettings
from bossbot.store.protocol import EventStore

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0


class Agents(Protocol):
    """The agent CLIs of all sessions (`bossbot.agent`)."""

    def react(self, session_id: SessionId, events: Sequence[Event], state: SessionState) -> None:
        """Told after each commit; starts, tells, answers or interrupts the session's agent. Does not block."""
        ...

    async def run(self) -> None:
        """Runs until cancelled; ends every agent then."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the application is made of; `bootstrap` makes them. `agents` gets its submit function when the app runs."""

    store: EventStore
    channels: Mapping[str, Channel]
    access: Access
    planner_of: PlannerOf | None
    mint: Mint
    edit_interval_s: float
    steering: Steering = Steering.QUEUE
    retries: RetrySettings = field(default_factory=RetrySettings)
    approval_expires_s: float = 86_400.0


class App:
    """One bot. `submit` is where agents send their commands."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._agents: Agents | None = None
        self._sessions: Sessions | None = None
        self._spawn: Spawn | None = None
        self._streams: Streams | None = None
        self._reactions: list[Callable[[Change], None]] = []
        self.ready = asyncio.Event()

    async def submit(self, session_id: SessionId, commands: Sequence[Command]) -> None:
        """Commands of a session's agent, in order. Waits when the session is behind: the pipe then holds the agent."""
        assert self._sessions is not None
        mailbox = await self._sessions.get(session_id)
        await mailbox.post(*commands)

    def write(self, session_id: SessionId, writing: Writing) -> None:
        """A text of a session's agent has grown. Does not block."""
        assert self._streams is not None
        self._streams.write(session_id, writing)

    async def run(self, agents: Agents) -> None:
        """Runs until cancelled. Raises `BadChannelConfig` when a platform refuses our identity."""
        p = self._parts
        self._agents = agents
        await self._check_channels()
        async with asyncio.TaskGroup() as group:
            spawn = self._spawn = group.create_task
            sessions = self._sessions = Sessions(p.store, p.mint, _utc_now, self._react, spawn)
            self._streams = Streams(sessions, p.channels, spawn, asyncio.sleep, p.edit_interval_s)
            outbox = Outbox(
                p.store,
                p.channels,
                spawn=spawn,
                now=asyncio.get_running_loop().time,
                sleep=asyncio.sleep,
                edit_interval_s=p.edit_interval_s,
                doubt=self._doubt,
                draw=self._draw,
            )
            judging = Judging(p.planner_of, sessions, p.mint, spawn) if p.planner_of is not None else None
            recovery = Recovery(p.store, sessions, p.mint, spawn, asyncio.sleep, p.retries)
            expiry = Expiry(sessions, spawn, asyncio.sleep, p.approval_expires_s)
            intake = Intake(
                p.store, sessions, p.access, p.channels, p.mint, plan_first=judging is not None, steering=p.steering
            )
            self._reactions = [outbox.react, self._tell_agents]
            self._reactions += [recovery.react, expiry.react] + ([judging.react] if judging is not None else [])
            spawn(agents.run(), name="agents")
            await outbox.resume()
            for mailbox in await recovery.at_start():
                if judging is not None:
                    judging.consider(mailbox.state)
            for name, channel in p.channels.items():
                spawn(_for_ever(f"channel {name}", partial(channel.run, intake.take)), name=f"channel {name}")
            spawn(_for_ever("typing", partial(show_typing, sessions, p.channels, asyncio.sleep)), name="typing")
            self.ready.set()

    def _react(self, change: Change) -> None:
        for reaction in self._reactions:
            try:
                reaction(change)
            except Exception:  # what was committed has happened: the others are told all the same
                log.exception("session %s: a reaction failed", change.after.id)

    def _doubt(self, session_id: SessionId, key: str) -> None:
        """A message of the manager may not have arrived: the session records it, and a card tells."""
        kind, _, message_id = key.partition(":")
        if kind == "msg":
            assert self._spawn is not None
            self._spawn(self.submit(session_id, [DoubtMessage(MessageId(message_id))]), name="doubt")

    async def _draw(self, session_id: SessionId, thread: ThreadRef, key: str) -> None:
        """A card of progress is about to be sent."""
        assert self._sessions is not None
        mailbox = await self._sessions.get(session_id)
        await mailbox.draw(key, thread)

    def _tell_agents(self, change: Change) -> None:
        assert self._agents is not None
        self._agents.react(change.after.id, change.events, change.after)

    async def _check_channels(self) -> None:
        """A refused identity ends the start; a platform that cannot be reached is tried again while running."""
        for name, channel in self._parts.channels.items():
            try:
                identity = await channel.check()
            except BadChannelConfig:
                raise
            except ChannelError as error:
                log.warning("%s cannot be reached yet: %s", name, error)
            else:
                log.info("%s: connected as %s (%s)", name, identity.name, identity.user_id)


async def _for_ever(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """A channel that fails in a way it should not have is begun again, and ends neither the bot nor its sessions."""
    pause_s = FIRST_PAUSE_S
    while True:
        try:
            await work()
            log.error("%s ended by itself; begun again in %g s", name, pause_s)
        except BadChannelConfig:
            raise
        except Exception:
            log.exception("%s failed; begun again in %g s", name, pause_s)
        await asyncio.sleep(pause_s)
        pause_s = min(LONGEST_PAUSE_S, pause_s * 2)


def _utc_now() -> datetime:
    """To the millisecond, as events tell the time."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
