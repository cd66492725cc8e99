"""People on Telegram, played by a script: writing, sending files, editing, deleting, reacting."""

import base64
import binascii

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_lookups import open_thread, own_message, the_chat, the_message, the_person
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.pictures import read_picture
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_limits import CAPTION_LENGTH, TEXT_LENGTH
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_publish import publish, publish_message
from bossbot.sandbox.telegram_text import cleaned, found_entities
from bossbot.sandbox.telegram_updates import MESSAGE_LIFE_S
from bossbot.sandbox.world import WORLD, World

FILE_BYTES = 40 * 1024 * 1024
"""A file that a person sends, at most; the bot may download 20 MB of it."""


class SayBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    text: str
    thread_id: int | None = None
    reply_to: int | None = None


class FileBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    name: str
    content_base64: str
    mime_type: str = "application/octet-stream"
    as_photo: bool = False
    caption: str = ""
    thread_id: int | None = None
    reply_to: int | None = None


class EditBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    message_id: int
    text: str


class DeleteBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    message_id: int


class ReactBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    message_id: int
    emoji: str = ""


def routes() -> list[web.RouteDef]:
    return [
        web.post("/sandbox/telegram/say", say),
        web.post("/sandbox/telegram/send_file", send_file),
        web.post("/sandbox/telegram/edit", edit),
        web.post("/sandbox/telegram/delete", delete),
        web.post("/sandbox/telegram/react", react),
    ]


async def say(request: web.Request) -> web.Response:
    """A person writes; anybody may write anywhere, so that tests can see the bot check people."""
    world = request.app[WORLD]
    body = await read_body(request, SayBody)
    chat = the_chat(world, body.chat_id)
    sender = the_person(world, body.user_id).wire()
    text = _text(body.text, 1, TEXT_LENGTH)
    message = _new(world, chat, sender, text, body.thread_id, body.reply_to)
    return _posted(world, message)


async def send_file(request: web.Request) -> web.Response:
    """A person sends a file, as a document or as a photo."""
    world = request.app[WORLD]
    body = await read_body(request, FileBody)
    chat = the_chat(world, body.chat_id)
    sender = the_person(world, body.user_id).wire()
    caption = _text(body.caption, 0, CAPTION_LENGTH)
    media = _media(world, body)
    message = _new(world, chat, sender, caption, body.thread_id, body.reply_to)
    message.media = media
    return _posted(world, message)


async def edit(request: web.Request) -> web.Response:
    """A person changes the text of their message, or the caption of their file."""
    world = request.app[WORLD]
    body = await read_body(request, EditBody)
    chat = the_chat(world, body.chat_id)
    the_person(world, body.user_id)
    message = own_message(chat, body.message_id, body.user_id)
    text = _text(body.text, 0, CAPTION_LENGTH) if message.media else _text(body.text, 1, TEXT_LENGTH)
    if text == (message.text or ""):
        raise ControlError(400, f"message {body.message_id} has this text already")
    message.text, message.entities = text, found_entities(text)
    message.edit_date = int(world.clock.now())
    message.edits += 1
    return answer({"ok": True, "update_id": publish_message(world, message, "edited_message")})


async def delete(request: web.Request) -> web.Response:
    """A person takes their message away; Telegram tells the bot nothing of it."""
    world = request.app[WORLD]
    body = await read_body(request, DeleteBody)
    chat = the_chat(world, body.chat_id)
    the_person(world, body.user_id)
    del chat.messages[own_message(chat, body.message_id, body.user_id).message_id]
    chat.deleted.append(body.message_id)
    world.feed.changed("telegram")
    return answer({"ok": True})


async def react(request: web.Request) -> web.Response:
    """A person puts one emoji below a message, or takes theirs away ("")."""
    world = request.app[WORLD]
    body = await read_body(request, ReactBody)
    chat = the_chat(world, body.chat_id)
    user = the_person(world, body.user_id).wire()
    message = the_message(chat, body.message_id)
    old = message.reacted.pop(body.user_id, [])
    new: list[Json] = [{"type": "emoji", "emoji": body.emoji}] if body.emoji else []
    if new == old:
        raise ControlError(400, "this changes nothing: give another emoji, or none to take it away")
    if new:
        message.reacted[body.user_id] = new
    world.feed.changed("telegram")
    return answer({"ok": True, "update_id": _tell_reaction(world, message, user, old, new)})


def _tell_reaction(world: World, message: Message, user: Json, old: list[Json], new: list[Json]) -> int | None:
    chat = message.chat
    if not chat.has_bot or not (chat.is_private or chat.bot_status == "administrator"):
        return None  # Bot API, Update.message_reaction: the bot must be an administrator
    content: Json = {
        "chat": chat.wire(),
        "message_id": message.message_id,
        "user": user,
        "date": int(world.clock.now()),
        "old_reaction": old,
        "new_reaction": new,
    }
    return publish(world, "message_reaction", content, MESSAGE_LIFE_S)


def _new(world: World, chat: Chat, sender: Json, text: str, thread_id: int | None, reply_to: int | None) -> Message:
    if chat.is_private and chat.bot_status == "kicked":
        raise ControlError(400, f"user {chat.id} blocks the bot: POST /sandbox/telegram/membership first")
    thread = open_thread(chat, thread_id)
    answered = None if reply_to is None else the_message(chat, reply_to)
    if thread is None and answered is not None:
        thread = answered.thread_id
    date = int(world.clock.now())
    return Message(
        0, chat, sender, date, text or None, found_entities(text), thread_id=thread, reply_to=answered
    )  # fmt: skip


def _posted(world: World, message: Message) -> web.Response:
    chat = message.chat
    chat.started = True  # writing to a bot begins the conversation
    message.message_id = chat.take_message_id()
    chat.messages[message.message_id] = message
    update_id = publish_message(world, message)
    return answer({"ok": True, "message_id": message.message_id, "update_id": update_id})


def _text(text: str, least: int, most: int) -> str:
    text = cleaned(text).strip(" \n")
    if not least <= len(text) <= most:
        raise ControlError(400, f"text must have {least} to {most} characters")
    return text


def _media(world: World, body: FileBody) -> Json:
    try:
        data = base64.b64decode(body.content_base64, validate=True)
    except (binascii.Error, ValueError):
        raise ControlError(400, "content_base64 must be the file's bytes in base64") from None
    if not 1 <= len(data) <= FILE_BYTES:
        raise ControlError(400, f"the file must have 1 to {FILE_BYTES} bytes")
    if not body.name or "/" in body.name:
        raise ControlError(400, "name must be the name of a file, without a path")
    if not body.as_photo:
        return world.telegram.files.add_document(body.name, body.mime_type, data).media
    picture = read_picture(data)
    if picture is None:
        raise ControlError(400, "as_photo takes PNG, JPEG or GIF; send other files without it")
    return world.telegram.files.add_photo(*picture, data).media
