"""The whole product on the page: the real bot with the scripted agent, steered by people in a real Chromium.

Pictures of what they saw are left in build/screenshots.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.project.tree import ROOT
from tests.sandbox.page.desk import Desk, expect

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("demo")]
PICTURES = ROOT / "build" / "screenshots"


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """`bossbot demo`, started once as a person starts it."""
    data = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "bossbot", "demo", "--no-browser", "--port", "0", "--data", str(data)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        yield await asyncio.wait_for(_printed_address(process), 90)
    finally:
        process.terminate()
        await process.wait()


async def _printed_address(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async for line in process.stdout:
        if found := re.search(r"http://\S+", line.decode()):
            return found.group()
    raise AssertionError("the demo ended before it printed its address")


@pytest_asyncio.fixture(loop_scope="session")
async def demo(browser: "Browser", address: str) -> AsyncIterator[Desk]:
    """A person at the demo's page, with an empty Telegram chat and a new session; no console error passes."""
    context = await browser.new_context(
        viewport={"width": 1400, "height": 900}, locale="en-GB", reduced_motion="reduce"
    )
    async with Desk(address, await context.new_page()) as desk:
        await desk.reset()
        await desk.open()
        await say(desk, "/new")
        await expect(bubbles(desk).last).to_contain_text(re.compile("session", re.I))
        yield desk
        problems = list(desk.problems)
    await context.close()
    assert problems == []


async def say(desk: Desk, text: str) -> None:
    field = desk.left.get_by_role("textbox")
    await field.fill(text)
    await field.press("Enter")


def bubbles(desk: Desk) -> "Locator":
    """What the bot has posted in the open Telegram chat."""
    return desk.left.locator(".tg-message.in")


def posted(desk: Desk, words: str) -> "Locator":
    return bubbles(desk).filter(has_text=words)


async def appears(found: "Locator") -> None:
    await expect(found.last).to_be_visible()


async def picture(desk: Desk, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    await desk.page.screenshot(path=PICTURES / f"{name}.png")


def button(desk: Desk, name: str) -> "Locator":
    return desk.left.locator(".tg-key").filter(has_text=re.compile(rf"{name}$")).last


async def test_a_person_chats_and_approves_and_the_command_runs(demo: Desk) -> None:
    await say(demo, "hello")
    await appears(posted(demo, "scripted agent of the demo"))
    await say(demo, "clean the build cache")
    await appears(posted(demo, "rm -rf build-cache"))
    await picture(demo, "approval")
    await button(demo, "Approve").click()
    await appears(posted(demo, "build-cache is gone"))
    await expect(button(demo, "Approve")).to_be_hidden()


async def test_the_reason_of_a_rejection_reaches_the_agent(demo: Desk) -> None:
    await say(demo, "clean the build cache")
    await appears(button(demo, "Reject"))
    await say(demo, "reject: not on a Friday")
    await appears(posted(demo, "I did not do it. The reason I was given: not on a Friday"))


async def test_a_slow_answer_is_stopped_by_a_word_and_a_workflow_by_its_button(demo: Desk) -> None:
    await say(demo, "be slow")
    await say(demo, "/stop")
    await appears(posted(demo, "Stopped"))
    await say(demo, "run a workflow")
    await button(demo, "Approve").click()
    await button(demo, "Stop").click()
    await appears(posted(demo, "alpha").filter(has_text=re.compile("stopped|cancelled", re.I)))


async def test_a_workflow_changes_in_one_card(demo: Desk) -> None:
    await say(demo, "run a workflow")
    await button(demo, "Approve").click()
    card = posted(demo, "Workflow survey").last
    await expect(card).to_contain_text("Review")
    await picture(demo, "workflow")
    key = await card.get_attribute("data-message")
    await appears(posted(demo, "The login fails because a 401 is retried for ever."))
    same = demo.left.locator(f'[data-message="{key}"]')
    await expect(same).to_contain_text("gamma")


async def test_a_change_of_mind_becomes_a_plan_card(demo: Desk) -> None:
    await say(demo, "plan three tasks")
    await appears(posted(demo, "The plan has three tasks"))
    await say(demo, "drop the cache, fix the retry first")
    await appears(posted(demo, "Change the plan?"))
    await picture(demo, "plan-change")
    await button(demo, "Apply").click()
    await appears(posted(demo, "I work by the changed plan"))


async def test_a_question_is_answered_by_a_button(demo: Desk) -> None:
    await say(demo, "ask me a question")
    await appears(posted(demo, "Which database shall I use?"))
    await demo.left.locator(".tg-key").filter(has_text="SQLite").click()
    await appears(posted(demo, "I take SQLite"))


async def test_in_the_group_a_stranger_decides_nothing_and_a_second_person_does(demo: Desk) -> None:
    await demo.left.get_by_role("button", name="Team").click()
    await say(demo, "@bossbot_sandbox_bot clean the build cache")
    await appears(button(demo, "Approve"))
    await demo.left.locator("label.person", has_text="Eve").click()
    await demo.left.get_by_role("button", name="Team").click()
    await button(demo, "Approve").click()
    dialog = demo.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("nothing happened")
    await dialog.get_by_role("button", name="OK").click()
    await expect(button(demo, "Approve")).to_be_visible()
    await demo.left.locator("label.person", has_text="Ben").click()
    await demo.left.get_by_role("button", name="Team").click()
    await button(demo, "Approve").click()
    await appears(posted(demo, "build-cache is gone"))


async def test_the_console_tells_the_sessions_own_events(demo: Desk) -> None:
    await say(demo, "clean the build cache")
    await appears(button(demo, "Approve"))
    rows = demo.page.get_by_role("log", name="The bot's own events").locator(".call")
    await expect(rows.filter(has_text="approval.requested").last).to_be_visible()
    await picture(demo, "events")
    await button(demo, "Reject").click()
    await expect(rows.filter(has_text="approval.rejected").last).to_be_visible()


async def test_a_phone_and_a_keyboard_are_enough_to_approve(demo: Desk) -> None:
    await demo.page.set_viewport_size({"width": 390, "height": 844})
    await demo.left.get_by_role("textbox").focus()
    await demo.page.keyboard.type("clean the build cache")
    await demo.page.keyboard.press("Enter")
    await appears(button(demo, "Approve"))
    await picture(demo, "phone")
    for _ in range(30):
        await demo.page.keyboard.press("Shift+Tab")
        if "Approve" in await demo.page.evaluate("document.activeElement.textContent"):
            break
    await demo.page.keyboard.press("Enter")
    await appears(posted(demo, "build-cache is gone"))
