"""Every store passes the conformance tests that bossbot ships."""

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bossbot.store import EventStore
from bossbot.store.memory import MemoryData, MemoryStore
from bossbot.store.opening import open_store
from bossbot.store.testing import Open, StoreConformance
from tests.postgres import Postgres


class TestMemoryStore(StoreConformance):
    @pytest.fixture
    async def stores(self) -> Open:
        data = MemoryData()

        async def opened() -> EventStore:
            return MemoryStore(data)

        return opened


class TestSqliteStore(StoreConformance):
    @pytest.fixture
    async def stores(self, tmp_path: Path, empty_database: Path) -> AsyncIterator[Open]:
        shutil.copy(empty_database, tmp_path / "bossbot.db")
        async with AsyncExitStack() as stack:

            async def opened() -> EventStore:
                store = await open_store(tmp_path / "bossbot.db")
                stack.push_async_callback(store.close)
                return store

            yield opened


class TestPostgresStore(StoreConformance):
    @pytest.fixture
    async def stores(self, postgres: Postgres) -> AsyncIterator[Open]:
        address = await postgres.fresh()
        async with AsyncExitStack() as stack:

            async def opened() -> EventStore:
                store = await open_store(address)
                stack.push_async_callback(store.close)
                return store

            yield opened
