"""The connection to Telegram: what is posted, edited and answered. Imports aiogram, so only `load` leads here."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import AiogramError, TelegramBadRequest, TelegramMigrateToChat
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, Message, MessageEntity, User
from aiogram.utils.token import TokenValidationError

from bossbot.channel import (
    BadChannelConfig,
    ButtonPressed,
    ButtonStyle,
    Card,
    Identity,
    PostGone,
    PostRef,
    Sink,
    ThreadRef,
)
from bossbot.text import one_line
from bossbot_telegram.errors import channel_error, is_about_format, is_not_modified
from bossbot_telegram.inbound import NAME
from bossbot_telegram.polling import Polling, Sleep
from bossbot_telegram.render import Part, render, unformatted

CALL_TIMEOUT_S = 30
ANSWER_MAX = 200  # answerCallbackQuery: 0-200 characters
REMEMBERED_PARTS = 2000
_STYLES = {ButtonStyle.PRIMARY: "success", ButtonStyle.DANGER: "danger"}
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_T = TypeVar("_T")
_Place = tuple[ThreadRef, str]
"""Where a card goes and its key, which only there is its own."""

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
        self._me: User | None = None
        self._moved: dict[str, str] = {}
        self._begun: dict[_Place, PostRef] = {}
        self._shown: OrderedDict[tuple[str, str], Part] = OrderedDict()

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
        place = (thread, key)
        begun = self._begun.get(place, PostRef(NAME, thread.chat, (), thread.thread))
        try:
            shown = await self._show(begun, card, place)
        except PostGone:  # what was begun is gone: all of it anew
            await self._delete(begun.chat, begun.ids)
            del self._begun[place]
            shown = await self._show(PostRef(NAME, thread.chat, (), thread.thread), card, place)
        self._begun.pop(place, None)
        return shown

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        """Edits part by part; posts what is new at the end, deletes what is no longer needed."""
        try:
            return await self._show(post, card, None)
        except PostGone:
            await self._delete(post.chat, post.ids)  # what is left of it must not stand beside its successor
            raise

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
            await self._bot.send_chat_action(
                self._moved.get(thread.chat, thread.chat), "typing", message_thread_id=_topic(thread.thread)
            )
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

    async def _show(self, post: PostRef, card: Card, place: _Place | None) -> PostRef:
        parts, ids = render(card), list(post.ids)
        chat = self._moved.get(post.chat, post.chat)
        for at, part in enumerate(parts):
            if at < len(ids):
                await self._edit_part(chat, ids[at], part, last=at == len(parts) - 1)
                continue
            message = await self._send_part(chat, post.thread, part)
            chat = str(message.chat.id)
            ids.append(str(message.message_id))
            if place is not None:
                self._begun[place] = PostRef(NAME, chat, tuple(ids), post.thread)
        await self._delete(chat, ids[len(parts) :])
        return PostRef(NAME, chat, tuple(ids[: len(parts)]), post.thread)

    async def _send_part(self, chat: str, thread: str | None, part: Part) -> Message:
        async def send(form: Part, chat: str) -> Message:
            return await self._bot.send_message(
                chat,
                form.text,
                message_thread_id=_topic(thread),
                entities=_entities(form),
                reply_markup=_keyboard(form),
                link_preview_options=_NO_PREVIEW,
            )

        message = await self._in_best_form(chat, part, send)
        self._remember(str(message.chat.id), str(message.message_id), part)
        return message

    async def _edit_part(self, chat: str, message_id: str, part: Part, *, last: bool) -> None:
        """The last part is always edited, so that a vanished card is noticed; others only if they changed."""
        if not last and self._shown.get((chat, message_id)) == part:
            return

        async def edit(form: Part, chat: str) -> None:
            try:
                await self._bot.edit_message_text(
                    form.text,
                    chat_id=chat,
                    message_id=int(message_id),
                    entities=_entities(form),
                    reply_markup=_keyboard(form),
                    link_preview_options=_NO_PREVIEW,
                )
            except TelegramBadRequest as error:
                if not is_not_modified(error):
                    raise

        await self._in_best_form(chat, part, edit)
        self._remember(chat, message_id, part)

    async def _in_best_form(self, chat: str, part: Part, call: Callable[[Part, str], Awaitable[_T]]) -> _T:
        """Calls with a part; where its form is refused, without entities, then without buttons: text is never lost."""
        plainer = [unformatted(part), replace(unformatted(part), keyboard=())]
        form = part
        while True:
            try:
                return await self._in_chat(chat, form, call)
            except AiogramError as error:
                refusal = channel_error(error, self._bot.token)
                if not is_about_format(error) or not plainer:
                    raise refusal from error
                log.warning("Telegram refused the form of a message, it goes out plainer: %s", refusal)
                form = plainer.pop(0)

    async def _in_chat(self, chat: str, form: Part, call: Callable[[Part, str], Awaitable[_T]]) -> _T:
        """Calls for a chat, and once more for the supergroup that it became."""
        try:
            return await call(form, self._moved.get(chat, chat))
        except TelegramMigrateToChat as error:
            self._moved[chat] = str(error.migrate_to_chat_id)
            return await call(form, self._moved[chat])

    async def _delete(self, chat: str, ids: Sequence[str]) -> None:
        for message_id in ids:
            try:
                await self._bot.delete_message(self._moved.get(chat, chat), int(message_id))
            except AiogramError as error:
                log.info("a message could not be deleted: %s", channel_error(error, self._bot.token))

    def _remember(self, chat: str, message_id: str, part: Part) -> None:
        self._shown[chat, message_id] = part
        while len(self._shown) > REMEMBERED_PARTS:
            self._shown.popitem(last=False)


def _topic(thread: str | None) -> int | None:
    return int(thread) if thread else None


def _entities(part: Part) -> list[MessageEntity] | None:
    return [
        MessageEntity(type=e.type, offset=e.offset, length=e.length, url=e.url, language=e.language)
        for e in part.entities
    ] or None


def _keyboard(part: Part) -> InlineKeyboardMarkup | None:
    if not part.keyboard:
        return None
    return InlineKeyboardMarkup(
        inline_keyboard=[
            [
                InlineKeyboardButton(text=button.label, callback_data=button.action, style=_STYLES.get(button.style))
                for button in row
            ]
            for row in part.keyboard
        ]
    )
