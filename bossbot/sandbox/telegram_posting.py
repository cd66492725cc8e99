"""Putting a bot's message into its chat, and changing it there: the last steps of every send and edit."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_reply, find_thread
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_message import Message


def new_message(call: Call, chat: Chat) -> Message:
    """The message that a send is about to become: in its topic, answering what it answers."""
    thread_id = find_thread(call, chat)
    reply_to = find_reply(call, chat)
    if thread_id is None and reply_to is not None:
        thread_id = reply_to.thread_id
    date = int(call.world.clock.now())
    return Message(0, chat, call.bot, date, thread_id=thread_id, reply_to=reply_to)


def posted(call: Call, message: Message) -> Json:
    """Post it: typing and drafts end. Refused when its people cannot be reached."""
    chat = message.chat
    check_reachable(chat, message.thread_id)
    message.message_id = chat.take_message_id()
    chat.messages[message.message_id] = message
    chat.action = None
    chat.drafts.clear()
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
