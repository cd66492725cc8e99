"""A Telegram update → what arrived, or None where there is nothing for us. Pure: no calls, no clock."""

import re
from typing import TYPE_CHECKING

from bossbot.channel import ActorRef, ButtonPressed, Inbound, MessageReceived, PostRef, ThreadRef
from bossbot.text import utf16_len

if TYPE_CHECKING:
    from aiogram.types import CallbackQuery, Message, Update, User

NAME = "telegram"
_COMMAND = re.compile(r"\A/(\w+)(?:@(\w+))?")


def inbound(update: "Update", me: "User") -> Inbound | None:
    """What a person wrote or pressed. Bots, channels, anonymous admins and messages without words are not for us."""
    if update.callback_query is not None:
        return _press(update.callback_query)
    if update.message is not None:
        return _message(update.message, me)
    return None


def _message(message: "Message", me: "User") -> MessageReceived | None:
    sender, text = message.from_user, message.text or message.caption
    if sender is None or sender.is_bot or not text:
        return None
    private = message.chat.type == "private"
    words, spoken_to = _without_our_name(message, text, me)
    if not words.strip():
        return None
    return MessageReceived(
        delivery_id=f"tg:{message.chat.id}:{message.message_id}",
        thread=_thread(message),
        actor=ActorRef(NAME, str(sender.id)),
        actor_name=sender.full_name,
        message_id=str(message.message_id),
        text=words,
        sent_at=message.date,
        addressed=private or spoken_to or _replies_to(message, me),
        private=private,
        reply_to=str(message.reply_to_message.message_id) if message.reply_to_message else None,
    )


def _press(query: "CallbackQuery") -> ButtonPressed | None:
    message = query.message  # absent for inline messages, which we never send
    if message is None or not query.data or query.from_user.is_bot:
        return None
    topic = getattr(message, "message_thread_id", None) if getattr(message, "is_topic_message", None) else None
    chat, thread = str(message.chat.id), str(topic) if topic else None
    return ButtonPressed(
        delivery_id=f"tg:cb:{query.id}",
        thread=ThreadRef(NAME, chat, thread),
        actor=ActorRef(NAME, str(query.from_user.id)),
        actor_name=query.from_user.full_name,
        post=PostRef(NAME, chat, (str(message.message_id),), thread),
        action=query.data,
        press=query.id,
    )


def _thread(message: "Message") -> ThreadRef:
    """`message_thread_id` is also set for replies in plain groups; only topics are places of their own."""
    topic = message.message_thread_id if message.is_topic_message else None
    return ThreadRef(NAME, str(message.chat.id), str(topic) if topic else None)


def _replies_to(message: "Message", me: "User") -> bool:
    """Every message of a topic "replies" to the service message that opened it, maybe ours: that is no reply."""
    to = message.reply_to_message
    return to is not None and to.forum_topic_created is None and to.from_user is not None and to.from_user.id == me.id


def _without_our_name(message: "Message", text: str, me: "User") -> tuple[str, bool]:
    """The text without our mentions, and whether it spoke to us so or by a command. `/stop@other_bot` does not."""
    name = (me.username or "").lower()
    command = _COMMAND.match(text)
    if command:
        at = (command[2] or name).lower()
        return (f"/{command[1]}{text[command.end() :]}", True) if at == name else (text, False)
    mentioned = False
    for entity in sorted(message.entities or message.caption_entities or [], key=lambda e: -e.offset):
        start, end = _index(text, entity.offset), _index(text, entity.offset + entity.length)
        ours = entity.type == "mention" and name and text[start:end].lower() == f"@{name}"
        if ours or (entity.type == "text_mention" and entity.user is not None and entity.user.id == me.id):
            mentioned, text = True, f"{text[:start].rstrip(' ')} {text[end:].lstrip(' ')}".strip()
    return text, mentioned


def _index(text: str, units: int) -> int:
    """The index of the character that begins at a UTF-16 offset."""
    if text.isascii():
        return units
    at = 0
    while at < len(text) and units > 0:
        units -= utf16_len(text[at])
        at += 1
    return at
