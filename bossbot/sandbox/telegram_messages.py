"""Sending, editing and deleting: the Bot API methods that change a chat's messages.

Sources: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td, MessagesManager.cpp.
"""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_call import Call, find_chat, find_own_message
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_errors import NOT_MODIFIED, refused
from bossbot.sandbox.telegram_keyboards import check_on_server, kept_markup
from bossbot.sandbox.telegram_limits import MESSAGE_IDS_MAX
from bossbot.sandbox.telegram_markup import read_markup
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_nested import INT32, whole
from bossbot.sandbox.telegram_options import read_caption, read_options
from bossbot.sandbox.telegram_params import is_true
from bossbot.sandbox.telegram_posting import edited, named, new_message, posted
from bossbot.sandbox.telegram_rich import finished_rich, read_rich
from bossbot.sandbox.telegram_text import Formatted, as_caption, as_message, parsed

DELETE_WITHIN_S = 48 * 3600
LASTING = frozenset({"forum_topic_created", "migrate_from_chat_id"})
"""Service messages of a supergroup that nobody can delete."""


async def send_message(call: Call) -> Json:
    """`sendMessage`: the text is parsed before the chat is looked for, and measured after."""
    preview, content = _read_text(call)
    options = read_options(call)
    message = new_message(call, find_chat(call), options)
    message.text, message.entities = named(call, as_message(content))
    message.extras.update(preview)
    return posted(call, message)


async def send_rich_message(call: Call) -> Json:
    """`sendRichMessage`: blocks, Markdown or HTML, to 32,768 characters and 500 blocks."""
    rich = read_rich(call)
    options = read_options(call)
    message = new_message(call, find_chat(call), options)
    message.rich = finished_rich(call, rich)
    return posted(call, message)


async def edit_message_text(call: Call) -> Json:
    """`editMessageText`: a text or a rich message takes the place of the old one, and its keyboard likewise."""
    rich = read_rich(call) if "rich_message" in call.params.values else None
    preview, content = ({}, Formatted("", [])) if rich is not None else _read_text(call)
    given = read_markup(call.params)
    message = find_own_message(call)
    if message.media or (message.text is None and message.rich is None):
        raise refused("There is no text in the message to edit")  # T
    markup = kept_markup(given, message.chat, inline_only=True)
    finished = None if rich is None else finished_rich(call, rich)
    text, entities = named(call, as_message(content)) if finished is None else (None, [])
    new = (text, entities, finished, preview.get("link_preview_options"))
    if (_content(message), message.reply_markup) == (new, markup):
        raise refused(NOT_MODIFIED)
    check_on_server(markup)
    if message.rich is not None:
        message.past_rich.append(message.rich)
    message.text, message.entities, message.rich = text, entities, finished
    message.extras.pop("link_preview_options", None)
    message.extras.update(preview)
    return edited(call, message, markup)


async def edit_message_caption(call: Call) -> Json:
    """`editMessageCaption`: the text below a file; none takes it away."""
    given, content = read_markup(call.params), read_caption(call)
    message = find_own_message(call)
    if not message.media:
        raise refused("There is no caption in the message to edit")  # T
    markup = kept_markup(given, message.chat, inline_only=True)
    caption = named(call, as_caption(content))
    if (message.text or "", message.entities, message.reply_markup) == (*caption, markup):
        raise refused(NOT_MODIFIED)
    check_on_server(markup)
    message.text, message.entities = caption
    return edited(call, message, markup)


async def edit_message_reply_markup(call: Call) -> Json:
    """`editMessageReplyMarkup`: another keyboard, or none."""
    given = read_markup(call.params)
    message = find_own_message(call)
    markup = kept_markup(given, message.chat, inline_only=True)
    if message.reply_markup == markup:
        raise refused(NOT_MODIFIED)
    check_on_server(markup)
    return edited(call, message, markup)


async def delete_message(call: Call) -> bool:
    """`deleteMessage`: within 48 hours; as an administrator of a group also what others have written."""
    message_id = call.params.integer("message_id")
    if not call.params.has("chat_id"):
        raise refused("Chat identifier is not specified")  # C
    if message_id == 0:
        raise refused("Message identifier is not specified")  # C
    chat = find_chat(call)
    if message_id not in chat.messages:
        raise refused("message to delete not found")  # C
    return _deleted(call, chat, [message_id])


async def delete_messages(call: Call) -> bool:
    """`deleteMessages`: up to 100; those that are not there are passed over."""
    message_ids = read_message_ids(call)
    chat = find_chat(call)
    return _deleted(
        call, chat, [message_id for message_id in dict.fromkeys(message_ids) if message_id in chat.messages]
    )


def _deleted(call: Call, chat: Chat, message_ids: list[int]) -> bool:
    """Deleting is no writing (T `delete_messages`): it works in closed topics, and where the bot is blocked."""
    for message_id in message_ids:
        _check_deletable(chat, chat.messages[message_id], call.world.clock.now() - DELETE_WITHIN_S)
    for message_id in message_ids:
        del chat.messages[message_id]
        chat.deleted.append(message_id)
    call.world.feed.changed("telegram")
    return True


def _check_deletable(chat: Chat, message: Message, oldest: float) -> None:
    """T `can_delete_channel_message`, and `can_revoke_message` for private chats and small groups."""
    may_delete_others = chat.is_private or chat.bot_status == "administrator"
    is_own = message.from_bot and not message.service
    if chat.type == "supergroup":
        if message.date <= oldest or LASTING & message.service.keys() or not (may_delete_others or is_own):
            raise refused("Message can't be deleted")
    elif message.date < oldest or not (may_delete_others or is_own):
        raise refused("Message can't be deleted for everyone")


def read_message_ids(call: Call) -> list[int]:
    """C `get_message_ids`."""
    if not call.params.has("message_ids"):
        raise refused("Message identifiers are not specified")
    given = call.params.json_array("message_ids") or []
    if len(given) > MESSAGE_IDS_MAX:
        raise refused("Too many message identifiers specified")
    found = []
    for item in given:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise refused("Message identifier must be a Number")
        message_id = whole(item, INT32)
        if message_id is None:
            raise refused("Can't parse message identifier as a Number")
        if message_id <= 0:
            raise refused("Invalid message identifier specified")
        found.append(message_id)
    if not found:
        raise refused("Message identifiers are not specified")
    return found


def _read_text(call: Call) -> tuple[Json, Formatted]:
    """What becomes of links, and the text: the server reads them in this order (C `get_input_message_text`)."""
    preview = call.params.json_object("link_preview_options")
    if preview is None and is_true(call.params.legacy("disable_web_page_preview")):
        preview = {"is_disabled": True}
    text = call.params.text("text")
    if not text:
        raise refused("Message text is empty")  # C
    content = parsed(text, call.params.text("parse_mode"), call.params.lenient_json("entities"))
    kept = {name: value for name, value in (preview or {}).items() if value not in (False, "")}
    return {"link_preview_options": kept} if kept else {}, content


def _content(message: Message) -> tuple[object, ...]:
    """What an edit compares."""
    return message.text, message.entities, message.rich, message.extras.get("link_preview_options")


METHODS = {
    "sendMessage": send_message,
    "sendRichMessage": send_rich_message,
    "editMessageText": edit_message_text,
    "editMessageCaption": edit_message_caption,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
    "deleteMessages": delete_messages,
}
