"""From the setting `[store] path` to an open store."""

import secrets
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bossbot.store.database import Database
from bossbot.store.errors import StoreError
from bossbot.store.sql import SqlStore
from bossbot.store.sqlite import SqliteDatabase, Synchronous

POSTGRES = ("postgresql", "postgres", "postgresql+asyncpg")


async def open_store(
    where: str | Path, *, synchronous: Synchronous = "FULL", owner: str | None = None, exclusive: bool = False
) -> SqlStore:
    """Opens, and makes if need be, the store at a file path, `sqlite:///PATH` or `postgresql://USER@HOST/DATABASE`.

    `owner` names this process in the outbox: what another owner left unfinished is due again. It must not repeat.
    `exclusive`: no other process may write until it is closed. `synchronous` is SQLite's (see `bossbot.store.sqlite`).
    Raises `StoreError`, which names the setting and the fix.
    """
    place = _place(where)
    database: Database
    if isinstance(place, Path):
        database = await SqliteDatabase.open(place, synchronous=synchronous, exclusive=exclusive)
    else:
        from bossbot.store.postgres import PostgresDatabase

        database = await PostgresDatabase.open(place, exclusive=exclusive)
    return SqlStore(database, owner=owner or secrets.token_hex(8))


async def open_to_read(where: str | Path) -> SqlStore:
    """Opens an existing store beside the bot that uses it; nothing can be written. Raises `StoreError`."""
    place = _place(where)
    if isinstance(place, Path):
        return SqlStore(await SqliteDatabase.open_to_read(place), owner="")
    from bossbot.store.postgres import PostgresDatabase

    return SqlStore(await PostgresDatabase.open_to_read(place), owner="")


def store_password(where: str) -> str | None:
    """The password in an address, so that no log shows it."""
    try:
        place = _place(where)
    except StoreError:
        return None
    return None if isinstance(place, Path) else str(place.password or place.query.get("password") or "") or None


def shown_place(where: str) -> str:
    """Where the store is, for people: without a password. Raises `StoreError` for what is no place."""
    place = _place(where)
    if isinstance(place, Path):
        return str(place)
    from bossbot.store.postgres_errors import shown_address

    return shown_address(place)


def _place(where: str | Path) -> Path | URL:
    """A file of SQLite, or the address of a PostgreSQL database."""
    if isinstance(where, Path) or "://" not in where:
        return _home(where)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise StoreError("[store] path is no database address; write a file path or postgresql://…") from None
    if url.drivername in POSTGRES:
        return url
    if url.drivername in ("sqlite", "sqlite+aiosqlite") and url.database and url.database != ":memory:":
        return Path(url.database)
    raise StoreError(
        f"[store] path: {url.drivername}:// is not supported like this; write a file path, sqlite:///PATH or"
        " postgresql://USER@HOST/DATABASE"
    )


def _home(path: str | Path) -> Path:
    return Path(path).expanduser()
