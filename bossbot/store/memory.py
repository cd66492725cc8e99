"""The store in memory: for tests, and the plainest statement of what a store does. Keeps what SQL would keep: text."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count, islice

from bossbot.domain.events import Event
from bossbot.domain.state import ENDED, SessionState
from bossbot.ids import PostRef, SessionId, ThreadRef
from bossbot.store import outbox
from bossbot.store.bell import Bell
from bossbot.store.chain import GENESIS, event_from_json, flaws, linked
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.outbox import Delivery, Show
from bossbot.store.projection import bindings, check_append, projected
from bossbot.store.records import Link, Logged, MessageRef, Problem, SessionRow
from bossbot.store.snapshots import Snapshot, digest, encode, restored, usable
from bossbot.store.transfer import Export


@dataclass(slots=True)
class MemoryData:
    """What outlives a `MemoryStore`, as a database outlives a process."""

    sessions: dict[SessionId, SessionRow] = field(default_factory=dict)
    logs: dict[SessionId, list[Link]] = field(default_factory=dict)
    all: list[Logged] = field(default_factory=list)
    position: int = 0
    snapshots: dict[SessionId, Snapshot] = field(default_factory=dict)
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
        self._appended = Bell()

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
        log = self.data.logs.get(session_id, [])
        links = linked(events, version, log[-1].hash if log else GENESIS)
        if inbox_key is not None and at is not None:
            self.data.inbox[inbox_key] = at
        if heard is not None:
            self.data.messages[heard] = session_id
        if events:
            self.data.sessions[session_id] = projected(row, session_id, events)
            self._extend_log(session_id, [event.type for event in events], links)
            self._bind(session_id, events)
        for show in deliveries:
            self._show(session_id, show)
        return version + len(events)

    def _extend_log(self, session_id: SessionId, types: Sequence[str], links: Sequence[Link]) -> None:
        self.data.logs.setdefault(session_id, []).extend(links)
        for kind, link in zip(types, links, strict=True):
            self.data.position += 1
            self.data.all.append(Logged(self.data.position, session_id, kind, link))
        self._appended.tell()

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
        links = await self.links(session_id, after_version)
        return [event_from_json(link.envelope, link.payload_version) for link in links]

    async def events_of(self, session_id: SessionId, *types: str) -> list[Event]:
        return [event for event in await self.load(session_id) if event.type in types]

    async def state(self, session_id: SessionId) -> tuple[SessionState, int, int]:
        log = self.data.logs.get(session_id, [])
        kept = self.data.snapshots.get(session_id)
        snapshot = usable(kept, log[kept.version - 1].hash if kept and kept.version <= len(log) else None)
        begun = snapshot.version if snapshot else 0
        return restored(session_id, snapshot, log[begun:]), len(log), begun

    async def keep_snapshot(self, version: int, state: SessionState) -> None:
        log = self.data.logs.get(state.id, [])
        if 0 < version <= len(log):
            self.data.snapshots[state.id] = Snapshot(version, log[version - 1].hash, digest(), encode(state))

    async def links(self, session_id: SessionId, after_version: int = 0, limit: int | None = None) -> list[Link]:
        end = None if limit is None else after_version + limit
        return self.data.logs.get(session_id, [])[after_version:end]

    async def head(self, session_id: SessionId) -> tuple[int, str]:
        log = self.data.logs.get(session_id, [])
        return len(log), log[-1].hash if log else GENESIS

    async def position(self) -> int:
        return self.data.position

    async def after(self, position: int, limit: int, session_id: SessionId | None = None) -> list[Logged]:
        found = (e for e in self.data.all if e.position > position and session_id in (None, e.session_id))
        return list(islice(found, limit))

    @property
    def appends(self) -> int:
        return self._appended.strokes

    async def appended(self, since: int, timeout_s: float) -> None:
        await self._appended.heard(since, timeout_s)

    async def adopt(self, export: Export) -> None:
        if export.session_id in self.data.sessions:
            raise VersionConflict(export.session_id, 0, await self.version(export.session_id))
        self.data.sessions[export.session_id] = projected(None, export.session_id, export.events)
        self._extend_log(export.session_id, [event.type for event in export.events], export.links)
        _freed, bound = bindings(export.events)
        self.data.threads = {**dict.fromkeys(bound, export.session_id), **self.data.threads}

    async def forget(self, session_id: SessionId) -> None:
        data = self.data
        data.sessions.pop(session_id, None)
        data.logs.pop(session_id, None)
        data.snapshots.pop(session_id, None)
        data.all = [entry for entry in data.all if entry.session_id != session_id]
        data.threads = {thread: owner for thread, owner in data.threads.items() if owner != session_id}
        data.messages = {message: owner for message, owner in data.messages.items() if owner != session_id}
        data.deliveries = {key: shown for key, shown in data.deliveries.items() if key[0] != session_id}

    async def version(self, session_id: SessionId) -> int:
        return len(self.data.logs.get(session_id, []))

    async def sessions(self, *, open_only: bool = False) -> list[SessionRow]:
        return [row for row in self.data.sessions.values() if row.status not in ENDED or not open_only]

    async def logged_sessions(self) -> list[SessionId]:
        return list(self.data.logs)

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

    async def keep(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Nothing to end."""


def _key(delivery: Delivery) -> tuple[SessionId, ThreadRef, str]:
    return delivery.session_id, delivery.thread, delivery.key
