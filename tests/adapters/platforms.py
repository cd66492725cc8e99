"""Both adapters on the sandbox, with the eyes and hands that the conformance checks need."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiohttp import ClientSession

from bossbot.channel import ThreadRef
from bossbot.channel.testing import Shown
from bossbot.sandbox.server import RunningSandbox, start_sandbox
from bossbot_slack.runtime import SlackChannel
from bossbot_telegram.runtime import TelegramChannel
from tests.adapters.wire import Wire, wire_to

CALL_TIMEOUT_S = 4.0
TELEGRAM_TOKEN = "123456789:" + "A" * 35
BOT_TOKEN = "xoxb-111111111-sandbox"
APP_TOKEN = "xapp-1-A111-sandbox"
Json = Mapping[str, Any]


class _Sandboxed:
    """What both platforms have in common: the control API and the wire."""

    def __init__(self, sandbox: RunningSandbox, wire: Wire, session: ClientSession) -> None:
        self.sandbox, self.wire, self._session = sandbox, wire, session

    async def control(self, path: str, body: Json | None = None) -> Any:
        url = f"{self.sandbox.base_url}/sandbox/{path}"
        call = self._session.get(url) if body is None else self._session.post(url, json=body)
        async with call as answer:
            found = await answer.json()
            assert answer.status == 200, found
            return found

    async def api(self, path: str, body: Json, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self._session.post(f"{self.sandbox.base_url}/{path}", json=body, headers=headers) as answer:
            found = await answer.json()
            assert found["ok"], found
            return found


class TelegramPlatform(_Sandboxed):
    """The owner's private chat with the bot."""

    def __init__(self, sandbox: RunningSandbox, wire: Wire, session: ClientSession) -> None:
        super().__init__(sandbox, wire, session)
        api = TelegramAPIServer.from_base(f"{wire.address}/telegram")
        self.channel = TelegramChannel(Bot(TELEGRAM_TOKEN, session=AiohttpSession(api=api, timeout=CALL_TIMEOUT_S)))
        self.member = "1001"
        self.thread = ThreadRef("telegram", "1001")

    async def chat(self, chat_id: int | None = None) -> Any:
        state = await self.control("state")
        wanted = int(self.thread.chat) if chat_id is None else chat_id
        return next(chat for chat in state["telegram"]["chats"] if chat["id"] == wanted)

    async def shown(self) -> Sequence[tuple[str, Shown]]:
        return [
            (
                str(message["message_id"]),
                Shown(
                    message["text"],
                    tuple(
                        (button["text"], button["callback_data"])
                        for row in message.get("reply_markup", {}).get("inline_keyboard", [])
                        for button in row
                    ),
                ),
            )
            for message in (await self.chat())["messages"]
            if message["from"]["is_bot"]
        ]

    async def receiving(self) -> None:
        while "getUpdates" not in self.wire.methods():  # noqa: ASYNC110 - the wire keeps a list, no event
            await asyncio.sleep(0.02)

    async def say(self, text: str, **more: object) -> None:
        body = {"chat_id": int(self.thread.chat), "user_id": int(self.member), "text": text, **more}
        await self.control("telegram/say", body)

    async def press(self, message_id: str, label: str) -> None:
        body = {"chat_id": int(self.thread.chat), "message_id": int(message_id), "user_id": int(self.member)}
        await self.control("telegram/press", {**body, "label": label})

    async def answers(self) -> Sequence[str]:
        return [answer["text"] for answer in (await self.chat())["callback_answers"]]

    async def remove(self, message_id: str) -> None:
        body = {"chat_id": int(self.thread.chat), "message_id": int(message_id)}
        await self.api(f"telegram/bot{TELEGRAM_TOKEN}/deleteMessage", body)

    async def limit_next(self, after_s: int, *, skip: int = 0) -> None:
        body = {
            "ok": False,
            "error_code": 429,
            "description": f"Too Many Requests: retry after {after_s}",
            "parameters": {"retry_after": after_s},
        }
        self.wire.trouble("sendMessage", "editMessageText", skip=skip, status=429, body=body)

    async def swallow_next(self) -> None:
        self.wire.trouble("sendMessage", swallow=True)


class SlackPlatform(_Sandboxed):
    """The owner's direct messages with the app."""

    def __init__(self, sandbox: RunningSandbox, wire: Wire, session: ClientSession) -> None:
        super().__init__(sandbox, wire, session)
        self.channel = SlackChannel(BOT_TOKEN, APP_TOKEN, f"{wire.address}/slack/api/", call_timeout_s=CALL_TIMEOUT_S)
        self.member = "U0ADA"
        self.thread = ThreadRef("slack", "D0ADA")

    async def conversation(self, channel: str | None = None) -> Any:
        state = await self.control("state")
        wanted = self.thread.chat if channel is None else channel
        return next(found for found in state["slack"]["channels"] if found["id"] == wanted)

    async def acting(self) -> list[Json]:
        """What would act in the bot's messages, all places together: mentions, and links that lie."""
        state = await self.control("state")
        return [
            found
            for place in state["slack"]["channels"]
            for message in (*place["messages"], *place["ephemerals"])
            if "bot_id" in message
            for found in message["live"]
        ]

    async def shown(self) -> Sequence[tuple[str, Shown]]:
        messages = (await self.conversation())["messages"]
        return [
            (message["ts"], Shown(read(blocks) or message["text"], tuple(buttons(blocks))))
            for message in messages
            for blocks in (message.get("blocks", []),)
            if message["user"] != self.member
        ]

    async def receiving(self) -> None:
        while not (await self.control("state"))["slack"]["sockets"]:  # noqa: ASYNC110 - the sandbox must be asked
            await asyncio.sleep(0.02)

    async def say(self, text: str, **more: object) -> None:
        await self.control("slack/say", {"channel": self.thread.chat, "user": self.member, "text": text, **more})

    async def press(self, message_id: str, label: str) -> None:
        body = {"channel": self.thread.chat, "ts": message_id, "user": self.member, "label": label}
        await self.control("slack/press", body)

    async def answers(self) -> Sequence[str]:
        found = (await self.conversation())["ephemerals"]
        return [
            message["text"].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
            for message in found
            if message["for_user"] == self.member
        ]

    async def remove(self, message_id: str) -> None:
        await self.api("slack/api/chat.delete", {"channel": self.thread.chat, "ts": message_id}, BOT_TOKEN)

    async def limit_next(self, after_s: int, *, skip: int = 0) -> None:
        self.wire.trouble(
            "chat.postMessage",
            "chat.update",
            skip=skip,
            status=429,
            body={"ok": False, "error": "ratelimited"},
            headers={"Retry-After": str(after_s)},
        )

    async def swallow_next(self) -> None:
        self.wire.trouble("chat.postMessage", swallow=True)


def read(value: Any) -> str:
    """All text of blocks but that of buttons, as a person reads it."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(read, value)))
    if not isinstance(value, dict) or value.get("type") in ("button", "actions"):
        return ""
    if isinstance(text := value.get("text"), str):
        return text
    if "elements" in value:
        inline = value["type"] in ("rich_text_section", "rich_text_preformatted", "rich_text_quote")
        return ("" if inline else "\n").join(map(read, value["elements"]))
    return read(value.get("text"))


def buttons(blocks: Any) -> list[tuple[str, str]]:
    return [
        (element["text"]["text"], element["value"])
        for block in blocks
        if block["type"] == "actions"
        for element in block["elements"]
    ]


PLATFORMS: dict[str, type[TelegramPlatform] | type[SlackPlatform]] = {
    "telegram": TelegramPlatform,
    "slack": SlackPlatform,
}


@asynccontextmanager
async def platform_on_sandbox(name: str) -> AsyncIterator[TelegramPlatform | SlackPlatform]:
    """A fresh sandbox, a wire to it, and one adapter at its end, whose messages must not have held what acts."""
    sandbox = await start_sandbox(port=0)
    try:
        async with wire_to(sandbox.base_url) as wire, ClientSession() as session:
            platform = PLATFORMS[name](sandbox, wire, session)
            try:
                yield platform
                if isinstance(platform, SlackPlatform):
                    assert await platform.acting() == []
            finally:
                await platform.channel.close()
    finally:
        await sandbox.close()
