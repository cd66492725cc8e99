"""A mailbox: the one task that owns a session. Commands come in, events are decided, written, and only then acted upon.

Commands that queue up together commit together, and what the agent tells of its work on the way waits a moment for more
of its kind; not for long, and not when anything else comes. What must happen once per platform delivery carries its
inbox key and commits alone, so that a repeated delivery is refused by the store in the same transaction.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zlib import crc32

from bossbot.app.letters import Letter, NotDrawn, groups
from bossbot.domain.commands import Command
from bossbot.domain.events import Event, NewEvent
from bossbot.domain.evolve import Happened
from bossbot.domain.session import decided
from bossbot.domain.state import ENDED, SessionState
from bossbot.ids import EventId, Mint, SessionId, ThreadRef
from bossbot.store.errors import VersionConflict
from bossbot.store.outbox import Show
from bossbot.store.protocol import EventStore
from bossbot.store.records import MessageRef
from bossbot.views.views import progress_card, views

log = logging.getLogger(__name__)

Clock = Callable[[], datetime]
SNAPSHOT_EVENTS = 1_000
"""After so many events another snapshot: 1,000 events are read in less than 100 ms."""

COMMIT_INTERVAL_S = 0.2
"""Between commits of what nobody waits for. A kill loses what was told since; the agent dies with it anyway.

Each session has a moment of its own in it, so that many that are told something at once do not all come at once.
"""

QUEUE_MAX = 1_000
"""Commands that may wait: beyond, the agent's pump waits, and through the pipe the agent."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit did to a session. `moving`: keys of cards of progress, which are not drawn yet."""

    before: SessionState
    events: tuple[Event, ...]
    after: SessionState
    shows: tuple[Show, ...]
    moving: tuple[str, ...] = ()


Reaction = Callable[[Change], None]
"""Told after each commit, in order. Must not block: it starts work and returns."""


@dataclass(slots=True)
class _Draft:
    state: SessionState
    happened: list[Happened] = field(default_factory=list)
    kept: list[Letter] = field(default_factory=list)


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
        interval_s: float = COMMIT_INTERVAL_S,
    ) -> None:
        """`wake` runs `run` again: called for a letter that comes when it has ended."""
        self._id, self._store, self._mint, self._clock, self._react = session_id, store, mint, clock, react
        self._letters: deque[Letter] = deque()
        self._arrived, self._hurry, self._room = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._wake, self._awake = wake, False
        self._interval_s, self._moment_s = interval_s, crc32(session_id.encode()) / 2**32 * interval_s
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
        await self._put(Letter(self._clock(), commands, inbox_key, heard, done=done))
        return await done

    async def post(self, *commands: Command) -> None:
        """Hands over commands of the agent. Refusals are logged: a machine cannot be told."""
        await self._put(Letter(self._clock(), commands))

    async def show(self, message_id: str, shows: Sequence[Show]) -> None:
        """Cards of a text while it is written: not in the log, and dropped when its whole has come meanwhile."""

        def draw(state: SessionState) -> Sequence[Show]:
            return shows if state.turn is not None and state.turn.writing == message_id else ()

        await self._put(Letter(self._clock(), draw=draw))

    async def draw(self, key: str, thread: ThreadRef) -> None:
        """Writes down the card of progress as the session is now, for whoever is about to send it."""
        done: asyncio.Future[SessionState] = asyncio.get_running_loop().create_future()
        letter = Letter(self._clock(), draw=lambda state: _progress(state, key, thread), told=False, done=done)
        await self._put(letter)
        await done

    async def _put(self, letter: Letter) -> None:
        while len(self._letters) >= QUEUE_MAX:
            self._hurry.set()
            self._room.clear()
            await self._room.wait()
        self._letters.append(letter)
        self._arrived.set()
        if not letter.patient:
            self._hurry.set()
        self.awake()

    async def run(self) -> None:
        """Handles letters until cancelled, or until the session is closed and no letter waits."""
        await self._keep_snapshot()
        while self.state.status not in ENDED or self._letters:
            for group in groups(await self._batch()):
                await self._handle(group)
            await self._keep_snapshot()
        self._awake = False

    async def _batch(self) -> list[Letter]:
        """All that waits, and a moment later what has come by then, if all of it is patient."""
        while not self._letters:
            self._arrived.clear()
            await self._arrived.wait()
        if all(letter.patient for letter in self._letters):
            await self._rest()
        batch = [*self._letters]
        self._letters.clear()
        self._room.set()
        return batch

    async def _rest(self) -> None:
        """Until this session's moment, or until something comes that does not wait."""
        self._hurry.clear()
        loop = asyncio.get_running_loop()
        rest_s = self._interval_s - (loop.time() + self._moment_s) % self._interval_s
        timer = loop.call_later(rest_s, self._hurry.set)
        try:
            await self._hurry.wait()
        finally:
            timer.cancel()

    async def _keep_snapshot(self) -> None:
        """So that the session opens fast. It is not needed, and a failure costs nothing."""
        if self._version - self._snapshot_at < SNAPSHOT_EVENTS:
            return
        self._snapshot_at = self._version
        try:
            await self._store.keep_snapshot(self._version, self.state)
        except Exception:
            log.warning("session %s: no snapshot was kept", self._id, exc_info=True)

    async def _handle(self, letters: Sequence[Letter]) -> None:
        try:
            await self._commit(letters)
        except VersionConflict:
            await self._retry(letters)
        except Exception as error:  # noqa: BLE001  the mailbox outlives a failed write; whoever waits is told
            for letter in letters:
                letter.fail(error)

    async def _retry(self, letters: Sequence[Letter]) -> None:
        try:
            await self.open()
            await self._commit(letters)
        except Exception as error:  # noqa: BLE001  as above
            for letter in letters:
                letter.fail(error)

    async def _commit(self, letters: Sequence[Letter]) -> None:
        draft = self._draft(letters)
        drawn = _drawn(draft)
        if not draft.kept:
            return
        before, first = self.state, draft.kept[0]
        events = [event for _, event in draft.happened]
        shows, moving = _shown(draft)
        deliveries = (*shows, *(show for _, show in drawn))
        if events or deliveries or first.alone:
            self._version = await self._store.append(
                self._id,
                self._version,
                events,
                deliveries=deliveries,
                inbox_key=first.inbox_key,
                heard=first.heard,
                at=first.at,
            )
        self.state = draft.state
        for letter in draft.kept:
            letter.settle(self.state)
        told = (*shows, *(show for told, show in drawn if told))
        if events or told:
            self._react(Change(before, tuple(events), self.state, told, moving))

    def _draft(self, letters: Sequence[Letter]) -> _Draft:
        draft = _Draft(self.state)
        for letter in letters:
            state = draft.state
            happened: list[Happened] = []
            try:
                for command in letter.commands:
                    decision = decided(state, command)
                    state = decision.state
                    events = [self._sealed(new, letter.at) for new in decision.events]
                    happened += map(Happened, decision.befores, events)
            except Exception as error:  # noqa: BLE001  also what we cannot handle spoils no other letter
                letter.fail(error)
                continue
            draft.state = state
            draft.happened += happened
            draft.kept.append(letter)
        return draft

    def _sealed(self, new: NewEvent, at: datetime) -> Event:
        return new.sealed(EventId(self._mint("evt")), self._id, at)


def _drawn(draft: _Draft) -> list[tuple[bool, Show]]:
    """The cards that were asked for, and whether who sends cards is to be told of them. One that cannot be drawn spoils
    no other letter."""
    found: list[tuple[bool, Show]] = []
    for letter in [*draft.kept]:
        try:
            found += [(letter.told, show) for show in letter.drawn(draft.state)]
        except NotDrawn as error:
            letter.fail(error)
            draft.kept.remove(letter)
    return found


def _shown(draft: _Draft) -> tuple[tuple[Show, ...], tuple[str, ...]]:
    """The cards that what has happened shows, in all threads; and the keys of those that are drawn when sent.

    What has happened is kept also where, by a mistake of ours, it cannot be shown.
    """
    try:
        found = views(draft.happened, draft.state)
    except Exception:
        log.exception("session %s: what happened is in the log, and cannot be shown", draft.state.id)
        return (), ()
    shows = tuple(
        Show(view.key, thread, view.card, view.once)
        for view in found
        if view.card is not None
        for thread in draft.state.threads
    )
    return shows, tuple(view.key for view in found if view.card is None)


def _progress(state: SessionState, key: str, thread: ThreadRef) -> tuple[Show, ...]:
    card = progress_card(state, key)
    return (Show(key, thread, card),) if card is not None else ()
