"""Both adapters keep the promises that `bossbot.channel` makes in their name."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bossbot.channel.testing import CHECKS, Check
from tests.adapters.platforms import PLATFORMS, SlackPlatform, TelegramPlatform, platform_on_sandbox


@pytest_asyncio.fixture(params=PLATFORMS)
async def platform(request: pytest.FixtureRequest) -> AsyncIterator[TelegramPlatform | SlackPlatform]:
    async with platform_on_sandbox(str(request.param)) as found:
        yield found


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_an_adapter_keeps_the_promises_of_a_channel(
    check: Check, platform: TelegramPlatform | SlackPlatform
) -> None:
    await check(platform)
