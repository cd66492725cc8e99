"""The page as a whole: phone, keyboard, languages, themes, the console, and what it survives."""

from typing import TYPE_CHECKING

import pytest

from bossbot.sandbox.server import start_sandbox
from tests.sandbox.page.desk import ADA, Desk, expect

if TYPE_CHECKING:
    from playwright.async_api import Browser, Route

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GO = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


async def test_a_phone_shows_one_column_at_a_time(desk: Desk) -> None:
    await desk.page.set_viewport_size({"width": 360, "height": 740})
    long_word = "rm -rf /" + "very-long-path-without-a-break" * 6
    await desk.telegram(
        "sendMessage", chat_id=ADA, text=long_word, entities=[{"type": "pre", "offset": 0, "length": len(long_word)}]
    )
    await expect(desk.left.locator(".tg-message")).to_be_visible()
    await expect(desk.right).to_be_hidden()
    assert not await desk.page.evaluate(IS_TOO_WIDE)
    await desk.slack("chat.postMessage", channel="D0ADA", text="x" * 300)
    tab = desk.page.get_by_role("button", name="Slack 1 unread")
    await expect(tab).to_be_visible()
    await tab.click()
    await expect(desk.right.locator(".sl-message")).to_be_visible()
    await expect(desk.left).to_be_hidden()
    assert not await desk.page.evaluate(IS_TOO_WIDE)
    await expect(desk.page.get_by_role("button", name="Slack", exact=True)).to_be_visible()


async def test_on_a_phone_the_chats_are_in_a_drawer(desk: Desk) -> None:
    await desk.page.set_viewport_size({"width": 360, "height": 740})
    team = desk.left.get_by_role("button", name="Team")
    await expect(team).to_be_hidden()
    await desk.left.get_by_role("button", name="Show chats").click()
    await team.click()
    await expect(team).to_be_hidden()
    await expect(desk.left.get_by_role("heading", name="Team")).to_be_visible()
    await desk.left.get_by_role("textbox").fill("from the group")
    await desk.left.get_by_role("textbox").press("Enter")
    assert (await desk.updates())[0]["message"]["chat"]["title"] == "Team"


async def test_the_keyboard_alone_is_enough(desk: Desk) -> None:
    keyboard = {"inline_keyboard": [[{"text": "Approve", "callback_data": "yes"}]]}
    await desk.telegram("sendMessage", chat_id=ADA, text="May I?", reply_markup=keyboard)
    await expect(desk.left.get_by_role("button", name="Approve")).to_be_visible()
    for _ in range(40):
        await desk.page.keyboard.press("Tab")
        focused = await desk.page.evaluate("document.activeElement.textContent")
        if focused == "Approve":
            break
    await desk.page.keyboard.press("Enter")
    query = (await desk.updates())[0]["callback_query"]
    assert query["data"] == "yes"
    await desk.telegram("answerCallbackQuery", callback_query_id=query["id"])
    await expect(desk.left.get_by_role("button", name="Approve")).to_be_focused()


async def test_the_page_speaks_chinese_and_leaves_what_was_written_alone(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=ADA, text="Say something to the manager")
    await desk.page.get_by_role("button", name="切换到中文").click()
    await expect(desk.left.get_by_placeholder("输入消息")).to_be_visible()
    await expect(desk.page.locator("html")).to_have_attribute("lang", "zh-CN")
    await expect(desk.right.get_by_text("对经理说点什么")).to_be_visible()
    await expect(desk.left.locator(".tg-text")).to_have_text("Say something to the manager")
    await desk.left.get_by_role("button", name="清理构建缓存").click()
    assert (await desk.updates())[0]["message"]["text"] == "清理构建缓存"
    await desk.page.reload()
    await expect(desk.page.get_by_role("button", name="Switch to English")).to_be_visible()


async def test_the_theme_follows_the_system_until_it_is_chosen(desk: Desk) -> None:
    background = "getComputedStyle(document.querySelector('#slack')).backgroundColor"
    light = await desk.page.evaluate(background)
    await desk.page.emulate_media(color_scheme="dark")
    assert await desk.page.evaluate(background) != light
    await desk.page.get_by_role("button", name="Theme: as the system").click()
    assert await desk.page.evaluate(background) == light
    await desk.page.get_by_role("button", name="Theme: light").click()
    await desk.page.emulate_media(color_scheme="light")
    assert await desk.page.evaluate(background) != light


async def test_the_console_shows_calls_and_marks_the_refused_ones(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=ADA, text="hello there")
    answer = await desk.telegram_answer("sendMessage", chat_id=4711, text="nobody")
    assert not answer["ok"]
    await desk.page.get_by_role("button", name="Calls", exact=True).click()
    console = desk.page.get_by_role("log", name="What the bot asks")
    await expect(console.locator(".call")).to_have_count(2)
    refused = console.locator(".call.refused")
    await expect(refused).to_contain_text("chat not found")
    await desk.page.get_by_role("button", name="Refused", exact=True).click()
    await expect(console.locator(".call")).to_have_count(1)
    await refused.locator("summary").click()
    await expect(refused.locator("pre")).to_contain_text('"nobody"')
    await desk.page.reload()
    await expect(console.locator(".call")).to_have_count(2)
    await desk.page.get_by_title("Show or hide the console").click()
    await expect(console).to_be_hidden()


async def test_starting_over_asks_first(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=ADA, text="soon gone")
    await expect(desk.left.locator(".tg-message")).to_have_count(1)
    await desk.page.get_by_role("button", name="Start over").click()
    await desk.page.get_by_role("button", name="Cancel").click()
    await expect(desk.left.locator(".tg-message")).to_have_count(1)
    await desk.page.get_by_role("button", name="Start over").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="OK").click()
    await expect(desk.left.locator(".tg-message")).to_have_count(0)
    await expect(desk.page.locator(".call")).to_have_count(0)


async def test_the_page_outlives_its_sandbox(browser: "Browser") -> None:
    first = await start_sandbox(port=0)
    port = int(first.base_url.rsplit(":", 1)[1])
    page = await browser.new_page()
    async with Desk(first.base_url, page) as desk:
        await desk.open()
        await desk.telegram("sendMessage", chat_id=ADA, text="before")
        await expect(desk.left.locator(".tg-text")).to_have_text("before")
        await desk.left.get_by_role("textbox").fill("a draft")
        await first.close()
        await expect(page.get_by_text("reconnecting…")).to_be_visible()
        second = await start_sandbox(port=port)
        try:
            await expect(page.get_by_text("live", exact=True)).to_be_visible()
            await expect(desk.left.locator(".tg-message")).to_have_count(0)
            await desk.telegram("sendMessage", chat_id=ADA, text="after")
            await expect(desk.left.locator(".tg-text")).to_have_text("after")
            await expect(desk.left.get_by_role("textbox")).to_have_value("a draft")
        finally:
            await page.close()
            await second.close()


async def test_news_that_could_not_be_fetched_are_fetched_again(desk: Desk) -> None:
    """The stream of changes may live while a single request fails; nothing else would tell of the change."""
    failed: list[Route] = []

    async def fail_once(route: "Route") -> None:
        if failed:
            await route.continue_()
        else:
            failed.append(route)
            await route.abort()

    await desk.page.route("**/sandbox/state", fail_once)
    await desk.telegram("sendMessage", chat_id=ADA, text="the only news")
    await expect(desk.left.locator(".tg-text")).to_have_text("the only news")
    assert len(failed) == 1
    desk.problems.clear()  # the browser tells of the failed request


async def test_two_tabs_show_the_same_and_each_has_its_own_place_and_draft(desk: Desk) -> None:
    other = Desk(desk.base_url, await desk.page.context.new_page())
    await other.open()
    await other.left.get_by_role("button", name="Team").click()
    await other.left.get_by_role("textbox").fill("for the team")
    await desk.left.get_by_role("textbox").fill("a word in private")
    await desk.telegram("sendMessage", chat_id=ADA, text="hello", reply_markup=GO)
    await expect(desk.left.locator(".tg-text")).to_have_text("hello")
    await expect(other.left.locator(".tg-text")).to_have_count(0)
    await other.left.locator(".place", has_text="bossbot").click()
    await expect(other.left.locator(".tg-text")).to_have_text("hello")
    await other.left.get_by_role("button", name="Go").click()
    [update] = await desk.updates()
    await desk.telegram("answerCallbackQuery", callback_query_id=update["callback_query"]["id"], text="heard once")
    await expect(other.left.get_by_text("heard once")).to_be_visible()
    await expect(desk.left.get_by_text("heard once")).to_have_count(0)
    await expect(desk.left.get_by_role("textbox")).to_have_value("a word in private")
    assert other.problems == []
    await other.page.close()


async def test_in_a_long_chat_a_change_redraws_what_changed_and_nothing_else(desk: Desk) -> None:
    await desk.control("settings", {"rate_limits": False})
    for number in range(150):
        await desk.telegram("sendMessage", chat_id=ADA, text=f"line {number}", reply_markup=GO)
    rows = desk.left.locator(".tg-message")
    await expect(rows).to_have_count(150)
    await desk.page.evaluate(
        """() => {
            window.redrawn = 0;
            const count = (changes) => changes.forEach((change) => (window.redrawn += change.addedNodes.length));
            new MutationObserver(count).observe(document.querySelector("#telegram .list-inner"), { childList: true });
        }"""
    )
    message_id = (await desk.state())["telegram"]["chats"][0]["messages"][70]["message_id"]
    await desk.telegram("editMessageText", chat_id=ADA, message_id=message_id, text="changed")
    await desk.telegram("sendMessage", chat_id=ADA, text="new")
    await expect(rows.nth(70)).to_contain_text("changed")
    await expect(rows).to_have_count(151)
    assert await desk.page.evaluate("window.redrawn") == 2
