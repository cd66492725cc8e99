"""Single messages on Telegram: sent, edited, deleted; in the best form that it takes, in the chat as it is now."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from aiogram import Bot
from aiogram.exceptions import AiogramError, TelegramBadRequest, TelegramMigrateToChat
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, Message, MessageEntity

from bossbot.channel import ButtonStyle, Card, PostRef, ThreadRef
from bossbot_telegram.errors import channel_error, is_about_format, is_not_modified
from bossbot_telegram.render import Part, render, unformatted

_STYLES = {ButtonStyle.PRIMARY: "success", ButtonStyle.DANGER: "danger"}
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_T = TypeVar("_T")

log = logging.getLogger("bossbot.telegram")


class TelegramMessages:
    """The `Messages` of one bot. It remembers which groups became supergroups."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._moved: dict[str, str] = {}

    def render(self, card: Card) -> Sequence[Part]:
        return render(card)

    async def send(self, post: PostRef, part: Part, key: str) -> PostRef:
        """Sends a message; Telegram has no place for `key`."""

        async def send(form: Part, chat: str) -> Message:
            return await self._bot.send_message(
                chat,
                form.text,
                message_thread_id=topic(post.thread),
                entities=_entities(form),
                reply_markup=_keyboard(form),
                link_preview_options=_NO_PREVIEW,
            )

        message = await self._in_best_form(post.chat, part, send)
        return replace(post, chat=str(message.chat.id), ids=(*post.ids, str(message.message_id)))

    async def change(self, post: PostRef, message_id: str, part: Part) -> None:
        """Edits a message; one that shows the part already is as wanted."""

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

        await self._in_best_form(post.chat, part, edit)

    async def draft(self, thread: ThreadRef, card: Card, draft_id: int) -> bool:
        """Shows the end of a card that is being written. False where the chat takes no drafts."""
        part = render(card)[-1]
        try:
            await self._bot.send_message_draft(
                int(thread.chat),
                draft_id,
                message_thread_id=topic(thread.thread),
                text=part.text,
                entities=_entities(part),
                parse_mode=None,
            )
        except TelegramBadRequest as error:
            log.info("Telegram took no draft: %s", channel_error(error, self._bot.token))
            return False
        except AiogramError as error:
            raise channel_error(error, self._bot.token) from error
        return True

    async def delete(self, post: PostRef, message_id: str) -> None:
        try:
            await self._bot.delete_message(self._moved.get(post.chat, post.chat), int(message_id))
        except AiogramError as error:
            raise channel_error(error, self._bot.token) from error

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


def topic(thread: str | None) -> int | None:
    """A thread as Telegram numbers it."""
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
