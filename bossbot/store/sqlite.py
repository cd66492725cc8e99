"""SQLite: one thread writes, one reads, each with its own connection for life (WAL lets them not wait for each other).

A transaction is one hop to the thread instead of one a statement, and a cancelled caller cannot leave it half done.
What is written at the same time commits together (`bossbot.store.group_commit`): the disk is waited for once.
"""

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from bossbot.store.errors import StoreError, StoreUnavailable
from bossbot.store.group_commit import GroupCommit
from bossbot.store.migrate import check_revision, migrate

T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL"]
"""NORMAL survives kill -9; a loss of power may cost the last commits, and never more. FULL waits for the disk at each
commit, 4 ms where that was measured (`tests/bench/append.py`), twice between a request and its card, and loses none.
"""

BUSY_TIMEOUT_S = 5.0
"""How long to wait for another process's lock."""


class SqliteDatabase:
    """An open database file. Made by `open`, or by `open_to_read`."""

    def __init__(self, path: Path, writer: "_Lane | None", reader: "_Lane", owner: int | None = None) -> None:
        self._path, self._writer, self._reader, self._owner = path, writer, reader, owner
        self._group = GroupCommit(self._transact)

    @classmethod
    async def open(cls, path: Path, *, synchronous: Synchronous, exclusive: bool) -> "SqliteDatabase":
        """Opens the file, made with mode 0600 if need be, and brings its tables up to date.

        `exclusive`: as the one owner, which a file `….lock` beside it ensures.
        Raises `StoreError`: no such folder, not a database, a newer program's database, no right to write, an owner.
        """
        _make_file(path)
        owner = lock(path) if exclusive else None
        writer = _Lane(path, "IMMEDIATE", "journal_mode=WAL", f"synchronous={synchronous}")
        database = cls(path, writer, _Lane(path, "DEFERRED", "query_only=ON"), owner)
        try:
            await writer.run(lambda c: migrate(c, _key(path)))
        except BaseException:
            await database.close()
            raise
        return database

    @classmethod
    async def open_to_read(cls, path: Path) -> "SqliteDatabase":
        """Opens an existing file beside whoever writes it. Changes nothing. Raises `StoreError`."""
        _existing_file(path)
        database = cls(path, None, _Lane(path, "DEFERRED", "query_only=ON", mode="rw"))
        try:
            await database.read(lambda c: check_revision(c, _key(path)))
        except BaseException:
            await database.close()
            raise
        return database

    async def read(self, work: Callable[[Connection], T]) -> T:
        """As `Database.read`."""
        return await self._reader.run(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """As `Database.write`."""
        return await self._group.run(work)

    async def _transact(self, work: Callable[[Connection], T]) -> T:
        if self._writer is None:
            raise StoreError(f"{_key(self._path)} was opened for reading only")
        return await self._writer.run(work)

    async def keep(self) -> None:
        """As `Database.keep`: the operating system keeps the lock for us."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """As `Database.close`."""
        await self._group.finished()
        await self._reader.close()
        if self._writer is not None:
            await self._writer.close()
        if self._owner is not None:
            os.close(self._owner)


class _Lane:
    """A thread with its connection. `kind` is how its transactions begin."""

    def __init__(
        self, path: Path, kind: Literal["IMMEDIATE", "DEFERRED"], *pragmas: str, mode: Literal["rwc", "rw"] = "rwc"
    ) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"store-{kind.lower()}")
        self._engine = create_engine(
            URL.create("sqlite", database=f"file:{quote(str(path.absolute()))}", query={"mode": mode, "uri": "true"}),
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


def _key(path: Path) -> str:
    return f"[store] path = {str(path)!r}"


def lock(path: Path) -> int:
    """Takes the file `….lock` beside the database, and returns its descriptor; the lock ends with it.

    Two bots on one database would take each other's sends for those of a dead process.
    """
    beside = path.with_name(f"{path.name}.lock")
    try:
        held = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"{_key(path)}: {beside} cannot be written ({error.strerror}); name another file") from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise StoreError(f"{_key(path)}: another bossbot uses {path}; stop it, or name another file") from None
    return held


def _existing_file(path: Path) -> None:
    if not path.is_file():
        raise StoreError(f"{_key(path)}: there is no such file; name the bot's own, or start the bot once")


def _make_file(path: Path) -> None:
    """The log holds what people and their agents said: nobody else on the machine may read it."""
    key = _key(path)
    if not path.parent.is_dir():
        raise StoreError(f"{key}: there is no folder {str(path.parent)!r}; make it, or set another path")
    if path.is_dir():
        raise StoreError(f"{key} is a folder; name a file in it")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(f"{key}: {error.strerror}; let this user write there, or set another path") from error


def _store_error(path: Path, error: DBAPIError | sqlite3.Error) -> StoreError:
    key, reason = _key(path), str(error.orig if isinstance(error, DBAPIError) else error)
    fixes = {
        "file is not a database": "it holds something else; set another path, or move that file away",
        "database is locked": "another process holds it; end that one first",
        "readonly": "let this user write the file and its folder",
        "full": "free some space on its disk",
    }
    fix = next((fix for sign, fix in fixes.items() if sign in reason), "look at the disk and the file's rights")
    kind = StoreUnavailable if "locked" in reason else StoreError
    return kind(f"{key}: {reason}; {fix}")
