"""Sending, editing and deleting: the Bot API methods that change a chat's messages."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_call import Call, find_chat, find_own_message, find_reply, find_thread
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_markup import checked_markup
from bossbot.sandbox.telegram_state import DRAFT_LIFE_S, Chat, Message
from bossbot.sandbox.telegram_text import Formatted, as_caption, as_message, parsed

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)
DELETE_WITHIN_S = 48 * 3600


async def send_message(call: Call) -> Json:
    """`sendMessage`: the text is parsed before the chat is looked for, and measured after."""
    content = _parsed_text(call)
    markup = checked_markup(call.params.json("reply_markup"))
    message = _new_message(call, find_chat(call))
    message.text, message.entities = as_message(content)
    message.reply_markup = markup
    return _sent(call, message)


async def send_document(call: Call) -> Json:
    """`sendDocument` with an uploaded file or the file_id of an earlier one; addresses are not fetched."""
    caption = parsed(
        call.params.text("caption"),
        call.params.text("parse_mode"),
        call.params.lenient_json("caption_entities"),
    )
    markup = checked_markup(call.params.json("reply_markup"))
    document = _document(call)
    message = _new_message(call, find_chat(call))
    message.text, message.entities = as_caption(caption)
    message.reply_markup, message.document = markup, document
    return _sent(call, message)


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
    if message.document is not None or message.text is None:
        raise refused("There is no text in the message to edit")
    _require_inline(markup)
    content = as_message(parsed_text)
    if (message.text, message.entities, message.reply_markup) == (content.text, content.entities, markup):
        raise refused(NOT_MODIFIED)
    message.text, message.entities = content
    return _edited(call, message, markup)


async def edit_message_reply_markup(call: Call) -> Json:
    """`editMessageReplyMarkup`: another keyboard, or none."""
    markup = checked_markup(call.params.json("reply_markup"))
    message = find_own_message(call)
    _require_inline(markup)
    if message.reply_markup == markup:
        raise refused(NOT_MODIFIED)
    return _edited(call, message, markup)


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


def _new_message(call: Call, chat: Chat) -> Message:
    thread_id = find_thread(call, chat)
    reply_to = find_reply(call, chat)
    if thread_id is None and reply_to is not None:
        thread_id = reply_to.thread_id
    date = int(call.world.clock.now())
    return Message(0, chat, call.bot, date, thread_id=thread_id, reply_to=reply_to)


def _document(call: Call) -> Json:
    given = call.params.text("document")
    upload = call.params.files.get(given.removeprefix("attach://") if given else "document")
    if upload is not None:
        if not upload.data:
            raise refused("file must be non-empty")
        return call.world.telegram.add_file(upload.name, upload.content_type, upload.data)
    if not given:
        raise refused("There is no document in the request")
    known = call.world.telegram.files.get(given)
    if known is None:
        raise refused("wrong file identifier/HTTP URL specified")
    return known[0]


def _sent(call: Call, message: Message) -> Json:
    message.message_id = message.chat.take_message_id()
    message.chat.messages[message.message_id] = message
    message.chat.action = None
    message.chat.drafts.clear()
    call.world.feed.changed("telegram")
    return message.wire()


def _edited(call: Call, message: Message, markup: Json | None) -> Json:
    if message.reply_markup is not None:
        message.past_markups.append(message.reply_markup)
    message.reply_markup = markup
    message.edit_date = int(call.world.clock.now())
    message.edits += 1
    call.world.feed.changed("telegram")
    return message.wire()


METHODS = {
    "sendMessage": send_message,
    "sendDocument": send_document,
    "sendMessageDraft": send_message_draft,
    "editMessageText": edit_message_text,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
}
