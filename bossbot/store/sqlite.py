"""SQLite: one thread writes, one reads, each with its own connection for life (WAL lets them not wait for each other).

A transaction is one hop to the thread instead of one a statement, and a cancelled caller cannot leave it half done.
What is written at the same time commits together (`bossbot.store.group_commit`): the disk is waited for once.
"""

import asyncio
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from bossbot.store.database import Sql
from bossbot.store.errors import StoreError
from bossbot.store.group_commit import GroupCommit
from bossbot.store.migrate import check_revision, migrate
from bossbot.store.sqlite_lane import Lane

T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL"]
"""NORMAL survives kill -9; a loss of power may cost the last commits, and never more. FULL waits for the disk at each
commit, 4 ms where that was measured (`tests/bench/append.py`), twice between a request and its card, and loses none.
"""


class SqliteDatabase:
    """An open database file. Made by `open`, or by `open_to_read`."""

    def __init__(self, path: Path, writer: Lane | None, reader: Lane, owner: int | None = None) -> None:
        self._path, self._writer, self._reader, self._owner = path, writer, reader, owner
        self._group = GroupCommit(writer.run) if writer is not None else None

    @classmethod
    async def open(cls, path: Path, *, synchronous: Synchronous, exclusive: bool) -> "SqliteDatabase":
        """Opens the file, made with mode 0600 if need be, and brings its tables up to date.

        `exclusive`: as the one owner, which a file `….lock` beside it ensures.
        Raises `StoreError`: no such folder, not a database, a newer program's database, no right to write, an owner.
        """
        _make_file(path)
        owner = lock(path) if exclusive else None
        writer = Lane(path, _key(path), "IMMEDIATE", "journal_mode=WAL", f"synchronous={synchronous}")
        database = cls(path, writer, Lane(path, _key(path), "DEFERRED", "query_only=ON"), owner)
        try:
            await writer.run_with_sqlalchemy(lambda c: migrate(c, _key(path)))
        except BaseException:
            await database.close()
            raise
        return database

    @classmethod
    async def open_to_read(cls, path: Path) -> "SqliteDatabase":
        """Opens an existing file beside whoever writes it. Changes nothing. Raises `StoreError`."""
        _existing_file(path)
        reader = Lane(path, _key(path), "DEFERRED", "query_only=ON", mode="rw")
        database = cls(path, None, reader)
        try:
            await reader.run_with_sqlalchemy(lambda c: check_revision(c, _key(path)))
        except BaseException:
            await database.close()
            raise
        return database

    async def read(self, work: Callable[[Sql], T]) -> T:
        """As `Database.read`."""
        return await self._reader.run(work)

    async def write(self, work: Callable[[Sql], T]) -> T:
        """As `Database.write`."""
        if self._group is None:
            raise StoreError(f"{_key(self._path)} was opened for reading only")
        return await self._group.run(work)

    async def keep(self) -> None:
        """As `Database.keep`: the operating system keeps the lock for us."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """As `Database.close`."""
        if self._group is not None:
            await self._group.finished()
        await self._reader.close()
        if self._writer is not None:
            await self._writer.close()
        if self._owner is not None:
            os.close(self._owner)


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
