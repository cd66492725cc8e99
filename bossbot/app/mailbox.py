"""A mailbox: the one task that owns a session. Commands come in, events are decided, written, and only then acted upon.

Commands that queue up together commit together. What must happen once per platform delivery carries its inbox key and
commits alone, so that a repeated delivery is refused by the store in the same transaction.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bossbot.domain.commands import Command
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Event
from bossbot.domain.evolve import evolve
from bossbot.domain.session import decide
from bossbot.domain.state import ENDED, SessionState
from bossbot.ids import EventId, Mint, SessionId
from bossbot.store.errors import VersionConflict
from bossbot.store.outbox import Show
from bossbot.store.protocol import EventStore
from bossbot.store.records import MessageRef
from bossbot.views.views import views

log = logging.getLogger(__name__)

Clock = Callable[[], datetime]
SNAPSHOT_EVENTS = 1_000
"""After so many events another snapshot: 1,000 events are read in less than 100 ms."""

QUEUE_MAX = 1_000
"""Commands that may wait: beyond, the agent's pump waits, and through the pipe the agent."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit did to a session."""

    before: SessionState
    events: tuple[Event, ...]
    after: SessionState
    shows: tuple[Show, ...]


Reaction = Callable[[Change], None]
"""Told after each commit, in order. Must not block: it starts work and returns."""


@dataclass(slots=True)
class _Letter:
    commands: tuple[Command, ...]
    inbox_key: str | None = None
    heard: MessageRef | None = None
    shows: tuple[Show, ...] = ()
    writing: str = ""
    done: "asyncio.Future[SessionState] | None" = None


@dataclass(slots=True)
class _Draft:
    state: SessionState
    events: list[Event] = field(default_factory=list)
    kept: list[_Letter] = field(default_factory=list)


class Mailbox:
    """Owns one session. `run` is its task; `tell` and `post` may be called from anywhere in the same loop."""

    def __init__(
        self,
        session_id: SessionId,
        store: EventStore,
        mint: Mint,
        clock: Clock,
        react: Reaction,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`wake` runs `run` again: called for a letter that comes when it has ended."""
        self._id, self._store, self._mint, self._clock, self._react = session_id, store, mint, clock, react
        self._letters: asyncio.Queue[_Letter] = asyncio.Queue(QUEUE_MAX)
        self._wake, self._awake = wake, False
        self._version = self._snapshot_at = 0
        self.state = SessionState(id=session_id)

    async def open(self) -> None:
        """Reads the session from its log. Called once, before `run`."""
        self.state, self._version, self._snapshot_at = await self._store.state(self._id)

    def awake(self) -> None:
        """Sees to it that `run` runs."""
        if not self._awake:
            self._awake = True
            self._wake()

    async def tell(
        self, *commands: Command, inbox_key: str | None = None, heard: MessageRef | None = None
    ) -> SessionState:
        """Decides and commits; returns the session's state after it.

        Raises `DomainError` when refused and `DuplicateDelivery` when `inbox_key` was seen before; nothing happened.
        """
        done: asyncio.Future[SessionState] = asyncio.get_running_loop().create_future()
        await self._put(_Letter(commands, inbox_key, heard, done=done))
        return await done

    async def post(self, *commands: Command) -> None:
        """Hands over commands of the agent. Refusals are logged: a machine cannot be told."""
        await self._put(_Letter(commands))

    async def show(self, message_id: str, shows: Sequence[Show]) -> None:
        """Cards of a text while it is written: not in the log, and dropped when its whole has come meanwhile."""
        await self._put(_Letter((), shows=tuple(shows), writing=message_id))

    async def _put(self, letter: _Letter) -> None:
        await self._letters.put(letter)
        self.awake()

    async def run(self) -> None:
        """Handles letters until cancelled, or until the session is closed and no letter waits."""
        await self._keep_snapshot()
        while self.state.status not in ENDED or not self._letters.empty():
            batch = [await self._letters.get()]
            while not self._letters.empty():
                batch.append(self._letters.get_nowait())
            for group in _groups(batch):
                await self._handle(group)
            await self._keep_snapshot()
        self._awake = False

    async def _keep_snapshot(self) -> None:
        """So that the session opens fast. It is not needed, and a failure costs nothing."""
        if self._version - self._snapshot_at < SNAPSHOT_EVENTS:
            return
        self._snapshot_at = self._version
        try:
            await self._store.keep_snapshot(self._version, self.state)
        except Exception:
            log.warning("session %s: no snapshot was kept", self._id, exc_info=True)

    async def _handle(self, letters: Sequence[_Letter]) -> None:
        try:
            await self._commit(letters)
        except VersionConflict:
            await self._retry(letters)
        except Exception as error:  # noqa: BLE001  the mailbox outlives a failed write; whoever waits is told
            _fail(letters, error)

    async def _retry(self, letters: Sequence[_Letter]) -> None:
        try:
            await self.open()
            await self._commit(letters)
        except Exception as error:  # noqa: BLE001  as above
            _fail(letters, error)

    async def _commit(self, letters: Sequence[_Letter]) -> None:
        draft = self._draft(letters)
        if not draft.kept:
            return
        before, first = self.state, draft.kept[0]
        shows = tuple(
            Show(key=view.key, thread=thread, card=view.card, once=view.once)
            for view in views(before, draft.events, draft.state)
            for thread in draft.state.threads
        )
        shows += _transient(draft)
        if draft.events or shows or first.inbox_key is not None or first.heard is not None:
            self._version = await self._store.append(
                self._id,
                self._version,
                draft.events,
                deliveries=shows,
                inbox_key=first.inbox_key,
                heard=first.heard,
                at=self._clock(),
            )
        self.state = draft.state
        for letter in draft.kept:
            if letter.done is not None and not letter.done.done():
                letter.done.set_result(self.state)
        if draft.events or shows:
            self._react(Change(before, tuple(draft.events), self.state, shows))

    def _draft(self, letters: Sequence[_Letter]) -> _Draft:
        draft = _Draft(self.state)
        for letter in letters:
            state, events = draft.state, []
            try:
                for command in letter.commands:
                    for new in decide(state, command):
                        event = new.sealed(EventId(self._mint("evt")), self._id, self._clock())
                        state = evolve(state, event)
                        events.append(event)
            except Exception as error:  # noqa: BLE001  also what we cannot handle spoils no other letter
                _fail([letter], error)
                continue
            draft.state = state
            draft.events += events
            draft.kept.append(letter)
        return draft


def _transient(draft: _Draft) -> tuple[Show, ...]:
    """The texts that are still being written after all that happened before."""
    turn = draft.state.turn
    return tuple(show for letter in draft.kept if turn and letter.writing == turn.writing for show in letter.shows)


def _groups(batch: Sequence[_Letter]) -> list[list[_Letter]]:
    """Letters with an inbox key or a platform message stand alone; the others join their neighbours."""
    groups: list[list[_Letter]] = []
    for letter in batch:
        alone = letter.inbox_key is not None or letter.heard is not None
        joins = groups and not alone and groups[-1][0].inbox_key is None and groups[-1][0].heard is None
        if joins:
            groups[-1].append(letter)
        else:
            groups.append([letter])
    return groups


def _fail(letters: Sequence[_Letter], error: Exception) -> None:
    for letter in letters:
        if letter.done is not None and not letter.done.done():
            letter.done.set_exception(error)
        elif letter.done is None:
            names = ", ".join(type(command).__name__ for command in letter.commands)
            if isinstance(error, DomainError):
                log.debug("%s: %s", names, error)
            else:
                log.error("%s could not be handled", names, exc_info=error)
