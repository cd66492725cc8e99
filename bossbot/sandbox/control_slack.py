"""People on Slack, played by a script: saying something, pressing a button."""

import asyncio

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.labels import match_label
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_events import post_message_events, pressable, send_press
from bossbot.sandbox.slack_state import Channel, SlackMessage
from bossbot.sandbox.slack_typing import rich_text, typed_text
from bossbot.sandbox.world import WORLD, World

TEXT_LENGTH = 40_000
WAIT_MAX_S = 60.0


class SayBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    user: str
    text: str
    thread_ts: str | None = None


class PressBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    ts: str
    user: str
    label: str | None = None
    action_id: str | None = None
    wait_s: float = 0.0
    stale: bool = False


def routes() -> list[web.RouteDef]:
    return [web.post("/sandbox/slack/say", say), web.post("/sandbox/slack/press", press)]


async def say(request: web.Request) -> web.Response:
    """A person writes; @names become mentions, as Slack's own clients send them."""
    world = request.app[WORLD]
    body = await read_body(request, SayBody)
    channel = _channel(world, body.channel)
    user = _person(world, body.user)
    if not body.text.strip() or len(body.text) > TEXT_LENGTH:
        raise ControlError(400, f"text must have 1 to {TEXT_LENGTH} characters")
    thread_ts = None if body.thread_ts is None else _thread(channel, body.thread_ts)
    message = SlackMessage(world.slack.new_ts(), user, typed_text(body.text, channel.team), thread_ts=thread_ts)
    message.blocks = [rich_text(message.text, world.slack.new_id("b"))]
    channel.messages[message.ts] = message
    post_message_events(world, channel, message)
    world.feed.changed("slack")
    return answer({"ok": True, "ts": message.ts})


async def press(request: web.Request) -> web.Response:
    """A person presses; `answer` is the payload of the ack, null while there is none."""
    world = request.app[WORLD]
    body = await read_body(request, PressBody)
    channel = _channel(world, body.channel)
    user = _person(world, body.user)
    message = channel.messages.get(body.ts) or channel.ephemerals.get(body.ts)
    if message is None:
        raise ControlError(404, f"channel {channel.id} has no message {body.ts}")
    block, element = _button(message, body)
    envelope = send_press(world, channel, message, user, block, element)
    if body.wait_s > 0:
        await asyncio.wait((envelope.answer,), timeout=min(body.wait_s, WAIT_MAX_S))
    return answer({"ok": True, **_outcome(envelope)})


def _outcome(envelope: Envelope) -> Json:
    heard = envelope.answer.result() if envelope.answer.done() else None
    delivered = envelope.socket is not None
    return {"delivered": delivered, "acked": heard is not None, "answer": heard or None}


def _button(message: SlackMessage, body: PressBody) -> tuple[Json, Json]:
    layers = [message.blocks, *reversed(message.past_blocks)] if body.stale else [message.blocks]
    found = [pair for blocks in layers for pair in pressable(blocks)]
    if (body.label is None) == (body.action_id is None):
        raise ControlError(400, "give either label or action_id")
    where = f"message {message.ts}"
    if body.label is not None:
        labelled = [
            (str((as_object(element.get("text")) or {}).get("text")), (block, element)) for block, element in found
        ]
        return match_label(body.label, labelled, where, first=body.stale)
    named = [pair for pair in found if pair[1].get("action_id") == body.action_id]
    if not named or (len(named) > 1 and not body.stale):
        there = ", ".join(repr(element.get("action_id")) for _, element in found) or "none"
        problem = "several buttons" if named else "no button"
        raise ControlError(404, f"{where} has {problem} with action_id {body.action_id!r}; there are: {there}")
    return named[0]


def _channel(world: World, name: str) -> Channel:
    channel = world.slack.channel(name)
    if channel is None:
        raise ControlError(404, f"there is no channel {name!r}; there are {', '.join(world.slack.channels)}")
    return channel


def _person(world: World, user_id: str) -> str:
    if world.slack.person(user_id) is None:
        raise ControlError(404, f"there is no user {user_id!r}; GET /sandbox/state lists them")
    return user_id


def _thread(channel: Channel, thread_ts: str) -> str:
    parent = channel.messages.get(thread_ts)
    if parent is None:
        raise ControlError(404, f"channel {channel.id} has no message {thread_ts} to answer in a thread")
    return parent.thread_ts or parent.ts
