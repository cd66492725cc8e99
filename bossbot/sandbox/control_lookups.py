"""What a control request names on Telegram: a chat, a person, a message, a topic. Errors tell what there is."""

from bossbot.sandbox.control import ControlError
from bossbot.sandbox.people import TelegramPerson
from bossbot.sandbox.telegram_chat import Chat, Topic
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.world import World


def the_chat(world: World, chat_id: int) -> Chat:
    chat = world.telegram.chats.get(chat_id)
    if chat is None:
        raise ControlError(404, f"there is no chat {chat_id}; there are {', '.join(map(str, world.telegram.chats))}")
    if chat.migrate_to_chat_id is not None:
        raise ControlError(400, f"chat {chat_id} became the supergroup {chat.migrate_to_chat_id}: use that")
    return chat


def the_person(world: World, user_id: int) -> TelegramPerson:
    person = world.telegram.person(user_id)
    if person is None:
        raise ControlError(404, f"there is no user {user_id}; GET /sandbox/state lists them")
    return person


def the_message(chat: Chat, message_id: int) -> Message:
    message = chat.messages.get(message_id)
    if message is None:
        raise ControlError(404, f"chat {chat.id} has no message {message_id}")
    return message


def own_message(chat: Chat, message_id: int, user_id: int) -> Message:
    """A message that this person wrote."""
    message = the_message(chat, message_id)
    if message.from_bot or message.sender["id"] != user_id or message.service:
        raise ControlError(400, f"message {message_id} was not written by user {user_id}")
    return message


def the_topic(chat: Chat, thread_id: int) -> Topic:
    topic = chat.topics.get(thread_id)
    if topic is None:
        raise ControlError(404, f"chat {chat.id} has no topic {thread_id}")
    return topic


def open_thread(chat: Chat, thread_id: int | None) -> int | None:
    """The topic that somebody writes in, which must exist."""
    return None if thread_id is None else the_topic(chat, thread_id).thread_id
