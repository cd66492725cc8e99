"""SQLite: one thread writes, one reads, each with its own connection for life (WAL lets them not wait for each other).

A transaction is one hop to the thread instead of one a statement, and a cancelled caller cannot leave it half done.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from bossbot.store.errors import StoreError
from bossbot.store.migrate import migrate

T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL"]
"""NORMAL survives kill -9; a loss of power may cost the last commits, and never more. FULL waits for the disk at each
commit, 4 ms where that was measured (`tests/bench/append.py`), twice between a request and its card, and loses none.
"""

BUSY_TIMEOUT_S = 5.0
"""How long to wait for another process's lock."""


class SqliteDatabase:
    """An open database file. Made by `open`."""

    def __init__(self, path: Path, synchronous: Synchronous) -> None:
        self._path = path
        self._writer = _Lane(path, "IMMEDIATE", "journal_mode=WAL", f"synchronous={synchronous}")
        self._reader = _Lane(path, "DEFERRED", "query_only=ON")

    @classmethod
    async def open(cls, path: Path, *, synchronous: Synchronous = "NORMAL") -> "SqliteDatabase":
        """Opens the file, made with mode 0600 if need be, and brings its tables up to date.

        Raises `StoreError`: no such folder, not a database, a newer program's database, no right to write.
        """
        _make_file(path)
        database = cls(path, synchronous)
        try:
            await database.write(lambda c: migrate(c, f"[store] path = {str(path)!r}"))
        except BaseException:
            await database.close()
            raise
        return database

    async def read(self, work: Callable[[Connection], T]) -> T:
        """As `Database.read`."""
        return await self._reader.run(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """As `Database.write`."""
        return await self._writer.run(work)

    async def close(self) -> None:
        """As `Database.close`."""
        await self._reader.close()
        await self._writer.close()


class _Lane:
    """A thread with its connection. `kind` is how its transactions begin."""

    def __init__(self, path: Path, kind: Literal["IMMEDIATE", "DEFERRED"], *pragmas: str) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"store-{kind.lower()}")
        self._engine = create_engine(
            URL.create("sqlite", database=str(path)),
            # The driver's own BEGIN comes too late and not before every statement: we begin by ourselves.
            connect_args={"isolation_level": None, "check_same_thread": False, "timeout": BUSY_TIMEOUT_S},
            poolclass=NullPool,
            hide_parameters=True,
        )
        self._connection: Connection | None = None

        @event.listens_for(self._engine, "connect")
        def _connected(raw: sqlite3.Connection, _record: object) -> None:
            for pragma in ("foreign_keys=ON", *pragmas):
                raw.execute(f"PRAGMA {pragma}")

        @event.listens_for(self._engine, "begin")
        def _begun(connection: Connection) -> None:
            connection.exec_driver_sql(f"BEGIN {kind}")

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                return work(self._connection)
        except (DBAPIError, sqlite3.Error) as error:
            raise _store_error(self._path, error) from error

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


def _make_file(path: Path) -> None:
    """The log holds what people and their agents said: nobody else on the machine may read it."""
    key = f"[store] path = {str(path)!r}"
    if not path.parent.is_dir():
        raise StoreError(f"{key}: there is no folder {str(path.parent)!r}; make it, or set another path")
    if path.is_dir():
        raise StoreError(f"{key} is a folder; name a file in it")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(f"{key}: {error.strerror}; let this user write there, or set another path") from error


def _store_error(path: Path, error: DBAPIError | sqlite3.Error) -> StoreError:
    key, reason = f"[store] path = {str(path)!r}", str(error.orig if isinstance(error, DBAPIError) else error)
    fixes = {
        "file is not a database": "it holds something else; set another path, or move that file away",
        "database is locked": "another process holds it; end that one first",
        "readonly": "let this user write the file and its folder",
        "full": "free some space on its disk",
    }
    fix = next((fix for sign, fix in fixes.items() if sign in reason), "look at the disk and the file's rights")
    return StoreError(f"{key}: {reason}; {fix}")
