"""The places on Telegram, changed by a script: people, groups, what the bot may do there, topics, upgrades."""

from typing import Literal

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_lookups import the_chat, the_person, the_topic
from bossbot.sandbox.telegram_chat import BotStatus, Chat
from bossbot.sandbox.telegram_limits import TOPIC_NAME_LENGTH
from bossbot.sandbox.telegram_membership import change_bot_status, migrate
from bossbot.sandbox.telegram_topics import close_topic, delete_topic, open_topic, rename_topic
from bossbot.sandbox.world import WORLD

NAME_LENGTH = 64
TITLE_LENGTH = 128


class UserBody(msgspec.Struct, forbid_unknown_fields=True):
    first_name: str
    last_name: str = ""
    username: str = ""
    started: bool = False


class ChatBody(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    members: list[int]
    type: Literal["group", "supergroup"] = "supergroup"
    is_forum: bool = False
    bot_status: Literal["administrator", "member"] = "member"


class MembershipBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    bot_status: BotStatus
    user_id: int | None = None


class MigrateBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int | None = None


class TopicBody(msgspec.Struct, forbid_unknown_fields=True):
    chat_id: int
    user_id: int
    action: Literal["create", "rename", "close", "reopen", "delete"] = "create"
    thread_id: int | None = None
    name: str = ""


def routes() -> list[web.RouteDef]:
    return [
        web.post("/sandbox/telegram/user", add_user),
        web.post("/sandbox/telegram/chat", add_chat),
        web.post("/sandbox/telegram/membership", membership),
        web.post("/sandbox/telegram/migrate", upgrade),
        web.post("/sandbox/telegram/topic", topic),
    ]


async def add_user(request: web.Request) -> web.Response:
    """Somebody new. Until they write (or with `started`), the bot cannot write to them."""
    world = request.app[WORLD]
    body = await read_body(request, UserBody)
    for name, text in (("first_name", body.first_name), ("last_name", body.last_name)):
        _require_length(name, text, 1 if name == "first_name" else 0, NAME_LENGTH)
    person = world.telegram.add_person(body.first_name, body.last_name, body.username, body.started)
    world.feed.changed("telegram")
    return answer({"ok": True, "user_id": person.id, "chat_id": person.id})


async def add_chat(request: web.Request) -> web.Response:
    """A new group, to which its first member adds the bot."""
    world = request.app[WORLD]
    body = await read_body(request, ChatBody)
    _require_length("title", body.title, 1, TITLE_LENGTH)
    if not body.members:
        raise ControlError(400, "members must name at least one user: the first adds the bot")
    people = [the_person(world, user_id) for user_id in body.members]
    if body.is_forum and body.type != "supergroup":
        raise ControlError(400, "only a supergroup can be a forum")
    chat = world.telegram.add_group(body.type, body.title, list(body.members), body.is_forum)
    change_bot_status(world, chat, body.bot_status, people[0].wire())
    return answer({"ok": True, "chat_id": chat.id})


async def membership(request: web.Request) -> web.Response:
    """What the bot is in a chat from now on; in a private chat "kicked" means that the person blocks it."""
    world = request.app[WORLD]
    body = await read_body(request, MembershipBody)
    chat = the_chat(world, body.chat_id)
    if chat.is_private and body.bot_status not in ("member", "kicked"):
        raise ControlError(400, 'in a private chat bot_status is "member", or "kicked" for a bot that is blocked')
    if chat.bot_status == body.bot_status:
        raise ControlError(400, f"the bot is {body.bot_status} there already")
    change_bot_status(world, chat, body.bot_status, the_person(world, _actor(chat, body.user_id)).wire())
    return answer({"ok": True})


async def upgrade(request: web.Request) -> web.Response:
    """A group becomes a supergroup, with another id."""
    world = request.app[WORLD]
    body = await read_body(request, MigrateBody)
    chat = the_chat(world, body.chat_id)
    if chat.type != "group":
        raise ControlError(400, f"chat {chat.id} is a {chat.type}: only a group becomes a supergroup")
    new = migrate(world, chat, the_person(world, _actor(chat, body.user_id)).wire())
    return answer({"ok": True, "chat_id": new.id})


async def topic(request: web.Request) -> web.Response:
    """A person opens, renames, closes, reopens or deletes a topic of a forum."""
    world = request.app[WORLD]
    body = await read_body(request, TopicBody)
    chat = the_chat(world, body.chat_id)
    sender = the_person(world, body.user_id).wire()
    if not chat.is_forum:
        raise ControlError(400, f"chat {chat.id} is no forum: people make topics in forums only")
    if body.action in ("create", "rename"):
        _require_length("name", body.name, 1, TOPIC_NAME_LENGTH)
    if body.action == "create":
        return answer({"ok": True, "thread_id": open_topic(world, chat, sender, body.name).thread_id})
    if body.thread_id is None:
        raise ControlError(400, f"thread_id must name the topic to {body.action}")
    found = the_topic(chat, body.thread_id)
    if body.action == "rename":
        rename_topic(world, chat, sender, found, {"name": body.name})
    elif body.action == "delete":
        delete_topic(world, chat, found)
    elif found.is_closed == (body.action == "close"):
        raise ControlError(400, f"topic {body.thread_id} is {'closed' if found.is_closed else 'open'} already")
    else:
        close_topic(world, chat, sender, found, body.action == "close")
    return answer({"ok": True, "thread_id": body.thread_id})


def _actor(chat: Chat, user_id: int | None) -> int:
    """Who does it: the chat's first member unless somebody else is named."""
    return chat.members[0] if user_id is None else user_id


def _require_length(name: str, text: str, least: int, most: int) -> None:
    if not least <= len(text.strip()) <= most:
        raise ControlError(400, f"{name} must have {least} to {most} characters")
