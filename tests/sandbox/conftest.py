"""A running sandbox, and somebody who plays people and bot over its wires."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from bossbot.sandbox.server import RunningSandbox, start_sandbox
from tests.sandbox.wires import Wires


@pytest.fixture
async def sandbox() -> AsyncIterator[RunningSandbox]:
    running = await start_sandbox(port=0)
    yield running
    await running.close()


@pytest.fixture
async def wires(sandbox: RunningSandbox) -> AsyncIterator[Wires]:
    async with aiohttp.ClientSession() as session:
        yield Wires(session, sandbox.base_url)
