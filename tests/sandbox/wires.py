"""The sandbox's wires in the hands of a test: plain HTTP, nothing of the sandbox's own code."""

import asyncio
import contextlib
import json
import random
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp

TOKEN = "123456789:AAbbccddeeffgghhiijjkkllmmnnooppqqr"
BOT_TOKEN = "xoxb-0123456789-sandbox"
Found = TypeVar("Found")
APP_TOKEN = "xapp-1-A0BOSSBOT-0123456789"
PATIENCE_S = 60.0
"""A busy machine may take many times longer than an idle one."""


class Wires:
    """Requests to one sandbox; `telegram` and `slack` call as a bot, the others as a script."""

    def __init__(self, session: aiohttp.ClientSession, base_url: str) -> None:
        self.session = session
        self.base_url = base_url

    async def control(self, path: str, **body: Any) -> dict[str, Any]:
        """POST to the control API, which must agree."""
        status, answer = await self.try_control(path, **body)
        assert status == 200, answer
        return answer

    async def try_control(self, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        async with self.session.post(f"{self.base_url}/sandbox/{path}", json=body) as response:
            return response.status, await response.json()

    async def state(self, platform: str) -> dict[str, Any]:
        async with self.session.get(f"{self.base_url}/sandbox/state") as response:
            found: dict[str, Any] = (await response.json())[platform]
            return found

    async def calls(self, platform: str, **narrow: str) -> list[dict[str, Any]]:
        query = {"platform": platform, **narrow}
        async with self.session.get(f"{self.base_url}/sandbox/calls", params=query) as response:
            found: list[dict[str, Any]] = await response.json()
            return found

    async def telegram(self, method: str, **body: Any) -> dict[str, Any]:
        """A Bot API call as JSON; the whole answer."""
        return (await self.telegram_http(method, **body))[1]

    async def telegram_http(self, method: str, **body: Any) -> tuple[int, dict[str, Any]]:
        url = f"{self.base_url}/telegram/bot{TOKEN}/{method}"
        async with self.session.post(url, json=body) as response:
            return response.status, await response.json()

    async def slack(self, method: str, token: str = BOT_TOKEN, **body: Any) -> dict[str, Any]:
        """A Web API call; the whole answer."""
        return (await self.slack_http(method, token, **body))[1]

    async def slack_http(self, method: str, token: str = BOT_TOKEN, **body: Any) -> tuple[int, dict[str, Any]]:
        """A Web API call as a form, which every method takes; what is no text goes in as JSON."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"{self.base_url}/slack/api/{method}"
        form = {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
        async with self.session.post(url, data=form, headers=headers) as response:
            return response.status, await response.json()

    async def chat(self, chat_id: int = 1001) -> dict[str, Any]:
        """A Telegram chat as `/sandbox/state` shows it."""
        chats = (await self.state("telegram"))["chats"]
        found: dict[str, Any] = next(chat for chat in chats if chat["id"] == chat_id)
        return found

    async def channel(self, channel_id: str = "D0ADA") -> dict[str, Any]:
        """A Slack conversation as `/sandbox/state` shows it."""
        channels = (await self.state("slack"))["channels"]
        found: dict[str, Any] = next(channel for channel in channels if channel["id"] == channel_id)
        return found

    async def socket(self) -> aiohttp.ClientWebSocketResponse:
        """A Socket Mode connection that has said hello."""
        opened = await self.slack("apps.connections.open", APP_TOKEN)
        assert opened["ok"], opened
        ws = await self.session.ws_connect(opened["url"])
        hello = await ws.receive_json(timeout=PATIENCE_S)
        assert hello["type"] == "hello"
        return ws


def free_port() -> int:
    """A port that a program of its own may listen on. It lies below those that the system gives to connections, of
    which one might take it before the program does.
    """
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port := random.randrange(20_000, 32_000)))
            return port


async def until(look: Callable[[], Awaitable[Found]], timeout_s: float = PATIENCE_S) -> Found:
    """What `look` returns as soon as it is true."""
    deadline = time.monotonic() + timeout_s
    while not (found := await look()):
        assert time.monotonic() < deadline, "this never came true"
        await asyncio.sleep(0.01)
    return found
