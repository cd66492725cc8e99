"""The bot's own events reach the page through the sandbox, which adds the token and keeps nothing."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from tests.sandbox.wires import Wires

TOKEN = "a-token-that-the-page-never-sees"


class BotFeed:
    """A bot's feed on a port of its own: each reader hears one event and the end."""

    def __init__(self) -> None:
        self.asked: list[tuple[str | None, str | None]] = []
        self.newest = 7
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        last_id = request.headers.get("Last-Event-ID")
        self.asked.append((request.headers.get("Authorization"), last_id))
        if int(last_id or 0) > self.newest:
            return web.Response(status=409, text="another log")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b'id: 7\ndata: {"type":"task.created"}\n\n')
        return response


@pytest.fixture
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


async def tell(wires: Wires, url: str) -> tuple[int, dict[str, object]]:
    async with wires.session.post(f"{wires.base_url}/sandbox/feed", json={"url": url, "token": TOKEN}) as response:
        return response.status, await response.json()


async def read(wires: Wires, last_id: str = "") -> tuple[int, str]:
    headers = {"Last-Event-ID": last_id} if last_id else {}
    async with wires.session.get(f"{wires.base_url}/sandbox/feed", headers=headers) as response:
        return response.status, await response.text()


async def test_the_page_reads_the_bots_events_without_a_token(wires: Wires, bot: BotFeed) -> None:
    assert await tell(wires, bot.url) == (200, {"ok": True})
    assert await read(wires, "5") == (200, 'id: 7\ndata: {"type":"task.created"}\n\n')
    assert bot.asked == [(f"Bearer {TOKEN}", "5")]
    async with wires.session.get(f"{wires.base_url}/sandbox/state") as response:
        state = await response.text()
    assert '"feed":true' in state.replace(" ", "")
    assert TOKEN not in state


async def test_a_bot_with_another_log_is_read_from_its_beginning(wires: Wires, bot: BotFeed) -> None:
    await tell(wires, bot.url)
    status, text = await read(wires, "4711")
    assert status == 200
    assert "task.created" in text
    assert [last_id for _, last_id in bot.asked] == ["4711", None]


async def test_without_a_feed_the_answer_says_how_to_name_one(wires: Wires) -> None:
    status, text = await read(wires)
    assert status == 404
    assert "POST /sandbox/feed {url, token}" in text


async def test_while_the_bot_is_away_a_browser_is_asked_to_come_again(wires: Wires) -> None:
    await tell(wires, "http://127.0.0.1:9/feed")
    status, text = await read(wires)
    assert status == 200
    assert "is the bot running?" in text
    assert "retry: 1000" in text
    assert TOKEN not in text


@pytest.mark.parametrize(
    "url",
    [
        "http://203.0.113.7/feed",
        "https://127.0.0.1/feed",
        "file:///etc/passwd",
        "http://a@127.0.0.1/",
        "feed",
        "//127.0.0.1",
    ],
)
async def test_the_token_is_sent_to_no_other_machine(wires: Wires, url: str) -> None:
    status, body = await tell(wires, url)
    assert status == 400
    assert "must be at http:// on this machine" in str(body["error"])
