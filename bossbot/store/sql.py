"""The EventStore on a SQL database: each method hands one function to the database, which runs it as a transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime

from bossbot.domain.events import Event
from bossbot.ids import PostRef, SessionId, ThreadRef
from bossbot.store import outbox, sql_log, sql_outbox, sql_state
from bossbot.store.database import Database
from bossbot.store.outbox import Delivery, Show
from bossbot.store.projection import check_append
from bossbot.store.records import MessageRef, Problem, SessionRow


class SqlStore:
    """An EventStore over `database`, which it closes. `owner` names this process in the outbox."""

    def __init__(self, database: Database, *, owner: str) -> None:
        self._database, self._owner = database, owner

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
        return await self._database.write(lambda c: sql_log.append(c, entry))

    async def load(self, session_id: SessionId, after_version: int = 0) -> list[Event]:
        return await self._database.read(lambda c: sql_log.load(c, session_id, after_version))

    async def events_of(self, session_id: SessionId, *types: str) -> list[Event]:
        return await self._database.read(lambda c: sql_log.events_of(c, session_id, types))

    async def version(self, session_id: SessionId) -> int:
        return await self._database.read(lambda c: sql_log.version(c, session_id))

    async def verify(self, session_id: SessionId) -> list[Problem]:
        return await self._database.read(lambda c: sql_log.verify(c, session_id))

    async def sessions(self, *, open_only: bool = False) -> list[SessionRow]:
        return await self._database.read(lambda c: sql_state.sessions(c, open_only=open_only))

    async def session_of(self, thread: ThreadRef) -> SessionId | None:
        return await self._database.read(lambda c: sql_state.session_of(c, thread))

    async def session_of_message(self, message: MessageRef) -> SessionId | None:
        return await self._database.read(lambda c: sql_state.session_of_message(c, message))

    async def due(self) -> list[Delivery]:
        return await self._database.read(lambda c: sql_outbox.due(c, self._owner))

    async def claim(self, delivery: Delivery) -> Delivery | None:
        return await self._database.write(lambda c: sql_outbox.claim(c, delivery, self._owner))

    async def sent(self, delivery: Delivery, post: PostRef) -> None:
        await self._database.write(lambda c: sql_outbox.sent(c, delivery, post))

    async def released(self, delivery: Delivery, error: str) -> None:
        await self._settle(delivery, lambda now: outbox.released(now, error))

    async def failed(self, delivery: Delivery, error: str) -> None:
        await self._settle(delivery, lambda now: outbox.failed(now, delivery.revision, error))

    async def ambiguous(self, delivery: Delivery, error: str) -> None:
        await self._settle(delivery, lambda now: outbox.ambiguous(now, delivery.revision, error, self._owner))

    async def _settle(self, delivery: Delivery, change: Callable[[Delivery], Delivery]) -> None:
        await self._database.write(lambda c: sql_outbox.change(c, delivery, change))

    async def delivery(self, session_id: SessionId, thread: ThreadRef, key: str) -> Delivery | None:
        return await self._database.read(lambda c: sql_outbox.find(c, session_id, thread, key))

    async def forget_inbox(self, before: datetime) -> int:
        return await self._database.write(lambda c: sql_state.forget_inbox(c, before))

    async def memo_get(self, name: str) -> str | None:
        return await self._database.read(lambda c: sql_state.memo_get(c, name))

    async def memo_set(self, name: str, value: str) -> None:
        await self._database.write(lambda c: sql_state.memo_set(c, name, value))

    async def close(self) -> None:
        await self._database.close()
