"""A feed that is read across restarts, with kill -9 among them, has no gap and no repeat."""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bossbot.http.server import serving
from bossbot.settings import HttpSettings
from bossbot.store.opening import open_to_read
from tests.http.reader import TOKEN, Reader
from tests.postgres import Postgres
from tests.project.tree import ROOT

RUNS = 2
PATIENCE_S = 120.0
BEGIN = {"feed": "", "session_feed": "session.", "task_feed": "task.", "worker_feed": "worker."}


@pytest.fixture(params=["sqlite", "postgres"])
async def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        return await server.fresh()
    return str(tmp_path / "bossbot.db")


@asynccontextmanager
async def running(where: str) -> AsyncIterator[str]:
    """A bot until it is killed."""
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.http.appending_bot", where, "3", cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )  # fmt: skip
    try:
        assert bot.stdout is not None
        yield (await asyncio.wait_for(bot.stdout.readline(), PATIENCE_S)).decode().strip()
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.wait()


async def follow(reader: Reader, address: str) -> None:
    """Reads until the bot is gone."""
    try:
        await reader.read(address)
    except (aiohttp.ClientError, ConnectionError):
        return


async def grown(reader: Reader, by: int) -> None:
    goal = len(reader.events) + by
    while len(reader.events) < goal:
        reader.grown.clear()
        await asyncio.wait_for(reader.grown.wait(), PATIENCE_S)


async def test_a_feed_read_across_kills_has_no_gap_and_no_repeat(where: str) -> None:
    chance = random.Random(7)
    readers = {name: Reader(name) for name in BEGIN}
    for _ in range(RUNS):
        async with running(where) as address:
            following = [asyncio.create_task(follow(reader, address)) for reader in readers.values()]
            await grown(readers["feed"], chance.randrange(5, 60))
        await asyncio.gather(*following)
    store = await open_to_read(where)
    logged = await store.after(0, 1_000_000)
    async with serving(HttpSettings(port=0, token=TOKEN), store) as address:
        for name, reader in readers.items():
            there = [entry for entry in logged if entry.type.startswith(BEGIN[name])]
            if len(reader.events) < len(there):
                await asyncio.wait_for(reader.read(address, until=len(there)), PATIENCE_S)
            assert reader.ids == [entry.position for entry in there]
            assert [event["type"] for event in reader.events] == [entry.type for entry in there]
    await store.close()
    for session in ("ps_0", "ps_1", "ps_2"):
        versions = [entry.link.version for entry in logged if entry.session_id == session]
        assert versions == list(range(1, len(versions) + 1))
        assert len(versions) >= RUNS
