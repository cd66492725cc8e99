"""The Bot API methods that are not about messages: the bot itself, presses, reactions, commands."""

from bossbot.sandbox.json_types import Json, as_object, encode
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_chat, find_message, find_thread
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_state import ACTION_LIFE_S
from bossbot.sandbox.telegram_updates import CALLBACK_LIFE_S

ANSWER_LENGTH = 200
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
        "can_read_all_group_messages": not call.world.switches.privacy_mode,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": True,
        "allows_users_to_create_topics": False,
    }


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
    thread_id = find_thread(call, chat)
    check_reachable(chat, thread_id)
    shown: Json = {"action": action, "message_thread_id": thread_id}
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
    message = find_message(call, "message to react", "read")
    if len(reactions) > 1 or any(item.get("type") not in ("emoji", "custom_emoji") for item in reactions):
        raise refused("REACTION_INVALID")
    message.reactions = reactions
    call.world.feed.changed("telegram")
    return True


METHODS = {
    "getMe": get_me,
    "answerCallbackQuery": answer_callback_query,
    "sendChatAction": send_chat_action,
    "setMyCommands": set_my_commands,
    "setMessageReaction": set_message_reaction,
}
