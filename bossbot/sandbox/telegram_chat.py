"""A Telegram chat: who is in it, what the bot may do there, its topics and its history."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Literal

from bossbot.sandbox.clock import Fleeting
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import TelegramPerson
from bossbot.sandbox.telegram_message import Message

GENERAL_TOPIC = 1
GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
ChatType = Literal["private", "group", "supergroup"]
BotStatus = Literal["administrator", "member", "left", "kicked"]


@dataclass(slots=True)
class Press:
    """A person's press of a button, until it is answered; `answer` is what the person then sees."""

    query_id: str
    user_id: int
    message: Message
    pressed_at: float
    answer: Json | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Topic:
    """A topic of a forum or of a private chat; its id is that of the message that opened it."""

    thread_id: int
    name: str
    icon_color: int = 7_322_096
    icon_custom_emoji_id: str = ""
    is_closed: bool = False
    is_hidden: bool = False
    by_bot: bool = True

    def wire(self) -> Json:
        """The Bot API's `ForumTopic`."""
        body: Json = {"message_thread_id": self.thread_id, "name": self.name, "icon_color": self.icon_color}
        return {**body, "icon_custom_emoji_id": self.icon_custom_emoji_id} if self.icon_custom_emoji_id else body

    def view(self) -> Json:
        body: Json = {"message_thread_id": self.thread_id, "name": self.name}
        if self.is_closed:
            body["is_closed"] = True
        if self.is_hidden:
            body["is_hidden"] = True
        return body


@dataclass(slots=True)
class Chat:
    """One chat with its history. Message ids count from 1 and are never used again.

    In a private chat `bot_status` is "kicked" while the person blocks the bot, and `started` tells
    whether the person has ever written to it.
    """

    id: int
    type: ChatType
    title: str
    members: list[int]
    person: TelegramPerson | None = None
    is_forum: bool = False
    bot_status: BotStatus = "member"
    started: bool = True
    migrate_to_chat_id: int | None = None
    messages: dict[int, Message] = field(default_factory=dict)
    deleted: list[int] = field(default_factory=list)
    topics: dict[int, Topic] = field(default_factory=dict)
    general: Topic = field(default_factory=lambda: Topic(GENERAL_TOPIC, "General", by_bot=False))
    answers: list[Json] = field(default_factory=list)
    drafts: dict[tuple[int, int | None], Fleeting] = field(default_factory=dict)
    stopped_drafts: set[tuple[int, int | None]] = field(default_factory=set)
    action: Fleeting | None = None
    next_message_id: int = 1

    @property
    def is_private(self) -> bool:
        return self.type == "private"

    @property
    def has_bot(self) -> bool:
        """Does what happens here reach the bot?"""
        return self.bot_status in ("administrator", "member") and self.migrate_to_chat_id is None

    def wire(self) -> Json:
        """The Bot API's `Chat`."""
        if self.person is not None:
            return {"id": self.id, "type": "private", **self.person.names()}
        body: Json = {"id": self.id, "type": self.type, "title": self.title}
        if self.type == "group":  # Client.cpp JsonChat: no documentation tells of these two
            body.update(all_members_are_administrators=True, accepted_gift_types=dict.fromkeys(GIFTS, False))
        return {**body, "is_forum": True} if self.is_forum else body

    def take_message_id(self) -> int:
        taken = self.next_message_id
        self.next_message_id += 1
        return taken

    def view(self, now: float) -> Json:
        """As `/sandbox/state` shows it; what has run out by `now` is gone."""
        action = self.action if self.action is not None and self.action.ends_at > now else None
        general = [self.general.view()] if self.general.is_closed or self.general.is_hidden else []
        return {
            "id": self.id,
            "type": self.type,
            "title": self.title,
            "members": list(self.members),
            "is_forum": self.is_forum,
            "bot_status": self.bot_status,
            "started": self.started,
            "migrate_to_chat_id": self.migrate_to_chat_id,
            "topics": [*general, *(topic.view() for topic in self.topics.values())],
            "messages": [message.view() for message in self.messages.values()],
            "deleted_message_ids": self.deleted,
            "callback_answers": self.answers,
            "drafts": [draft.view() for draft in self.drafts.values() if draft.ends_at > now],
            "action": None if action is None else action.view(),
        }
