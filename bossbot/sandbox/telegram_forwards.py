"""Forwarding and copying: a message once more, in another chat or in the same.

Sources: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td, MessagesManager.cpp (`forward_messages`).
"""

import itertools

from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.telegram_call import Call, find_chat
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_messages import read_message_ids
from bossbot.sandbox.telegram_options import SendOptions, read_caption, read_options
from bossbot.sandbox.telegram_posting import named, new_message, posted
from bossbot.sandbox.telegram_text import as_caption


async def forward_message(call: Call) -> Json:
    """`forwardMessage`: with a word on who wrote it first."""
    original = _original(call, "message to forward")
    options = read_options(call)
    chat = find_chat(call)
    if not _may_forward(original):
        raise refused("The message can't be forwarded")  # T forward_message
    return posted(call, _forwarded(call, chat, options, original))


async def copy_message(call: Call) -> Json:
    """`copyMessage`: as if the bot had written it; a file may get another caption."""
    original = _original(call, "message to copy")
    caption = read_caption(call) if "caption" in call.params.values else None
    options = read_options(call)
    chat = find_chat(call)
    if original.service:
        raise refused("The message can't be copied")  # T forward_message
    message = _copied(call, chat, options, original)
    if caption is not None and original.media:
        message.text, message.entities = named(call, as_caption(caption))
    return {"message_id": posted(call, message)["message_id"]}


async def forward_messages(call: Call) -> list[Json]:
    """`forwardMessages`: up to 100; those that are not there, or may not go, are passed over."""
    chat, found = _originals(call)
    options = read_options(call)
    return _all_posted(
        call, [_forwarded(call, chat, options, original) for original in found if _may_forward(original)]
    )


async def copy_messages(call: Call) -> list[Json]:
    """`copyMessages`: likewise; with `remove_caption` files come without their texts."""
    chat, found = _originals(call)
    options = read_options(call)
    copies = [_copied(call, chat, options, original) for original in found if not original.service]
    for message in copies if call.params.flag("remove_caption") else ():
        if message.media:
            message.text, message.entities = "", []
    return _all_posted(call, copies)


def _original(call: Call, what: str) -> Message:
    source = _source(call)
    message = source.messages.get(call.params.integer("message_id"))
    if message is None:
        raise refused(f"{what} not found")  # C check_message
    return message


def _originals(call: Call) -> tuple[Chat, list[Message]]:
    """Where they go, and those that are there."""
    call.params.needed("from_chat_id")
    message_ids = read_message_ids(call)
    chat, source = find_chat(call), _source(call)
    if any(later <= earlier for earlier, later in itertools.pairwise(message_ids)):
        raise refused("Message identifiers must be in a strictly increasing order")  # T forward_messages
    return chat, [source.messages[message_id] for message_id in message_ids if message_id in source.messages]


def _source(call: Call) -> Chat:
    call.params.needed("from_chat_id")
    return find_chat(call, "read", "from_chat_id")


def _may_forward(original: Message) -> bool:
    """Copying does not ask for the protection that a bot has given to its own message (T `can_forward_message`)."""
    return not original.service and original.extras.get("has_protected_content") is not True


def _copied(call: Call, chat: Chat, options: SendOptions, original: Message) -> Message:
    message = new_message(call, chat, options)
    message.text, message.entities, message.rich = original.text, original.entities, original.rich
    message.media = {name: part for name, part in original.media.items() if name != "media_group_id"}
    if "link_preview_options" in original.extras:
        message.extras["link_preview_options"] = original.extras["link_preview_options"]
    return message


def _forwarded(call: Call, chat: Chat, options: SendOptions, original: Message) -> Message:
    message = _copied(call, chat, options, original)
    origin: Json = {"type": "user", "date": original.date, "sender_user": original.sender}
    origin = as_object(original.extras.get("forward_origin")) or origin
    # The older names are still sent along (C JsonMessage).
    message.extras.update(forward_origin=origin, forward_from=origin["sender_user"], forward_date=origin["date"])
    return message


def _all_posted(call: Call, messages: list[Message]) -> list[Json]:
    if not messages:
        raise refused("Messages can't be forwarded")  # C TdOnForwardMessagesCallback
    return [{"message_id": posted(call, message)["message_id"]} for message in messages]


METHODS = {
    "forwardMessage": forward_message,
    "forwardMessages": forward_messages,
    "copyMessage": copy_message,
    "copyMessages": copy_messages,
}
