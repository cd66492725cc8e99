"""The Bot API methods that are not about messages: the bot itself, its updates, presses, topics, files."""

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.telegram_call import GENERAL_TOPIC, Call, find_chat, find_message
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_state import ACTION_LIFE_S, Message
from bossbot.sandbox.telegram_updates import CALLBACK_LIFE_S

ANSWER_LENGTH = 200
TOPIC_NAME_LENGTH = 128
DOWNLOAD_BYTES = 20 * 1024 * 1024
COMMANDS_MAX = 100
ACTIONS = frozenset(
    {
        "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
        "upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note",
    }
)  # fmt: skip


async def get_me(call: Call) -> Json:
    return {
        **call.bot,
        "can_join_groups": True,
        "can_read_all_group_messages": True,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": True,
        "allows_users_to_create_topics": False,
    }


async def get_updates(call: Call) -> list[Json]:
    """`getUpdates`: asking with an offset confirms everything before it."""
    queue = call.world.telegram.queue
    wanted = as_list(call.params.lenient_json("allowed_updates"))
    if wanted is not None:
        queue.allowed = frozenset(str(kind) for kind in wanted) or None
    offset = call.params.integer("offset")
    limit = call.params.integer("limit")
    return await queue.poll(offset, limit, call.params.integer("timeout"))


async def delete_webhook(call: Call) -> bool:
    if call.params.flag("drop_pending_updates"):
        call.world.telegram.queue.drop_all()
    return True


async def get_webhook_info(call: Call) -> Json:
    queue = call.world.telegram.queue
    info: Json = {"url": "", "has_custom_certificate": False, "pending_update_count": len(queue)}
    if queue.allowed is not None:
        info["allowed_updates"] = sorted(queue.allowed)
    return info


async def answer_callback_query(call: Call) -> bool:
    """`answerCallbackQuery`: once, within 150 s; the person sees the text, as a notice or an alert."""
    text = call.params.text("text")
    if len(text) > ANSWER_LENGTH:
        raise refused("MESSAGE_TOO_LONG")
    press = call.world.telegram.presses.get(call.params.text("callback_query_id"))
    now = call.world.clock.now()
    if press is None or press.answer is not None or now - press.pressed_at > CALLBACK_LIFE_S:
        raise refused("query is too old and response timeout expired or query ID is invalid")
    press.answer = {
        "user_id": press.user_id,
        "message_id": press.message.message_id,
        "text": text,
        "show_alert": call.params.flag("show_alert"),
        "t": now,
    }
    press.answered.set()
    press.message.chat.answers.append(press.answer)
    call.world.feed.changed("telegram")
    return True


async def send_chat_action(call: Call) -> bool:
    action = call.params.text("action")
    if action not in ACTIONS:
        raise refused("Wrong parameter action in request")
    chat = find_chat(call)
    shown: Json = {"action": action, "message_thread_id": call.params.integer("message_thread_id") or None}
    chat.action = call.world.clock.fleeting(shown, ACTION_LIFE_S)
    call.world.feed.changed("telegram")
    return True


async def set_my_commands(call: Call) -> bool:
    commands = call.params.json_array("commands") or []
    if len(commands) > COMMANDS_MAX:
        raise refused("BOT_COMMANDS_TOO_MUCH")
    for item in commands:
        command = as_object(item) or {}
        name, description = str(command.get("command", "")), str(command.get("description", ""))
        if not 1 <= len(name) <= 32 or not name.replace("_", "").isalnum() or name != name.lower():
            raise refused("BOT_COMMAND_INVALID")
        if not 1 <= len(description) <= 256:
            raise refused("BOT_COMMAND_DESCRIPTION_INVALID")
    scope = call.params.json_object("scope") or {"type": "default"}
    call.world.telegram.commands[encode(scope).decode()] = commands
    call.world.feed.changed("telegram")
    return True


async def set_message_reaction(call: Call) -> bool:
    """`setMessageReaction`: a bot may leave one emoji on a message; an empty list takes it away."""
    wanted = call.params.json_array("reaction") or []
    reactions = [as_object(item) or {} for item in wanted]
    message = find_message(call, "message to react")
    if len(reactions) > 1 or any(item.get("type") not in ("emoji", "custom_emoji") for item in reactions):
        raise refused("REACTION_INVALID")
    message.reactions = reactions
    call.world.feed.changed("telegram")
    return True


async def create_forum_topic(call: Call) -> Json:
    """`createForumTopic`: its id is the id of the service message that announces it."""
    name = call.params.text("name").strip()
    if not 1 <= len(name) <= TOPIC_NAME_LENGTH:
        raise refused("TOPIC_TITLE_EMPTY" if not name else "TOPIC_TITLE_TOO_LONG")
    chat = find_chat(call)
    colour = call.params.integer("icon_color") or 7322096
    topic: Json = {"name": name, "icon_color": colour}
    thread_id = max(chat.take_message_id(), GENERAL_TOPIC + 1)
    chat.next_message_id = thread_id + 1
    date = int(call.world.clock.now())
    message = Message(thread_id, chat, call.bot, date, thread_id=thread_id, service={"forum_topic_created": topic})
    chat.messages[thread_id] = message
    chat.topics[thread_id] = name
    call.world.feed.changed("telegram")
    return {"message_thread_id": thread_id, **topic}


async def get_file(call: Call) -> Json:
    known = call.world.telegram.files.get(call.params.text("file_id"))
    if known is None:
        raise refused("wrong file_id or the file is temporarily unavailable")
    document, data = known
    if len(data) > DOWNLOAD_BYTES:
        raise refused("file is too big")
    names = ("file_id", "file_unique_id", "file_size")
    return {**{name: document[name] for name in names}, "file_path": f"documents/{document['file_id']}"}


METHODS = {
    "getMe": get_me,
    "getUpdates": get_updates,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
    "answerCallbackQuery": answer_callback_query,
    "sendChatAction": send_chat_action,
    "setMyCommands": set_my_commands,
    "setMessageReaction": set_message_reaction,
    "createForumTopic": create_forum_topic,
    "getFile": get_file,
}
