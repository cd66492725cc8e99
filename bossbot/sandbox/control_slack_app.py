"""The app on Slack as its people meet it, played by a script: commands, shortcuts, its home and agent view, Stop."""

from typing import Literal

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_slack import written
from bossbot.sandbox.control_slack_lookups import find_channel, find_message, find_person, find_thread
from bossbot.sandbox.control_slack_press import outcome, waited
from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_commands import NAME, run_command
from bossbot.sandbox.slack_delivery import send_event
from bossbot.sandbox.slack_interactions import global_shortcut, message_shortcut
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_sessions import NoSessionError, press_stop
from bossbot.sandbox.world import WORLD, World

THREAD_TEXT = "New Assistant Thread"
"""What stands first in a thread of the assistant view, before anybody has said something."""


class CommandBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    user: str
    command: str
    text: str = ""
    wait_s: float = 0.0


class ShortcutBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    callback_id: str
    channel: str | None = None
    ts: str | None = None
    wait_s: float = 0.0


class OpenBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    tab: Literal["home", "messages"] = "messages"
    context_channel: str | None = None


class LookBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    channel: str | None = None


class AssistantBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    context_channel: str | None = None
    thread_ts: str | None = None


class PromptBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    title: str
    thread_ts: str | None = None


class StopBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    thread_ts: str
    user: str


def routes() -> list[web.RouteDef]:
    return [
        web.post("/sandbox/slack/command", command),
        web.post("/sandbox/slack/shortcut", shortcut),
        web.post("/sandbox/slack/open", open_app),
        web.post("/sandbox/slack/look", look),
        web.post("/sandbox/slack/assistant", assistant),
        web.post("/sandbox/slack/prompt", prompt),
        web.post("/sandbox/slack/stop", stop),
    ]


async def command(request: web.Request) -> web.Response:
    """A person types a slash command; `error` is what they are told when it failed."""
    world = request.app[WORLD]
    body = await read_body(request, CommandBody)
    channel = find_channel(world, body.channel)
    user = find_person(world, channel, body.user)
    if not NAME.fullmatch(body.command):
        raise ControlError(400, "command must be a slash and up to 31 small letters, digits, `_`, `-`, `.`")
    run = run_command(world, channel, user, body.command, body.text)
    result = await waited(run.envelope, body.wait_s)
    return answer({"ok": True, **result, "error": run.error})


async def shortcut(request: web.Request) -> web.Response:
    """A person takes a shortcut: of a message when `channel` and `ts` are given, else a global one."""
    world = request.app[WORLD]
    body = await read_body(request, ShortcutBody)
    if body.channel is not None and body.ts is not None:
        channel = find_channel(world, body.channel)
        user = find_person(world, channel, body.user)
        envelope = message_shortcut(world, channel, find_message(channel, body.ts), user, body.callback_id)
    elif body.channel is None and body.ts is None:
        envelope = global_shortcut(world, _direct(world, body.user).team, body.user, body.callback_id)
    else:
        raise ControlError(400, "give both channel and ts for a message's shortcut, or neither for a global one")
    return await outcome(envelope, body.wait_s)


async def open_app(request: web.Request) -> web.Response:
    """A person opens the app, at its home tab or at the messages of the agent view: `app_home_opened`."""
    world = request.app[WORLD]
    body = await read_body(request, OpenBody)
    direct = _direct(world, body.user)
    event: Json = {"type": "app_home_opened", "user": body.user, "channel": direct.id, "tab": body.tab}
    home = world.slack.views.home(body.user)
    if body.tab == "home" and home is not None:
        event["view"] = home.wire()
    if body.tab == "messages":
        event["context"] = _entities(world, body.context_channel)
    send_event(world, direct.team, {**event, "event_ts": world.slack.new_ts()})
    return answer({"ok": True, "channel": direct.id})


async def look(request: web.Request) -> web.Response:
    """A person with the agent view open looks at a channel, or at nothing: `app_context_changed`."""
    world = request.app[WORLD]
    body = await read_body(request, LookBody)
    direct = _direct(world, body.user)
    event: Json = {"type": "app_context_changed", "user": body.user, "channel": direct.id}
    context = _entities(world, body.channel)
    send_event(world, direct.team, {**event, "context": context, "event_ts": world.slack.new_ts()})
    return answer({"ok": True})


async def assistant(request: web.Request) -> web.Response:
    """A person opens the older assistant view, which begins a thread; with `thread_ts` they look elsewhere in it."""
    world = request.app[WORLD]
    body = await read_body(request, AssistantBody)
    direct = _direct(world, body.user)
    context: Json = {}
    if body.context_channel is not None:
        channel = find_channel(world, body.context_channel)
        context = {"channel_id": channel.id, "team_id": channel.team.id, "enterprise_id": None}
    thread_ts = world.slack.new_ts() if body.thread_ts is None else find_thread(direct, body.thread_ts)
    kind = "assistant_thread_started" if body.thread_ts is None else "assistant_thread_context_changed"
    thread: Json = {"user_id": body.user, "context": context, "channel_id": direct.id, "thread_ts": thread_ts}
    if body.thread_ts is None:
        direct.add(SlackMessage(thread_ts, direct.team.bot_user_id, THREAD_TEXT, from_bot=True))
    send_event(world, direct.team, {"type": kind, "assistant_thread": thread, "event_ts": world.slack.new_ts()})
    world.feed.changed("slack")
    return answer({"ok": True, "channel": direct.id, "thread_ts": thread_ts})


async def prompt(request: web.Request) -> web.Response:
    """A person takes one of the prompts that the app has suggested, and so says its message."""
    world = request.app[WORLD]
    body = await read_body(request, PromptBody)
    direct = _direct(world, body.user)
    shown = direct.prompts.get(body.thread_ts or "", {})
    there = [item for value in as_list(shown.get("prompts")) or [] if (item := as_object(value)) is not None]
    found = [item for item in there if item.get("title") == body.title]
    if not found:
        titles = ", ".join(repr(item.get("title")) for item in there) or "none"
        raise ControlError(404, f"no prompt {body.title!r} is suggested; suggested are: {titles}")
    message = written(world, direct, body.user, str(found[0].get("message")), body.thread_ts)
    return answer({"ok": True, "ts": message.ts})


async def stop(request: web.Request) -> web.Response:
    """A person presses the native Stop of an agent session."""
    world = request.app[WORLD]
    body = await read_body(request, StopBody)
    channel = find_channel(world, body.channel)
    user = find_person(world, channel, body.user)
    try:
        sent = press_stop(world, channel, body.thread_ts, user)
    except NoSessionError as error:
        raise ControlError(404, str(error)) from None
    return answer({"ok": True, "delivered": any(envelope.delivered for envelope in sent)})


def _direct(world: World, user: str) -> Channel:
    """A person's conversation with the app."""
    channel = world.slack.channel(user)
    if channel is None or not channel.place.is_im:
        raise ControlError(404, f"there is no user {user!r}; GET /sandbox/state lists them")
    return channel


def _entities(world: World, channel_id: str | None) -> Json:
    if channel_id is None:
        return {}
    channel = find_channel(world, channel_id)
    return {"entities": [{"type": "slack#/types/channel_id", "value": channel.id, "team_id": channel.team.id}]}
