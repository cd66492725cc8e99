"""A thread with a connection to SQLite for life. A transaction is one hand-over to the thread, whatever it holds."""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from bossbot.store.database import Sql
from bossbot.store.errors import StoreError, StoreUnavailable
from bossbot.store.sqlite_sql import SqliteSql
from bossbot.store.worker_thread import WorkerThread

T = TypeVar("T")

BUSY_TIMEOUT_S = 5.0
"""How long to wait for another process's lock."""

_FIXES = {
    "file is not a database": "it holds something else; set another path, or move that file away",
    "database is locked": "another process holds it; end that one first",
    "readonly": "let this user write the file and its folder",
    "full": "free some space on its disk",
}
"""What SQLite says → what to do."""


class Lane:
    """`kind` is how its transactions begin, `key` names the setting in errors."""

    def __init__(
        self,
        path: Path,
        key: str,
        kind: Literal["IMMEDIATE", "DEFERRED"],
        *pragmas: str,
        mode: Literal["rwc", "rw"] = "rwc",
    ) -> None:
        self._uri, self._key = f"file:{quote(str(path.absolute()))}?mode={mode}", key
        self._begin, self._pragmas = f"BEGIN {kind}", ("foreign_keys=ON", *pragmas)
        self._thread = WorkerThread(f"store-{kind.lower()}")
        self._raw: sqlite3.Connection | None = None

    def run(self, work: Callable[[Sql], T]) -> "asyncio.Future[T]":
        """Runs `work` as one transaction, and commits. Raises `StoreError` when the database fails."""
        return self._thread.do(partial(self._guarded, partial(self._transact, work)))

    def run_with_sqlalchemy(self, work: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """The same for work that needs SQLAlchemy itself, which takes a while to get ready."""
        return self._thread.do(partial(self._guarded, partial(self._transact_with_sqlalchemy, work)))

    async def close(self) -> None:
        """Ends the connection and the thread, after what was handed in before."""
        await self._thread.do(self._close)
        self._thread.stop()

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._raw is None:
                self._raw = self._connected()
            return work(self._raw)
        except (DBAPIError, sqlite3.Error) as error:
            raise self._store_error(error) from error

    def _transact(self, work: Callable[[Sql], T], raw: sqlite3.Connection) -> T:
        raw.execute(self._begin)
        try:
            result = work(SqliteSql(raw))
            raw.execute("COMMIT")
        except BaseException:
            raw.rollback()  # of a transaction that SQLite ended by itself nothing is left, and this does nothing
            raise
        return result

    def _transact_with_sqlalchemy(self, work: Callable[[Connection], T], raw: sqlite3.Connection) -> T:
        engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool, hide_parameters=True)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(self._begin))
        with engine.begin() as connection:
            return work(connection)

    def _connected(self) -> sqlite3.Connection:
        # The driver's own BEGIN comes too late and not before every statement: we begin by ourselves.
        raw = sqlite3.connect(self._uri, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT_S)
        try:
            for pragma in self._pragmas:
                raw.execute(f"PRAGMA {pragma}")
        except BaseException:
            raw.close()
            raise
        return raw

    def _store_error(self, error: DBAPIError | sqlite3.Error) -> StoreError:
        reason = str(error.orig if isinstance(error, DBAPIError) else error)
        fix = next((fix for sign, fix in _FIXES.items() if sign in reason), "look at the disk and the file's rights")
        kind = StoreUnavailable if "locked" in reason else StoreError
        return kind(f"{self._key}: {reason}; {fix}")

    def _close(self) -> None:
        if self._raw is not None:
            self._raw.close()
            self._raw = None
