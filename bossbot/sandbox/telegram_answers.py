"""A bot's small signs: the answer to a press, "typing", a reaction, the menu of commands.

Sources: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td; D = Telegram's documentation; S = Telegram's own
server, as others saw it.
"""

import re

from bossbot.sandbox.json_types import Json, as_object, encode
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_chat, find_message, find_thread
from bossbot.sandbox.telegram_chat import GENERAL_TOPIC
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_limits import (
    ANSWER_LENGTH,
    COMMAND_DESCRIPTION_LENGTH,
    COMMAND_LENGTH,
    COMMANDS_MAX,
    REACTIONS,
)
from bossbot.sandbox.telegram_state import ACTION_LIFE_S
from bossbot.sandbox.telegram_updates import CALLBACK_LIFE_S

ACTIONS = frozenset(
    {
        "cancel", "typing", "upload_photo", "record_video", "upload_video", "record_audio", "record_voice",
        "upload_audio", "upload_voice", "upload_document", "choose_sticker", "pick_up_location", "find_location",
        "record_video_note", "upload_video_note",
    }
)  # fmt: skip
"""C `get_chat_action`."""
_COMMAND = re.compile(r"[a-z0-9_]+")
_LANGUAGE = re.compile(r"[a-z]{2}")


async def answer_callback_query(call: Call) -> bool:
    """`answerCallbackQuery`: once, within 150 s; the person sees the text, as a notice or an alert."""
    params, now = call.params, call.world.clock.now()
    press = call.world.telegram.presses.get(params.text("callback_query_id"))
    if press is None or press.answer is not None or now - press.pressed_at > CALLBACK_LIFE_S:
        raise refused("query is too old and response timeout expired or query ID is invalid")  # C QUERY_ID_INVALID
    text, url = params.text("text"), params.text("url")
    if len(text) > ANSWER_LENGTH:
        raise refused("MESSAGE_TOO_LONG")  # S
    if url and not _opens_the_bot(url, str(call.bot["username"])):
        raise refused("URL_INVALID")  # S
    press.answer = {
        "user_id": press.user_id,
        "message_id": press.message.message_id,
        "text": text,
        "show_alert": params.flag("show_alert"),
        "t": now,
        "url": url,
        "cache_time": params.integer("cache_time"),
    }
    press.answered.set()
    press.message.chat.answers.append(press.answer)
    call.world.feed.changed("telegram")
    return True


def _opens_the_bot(url: str, username: str) -> bool:
    """An answer may open the bot itself with a parameter; other addresses are for games (D)."""
    host = url.removeprefix("https://").removeprefix("http://").lower()
    return host.startswith((f"t.me/{username}?start=", f"telegram.me/{username}?start="))


async def send_chat_action(call: Call) -> bool:
    action = call.params.text("action").lower()
    if action not in ACTIONS:
        raise refused("Wrong parameter action in request")  # C
    chat = find_chat(call)
    in_general = chat.is_forum and call.params.integer("message_thread_id") == GENERAL_TOPIC
    thread_id = None if in_general else find_thread(call, chat)  # C: unlike sends, it may name General
    check_reachable(chat, thread_id)
    shown: Json = {"action": action, "message_thread_id": thread_id}
    chat.action = None if action == "cancel" else call.world.clock.fleeting(shown, ACTION_LIFE_S)
    call.world.feed.changed("telegram")
    return True


async def set_message_reaction(call: Call) -> bool:
    """`setMessageReaction`: a bot may leave one emoji on a message; an empty list takes it away."""
    reactions = [as_object(item) or {} for item in call.params.json_array("reaction") or []]
    message = find_message(call, "message to react", "read")
    check_reachable(message.chat, message.thread_id)
    present = [reaction for kinds in message.reacted.values() for reaction in kinds]
    for reaction in reactions:
        allowed = reaction.get("type") == "emoji" and str(reaction.get("emoji")).rstrip("\ufe0f") in REACTIONS
        if len(reactions) > 1 or not (allowed or (reaction.get("type") == "custom_emoji" and reaction in present)):
            raise refused("REACTION_INVALID")  # S
    message.reactions = reactions
    call.world.feed.changed("telegram")
    return True


async def set_my_commands(call: Call) -> bool:
    """`setMyCommands`: the menu for a scope and a language."""
    given = [as_object(item) or {} for item in call.params.json_array("commands") or []]
    key = _menu(call)
    commands = [_checked_command(item) for item in given]
    if len(commands) > COMMANDS_MAX:
        raise refused("BOT_COMMANDS_TOO_MUCH")  # S
    if any(_COMMAND.fullmatch(str(item["command"])) is None for item in commands):
        raise refused("BOT_COMMAND_INVALID")  # S
    call.world.telegram.commands[key] = list(commands)
    call.world.feed.changed("telegram")
    return True


async def get_my_commands(call: Call) -> list[object]:
    """`getMyCommands`: what was set for exactly this scope and language."""
    return call.world.telegram.commands.get(_menu(call), [])


async def delete_my_commands(call: Call) -> bool:
    """`deleteMyCommands`: there was no menu is no mistake."""
    call.world.telegram.commands.pop(_menu(call), None)
    call.world.feed.changed("telegram")
    return True


def _menu(call: Call) -> str:
    scope = call.params.json_object("scope") or {"type": "default"}
    if scope["type"] in ("chat", "chat_administrators", "chat_member"):
        _check_scope(call, scope)
    language = call.params.text("language_code")
    if language and _LANGUAGE.fullmatch(language) is None:
        raise refused("Invalid language code specified")  # T validate_bot_language_code
    kept: Json = {name: scope[name] for name in ("type", "chat_id", "user_id") if name in scope}
    if language:
        kept["language_code"] = language
    return encode(kept).decode()


def _check_scope(call: Call, scope: Json) -> None:
    if scope["chat_id"] == "":
        raise refused("Can't parse BotCommandScope: Empty chat_id specified")  # C
    if scope["type"] == "chat_member" and int(str(scope["user_id"])) <= 0:
        raise refused("Can't parse BotCommandScope: Invalid user_id specified")  # C
    if str(scope["chat_id"]) not in map(str, call.world.telegram.chats):
        raise refused("chat not found")  # C


def _checked_command(given: Json) -> Json:
    """T `set_commands`."""
    command, description = str(given["command"]).strip().removeprefix("/"), str(given["description"]).strip()
    if not command:
        raise refused("Command must be non-empty")
    if len(command) > COMMAND_LENGTH:
        raise refused(f"Command length must not exceed {COMMAND_LENGTH}")
    if not description:
        raise refused("Command description must be non-empty")
    if len(description) > COMMAND_DESCRIPTION_LENGTH:
        raise refused(f"Command description length must not exceed {COMMAND_DESCRIPTION_LENGTH}")
    return {"command": command, "description": description}


METHODS = {
    "answerCallbackQuery": answer_callback_query,
    "sendChatAction": send_chat_action,
    "setMessageReaction": set_message_reaction,
    "setMyCommands": set_my_commands,
    "getMyCommands": get_my_commands,
    "deleteMyCommands": delete_my_commands,
}
