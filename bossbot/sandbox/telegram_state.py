"""Telegram's side of the world: chats, messages, presses, and what a person would see of them."""

import asyncio
import itertools
from dataclasses import dataclass, field

from bossbot.sandbox.clock import Clock, Fleeting
from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.people import TELEGRAM_PEOPLE, TELEGRAM_PLACES, TelegramPerson, TelegramPlace
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_updates import UpdateQueue

ACTION_LIFE_S = 5.0
DRAFT_LIFE_S = 30.0


@dataclass(slots=True)
class Message:
    """One message. What a bot reads is `wire()`, what a script reads is `view()`."""

    message_id: int
    chat: "Chat"
    sender: Json
    date: int
    text: str | None = None
    entities: list[Json] = field(default_factory=list)
    document: Json | None = None
    reply_markup: Json | None = None
    thread_id: int | None = None
    reply_to: "Message | None" = None
    service: Json = field(default_factory=dict)
    edit_date: int | None = None
    edits: int = 0
    reactions: list[Json] = field(default_factory=list)
    past_markups: list[Json] = field(default_factory=list)

    @property
    def from_bot(self) -> bool:
        return self.sender["is_bot"] is True

    def wire(self, with_reply: bool = True) -> Json:
        """The Bot API's `Message`."""
        body: Json = {
            "message_id": self.message_id,
            "from": self.sender,
            "chat": self.chat.wire(),
            "date": self.date,
        }
        if self.thread_id is not None:
            body["message_thread_id"] = self.thread_id
            body["is_topic_message"] = True
        if with_reply and self.reply_to is not None:
            body["reply_to_message"] = self.reply_to.wire(with_reply=False)
        if self.edit_date is not None:
            body["edit_date"] = self.edit_date
        body.update(self._content())
        if self.reply_markup is not None and "inline_keyboard" in self.reply_markup:
            body["reply_markup"] = self.reply_markup
        return body

    def view(self) -> Json:
        """As `/sandbox/state` shows it."""
        body = self.wire(with_reply=False)
        del body["chat"]
        body["edited"] = self.edits
        if self.reply_markup is not None:
            body["reply_markup"] = self.reply_markup
        if self.reply_to is not None:
            body["reply_to"] = self.reply_to.message_id
        if self.reactions:
            body["reactions"] = self.reactions
        return body

    def _content(self) -> Json:
        body: Json = dict(self.service)
        if self.document is not None:
            body["document"] = self.document
        caption = self.document is not None
        if self.text:
            body["caption" if caption else "text"] = self.text
        if self.entities:
            body["caption_entities" if caption else "entities"] = self.entities
        return body


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
class Chat:
    """One chat with its history. Message ids count from 1 and are never used again."""

    place: TelegramPlace
    person: TelegramPerson | None
    messages: dict[int, Message] = field(default_factory=dict)
    deleted: list[int] = field(default_factory=list)
    topics: dict[int, str] = field(default_factory=dict)
    answers: list[Json] = field(default_factory=list)
    drafts: dict[tuple[int, int | None], Fleeting] = field(default_factory=dict)
    action: Fleeting | None = None
    next_message_id: int = 1

    @property
    def id(self) -> int:
        return self.place.id

    @property
    def is_private(self) -> bool:
        return self.place.type == "private"

    def wire(self) -> Json:
        """The Bot API's `Chat`."""
        if self.person is not None:
            return {
                "id": self.id,
                "type": "private",
                "first_name": self.person.first_name,
                "last_name": self.person.last_name,
                "username": self.person.username,
            }
        return {"id": self.id, "type": self.place.type, "title": self.place.title, "is_forum": True}

    def take_message_id(self) -> int:
        taken = self.next_message_id
        self.next_message_id += 1
        return taken

    def view(self, now: float) -> Json:
        """As `/sandbox/state` shows it; what has run out by `now` is gone."""
        action = self.action if self.action is not None and self.action.ends_at > now else None
        return {
            "id": self.id,
            "type": self.place.type,
            "title": self.place.title,
            "members": list(self.place.members),
            "topics": [{"message_thread_id": key, "name": name} for key, name in self.topics.items()],
            "messages": [message.view() for message in self.messages.values()],
            "deleted_message_ids": self.deleted,
            "callback_answers": self.answers,
            "drafts": [draft.view() for draft in self.drafts.values() if draft.ends_at > now],
            "action": None if action is None else action.view(),
        }


class TelegramState:
    """All chats, the open presses, the uploaded files, and the queue to the bot."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.queue = UpdateQueue(clock)
        self.chats: dict[int, Chat] = {}
        self.presses: dict[str, Press] = {}
        self.files: dict[str, tuple[Json, bytes]] = {}
        self.commands: dict[str, list[object]] = {}
        self._query_ids = itertools.count(4_000_000_000_000_001)
        self._file_ids = itertools.count(1)
        self.reset()

    def reset(self) -> None:
        """Empty the chats. Ids go on where they were: a bot that still runs must not meet one twice."""
        people = {person.id: person for person in TELEGRAM_PEOPLE}
        old = self.chats
        self.chats = {place.id: Chat(place, people.get(place.id)) for place in TELEGRAM_PLACES}
        for chat_id, chat in old.items():
            self.chats[chat_id].next_message_id = chat.next_message_id
        self.presses.clear()
        self.files.clear()
        self.commands.clear()
        self.queue.drop_all()

    def person(self, user_id: int) -> TelegramPerson | None:
        return next((person for person in TELEGRAM_PEOPLE if person.id == user_id), None)

    def add_press(self, user_id: int, message: Message) -> Press:
        press = Press(str(next(self._query_ids)), user_id, message, self.clock.now())
        self.presses[press.query_id] = press
        return press

    def add_file(self, name: str, content_type: str, data: bytes) -> Json:
        """Keep a file and return the Bot API's `Document` for it."""
        number = next(self._file_ids)
        file_id = f"SANDBOXFILE{number:08d}"
        document: Json = {
            "file_id": file_id,
            "file_unique_id": f"SBX{number:08d}",
            "file_name": name,
            "mime_type": content_type,
            "file_size": len(data),
        }
        self.files[file_id] = (document, data)
        return document

    def view(self) -> Json:
        now = self.clock.now()
        return {
            "users": [
                {
                    "id": person.id,
                    "name": person.first_name,
                    "role": person.role,
                    "username": person.username,
                    "full_name": f"{person.first_name} {person.last_name}",
                }
                for person in TELEGRAM_PEOPLE
            ],
            "chats": [chat.view(now) for chat in self.chats.values()],
            "commands": self.commands,
            "formatting_judged": judge().judges,
            "pending_updates": len(self.queue),
        }


def buttons(markup: Json | None) -> list[Json]:
    """The inline buttons of a keyboard, row by row."""
    rows = as_list((markup or {}).get("inline_keyboard")) or []
    found = (as_object(button) for row in rows for button in as_list(row) or [])
    return [button for button in found if button is not None]
