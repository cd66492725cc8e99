"""Sending, editing and deleting: the Bot API methods that change a chat's messages."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_chat, find_own_message, find_thread
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_markup import checked_markup
from bossbot.sandbox.telegram_posting import edited, new_message, posted
from bossbot.sandbox.telegram_state import DRAFT_LIFE_S
from bossbot.sandbox.telegram_text import Formatted, as_message, parsed

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)
DELETE_WITHIN_S = 48 * 3600


async def send_message(call: Call) -> Json:
    """`sendMessage`: the text is parsed before the chat is looked for, and measured after."""
    content = _parsed_text(call)
    markup = checked_markup(call.params.json("reply_markup"))
    message = new_message(call, find_chat(call))
    message.text, message.entities = as_message(content)
    message.reply_markup = markup
    return posted(call, message)


async def send_message_draft(call: Call) -> bool:
    """`sendMessageDraft`: a preview of 30 s, in private chats only; an empty text means "thinking"."""
    draft_id = call.params.integer("draft_id")
    if draft_id == 0:
        raise refused("Invalid draft_id specified")
    parsed_text = _parsed_text(call) if call.params.has("text") else None
    chat = find_chat(call)
    if not chat.is_private:
        raise refused("TEXTDRAFT_PEER_INVALID")
    thread_id = find_thread(call, chat)
    content = Formatted("", []) if parsed_text is None else as_message(parsed_text)
    check_reachable(chat, thread_id)
    draft: Json = {
        "draft_id": draft_id,
        "message_thread_id": thread_id,
        "text": content.text,
        "entities": content.entities,
        "can_stop": call.params.flag("can_stop"),
    }
    chat.drafts[draft_id, thread_id] = call.world.clock.fleeting(draft, DRAFT_LIFE_S)
    call.world.feed.changed("telegram")
    return True


async def edit_message_text(call: Call) -> Json:
    """`editMessageText`: the bot's own text messages; leaving reply_markup out takes the keyboard away."""
    parsed_text = _parsed_text(call)
    markup = checked_markup(call.params.json("reply_markup"))
    message = find_own_message(call)
    if message.media or message.text is None:
        raise refused("There is no text in the message to edit")
    _require_inline(markup)
    content = as_message(parsed_text)
    if (message.text, message.entities, message.reply_markup) == (content.text, content.entities, markup):
        raise refused(NOT_MODIFIED)
    message.text, message.entities = content
    return edited(call, message, markup)


async def edit_message_reply_markup(call: Call) -> Json:
    """`editMessageReplyMarkup`: another keyboard, or none."""
    markup = checked_markup(call.params.json("reply_markup"))
    message = find_own_message(call)
    _require_inline(markup)
    if message.reply_markup == markup:
        raise refused(NOT_MODIFIED)
    return edited(call, message, markup)


async def delete_message(call: Call) -> bool:
    """`deleteMessage`: within 48 hours in private chats; in the group the bot may delete any, for ever."""
    message_id = call.params.integer("message_id")
    if not call.params.has("chat_id"):
        raise refused("Chat identifier is not specified")
    if message_id == 0:
        raise refused("Message identifier is not specified")
    chat = find_chat(call)
    message = chat.messages.get(message_id)
    if message is None:
        raise refused("message to delete not found")
    if chat.is_private and call.world.clock.now() - message.date > DELETE_WITHIN_S:
        raise refused("Message can't be deleted for everyone")
    del chat.messages[message_id]
    chat.deleted.append(message_id)
    call.world.feed.changed("telegram")
    return True


def _parsed_text(call: Call) -> Formatted:
    text = call.params.text("text")
    if not text:
        raise refused("Message text is empty")
    return parsed(text, call.params.text("parse_mode"), call.params.lenient_json("entities"))


def _require_inline(markup: Json | None) -> None:
    if markup is not None and "inline_keyboard" not in markup:
        raise refused("Inline keyboard expected")


METHODS = {
    "sendMessage": send_message,
    "sendMessageDraft": send_message_draft,
    "editMessageText": edit_message_text,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
}
