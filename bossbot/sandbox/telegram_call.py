"""One Bot API call, and what its parameters name: a chat, a message, a topic."""

from typing import NamedTuple

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import bot_user
from bossbot.sandbox.telegram_access import Access, check_access, check_reachable
from bossbot.sandbox.telegram_chat import GENERAL_TOPIC, Chat
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_params import Params
from bossbot.sandbox.world import World


class Described(NamedTuple):
    """A result that comes with a `description` in its envelope."""

    result: object
    description: str


class Call(NamedTuple):
    """One Bot API call: who asks, and with what."""

    world: World
    bot_id: int
    params: Params

    @property
    def bot(self) -> Json:
        """The bot as a `User`; its id is the one in its token."""
        return bot_user(self.bot_id)


def find_chat(call: Call, access: Access = "write", name: str = "chat_id") -> Chat:
    """The chat that a parameter names, if the bot may do that there; names with @ name nobody here."""
    if call.params.legacy("business_connection_id") and "business_connection_id" in call.params.fields:
        raise refused("business connection not found")  # C: nobody here has connected the bot to a business
    if not call.params.has(name):
        raise refused("chat_id is empty")
    chat = call.world.telegram.chats.get(call.params.integer(name))
    if chat is None:
        raise refused("chat not found")
    check_access(call.world, chat, access)
    return chat


def find_message(call: Call, what: str, access: Access) -> Message:
    """The message that `chat_id` and `message_id` name; `what` is the server's word for it."""
    chat = find_chat(call, access)
    message = chat.messages.get(call.params.integer("message_id"))
    if message is None:
        raise refused(f"{what} not found")
    return message


def find_own_message(call: Call, what: str = "message") -> Message:
    """A message that the bot may edit; `what` of it is the server's word in a refusal."""
    if not call.params.has("chat_id") and call.params.integer("message_id") == 0:
        if call.params.has("inline_message_id"):
            raise refused("Invalid inline message identifier specified")  # T: there is no inline mode here
        raise refused("Message identifier is not specified")
    message = find_message(call, "message to edit", "edit")
    keyboard = message.reply_markup
    is_ours = message.from_bot and not message.service and "forward_origin" not in message.extras
    if not is_ours or (keyboard is not None and "inline_keyboard" not in keyboard):
        raise refused(f"{what} can't be edited")  # T can_edit_message
    check_reachable(message.chat, message.thread_id)
    return message


def find_thread(call: Call, chat: Chat) -> int | None:
    """The topic that `message_thread_id` names; None for a chat without topics, or outside them.

    General cannot be named: its messages are sent without a topic (C `check_message_topic`).
    """
    thread_id = call.params.integer("message_thread_id")
    if thread_id <= 0 or not (chat.is_forum or chat.is_private):
        return None
    if thread_id == GENERAL_TOPIC or thread_id not in chat.topics:
        raise refused("message thread not found")
    return thread_id
