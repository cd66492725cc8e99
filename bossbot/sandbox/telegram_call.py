"""One Bot API call, and what its parameters name: a chat, a message, a topic."""

from dataclasses import dataclass

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import TELEGRAM_BOT_NAME, TELEGRAM_BOT_USERNAME
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_params import Params, is_true, leading_integer
from bossbot.sandbox.telegram_state import Chat, Message
from bossbot.sandbox.world import World

GENERAL_TOPIC = 1


@dataclass(frozen=True, slots=True)
class Call:
    """One Bot API call: who asks, and with what."""

    world: World
    bot_id: int
    params: Params

    @property
    def bot(self) -> Json:
        """The bot as a `User`; its id is the one in its token."""
        return {
            "id": self.bot_id,
            "is_bot": True,
            "first_name": TELEGRAM_BOT_NAME,
            "username": TELEGRAM_BOT_USERNAME,
        }


def find_chat(call: Call) -> Chat:
    """The chat that `chat_id` names; names with @ name nobody here."""
    if not call.params.has("chat_id"):
        raise refused("chat_id is empty")
    chat = call.world.telegram.chats.get(call.params.integer("chat_id"))
    if chat is None:
        raise refused("chat not found")
    return chat


def find_message(call: Call, what: str) -> Message:
    """The message that `chat_id` and `message_id` name; `what` is the server's word for it."""
    chat = find_chat(call)
    message = chat.messages.get(call.params.integer("message_id"))
    if message is None:
        raise refused(f"{what} not found")
    return message


def find_own_message(call: Call) -> Message:
    """A message that the bot may edit."""
    if not call.params.has("chat_id") and call.params.integer("message_id") == 0:
        raise refused("Message identifier is not specified")
    message = find_message(call, "message to edit")
    if not message.from_bot or message.service:
        raise refused("message can't be edited")
    return message


def find_thread(call: Call, chat: Chat) -> int | None:
    """The topic that `message_thread_id` names; General is none."""
    thread_id = call.params.integer("message_thread_id")
    if thread_id in (0, GENERAL_TOPIC):
        return None
    if thread_id not in chat.topics:
        raise refused("message thread not found")
    return thread_id


def find_reply(call: Call, chat: Chat) -> Message | None:
    """The message that is answered, by `reply_parameters` or by the older two parameters."""
    parameters = call.params.json_object("reply_parameters")
    if call.params.has("reply_parameters"):
        given = parameters or {}
        message_id, may_miss = int(str(given.get("message_id", 0))), given.get("allow_sending_without_reply") is True
    else:
        message_id = leading_integer(call.params.legacy("reply_to_message_id"))
        may_miss = is_true(call.params.legacy("allow_sending_without_reply"))
    if message_id <= 0:
        return None
    found = chat.messages.get(message_id)
    if found is None and not may_miss:
        raise refused("message to be replied not found")
    return found
