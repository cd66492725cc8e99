"""EventStore: what is remembered. Events by session with a hash chain, and in the same transaction all that must not
part from them: which thread belongs to which session, what was taken in, and what is to be shown.

Implementations: `bossbot.store.memory`, `bossbot.store.sql`. `bossbot.store.testing` is what each must pass.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bossbot.domain.events import Event
from bossbot.domain.state import SessionState
from bossbot.ids import PostRef, SessionId, ThreadRef
from bossbot.store.outbox import Delivery, Show
from bossbot.store.records import Link, Logged, MessageRef, Problem, SessionRow
from bossbot.store.transfer import Export

INBOX_KEPT_DAYS = 7
"""Platforms deliver again for hours (Slack: an hour, Telegram: 24 hours); `forget_inbox` may not cut closer."""


class EventStore(Protocol):
    """Every method is one transaction: it happens wholly or not at all, also when the caller is cancelled or dies."""

    async def append(
        self,
        session_id: SessionId,
        expected_version: int,
        events: Sequence[Event],
        *,
        deliveries: Sequence[Show] = (),
        inbox_key: str | None = None,
        heard: MessageRef | None = None,
        at: datetime | None = None,
    ) -> int:
        """Writes all of it at once and returns the session's new version. A session without events is at version 0.

        `inbox_key` names the inbound delivery that caused this, `at` its time (required with it), `heard` the
        platform message. Raises `DuplicateDelivery` if the key was seen before, else `VersionConflict` if the session
        is not at `expected_version`; then nothing is written. `session.thread.bound` binds the thread to the session,
        `session.closed` frees its threads.
        """
        ...

    async def load(self, session_id: SessionId, after_version: int = 0) -> list[Event]:
        """The session's events behind `after_version`, in order; event i has version `after_version + 1 + i`."""
        ...

    async def events_of(self, session_id: SessionId, *types: str) -> list[Event]:
        """The session's events of these types, in order."""
        ...

    async def state(self, session_id: SessionId) -> tuple[SessionState, int, int]:
        """The session's state, its version, and the version of the snapshot that it was read from (0: from none).

        The same as folding the whole log. An unknown session is new and at version 0.
        """
        ...

    async def keep_snapshot(self, version: int, state: SessionState) -> None:
        """Keeps the session's state after event `version`, so that `state` need not read what lies before it."""
        ...

    async def version(self, session_id: SessionId) -> int:
        """How many events the session has; 0 when it is unknown."""
        ...

    async def sessions(self, *, open_only: bool = False) -> list[SessionRow]:
        """All sessions in the order of their beginning; with `open_only` those that are not closed."""
        ...

    async def logged_sessions(self) -> list[SessionId]:
        """Every session that has events, also one that the list of sessions lost."""
        ...

    async def session_of(self, thread: ThreadRef) -> SessionId | None:
        """The open session that this thread belongs to."""
        ...

    async def session_of_message(self, message: MessageRef) -> SessionId | None:
        """The session that posted this platform message, or that heard it."""
        ...

    async def verify(self, session_id: SessionId) -> list[Problem]:
        """Where the session's log is not what was written; empty when it is whole."""
        ...

    async def head(self, session_id: SessionId) -> tuple[int, str]:
        """How many events the session has, as recorded beside the log, and the hash of the last."""
        ...

    async def links(self, session_id: SessionId, after_version: int = 0, limit: int | None = None) -> list[Link]:
        """The session's events behind `after_version` as they are stored, at most `limit`."""
        ...

    async def position(self) -> int:
        """The position of the newest event that there ever was; 0 when there was none. It never goes back."""
        ...

    async def after(self, position: int, limit: int, session_id: SessionId | None = None) -> list[Logged]:
        """The next `limit` events behind a position, of all sessions or of one, in the order of their commits.

        Whoever goes on from the position of the last one misses nothing and sees nothing twice.
        """
        ...

    @property
    def appends(self) -> int:
        """How often this store object has appended events."""
        ...

    async def appended(self, since: int, timeout_s: float) -> None:
        """Returns when `appends` is above `since`, or after the time."""
        ...

    async def adopt(self, export: Export) -> None:
        """Writes a session that was exported, with its hashes; its threads become its own as far as they are free.

        Raises `VersionConflict` when the session exists.
        """
        ...

    async def forget(self, session_id: SessionId) -> None:
        """Deletes the session and everything that belongs to it."""
        ...

    async def due(self) -> list[Delivery]:
        """What waits to be sent, in order of creation: pending ones, and those whose fate died with a process."""
        ...

    async def claim(self, delivery: Delivery) -> Delivery | None:
        """Takes what stands at its session, thread and key for sending, and returns it as it is now, with its newest
        card; None if nothing waits there. `doubtful` then says whether an earlier attempt may have posted it.

        What was claimed ends in `sent`, `released`, `failed` or `ambiguous`, each with the claimed delivery.
        """
        ...

    async def sent(self, delivery: Delivery, post: PostRef) -> None:
        """The claimed revision stands at `post`; its platform messages now lead to the session."""
        ...

    async def released(self, delivery: Delivery, error: str) -> None:
        """The attempt certainly did not arrive: it waits again."""
        ...

    async def failed(self, delivery: Delivery, error: str) -> None:
        """The platform refused it for good; only another card under the key is tried again."""
        ...

    async def ambiguous(self, delivery: Delivery, error: str) -> None:
        """No answer came. `due` gives it again in the next process, or when another card comes under the key."""
        ...

    async def delivery(self, session_id: SessionId, thread: ThreadRef, key: str) -> Delivery | None:
        """What is, or shall be, shown in the thread under the key."""
        ...

    async def forget_inbox(self, before: datetime) -> int:
        """Drops inbox keys older than `before` and returns how many; keep at least `INBOX_KEPT_DAYS`."""
        ...

    async def memo_get(self, name: str) -> str | None:
        """A small value kept under a name, such as a channel's offset."""
        ...

    async def memo_set(self, name: str, value: str) -> None:
        """Keeps a small value under a name."""
        ...

    async def keep(self) -> None:
        """Runs for ever; raises `StoreError` when another process has become the owner, or the database is gone."""
        ...

    async def close(self) -> None:
        """Ends the connections. Nothing is lost without it."""
        ...
