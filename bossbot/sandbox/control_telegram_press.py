"""People on Telegram press: a button, or the Stop of an answer that is still being written."""

import asyncio
import contextlib

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_lookups import the_chat, the_message, the_person
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.labels import match_label
from bossbot.sandbox.telegram_chat import Press
from bossbot.sandbox.telegram_drafts import stop_draft
from bossbot.sandbox.telegram_message import Message, buttons
from bossbot.sandbox.telegram_publish import publish
from bossbot.sandbox.telegram_rich_buttons import buttons_of, plain
from bossbot.sandbox.telegram_updates import CALLBACK_LIFE_S
from bossbot.sandbox.world import WORLD

WAIT_MAX_S = 60.0


class PressBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    message_id: int
    user_id: int
    label: str | None = None
    data: str | None = None
    wait_s: float = 0.0
    stale: bool = False


class StopBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    draft_id: int
    thread_id: int | None = None


def routes() -> list[web.RouteDef]:
    return [web.post("/sandbox/telegram/press", press), web.post("/sandbox/telegram/stop", stop)]


async def stop(request: web.Request) -> web.Response:
    """A person presses Stop below a draft; the bot gets `stopped_message_generation`."""
    world = request.app[WORLD]
    body = await read_body(request, StopBody)
    chat = the_chat(world, body.chat_id)
    the_person(world, body.user_id)
    if not stop_draft(world, chat, body.draft_id, body.thread_id):
        now = world.clock.now()
        there = [str(draft_id) for (draft_id, _), draft in chat.drafts.items() if draft.ends_at > now]
        raise ControlError(
            404, f"chat {chat.id} shows no draft {body.draft_id} with a Stop; its drafts: {', '.join(there) or 'none'}"
        )
    return answer({"ok": True})


async def press(request: web.Request) -> web.Response:
    """A person presses; `answer` is what they then see, null when the bot has not answered yet."""
    world = request.app[WORLD]
    body = await read_body(request, PressBody)
    chat, presser = the_chat(world, body.chat_id), the_person(world, body.user_id).wire()
    message = the_message(chat, body.message_id)
    data = _data(_button(message, body))
    pressed = world.telegram.add_press(body.user_id, message)
    query: Json = {
        "id": pressed.query_id,
        "from": presser,
        "message": message.wire(),
        "chat_instance": str(7_000_000_000_000_000_000 + chat.id),
        "data": data,
    }
    if chat.has_bot:
        publish(world, "callback_query", query, CALLBACK_LIFE_S)
    world.feed.changed("telegram")
    await _wait_for_answer(pressed, body.wait_s)
    return answer({"ok": True, "callback_query_id": pressed.query_id, "answer": _shown(pressed)})


def _button(message: Message, body: PressBody) -> Json:
    found = [(plain(button.get("text")), button) for button in _pressable(message, body.stale)]
    if (body.label is None) == (body.data is None):
        raise ControlError(400, "give either label or data")
    where = f"message {message.message_id}"
    if body.label is not None:
        return match_label(body.label, found, where, first=body.stale)
    named = [button for _, button in found if button.get("callback_data") == body.data]
    if not named:
        raise ControlError(404, f"{where} has no button with data {body.data!r}")
    return named[0]


def _pressable(message: Message, stale: bool) -> list[Json]:
    """The buttons of the keyboard and those inside a rich message; with `stale` also those that edits took away."""
    markups = [message.reply_markup, *(reversed(message.past_markups) if stale else ())]
    rich = [message.rich, *(reversed(message.past_rich) if stale else ())]
    inside = [button for one in rich if one is not None for button in buttons_of(one.blocks)]
    return [*(button for markup in markups for button in buttons(markup)), *inside]


def _data(button: Json) -> str:
    label = plain(button.get("text"))
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
