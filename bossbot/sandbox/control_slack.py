"""People on Slack, played by a script: what they say, edit, delete, react with and upload."""

import base64
import binascii

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_slack_lookups import find_channel, find_message, find_person, find_thread
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_events import (
    post_changed_event,
    post_deleted_event,
    post_file_event,
    post_message_events,
    post_reaction_event,
)
from bossbot.sandbox.slack_files import wire as wire_file
from bossbot.sandbox.slack_message import SlackFile, SlackMessage
from bossbot.sandbox.slack_typing import rich_text, typed_text
from bossbot.sandbox.world import WORLD, World

TEXT_LENGTH = 40_000
FILE_BYTES = 20 * 1024 * 1024


class SayBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    user: str
    text: str
    thread_ts: str | None = None


class EditBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    ts: str
    user: str
    text: str


class DeleteBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    ts: str
    user: str


class ReactBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    ts: str
    user: str
    name: str
    remove: bool = False


class UploadBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    user: str
    name: str
    text: str | None = None
    base64: str | None = None
    comment: str = ""
    thread_ts: str | None = None


def routes() -> list[web.RouteDef]:
    return [
        web.post("/sandbox/slack/say", say),
        web.post("/sandbox/slack/edit", edit),
        web.post("/sandbox/slack/delete", delete),
        web.post("/sandbox/slack/react", react),
        web.post("/sandbox/slack/upload", upload),
    ]


async def say(request: web.Request) -> web.Response:
    """A person writes; @names become mentions, as Slack's own clients send them."""
    world = request.app[WORLD]
    body = await read_body(request, SayBody)
    channel = find_channel(world, body.channel)
    user = find_person(world, channel, body.user)
    message = written(world, channel, user, body.text, body.thread_ts)
    return answer({"ok": True, "ts": message.ts})


async def edit(request: web.Request) -> web.Response:
    """A person changes a message of their own."""
    world = request.app[WORLD]
    body = await read_body(request, EditBody)
    channel = find_channel(world, body.channel)
    message = _own(channel, body.ts, find_person(world, channel, body.user))
    _require_text(body.text)
    before = message.wire(channel.team)
    message.text = typed_text(body.text, channel.team)
    message.blocks = [rich_text(message.text, world.slack.new_id("b"))]
    message.edited = {"user": message.user, "ts": world.slack.new_ts()}
    message.edits += 1
    post_changed_event(world, channel, message, before)
    world.feed.changed("slack")
    return answer({"ok": True})


async def delete(request: web.Request) -> web.Response:
    """A person takes a message of their own away."""
    world = request.app[WORLD]
    body = await read_body(request, DeleteBody)
    channel = find_channel(world, body.channel)
    message = _own(channel, body.ts, find_person(world, channel, body.user))
    channel.remove(message)
    post_deleted_event(world, channel, message)
    world.feed.changed("slack")
    return answer({"ok": True})


async def react(request: web.Request) -> web.Response:
    """A person reacts to any message, or takes the reaction back."""
    world = request.app[WORLD]
    body = await read_body(request, ReactBody)
    channel = find_channel(world, body.channel)
    user = find_person(world, channel, body.user)
    message = find_message(channel, body.ts)
    name = body.name.strip(":")
    users = message.reactions.setdefault(name, [])
    if (user in users) != body.remove:
        there = f"there are {', '.join(message.reactions)}" if body.remove else "a person reacts once with each"
        raise ControlError(400, f"{user} has {'not ' if body.remove else ''}reacted with {name!r}; {there}")
    if body.remove:
        users.remove(user)
    else:
        users.append(user)
    message.reactions = {key: who for key, who in message.reactions.items() if who}
    post_reaction_event(world, channel, message, user, name, not body.remove)
    world.feed.changed("slack")
    return answer({"ok": True})


async def upload(request: web.Request) -> web.Response:
    """A person shares a file: its content as `text`, or as `base64`."""
    world = request.app[WORLD]
    body = await read_body(request, UploadBody)
    channel = find_channel(world, body.channel)
    user = find_person(world, channel, body.user)
    if not body.name.strip():
        raise ControlError(400, "name must not be empty")
    data = _content(body)
    file = SlackFile(
        world.slack.new_id("F"), body.name, len(data), int(world.clock.now()), data, title=body.name, user=user,
        shares={channel.id: ""}, shared=True,
    )  # fmt: skip
    world.slack.files[file.id] = file
    message = written(world, channel, user, body.comment, body.thread_ts, [wire_file(world, file)])
    file.shares[channel.id] = message.ts
    post_file_event(world, channel, file.id, user)
    return answer({"ok": True, "ts": message.ts, "file_id": file.id})


def written(
    world: World, channel: Channel, user: str, text: str, thread_ts: str | None, files: list[Json] | None = None
) -> SlackMessage:
    """Put a person's message into a conversation and tell the bot of it."""
    if not files or text:
        _require_text(text)
    root = None if thread_ts is None else find_thread(channel, thread_ts)
    message = SlackMessage(world.slack.new_ts(), user, typed_text(text, channel.team), thread_ts=root)
    message.files = files or []
    if text:
        message.blocks = [rich_text(message.text, world.slack.new_id("b"))]
    channel.add(message)
    post_message_events(world, channel, message)
    world.feed.changed("slack")
    return message


def _own(channel: Channel, ts: str, user: str) -> SlackMessage:
    message = find_message(channel, ts)
    if message.user != user:
        raise ControlError(
            400, f"message {ts} is {message.user}'s; people change only what they have written themselves"
        )
    return message


def _require_text(text: str) -> None:
    if not text.strip() or len(text) > TEXT_LENGTH:
        raise ControlError(400, f"text must have 1 to {TEXT_LENGTH} characters")


def _content(body: UploadBody) -> bytes:
    if (body.text is None) == (body.base64 is None):
        raise ControlError(400, "give the content either as text or as base64")
    try:
        data = (body.text or "").encode() if body.base64 is None else base64.b64decode(body.base64, validate=True)
    except binascii.Error as error:
        raise ControlError(400, f"base64: {error}") from None
    if not data or len(data) > FILE_BYTES:
        raise ControlError(400, f"a file must have 1 to {FILE_BYTES} bytes")
    return data
