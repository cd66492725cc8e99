"""The page in a real Chromium, and at the other end of the wire a bot that the test plays."""

import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

if TYPE_CHECKING:  # a development dependency: without it these tests are skipped, not broken
    from playwright.async_api import Browser, ConsoleMessage, Locator, Page

ADA, BEN, EVE = 1001, 1002, 1003
BOT_TOKEN = "42:" + "a" * 35
SLACK_BOT, SLACK_APP = "xoxb-of-the-page-tests", "xapp-of-the-page-tests"
Json = dict[str, Any]
PATIENCE_MS = 60_000
"""A click, or a claim about the page, may take many times longer on a busy machine."""


@asynccontextmanager
async def open_browser() -> "AsyncIterator[Browser]":
    """Chromium from `BOSSBOT_TEST_CHROMIUM` or PATH; skips the test when it or playwright is missing."""
    playwright_api = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    program = os.environ.get("BOSSBOT_TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("no Chromium: BOSSBOT_TEST_CHROMIUM names none and PATH has no chromium")
    async with playwright_api.async_playwright() as playwright:
        args = ["--no-sandbox", "--disable-gpu"]
        browser = await playwright.chromium.launch(executable_path=program, headless=True, args=args)
        yield browser
        await browser.close()


def expect(locator: "Locator") -> Any:
    """Playwright's assertions, which wait for what they claim."""
    from playwright.async_api import expect as expect_of

    expect_of.set_options(timeout=PATIENCE_MS)
    return expect_of(locator)


class Desk:
    """`page` is what the person sees; `telegram()` and `slack()` are calls of the bot."""

    def __init__(self, base_url: str, page: "Page") -> None:
        self.base_url = base_url
        self.page = page
        self.problems: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    async def __aenter__(self) -> "Desk":
        self.http = aiohttp.ClientSession(base_url=self.base_url)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.close()

    def _heard(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    async def open(self) -> None:
        await self.page.goto(self.base_url)
        await self.page.wait_for_selector("body[data-ready]")
        await self.page.wait_for_selector("#status[data-live=yes]")

    async def reset(self) -> None:
        await self.control("reset", {})

    @property
    def left(self) -> "Locator":
        """The Telegram window."""
        return self.page.locator("#telegram")

    @property
    def right(self) -> "Locator":
        """The Slack window."""
        return self.page.locator("#slack")

    async def open_channel(self) -> None:
        """Choose #boss in Slack's list, unread or not."""
        await self.right.get_by_role("button", name=re.compile("^boss( |$)")).click()

    async def control(self, path: str, body: Json) -> Json:
        async with self.http.post(f"/sandbox/{path}", json=body) as response:
            answer: Json = await response.json()
        assert response.status == 200, answer
        return answer

    async def state(self) -> Json:
        async with self.http.get("/sandbox/state") as response:
            state: Json = await response.json()
        return state

    async def telegram(self, method: str, **params: Any) -> Any:
        """A call of the bot; returns its result."""
        answer = await self.telegram_answer(method, **params)
        assert answer["ok"], answer
        return answer["result"]

    async def telegram_answer(self, method: str, **params: Any) -> Json:
        async with self.http.post(f"/telegram/bot{BOT_TOKEN}/{method}", json=params) as response:
            answer: Json = await response.json()
        return answer

    async def slack(self, method: str, token: str = SLACK_BOT, **params: Any) -> Json:
        headers = {"Authorization": f"Bearer {token}"}
        async with self.http.post(f"/slack/api/{method}", json=params, headers=headers) as response:
            answer: Json = await response.json()
        assert answer["ok"], answer
        return answer

    async def updates(self, timeout_s: int = 50) -> list[Json]:
        """What the bot hears next on Telegram; hearing it confirms it."""
        found: list[Json] = await self.telegram("getUpdates", timeout=timeout_s)
        if found:
            await self.telegram("getUpdates", timeout=0, offset=found[-1]["update_id"] + 1)
        return found

    @asynccontextmanager
    async def slack_socket(self) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """The bot's Socket Mode connection, after its hello."""
        opened = await self.slack("apps.connections.open", token=SLACK_APP)
        async with aiohttp.ClientSession() as session, session.ws_connect(opened["url"]) as socket:
            assert (await socket.receive_json(timeout=60))["type"] == "hello"
            yield socket


async def next_envelope(socket: aiohttp.ClientWebSocketResponse, kind: str) -> Json:
    """The next envelope of a kind, not yet acknowledged; others before it are."""
    while True:
        envelope: Json = await socket.receive_json(timeout=60)
        if envelope["type"] == kind:
            return envelope
        await acknowledge(socket, envelope)


async def acknowledge(socket: aiohttp.ClientWebSocketResponse, envelope: Json) -> None:
    await socket.send_json({"envelope_id": envelope["envelope_id"]})


async def next_post(socket: aiohttp.ClientWebSocketResponse) -> Json:
    """The event of the next message that is not the bot's own."""
    while True:
        envelope = await next_envelope(socket, "events_api")
        await acknowledge(socket, envelope)
        event: Json = envelope["payload"]["event"]
        if "bot_id" not in event:
            return event
