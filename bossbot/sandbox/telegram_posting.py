"""Putting a bot's message into its chat, and changing it there: the last steps of every send and edit."""

from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_thread
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_drafts import end_drafts
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_keyboards import check_on_server, kept_markup
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_options import SendOptions, answered, quoted
from bossbot.sandbox.telegram_text import Formatted


def new_message(call: Call, chat: Chat, options: SendOptions) -> Message:
    """The message that a send is about to become: in its topic, answering what it answers, with its keyboard."""
    thread_id = find_thread(call, chat)
    reply_to = answered(chat, options.reply)
    if thread_id is None and reply_to is not None:
        thread_id = reply_to.thread_id
    message = Message(0, chat, call.bot, int(call.world.clock.now()), thread_id=thread_id, reply_to=reply_to)
    message.reply_markup = kept_markup(options.markup, chat)
    if options.is_protected:
        message.extras["has_protected_content"] = True
    if options.effect_id:
        if not chat.is_private:
            raise refused("Can't use message effects in the chat")  # T get_message_send_options
        message.extras["effect_id"] = str(options.effect_id)
    quote = None if reply_to is None else quoted(reply_to, options.reply)
    if quote is not None:
        message.extras["quote"] = quote
    return message


def named(call: Call, content: Formatted) -> Formatted:
    """With the people whom it mentions by their ids; of those whom nobody knows no mention remains (D, HTML style)."""
    if not any(entity["type"] == "text_mention" for entity in content.entities):
        return content
    told = [{**entity, "user": _user(call, entity)} if "user" in entity else entity for entity in content.entities]
    return Formatted(content.text, [entity for entity in told if entity.get("user", True)])


def _user(call: Call, entity: Json) -> Json | None:
    user_id = int(str((as_object(entity["user"]) or {})["id"]))
    person = call.world.telegram.person(user_id)
    if person is not None:
        return person.wire()
    return call.bot if user_id == call.bot_id else None


def posted(call: Call, message: Message) -> Json:
    """Post it: typing and drafts end. Refused for what Telegram's own server checks last."""
    chat = message.chat
    check_reachable(chat, message.thread_id)
    check_on_server(message.reply_markup)
    message.message_id = chat.take_message_id()
    chat.messages[message.message_id] = message
    chat.action = None
    end_drafts(chat, message.thread_id)
    call.world.feed.changed("telegram")
    return message.wire()


def edited(call: Call, message: Message, markup: Json | None) -> Json:
    """The message has changed; this keyboard is the one that it has now."""
    if message.reply_markup is not None:
        message.past_markups.append(message.reply_markup)
    message.reply_markup = markup
    message.edit_date = int(call.world.clock.now())
    message.edits += 1
    call.world.feed.changed("telegram")
    return message.wire()
