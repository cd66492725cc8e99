"""The console: the bot's events, and the tools that play a scenario, make trouble and push the clock."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp import web

from tests.sandbox.page.desk import ADA, Desk, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def event(number: int, kind: str, **payload: str) -> bytes:
    body = {
        "id": f"e{number}", "session_id": "s1", "task_id": None, "source": "manager", "type": kind,
        "timestamp": "2026-11-30T12:00:00Z", "payload": payload,
    }  # fmt: skip
    return f"id: {number}\ndata: {json.dumps(body)}\n\n".encode()


class BotFeed:
    """A bot's feed that tells `log` from the place asked for, and then ends, as when the bot is stopped."""

    def __init__(self) -> None:
        self.log: list[bytes] = []
        self.begins: list[str] = []
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        last_id = request.headers.get("Last-Event-ID", "0")
        self.begins.append(last_id)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b"".join(self.log[int(last_id) :]))
        return response


@pytest_asyncio.fixture(loop_scope="session")
async def bot() -> AsyncIterator[BotFeed]:
    feed = BotFeed()
    app = web.Application()
    app.add_routes([web.get("/feed", feed.serve)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    feed.url = f"http://127.0.0.1:{runner.addresses[0][1]}/feed"
    yield feed
    await runner.cleanup()


async def test_events_show_as_they_happen_and_none_is_lost_or_doubled_when_the_feed_breaks(
    desk: Desk, bot: BotFeed
) -> None:
    bot.log = [event(1, "session.message.added", content="clean <b>it</b>"), event(2, "approval.requested", title="rm")]
    await desk.control("feed", {"url": bot.url, "token": "t"})
    rows = desk.page.get_by_role("log", name="The bot's own events").locator(".call")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text("clean <b>it</b>")
    bot.log.append(event(3, "task.failed", reason="no space left"))
    await expect(rows).to_have_count(3)
    await expect(rows.last).to_have_class("call refused")
    assert "2" in bot.begins
    await desk.page.get_by_role("button", name="Approvals", exact=True).click()
    await expect(rows).to_have_count(1)
    await rows.locator("summary").click()
    await expect(rows.locator("pre")).to_contain_text('"approval.requested"')


async def test_a_scenario_types_and_waits_for_the_bot(desk: Desk) -> None:
    await desk.page.get_by_role("button", name="Tools", exact=True).click()
    await desk.page.get_by_role("button", name="A change of mind").click()
    assert [update["message"]["text"] for update in await desk.updates()] == ["plan three tasks"]
    assert await desk.updates(timeout_s=0) == []
    await desk.telegram("sendMessage", chat_id=ADA, text="Here is the plan.")
    assert [update["message"]["text"] for update in await desk.updates()] == ["drop the cache, fix the retry first"]
    await expect(desk.page.get_by_text("Typed: A change of mind")).to_be_visible()


async def test_trouble_is_chosen_from_what_the_sandbox_knows(desk: Desk) -> None:
    await desk.page.get_by_role("button", name="Tools", exact=True).click()
    await desk.page.get_by_label("Trouble", exact=True).select_option("telegram/429")
    await desk.page.get_by_role("button", name="Make it").click()
    await expect(desk.page.get_by_text("still to come: Telegram: 429 ×1")).to_be_visible()
    answer = await desk.telegram_answer("sendMessage", chat_id=ADA, text="x")
    assert answer["error_code"] == 429


async def test_the_clock_is_pushed_from_the_page(desk: Desk) -> None:
    await desk.telegram("sendMessageDraft", chat_id=ADA, draft_id=1, text="half")
    await expect(desk.left.locator(".draft")).to_be_visible()
    await desk.page.get_by_role("button", name="Tools", exact=True).click()
    await desk.page.get_by_role("button", name="+60 s").click()
    await expect(desk.page.get_by_text("time is 60 s further")).to_be_visible()
    await expect(desk.left.locator(".draft")).to_be_hidden()
