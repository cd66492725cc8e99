"""Telegram's side of the world: people, chats, the open presses, the files, and the queue to the bot."""

import itertools

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import TELEGRAM_BOT_USERNAME, TELEGRAM_PEOPLE, TELEGRAM_PLACES, TelegramPerson
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_chat import Chat, ChatType, Press
from bossbot.sandbox.telegram_files import Files
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_text import span
from bossbot.sandbox.telegram_updates import UpdateQueue
from bossbot.sandbox.telegram_webhook import Webhook

ACTION_LIFE_S = 5.0
DRAFT_LIFE_S = 30.0
FIRST_USER_ID = 2001
FIRST_GROUP_ID = -2001
FIRST_SUPERGROUP_ID = -1_000_000_002_001
"""What is added to the default world has ids from here on; each kind counts away from zero."""


class TelegramState:
    """Everything that Telegram keeps. Ids grow for as long as the server lives, also across resets."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.queue = UpdateQueue(clock)
        self.webhook = Webhook(clock, self.queue)
        self.files = Files()
        self.bot_id = 123_456_789
        self.people: dict[int, TelegramPerson] = {}
        self.chats: dict[int, Chat] = {}
        self.presses: dict[str, Press] = {}
        self.commands: dict[str, list[object]] = {}
        self._query_ids = itertools.count(4_000_000_000_000_001)
        self._album_ids = itertools.count(13_000_000_000_000_001)
        self._next_user_id = FIRST_USER_ID
        self._next_group_id = {"group": FIRST_GROUP_ID, "supergroup": FIRST_SUPERGROUP_ID}
        self._default_ids: dict[int, int] = {}
        self.reset()

    def reset(self) -> None:
        """Back to the default people and places; a bot that still runs must not meet an id twice."""
        self._default_ids.update((chat_id, chat.next_message_id) for chat_id, chat in self.chats.items())
        self.people = {person.id: person for person in TELEGRAM_PEOPLE}
        self.chats = {
            place.id: Chat(
                place.id, place.type, place.title, list(place.members), self.people.get(place.id),
                is_forum=place.type == "supergroup",
                bot_status="administrator" if place.type == "supergroup" else "member",
                next_message_id=self._default_ids.get(place.id, 1),
            )
            for place in TELEGRAM_PLACES
        }  # fmt: skip
        self.presses.clear()
        self.files.clear()
        self.commands.clear()
        self.queue.drop_all()

    def person(self, user_id: int) -> TelegramPerson | None:
        return self.people.get(user_id)

    def add_person(self, first_name: str, last_name: str, username: str, started: bool) -> TelegramPerson:
        """Somebody new, with a private chat with the bot that they may not have begun yet."""
        person = TelegramPerson(self._next_user_id, first_name, last_name, username, "guest")
        self._next_user_id += 1
        self.people[person.id] = person
        self.chats[person.id] = Chat(person.id, "private", person.full_name, [person.id], person, started=started)
        return person

    def add_group(self, kind: ChatType, title: str, members: list[int], is_forum: bool) -> Chat:
        """A new group or supergroup, in which the bot is not yet."""
        chat = Chat(self._next_group_id[kind], kind, title, members, is_forum=is_forum, bot_status="left")
        self._next_group_id[kind] -= 1
        self.chats[chat.id] = chat
        return chat

    def has_met(self, user_id: int) -> bool:
        """Does the bot know this person from a group, though they never wrote to it?"""
        return any(not chat.is_private and chat.has_bot and user_id in chat.members for chat in self.chats.values())

    def speaks_to_bot(self, text: str, entities: list[Json]) -> bool:
        """Is there a command that is not for another bot, or a mention of this one?"""
        name = f"@{TELEGRAM_BOT_USERNAME}".lower()
        for entity in entities:
            word = _utf16_slice(text, *span(entity)).lower()
            if entity["type"] == "bot_command" and word.partition("@")[2] in ("", name[1:]):
                return True
            if entity["type"] == "mention" and word == name:
                return True
        return False

    def new_album_id(self) -> int:
        return next(self._album_ids)

    def add_press(self, user_id: int, message: Message) -> Press:
        press = Press(str(next(self._query_ids)), user_id, message, self.clock.now())
        self.presses[press.query_id] = press
        return press

    def view(self) -> Json:
        now = self.clock.now()
        return {
            "users": [person.view() for person in self.people.values()],
            "chats": [chat.view(now) for chat in self.chats.values()],
            "commands": self.commands,
            "formatting_judged": judge().judges,
            "pending_updates": len(self.queue),
        }


def _utf16_slice(text: str, offset: int, length: int) -> str:
    """What an entity stands on."""
    return text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")
