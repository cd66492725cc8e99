"""The EventStore on a SQL database: each method hands one function to the database, which runs it as a transaction."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

from bossbot.domain.events import Event
from bossbot.domain.state import SessionState
from bossbot.ids import PostRef, SessionId, ThreadRef
from bossbot.store import outbox, snapshots, sql_log, sql_outbox, sql_snapshots, sql_state, sql_whole
from bossbot.store.bell import Bell
from bossbot.store.chain import event_from_json
from bossbot.store.database import Database
from bossbot.store.outbox import Delivery, Show
from bossbot.store.projection import check_append
from bossbot.store.records import Link, Logged, MessageRef, Problem, SessionRow
from bossbot.store.transfer import Export


class SqlStore:
    """An EventStore over `database`, which it closes. `owner` names this process in the outbox."""

    def __init__(self, database: Database, *, owner: str) -> None:
        self._database, self._owner = database, owner
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
        entry = sql_log.Entry(session_id, expected_version, events, deliveries, inbox_key, heard, at)
        version = await self._database.write(lambda sql: sql_log.append(sql, entry))
        if events:
            self._appended.tell()
        return version

    async def load(self, session_id: SessionId, after_version: int = 0) -> list[Event]:
        return await self._database.read(lambda sql: _events(sql_log.links(sql, session_id, after_version, None)))

    async def events_of(self, session_id: SessionId, *types: str) -> list[Event]:
        return await self._database.read(lambda sql: _events(sql_log.links_of(sql, session_id, types)))

    async def state(self, session_id: SessionId) -> tuple[SessionState, int, int]:
        snapshot, later = await self._database.read(lambda sql: sql_snapshots.opening(sql, session_id))
        try:
            state = await asyncio.to_thread(snapshots.restored, session_id, snapshot, later)
        except ValueError:
            if snapshot is None:
                raise
            snapshot, later = None, await self.links(session_id)
            state = await asyncio.to_thread(snapshots.restored, session_id, None, later)
        begun = snapshot.version if snapshot else 0
        return state, later[-1].version if later else begun, begun

    async def keep_snapshot(self, version: int, state: SessionState) -> None:
        text = await asyncio.to_thread(snapshots.encode, state)
        await self._database.write(lambda sql: sql_snapshots.keep(sql, state.id, version, snapshots.digest(), text))

    async def links(self, session_id: SessionId, after_version: int = 0, limit: int | None = None) -> list[Link]:
        return await self._database.read(lambda sql: sql_log.links(sql, session_id, after_version, limit))

    async def head(self, session_id: SessionId) -> tuple[int, str]:
        return await self._database.read(lambda sql: sql_log.head(sql, session_id))

    async def position(self) -> int:
        return await self._database.read(sql_log.position)

    async def after(self, position: int, limit: int, session_id: SessionId | None = None) -> list[Logged]:
        if session_id is None:
            return await self._database.read(lambda sql: sql_log.after(sql, position, limit))
        return await self._database.read(lambda sql: sql_log.after_in(sql, session_id, position, limit))

    @property
    def appends(self) -> int:
        return self._appended.strokes

    async def appended(self, since: int, timeout_s: float) -> None:
        await self._appended.heard(since, timeout_s)

    async def adopt(self, export: Export) -> None:
        await self._database.write(lambda sql: sql_whole.adopt(sql, export))
        self._appended.tell()

    async def forget(self, session_id: SessionId) -> None:
        await self._database.write(lambda sql: sql_whole.forget(sql, session_id))

    async def version(self, session_id: SessionId) -> int:
        return await self._database.read(lambda sql: sql_log.version(sql, session_id))

    async def verify(self, session_id: SessionId) -> list[Problem]:
        return await self._database.read(lambda sql: sql_log.verify(sql, session_id))

    async def sessions(self, *, open_only: bool = False) -> list[SessionRow]:
        return await self._database.read(lambda sql: sql_state.sessions(sql, open_only=open_only))

    async def logged_sessions(self) -> list[SessionId]:
        return await self._database.read(sql_log.logged_sessions)

    async def session_of(self, thread: ThreadRef) -> SessionId | None:
        return await self._database.read(lambda sql: sql_state.session_of(sql, thread))

    async def session_of_message(self, message: MessageRef) -> SessionId | None:
        return await self._database.read(lambda sql: sql_state.session_of_message(sql, message))

    async def due(self) -> list[Delivery]:
        return await self._database.read(lambda sql: sql_outbox.due(sql, self._owner))

    async def claim(self, delivery: Delivery) -> Delivery | None:
        return await self._database.write(lambda sql: sql_outbox.claim(sql, delivery, self._owner))

    async def sent(self, delivery: Delivery, post: PostRef) -> None:
        await self._database.write(lambda sql: sql_outbox.sent(sql, delivery, post))

    async def released(self, delivery: Delivery, error: str) -> None:
        await self._settle(delivery, lambda now: outbox.released(now, error))

    async def failed(self, delivery: Delivery, error: str) -> None:
        await self._settle(delivery, lambda now: outbox.failed(now, delivery.revision, error))

    async def ambiguous(self, delivery: Delivery, error: str) -> None:
        await self._settle(delivery, lambda now: outbox.ambiguous(now, delivery.revision, error, self._owner))

    async def _settle(self, delivery: Delivery, change: Callable[[Delivery], Delivery]) -> None:
        await self._database.write(lambda sql: sql_outbox.change(sql, delivery, change))

    async def delivery(self, session_id: SessionId, thread: ThreadRef, key: str) -> Delivery | None:
        return await self._database.read(lambda sql: sql_outbox.find(sql, session_id, thread, key))

    async def forget_inbox(self, before: datetime) -> int:
        return await self._database.write(lambda sql: sql_state.forget_inbox(sql, before))

    async def memo_get(self, name: str) -> str | None:
        return await self._database.read(lambda sql: sql_state.memo_get(sql, name))

    async def memo_set(self, name: str, value: str) -> None:
        await self._database.write(lambda sql: sql_state.memo_set(sql, name, value))

    async def keep(self) -> None:
        await self._database.keep()

    async def close(self) -> None:
        await self._database.close()


def _events(links: Sequence[Link]) -> list[Event]:
    return [event_from_json(link.envelope, link.payload_version) for link in links]
