"""From the setting `[store] path` to an open store."""

import secrets
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from bossbot.store.database import Database
from bossbot.store.errors import StoreError
from bossbot.store.sql import SqlStore
from bossbot.store.sqlite import SqliteDatabase, Synchronous

POSTGRES = ("postgresql", "postgres", "postgresql+asyncpg")


async def open_store(where: str | Path, *, synchronous: Synchronous = "FULL", owner: str | None = None) -> SqlStore:
    """Opens, and makes if need be, the store at a file path, `sqlite:///PATH` or `postgresql://USER@HOST/DATABASE`.

    `owner` names this process in the outbox: what another owner left unfinished is due again. It must not repeat.
    `synchronous` is SQLite's (see `bossbot.store.sqlite`).
    Raises `StoreError`, which names the setting and the fix.
    """
    database = await _database(where, synchronous)
    return SqlStore(database, owner=owner or secrets.token_hex(8))


async def _database(where: str | Path, synchronous: Synchronous) -> Database:
    if isinstance(where, Path) or "://" not in where:
        return await SqliteDatabase.open(_home(where), synchronous=synchronous)
    try:
        url = make_url(where)
    except ArgumentError:
        raise StoreError("[store] path is no database address; write a file path or postgresql://…") from None
    if url.drivername in POSTGRES:
        from bossbot.store.postgres import PostgresDatabase

        return await PostgresDatabase.open(url)
    if url.drivername in ("sqlite", "sqlite+aiosqlite") and url.database and url.database != ":memory:":
        return await SqliteDatabase.open(Path(url.database), synchronous=synchronous)
    raise StoreError(
        f"[store] path: {url.drivername}:// is not supported like this; write a file path, sqlite:///PATH or"
        " postgresql://USER@HOST/DATABASE"
    )


def _home(path: str | Path) -> Path:
    return Path(path).expanduser()
