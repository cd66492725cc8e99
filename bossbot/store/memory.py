"""The store in memory: for tests, and the plainest statement of what a store does. Keeps what SQL would keep: text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from bossbot.domain.events import Event
from bossbot.ids import PostRef, SessionId, ThreadRef
from bossbot.store import outbox
from bossbot.store.chain import GENESIS, Link, envelope_json, event_from_json, flaws, link_hash
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.outbox import Delivery, Show
from bossbot.store.projection import CLOSED, bindings, check_append, projected
from bossbot.store.records import MessageRef, Problem, SessionRow


@dataclass(slots=True)
class MemoryData:
    """What outlives a `MemoryStore`, as a database outlives a process."""

    sessions: dict[SessionId, SessionRow] = field(default_factory=dict)
    logs: dict[SessionId, list[Link]] = field(default_factory=dict)
    threads: dict[ThreadRef, SessionId] = field(default_factory=dict)
    messages: dict[MessageRef, SessionId] = field(default_factory=dict)
    deliveries: dict[tuple[SessionId, ThreadRef, str], Delivery] = field(default_factory=dict)
    inbox: dict[str, datetime] = field(default_factory=dict)
    memos: dict[str, str] = field(default_factory=dict)
    owners: "count[int]" = field(default_factory=lambda: count(1))


class MemoryStore:
    """An EventStore over `data`. A second one over the same data is like the next process on the same database."""

    def __init__(self, data: MemoryData | None = None) -> None:
        self.data = data or MemoryData()
        self._owner = f"process {next(self.data.owners)}"

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
        check_append(session_id, events, inbox_key, at)
        if inbox_key in self.data.inbox:
            raise DuplicateDelivery(str(inbox_key))
        row = self.data.sessions.get(session_id)
        version = row.version if row else 0
        if version != expected_version:
            raise VersionConflict(session_id, expected_version, version)
        envelopes = [envelope_json(event) for event in events]
        if inbox_key is not None and at is not None:
            self.data.inbox[inbox_key] = at
        if heard is not None:
            self.data.messages[heard] = session_id
        if events:
            self.data.sessions[session_id] = projected(row, session_id, events)
            self._extend_log(session_id, envelopes)
            self._bind(session_id, events)
        for show in deliveries:
            self._show(session_id, show)
        return version + len(events)

    def _extend_log(self, session_id: SessionId, envelopes: list[str]) -> None:
        log = self.data.logs.setdefault(session_id, [])
        for envelope in envelopes:
            previous = log[-1].hash if log else GENESIS
            log.append(Link(len(log) + 1, envelope, link_hash(previous, envelope)))

    def _bind(self, session_id: SessionId, events: Sequence[Event]) -> None:
        freed, bound = bindings(events)
        if freed:
            self.data.threads = {t: s for t, s in self.data.threads.items() if s != session_id}
        self.data.threads |= dict.fromkeys(bound, session_id)

    def _show(self, session_id: SessionId, show: Show) -> None:
        key = (session_id, show.thread, show.key)
        old = self.data.deliveries.get(key)
        seq = len(self.data.deliveries) + 1
        new = Delivery(session_id, show.thread, show.key, show.card, show.once, seq)
        self.data.deliveries[key] = outbox.shown(old, show) if old else new

    async def load(self, session_id: SessionId, after_version: int = 0) -> list[Event]:
        return [event_from_json(link.envelope) for link in self.data.logs.get(session_id, [])[after_version:]]

    async def events_of(self, session_id: SessionId, *types: str) -> list[Event]:
        return [event for event in await self.load(session_id) if event.type in types]

    async def version(self, session_id: SessionId) -> int:
        return len(self.data.logs.get(session_id, []))

    async def sessions(self, *, open_only: bool = False) -> list[SessionRow]:
        return [row for row in self.data.sessions.values() if row.status != CLOSED or not open_only]

    async def session_of(self, thread: ThreadRef) -> SessionId | None:
        return self.data.threads.get(thread)

    async def session_of_message(self, message: MessageRef) -> SessionId | None:
        return self.data.messages.get(message)

    async def verify(self, session_id: SessionId) -> list[Problem]:
        row, log = self.data.sessions.get(session_id), self.data.logs.get(session_id, [])
        return flaws(log, row.version if row else 0, log[-1].hash if log else GENESIS)

    async def due(self) -> list[Delivery]:
        return [d for d in self.data.deliveries.values() if outbox.is_due(d, self._owner)]

    async def claim(self, delivery: Delivery) -> Delivery | None:
        now = self.data.deliveries.get(_key(delivery))
        claimed = outbox.claimed(now, self._owner) if now else None
        if claimed is not None:
            self.data.deliveries[_key(delivery)] = claimed
        return claimed

    async def sent(self, delivery: Delivery, post: PostRef) -> None:
        self._change(delivery, lambda now: outbox.sent(now, delivery.revision, post))
        for message_id in post.ids:
            self.data.messages[MessageRef(post.channel, post.chat, message_id)] = delivery.session_id

    async def released(self, delivery: Delivery, error: str) -> None:
        self._change(delivery, lambda now: outbox.released(now, error))

    async def failed(self, delivery: Delivery, error: str) -> None:
        self._change(delivery, lambda now: outbox.failed(now, delivery.revision, error))

    async def ambiguous(self, delivery: Delivery, error: str) -> None:
        self._change(delivery, lambda now: outbox.ambiguous(now, delivery.revision, error, self._owner))

    def _change(self, delivery: Delivery, change: Callable[[Delivery], Delivery]) -> None:
        now = self.data.deliveries.get(_key(delivery))
        if now is not None:
            self.data.deliveries[_key(delivery)] = change(now)

    async def delivery(self, session_id: SessionId, thread: ThreadRef, key: str) -> Delivery | None:
        return self.data.deliveries.get((session_id, thread, key))

    async def forget_inbox(self, before: datetime) -> int:
        old = [key for key, at in self.data.inbox.items() if at < before]
        for key in old:
            del self.data.inbox[key]
        return len(old)

    async def memo_get(self, name: str) -> str | None:
        return self.data.memos.get(name)

    async def memo_set(self, name: str, value: str) -> None:
        self.data.memos[name] = value

    async def close(self) -> None:
        """Nothing to end."""


def _key(delivery: Delivery) -> tuple[SessionId, ThreadRef, str]:
    return delivery.session_id, delivery.thread, delivery.key
