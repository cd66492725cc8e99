"""PostgreSQL through asyncpg: reads over pooled connections, writes over the one connection of `postgres_writer`.

A connection that the server or the network drops is made again. A read is simply repeated.
"""

import asyncio
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bossbot.store.database import Sql
from bossbot.store.errors import StoreError, StoreUnavailable
from bossbot.store.group_commit import GroupCommit
from bossbot.store.migrate import check_revision, migrate
from bossbot.store.postgres_errors import is_gone, reason_of, shown_address
from bossbot.store.postgres_sql import PostgresSql
from bossbot.store.postgres_writer import Writer

T = TypeVar("T")

CONNECT_S, ANSWER_S = 10.0, 30.0
"""How long the server may take to let us in, and to answer one statement."""

GONE_FOR_S = 60.0
"""So long a server may be away (a restart, a failover) before the bot gives up and ends."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
CHECK_S = 5.0
"""How often the idle writer sees that it still is the owner."""


class PostgresDatabase:
    """An open database. Made by `open`, or by `open_to_read`."""

    def __init__(self, engine: AsyncEngine, where: str, writer: Writer | None) -> None:
        self._engine, self._where, self._writer = engine, where, writer
        self._group = GroupCommit(self._transact)
        self._closing = False

    @classmethod
    async def open(cls, url: URL, *, exclusive: bool) -> "PostgresDatabase":
        """Connects and brings the tables up to date; `exclusive`: as the one owner. Raises `StoreError`."""
        where, engine = _where(url), _engine(url)
        writer = Writer(engine, where, exclusive=exclusive)
        database = cls(engine, where, writer)
        try:
            await database._once(lambda: writer.transact(lambda c: migrate(c, where)))
        except BaseException:
            await database.close()
            raise
        return database

    @classmethod
    async def open_to_read(cls, url: URL) -> "PostgresDatabase":
        """Connects beside whoever writes. Changes nothing. Raises `StoreError`."""
        where, engine = _where(url), _engine(url)
        database = cls(engine, where, None)
        try:
            await database._once(lambda: database._read(lambda c: check_revision(c, where)))
        except BaseException:
            await database.close()
            raise
        return database

    async def read(self, work: Callable[[Sql], T]) -> T:
        """As `Database.read`."""
        return await self._persistently(lambda: self._read(lambda c: work(PostgresSql(c))))

    async def write(self, work: Callable[[Sql], T]) -> T:
        """As `Database.write`."""
        return await self._group.run(work)

    async def keep(self) -> None:
        """As `Database.keep`."""
        while True:
            await asyncio.sleep(CHECK_S)
            await self.write(lambda c: None)

    async def close(self) -> None:
        """As `Database.close`. What waits for a server that is away is given up."""
        self._closing = True
        await self._group.finished()
        if self._writer is not None:
            await self._writer.close()
        await self._engine.dispose()

    async def _read(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as connection:
            repeatable = await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            return await repeatable.run_sync(work)

    async def _transact(self, work: Callable[[Sql], T]) -> T:
        writer = self._writer
        if writer is None:
            raise StoreError(f"{self._where} was opened for reading only")

        def transaction(connection: Connection) -> T:  # one object: the writer knows its work again by it
            return work(PostgresSql(connection))

        return await self._persistently(lambda: writer.transact(transaction))

    async def _persistently(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeats it while the server is away."""
        now = asyncio.get_running_loop().time
        until, pause_s = now() + GONE_FOR_S, FIRST_PAUSE_S
        while True:
            try:
                return await attempt()
            except (DBAPIError, OSError, TimeoutError) as error:
                if not is_gone(error):
                    raise self._store_error(error) from None
                if self._closing or now() > until:
                    raise StoreUnavailable(str(self._store_error(error))) from None
            await asyncio.sleep(pause_s)
            pause_s = min(LONGEST_PAUSE_S, pause_s * 2)

    async def _once(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """At the start, what does not work is said at once."""
        try:
            return await attempt()
        except (DBAPIError, OSError, TimeoutError, TypeError, ValueError) as error:
            raise self._store_error(error) from None

    def _store_error(self, error: Exception) -> StoreError:
        return StoreError(f"{self._where}: {reason_of(error)}")


def _where(url: URL) -> str:
    where = f"[store] path = {shown_address(url)!r}"
    if find_spec("asyncpg") is None:
        raise StoreError(f"{where} needs the package asyncpg: pip install 'bossbot[postgres]'")
    return where


def _engine(url: URL) -> AsyncEngine:
    options = dict(url.query)
    if "sslmode" in options:  # as libpq calls it; asyncpg takes the same words
        options["ssl"] = options.pop("sslmode")
    return create_async_engine(
        url.set(drivername="postgresql+asyncpg", query=options),
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={
            "timeout": CONNECT_S,
            "command_timeout": ANSWER_S,
            "server_settings": {
                "application_name": "bossbot",
                # The server lets go of the lock of a machine that is no longer there within a minute.
                "tcp_keepalives_idle": "30",
                "tcp_keepalives_interval": "10",
                "tcp_keepalives_count": "3",
            },
        },
    )
