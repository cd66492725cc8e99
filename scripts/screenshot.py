"""The pictures in the docs: starts `bossbot demo`, lets a short story happen, and photographs the page.

    python scripts/screenshot.py [--out docs/images]

Needs playwright (a development dependency) and a Chromium on PATH (or named by BOSSBOT_TEST_CHROMIUM).
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
WIDE, PHONE = {"width": 1400, "height": 940}, {"width": 390, "height": 844}
START_TIMEOUT_S = 60.0
STORY_TIMEOUT_S = 30.0
ADA, ADA_SLACK, ADA_DIRECT = 1001, "U0ADA", "D0ADA"
Json = dict[str, Any]


class PictureError(Exception):
    """The story did not come to the moment that is photographed."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images", metavar="DIR")
    program = os.environ.get("BOSSBOT_TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("screenshot: no Chromium on PATH; install it, or name it with BOSSBOT_TEST_CHROMIUM", file=sys.stderr)
        return 2
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(take_pictures(program, out))
    except PictureError as error:
        print(f"screenshot: {error}", file=sys.stderr)
        return 1
    return 0


async def take_pictures(program: str, out: Path) -> None:
    from playwright.async_api import async_playwright

    async with running_demo() as address, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        async with aiohttp.ClientSession(base_url=address) as http:
            await tell(Story(http), browser, address, out)
        await browser.close()


@asynccontextmanager
async def running_demo() -> AsyncIterator[str]:
    """`bossbot demo` as a person starts it; gives its address and ends it afterwards."""
    with tempfile.TemporaryDirectory(prefix="bossbot-screenshot-") as data:
        command = [sys.executable, "-m", "bossbot", "demo", "--no-browser", "--port", "0", "--data", data]
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        try:
            yield await asyncio.wait_for(printed_address(process), START_TIMEOUT_S)
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def printed_address(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async for line in process.stdout:
        found = re.search(r"http://\S+", line.decode())
        if found:
            return found.group()
    raise PictureError("bossbot demo ended before it printed its address")


class Story:
    """What the person does, and waiting until the bot has done its part."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self._http = http

    async def say(self, text: str) -> None:
        await self._post("telegram/say", {"chat_id": ADA, "user_id": ADA, "text": text})

    async def say_on_slack(self, text: str) -> None:
        await self._post("slack/say", {"channel": ADA_DIRECT, "user": ADA_SLACK, "text": text})

    async def press(self, message: Json, label: str) -> None:
        body = {"chat_id": ADA, "user_id": ADA, "message_id": message["message_id"], "label": label, "wait_s": 5}
        await self._post("telegram/press", body)

    async def telegram_card(self, has: Callable[[Json], bool]) -> Json:
        """The newest Telegram message of the bot that fits, as soon as there is one."""
        return await self._wait(lambda state: newest(chat(state), lambda m: m["from"]["is_bot"] and has(m)))

    async def slack_card(self, has: Callable[[Json], bool]) -> Json:
        return await self._wait(lambda state: newest(direct(state), lambda m: "bot_id" in m and has(m)))

    async def _wait(self, find: Callable[[Json], Json | None]) -> Json:
        try:
            async with asyncio.timeout(STORY_TIMEOUT_S):
                # No event to wait for: it is another process that moves on.
                while (found := find(await self._state())) is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
                return found
        except TimeoutError:
            seen = json.dumps(await self._state(), ensure_ascii=False)
            raise PictureError(f"a message did not come within {STORY_TIMEOUT_S:.0f} s; there is: {seen}") from None

    async def _state(self) -> Json:
        async with self._http.get("/sandbox/state") as response:
            state: Json = await response.json()
        return state

    async def _post(self, path: str, body: Json) -> None:
        async with self._http.post(f"/sandbox/{path}", json=body) as response:
            if response.status != 200:
                raise PictureError(f"{path} was refused: {await response.text()}")


def newest(messages: list[Json], fits: Callable[[Json], bool]) -> Json | None:
    return next((message for message in reversed(messages) if fits(message)), None)


def chat(state: Json) -> list[Json]:
    found: list[Json] = next(item["messages"] for item in state["telegram"]["chats"] if item["id"] == ADA)
    return found


def direct(state: Json) -> list[Json]:
    found: list[Json] = next(item["messages"] for item in state["slack"]["channels"] if item["id"] == ADA_DIRECT)
    return found


def has_button(label: str) -> Callable[[Json], bool]:
    """Does a message of either platform have a button whose label ends with these words?"""

    def test(message: Json) -> bool:
        rows = (message.get("reply_markup") or {}).get("inline_keyboard", [])
        labels = [button["text"] for row in rows for button in row]
        for block in message.get("blocks", []):
            labels += [part["text"]["text"] for part in block.get("elements", []) if part.get("type") == "button"]
        return any(str(found).endswith(label) for found in labels)

    return test


def says(words: str) -> Callable[[Json], bool]:
    return lambda message: words in str(message.get("text", ""))


async def tell(story: Story, browser: "Browser", address: str, out: Path) -> None:
    """On Slack a plan, a change of mind and an approval that waits; on Telegram a workflow that runs meanwhile."""
    page = await open_page(browser, address, WIDE, "light")
    await story.say_on_slack("plan three tasks")
    await story.slack_card(says("Plan"))
    await story.say_on_slack("drop the cache, fix the retry first")
    await story.slack_card(has_button("Apply"))
    await story.say_on_slack("clean the build cache")
    await story.slack_card(has_button("Approve"))
    await story.say("run a workflow")
    await story.press(await story.telegram_card(has_button("Approve")), "Approve")
    await story.telegram_card(lambda m: has_button("Stop")(m) and says("Review")(m))
    await settle(page)
    await page.screenshot(path=out / "demo.png")
    await page.locator("#slack").screenshot(path=out / "approval.png")
    await page.emulate_media(color_scheme="dark")
    await settle(page)
    await page.screenshot(path=out / "demo-dark.png")
    phone = await open_page(browser, address, PHONE, "light")
    await phone.screenshot(path=out / "phone.png")


async def open_page(browser: "Browser", address: str, size: Json, theme: Any) -> "Page":
    context = await browser.new_context(viewport=size, color_scheme=theme, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
    page = await context.new_page()
    await page.goto(address)
    await page.wait_for_selector("body[data-ready]")
    await settle(page)
    return page


async def settle(page: "Page") -> None:
    """Let the page fetch what is new (at most eight times a second) and draw it."""
    await page.wait_for_timeout(400)


if __name__ == "__main__":
    raise SystemExit(main())
