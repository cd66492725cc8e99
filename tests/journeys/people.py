"""People in the sandbox: they write, look and press through the control API, as the page does for a person."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp

Json = dict[str, Any]
PATIENCE_S = 150.0
"""A start of cbc takes two seconds on an idle machine, and half a minute on a very busy one."""
LOOK_EVERY_S = 0.05


@dataclass(frozen=True)
class Post:
    """One message of the bot as a person sees it: its text, the labels of its buttons, and how often it was edited."""

    id: str
    text: str
    buttons: tuple[str, ...]
    raw: Json


class Chat(Protocol):
    """One conversation with the bot, on either platform. `who` is owner, approver or stranger."""

    channel: str

    async def say(self, text: str, who: str = "owner") -> str: ...
    async def posts(self) -> list[Post]: ...
    async def press(self, post: Post, label: str, who: str = "owner") -> Json: ...


async def see(chat: Chat, claim: Callable[[Post], bool], patience_s: float = PATIENCE_S) -> Post:
    """Waits until the bot shows a post for which `claim` holds, and returns the newest such."""
    deadline = time.monotonic() + patience_s
    posts: list[Post] = []
    while time.monotonic() < deadline:
        posts = await chat.posts()
        for post in reversed(posts):
            if claim(post):
                return post
        await asyncio.sleep(LOOK_EVERY_S)
    shown = "\n---\n".join(f"{post.text} {list(post.buttons)}" for post in posts)
    raise AssertionError(f"the awaited post did not come; there are:\n{shown}")


async def until(done: Callable[[], Awaitable[bool]], what: str, patience_s: float = PATIENCE_S) -> None:
    """Waits until `done` says so."""
    deadline = time.monotonic() + patience_s
    while not await done():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for: {what}")
        await asyncio.sleep(LOOK_EVERY_S)


class Control:
    """The sandbox's control API."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._http: aiohttp.ClientSession | None = None

    async def get(self, path: str) -> Any:
        """A GET's JSON."""
        async with self._session().get(f"{self._base_url}{path}") as answer:
            answer.raise_for_status()
            return await answer.json()

    async def post(self, path: str, body: Json) -> Json:
        """A POST's JSON; a refusal fails the test with its text."""
        async with self._session().post(f"{self._base_url}{path}", json=body) as answer:
            said: Json = await answer.json()
            assert answer.status == 200, f"{path} {body} was refused: {said}"
            return said

    def _session(self) -> aiohttp.ClientSession:
        if self._http is None:
            self._http = aiohttp.ClientSession()
        return self._http

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()


class TelegramChat:
    """The private chat of Ada with the bot (others may press there: the sandbox lets them, the bot must not)."""

    channel = "telegram"
    people: dict[str, int] = {"owner": 1001, "approver": 1002, "stranger": 1003}  # noqa: RUF012  never changed

    def __init__(self, control: Control, chat_id: int = 1001) -> None:
        self._control, self._chat_id = control, chat_id

    async def say(self, text: str, who: str = "owner") -> str:
        body = {"chat_id": self._chat_id, "user_id": self.people[who], "text": text}
        return str((await self._control.post("/sandbox/telegram/say", body))["message_id"])

    async def posts(self) -> list[Post]:
        chat = await self.chat()
        return [_telegram_post(m) for m in chat["messages"] if m["from"]["is_bot"]]

    async def chat(self) -> Json:
        """The chat as the state shows it."""
        state = await self._control.get("/sandbox/state")
        return next(chat for chat in state["telegram"]["chats"] if chat["id"] == self._chat_id)

    async def press(self, post: Post, label: str, who: str = "owner") -> Json:
        body = {
            "chat_id": self._chat_id,
            "message_id": int(post.id),
            "label": label,
            "user_id": self.people[who],
            "wait_s": 30,
        }
        return await self._control.post("/sandbox/telegram/press", body)


def _telegram_post(message: Json) -> Post:
    rows = (message.get("reply_markup") or {}).get("inline_keyboard", [])
    labels = tuple(button["text"] for row in rows for button in row)
    return Post(str(message["message_id"]), message.get("text", ""), labels, message)


class SlackChat:
    """A thread in Slack's #boss, begun by mentioning the bot; or Ada's direct messages with it."""

    channel = "slack"
    people: dict[str, str] = {"owner": "U0ADA", "approver": "U0BEN", "stranger": "U0EVE"}  # noqa: RUF012  never changed

    def __init__(self, control: Control, channel_id: str = "C0BOSS") -> None:
        self._control, self._channel_id = control, channel_id
        self._thread_ts: str | None = None

    async def say(self, text: str, who: str = "owner") -> str:
        body: Json = {"channel": self._channel_id, "user": self.people[who], "text": text}
        if self._thread_ts is not None:
            body["thread_ts"] = self._thread_ts
        elif self._channel_id.startswith("C"):
            body["text"] = f"<@U0BOSSBOT> {text}"
        said = str((await self._control.post("/sandbox/slack/say", body))["ts"])
        if self._thread_ts is None and self._channel_id.startswith("C"):
            self._thread_ts = said
        return said

    async def posts(self) -> list[Post]:
        place = await self.place()
        mine = [m for m in place["messages"] if m["user"] == "U0BOSSBOT"]
        return [_slack_post(m) for m in mine if self._thread_ts is None or m.get("thread_ts") == self._thread_ts]

    async def place(self) -> Json:
        """The channel as the state shows it."""
        state = await self._control.get("/sandbox/state")
        return next(place for place in state["slack"]["channels"] if place["id"] == self._channel_id)

    async def press(self, post: Post, label: str, who: str = "owner") -> Json:
        body = {
            "channel": self._channel_id,
            "ts": post.id,
            "label": label,
            "user": self.people[who],
            "wait_s": 30,
        }
        return await self._control.post("/sandbox/slack/press", body)


def _slack_post(message: Json) -> Post:
    blocks = message.get("blocks") or []
    labels = tuple(_texts(e.get("text")) for b in blocks if b["type"] == "actions" for e in b["elements"])
    shown = "\n".join(_texts(b) for b in blocks if b["type"] != "actions") if blocks else message.get("text", "")
    return Post(message["ts"], shown, labels, message)


def _texts(value: object) -> str:
    """Every text in a block, in reading order."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_texts(item) for item in value)
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            return str(value["text"])
        inner = "".join(_texts(value[key]) for key in ("text", "elements", "fields") if key in value)
        return inner + ("\n" if value.get("type") in ("rich_text_section", "rich_text_preformatted") else "")
    return ""
