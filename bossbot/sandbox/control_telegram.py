"""People on Telegram, played by a script: saying something, pressing a button."""

import asyncio
import contextlib
from typing import TypeVar

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.labels import match_label
from bossbot.sandbox.telegram_publish import publish
from bossbot.sandbox.telegram_state import Chat, Message, Press, buttons
from bossbot.sandbox.telegram_text import TEXT_LENGTH, cleaned, found_entities
from bossbot.sandbox.telegram_updates import CALLBACK_LIFE_S, MESSAGE_LIFE_S
from bossbot.sandbox.world import WORLD, World

WAIT_MAX_S = 60.0
Found = TypeVar("Found")


class SayBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    text: str
    thread_id: int | None = None
    reply_to: int | None = None


class PressBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    message_id: int
    user_id: int
    label: str | None = None
    data: str | None = None
    wait_s: float = 0.0
    stale: bool = False


def routes() -> list[web.RouteDef]:
    return [web.post("/sandbox/telegram/say", say), web.post("/sandbox/telegram/press", press)]


async def say(request: web.Request) -> web.Response:
    """A person writes; anybody may write anywhere, so that tests can see the bot check people."""
    world = request.app[WORLD]
    body = await read_body(request, SayBody)
    chat, sender = _chat(world, body.chat_id), _person(world, body.user_id)
    text = cleaned(body.text).strip(" \n")
    if not text or len(text) > TEXT_LENGTH:
        raise ControlError(400, f"text must have 1 to {TEXT_LENGTH} characters")
    if body.thread_id is not None and body.thread_id not in chat.topics:
        raise ControlError(404, f"chat {chat.id} has no topic {body.thread_id}")
    reply_to = None if body.reply_to is None else _message(chat, body.reply_to)
    entities = found_entities(text)
    message = Message(
        chat.take_message_id(), chat, sender, int(world.clock.now()), text, entities,
        thread_id=body.thread_id, reply_to=reply_to,
    )  # fmt: skip
    chat.messages[message.message_id] = message
    update_id = publish(world, "message", message.wire(), MESSAGE_LIFE_S)
    world.feed.changed("telegram")
    return answer({"ok": True, "message_id": message.message_id, "update_id": update_id})


async def press(request: web.Request) -> web.Response:
    """A person presses; `answer` is what they then see, null when the bot has not answered yet."""
    world = request.app[WORLD]
    body = await read_body(request, PressBody)
    chat, presser = _chat(world, body.chat_id), _person(world, body.user_id)
    message = _message(chat, body.message_id)
    data = _data(_button(message, body))
    pressed = world.telegram.add_press(body.user_id, message)
    query: Json = {
        "id": pressed.query_id,
        "from": presser,
        "message": message.wire(),
        "chat_instance": str(7_000_000_000_000_000_000 + chat.id),
        "data": data,
    }
    publish(world, "callback_query", query, CALLBACK_LIFE_S)
    world.feed.changed("telegram")
    await _wait_for_answer(pressed, body.wait_s)
    return answer({"ok": True, "callback_query_id": pressed.query_id, "answer": _shown(pressed)})


def _button(message: Message, body: PressBody) -> Json:
    markups = [message.reply_markup, *reversed(message.past_markups)] if body.stale else [message.reply_markup]
    found = [button for markup in markups for button in buttons(markup)]
    if (body.label is None) == (body.data is None):
        raise ControlError(400, "give either label or data")
    where = f"message {message.message_id}"
    if body.label is not None:
        return match_label(body.label, [(str(button.get("text")), button) for button in found], where, first=body.stale)
    named = [button for button in found if button.get("callback_data") == body.data]
    if not named:
        raise ControlError(404, f"{where} has no button with data {body.data!r}")
    return named[0]


def _data(button: Json) -> str:
    label = button.get("text")
    if button.get("disabled") is not None:
        raise ControlError(400, f"the button {label!r} is disabled")
    data = button.get("callback_data")
    if not isinstance(data, str):
        raise ControlError(400, f"the button {label!r} has no callback_data: pressing it tells the bot nothing")
    return data


async def _wait_for_answer(pressed: Press, wait_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(min(wait_s, WAIT_MAX_S)):
            await pressed.answered.wait()


def _shown(pressed: Press) -> Json | None:
    if pressed.answer is None:
        return None
    return {"text": pressed.answer["text"], "show_alert": pressed.answer["show_alert"]}


def _chat(world: World, chat_id: int) -> Chat:
    return _known(world.telegram.chats.get(chat_id), f"there is no chat {chat_id}; there are", world.telegram.chats)


def _person(world: World, user_id: int) -> Json:
    person = world.telegram.person(user_id)
    if person is None:
        raise ControlError(404, f"there is no user {user_id}; GET /sandbox/state lists them")
    return person.wire()


def _message(chat: Chat, message_id: int) -> Message:
    message = chat.messages.get(message_id)
    if message is None:
        raise ControlError(404, f"chat {chat.id} has no message {message_id}")
    return message


def _known(found: Found | None, message: str, names: object) -> Found:
    if found is None:
        raise ControlError(404, f"{message} {', '.join(map(str, names)) if isinstance(names, dict) else ''}")
    return found
