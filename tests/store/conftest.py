"""An empty database is migrated once; tests that are about something else begin with a copy of it."""

import asyncio
from pathlib import Path

import pytest

from bossbot.store.opening import open_store


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "empty.db"

    async def make() -> None:
        await (await open_store(path)).close()

    asyncio.run(make())
    return path
