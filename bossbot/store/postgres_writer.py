"""The one connection that writes to PostgreSQL. It also holds the lock that says who owns the database, so that whoever
lost the lock cannot write: a second bot, or the rest of a bot that was killed.

Writes of all processes take the same lock, so they follow each other: an event with a higher position is never seen
before one with a lower, and a feed that has read up to a position has missed nothing.

When the connection is lost during COMMIT, nobody told us whether it happened. The server knows: it is asked for the
fate of the transaction's number on the next connection, once that one has the lock and the old session is gone.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bossbot.store.errors import StoreError, StoreUnavailable
from bossbot.store.postgres_errors import is_gone

T = TypeVar("T")

LOCK = 0x626F7373
"""The number of the advisory lock, within the database."""

OWNER_ENDS_S = 3.0
"""So long the session of a bot that was just killed may take to end."""
PAUSE_S = 0.05
WAITS_FOR_OWNER_S = 5

_TAKE = text("SELECT pg_try_advisory_lock(:key)")
_WAIT = text("SELECT pg_advisory_xact_lock(:key)")
_ME = text("SELECT pg_backend_pid(), backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_END = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND backend_start::text = :started"
)
_DURABLE = text(
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
_NUMBER = text("SELECT pg_current_xact_id_if_assigned()::text")
_FATE = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")


@dataclass(slots=True)
class _Doubt:
    """A transaction whose COMMIT was not answered: what it did, its number, and what its work returned."""

    work: Callable[[Connection], Any]
    number: str
    result: Any


class Writer:
    """Runs transactions one after the other. With `exclusive` it is the one owner until it is closed."""

    def __init__(self, engine: AsyncEngine, where: str, *, exclusive: bool) -> None:
        self._engine, self._where, self._exclusive = engine, where, exclusive
        self._connection: AsyncConnection | None = None
        self._session: tuple[int, str] | None = None
        self._doubt: _Doubt | None = None
        self._lost: StoreError | None = None

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` as one transaction. An error that `is_gone` may be answered by calling it again with the same
        work: what was committed in spite of the error is then not done again.
        """
        try:
            connection = await self._connected()
            doubt = self._doubt
            if doubt is not None and doubt.work is work and await self._was_committed(connection, doubt):
                result: T = doubt.result
                return result
            return await self._run(connection, work)
        except (DBAPIError, OSError, TimeoutError) as error:
            if is_gone(error):
                await self._drop()
            raise

    async def _run(self, connection: AsyncConnection, work: Callable[[Connection], T]) -> T:
        async with connection.begin() as transaction:
            if not self._exclusive:
                await connection.execute(text(f"SET LOCAL lock_timeout = '{WAITS_FOR_OWNER_S}s'"))
                await connection.execute(_WAIT, {"key": LOCK})
            result = await connection.run_sync(work)
            number = await connection.scalar(_NUMBER)
            self._doubt = _Doubt(work, number, result) if number is not None else None
            await transaction.commit()
            self._doubt = None
            return result

    async def _was_committed(self, connection: AsyncConnection, doubt: _Doubt) -> bool:
        while True:
            async with connection.begin():
                fate = await connection.scalar(_FATE, {"number": doubt.number})
            if fate != "in progress":
                return bool(fate == "committed")
            await asyncio.sleep(PAUSE_S)  # without the lock, our old session may still be on its way out

    async def _connected(self) -> AsyncConnection:
        if self._lost is not None:
            raise self._lost
        if self._connection is None:
            connection = await self._engine.connect()
            try:
                await self._take_over(connection)
            except BaseException:
                await connection.invalidate()
                await connection.close()
                raise
            self._connection = connection
        return self._connection

    async def _take_over(self, connection: AsyncConnection) -> None:
        """Ends what is left of our own last session, and takes the lock."""
        async with connection.begin():
            if self._session is not None:
                await connection.execute(_END, {"pid": self._session[0], "started": self._session[1]})
            await connection.execute(_DURABLE)
            pid, started = (await connection.execute(_ME)).one()
        if self._exclusive:
            await self._take_lock(connection)
        self._session = (pid, started)

    async def _take_lock(self, connection: AsyncConnection) -> None:
        now = asyncio.get_running_loop().time
        until = now() + OWNER_ENDS_S
        while True:
            async with connection.begin():
                if await connection.scalar(_TAKE, {"key": LOCK}):
                    return
            if now() > until:
                text_ = f"{self._where}: another bossbot uses this database; stop it, or name another one"
                self._lost = StoreUnavailable(text_)
                raise self._lost
            await asyncio.sleep(PAUSE_S)

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    async def close(self) -> None:
        """Ends the session, and the lock with it."""
        await self._drop()
