"""The connection to Telegram: what is posted, edited and answered. Imports aiogram, so only `load` leads here."""

import asyncio
import logging
from collections.abc import Mapping
from zlib import crc32

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import AiogramError, TelegramBadRequest
from aiogram.types import User
from aiogram.utils.token import TokenValidationError

from bossbot.channel import (
    BadChannelConfig,
    ButtonPressed,
    Card,
    Identity,
    Markdown,
    PostRef,
    Sink,
    ThreadRef,
)
from bossbot.channel.parts import Parts
from bossbot.text import one_line
from bossbot_telegram.errors import channel_error
from bossbot_telegram.inbound import NAME
from bossbot_telegram.messages import TelegramMessages, topic
from bossbot_telegram.polling import Polling, Sleep

CALL_TIMEOUT_S = 30
ANSWER_MAX = 200  # answerCallbackQuery: 0-200 characters

log = logging.getLogger("bossbot.telegram")


def load(options: Mapping[str, object]) -> "TelegramChannel":
    """The channel for a `[channels.telegram]` table; keys other than `token` and `api_base` are the core's."""
    token = _option(options, "token", "", "the token that @BotFather gave")
    base = _option(options, "api_base", "https://api.telegram.org", "an address").rstrip("/")
    if not base.startswith(("http://", "https://")):
        raise BadChannelConfig(f"[channels.telegram] api_base: must begin with http:// or https://: {base[:40]!r}")
    session = AiohttpSession(api=TelegramAPIServer.from_base(base), timeout=CALL_TIMEOUT_S)
    try:
        return TelegramChannel(Bot(token, session=session))
    except TokenValidationError:
        raise BadChannelConfig(
            "[channels.telegram] token: not a bot token (they look like 123456:ABC…); copy it from @BotFather"
        ) from None


def _option(options: Mapping[str, object], key: str, default: str, what: str) -> str:
    value = options.get(key, default)
    if not isinstance(value, str):
        raise BadChannelConfig(f"[channels.telegram] {key}: must be {what} in quotes, not {type(value).__name__}")
    if not value.strip():
        raise BadChannelConfig(f"[channels.telegram] {key}: missing; set it to {what}")
    return value.strip()


class TelegramChannel:
    """One bot. `sleep` is how it waits between attempts to receive."""

    name = NAME

    def __init__(self, bot: Bot, *, sleep: Sleep = asyncio.sleep) -> None:
        self._bot = bot
        self._polling = Polling(bot, sleep)
        self._messages = TelegramMessages(bot)
        self._parts = Parts(NAME, self._messages)
        self._me: User | None = None

    @property
    def connected(self) -> bool:
        """Whether messages and presses reach us now."""
        return self._polling.connected

    async def check(self) -> Identity:
        """Who the token is; `BadChannelConfig` when Telegram does not know it."""
        me = await self._known()
        hears = "all messages" if me.can_read_all_group_messages else "mentions, replies and commands"
        return Identity(user_id=str(me.id), name=f"@{me.username}", detail=f"in groups it hears {hears}")

    async def run(self, sink: Sink) -> None:
        """Receives until cancelled."""
        await self._polling.run(sink, self._known)

    async def post(self, thread: ThreadRef, card: Card, *, key: str) -> PostRef:
        """Posts the parts of a card. After a failure midway, the next call with this key goes on from there."""
        return await self._parts.post(thread, card, key, self._parts.begun(thread, key))

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        """Edits part by part; posts what is new at the end, deletes what is no longer needed."""
        return await self._parts.edit(post, card)

    async def draft(self, thread: ThreadRef, text: str, *, key: str) -> bool:
        """A draft in a private chat: it goes with the next message, or after 30 seconds. Elsewhere there are none."""
        if thread.chat.startswith(("-", "@")):
            return False
        return await self._messages.draft(thread, Card(blocks=(Markdown(text),)), crc32(key.encode()) or 1)

    async def answer(self, press: ButtonPressed, text: str, *, warn: bool = False) -> None:
        """A toast, or an alert to be closed. Telegram forgets a press after a while: then nobody waits for it."""
        try:
            await self._bot.answer_callback_query(
                press.press, text=one_line(text, ANSWER_MAX) or None, show_alert=warn or None
            )
        except TelegramBadRequest as error:
            log.info("a press could no longer be answered: %s", channel_error(error, self._bot.token))
        except AiogramError as error:
            raise channel_error(error, self._bot.token) from error

    async def typing(self, thread: ThreadRef) -> None:
        """Shows "typing …" for five seconds; no failure of it matters."""
        try:
            await self._bot.send_chat_action(thread.chat, "typing", message_thread_id=topic(thread.thread))
        except AiogramError as error:
            log.debug("no typing: %s", channel_error(error, self._bot.token))

    async def close(self) -> None:
        await self._bot.session.close()

    async def _known(self) -> User:
        if self._me is None:
            try:
                self._me = await self._bot.get_me()
            except AiogramError as error:
                raise channel_error(error, self._bot.token) from error
        return self._me
