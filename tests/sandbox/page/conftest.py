"""One Chromium and one sandbox for all tests of the page; each test starts with empty chats in a fresh tab."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest_asyncio

from bossbot.sandbox.server import RunningSandbox, start_sandbox
from tests.sandbox.page.desk import Desk, open_browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> "AsyncIterator[Browser]":
    async with open_browser() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def sandbox() -> AsyncIterator[RunningSandbox]:
    running = await start_sandbox(port=0)
    yield running
    await running.close()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def lab(browser: "Browser", sandbox: RunningSandbox) -> "AsyncIterator[Page]":
    """The page once for all tests that only ask one of its functions what it draws."""
    page = await browser.new_page()
    await page.goto(sandbox.base_url)
    yield page
    await page.close()


@pytest_asyncio.fixture(loop_scope="session")
async def desk(browser: "Browser", sandbox: RunningSandbox) -> AsyncIterator[Desk]:
    """A person at the page; the test fails if the browser's console had an error to tell."""
    context = await browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-GB")
    async with Desk(sandbox.base_url, await context.new_page()) as opened:
        await opened.reset()
        await opened.open()
        yield opened
        problems = list(opened.problems)
    await context.close()
    assert problems == []
