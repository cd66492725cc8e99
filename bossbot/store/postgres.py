"""PostgreSQL through asyncpg: the same functions over pooled connections, one greenlet a transaction."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bossbot.store.errors import StoreError
from bossbot.store.migrate import migrate

T = TypeVar("T")


class PostgresDatabase:
    """An open database. Made by `open`."""

    def __init__(self, engine: AsyncEngine, where: str) -> None:
        self._engine, self._where = engine, where

    @classmethod
    async def open(cls, url: URL) -> "PostgresDatabase":
        """Connects and brings the tables up to date. Raises `StoreError`; its text holds no password."""
        where = f"[store] path = {url.render_as_string(hide_password=True)!r}"
        if find_spec("asyncpg") is None:
            raise StoreError(f"{where} needs the package asyncpg: pip install asyncpg")
        engine = create_async_engine(url.set(drivername="postgresql+asyncpg"), hide_parameters=True)
        database = cls(engine, where)
        try:
            await database.write(lambda connection: migrate(connection, where))
        except BaseException:
            await database.close()
            raise
        return database

    async def read(self, work: Callable[[Connection], T]) -> T:
        """As `Database.read`."""
        try:
            async with self._engine.connect() as connection:
                repeatable = await connection.execution_options(isolation_level="REPEATABLE READ")
                return await repeatable.run_sync(work)
        except (DBAPIError, OSError) as error:
            raise self._store_error(error) from error

    async def write(self, work: Callable[[Connection], T]) -> T:
        """As `Database.write`."""
        try:
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)
        except (DBAPIError, OSError) as error:
            raise self._store_error(error) from error

    async def close(self) -> None:
        """As `Database.close`."""
        await self._engine.dispose()

    def _store_error(self, error: DBAPIError | OSError) -> StoreError:
        reason = error.orig if isinstance(error, DBAPIError) else error
        return StoreError(f"{self._where}: {reason}; see that the server runs and lets this user in")
