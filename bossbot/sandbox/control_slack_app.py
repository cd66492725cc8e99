"""The app on Slack as its people and its administrator meet it: commands, shortcuts, its home, where it is called."""

from typing import Literal

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_slack import find_channel, find_message, find_person, find_thread, written
from bossbot.sandbox.control_slack_press import outcome, waited
from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.people import SLACK_SECOND_TEAM
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_commands import NAME, run_command
from bossbot.sandbox.slack_delivery import send_event
from bossbot.sandbox.slack_interactions import global_shortcut, message_shortcut
from bossbot.sandbox.slack_manifest import EVENTS, SCOPES
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_requests import RequestUrls, why_not
from bossbot.sandbox.slack_sessions import NoSessionError, press_stop
from bossbot.sandbox.slack_wire import BOT_TOKEN
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


class InstallBody(msgspec.Struct, forbid_unknown_fields=True):
    bot_token: str


class ManifestBody(msgspec.Struct, forbid_unknown_fields=True):
    scopes: list[str] | None = None
    events: list[str] | None = None
    is_agent: bool | None = None
    edit_window_s: float | None = None


class ChannelBody(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    is_archived: bool | None = None
    has_bot: bool | None = None


class UrlsBody(msgspec.Struct, forbid_unknown_fields=True):
    events: str | None = None
    interactivity: str | None = None
    commands: str | None = None
    signing_secret: str | None = None


def routes() -> list[web.RouteDef]:
    return [
        web.post("/sandbox/slack/channel", channel_settings),
        web.post("/sandbox/slack/manifest", manifest),
        web.post("/sandbox/slack/command", command),
        web.post("/sandbox/slack/shortcut", shortcut),
        web.post("/sandbox/slack/open", open_app),
        web.post("/sandbox/slack/look", look),
        web.post("/sandbox/slack/assistant", assistant),
        web.post("/sandbox/slack/prompt", prompt),
        web.post("/sandbox/slack/stop", stop),
        web.post("/sandbox/slack/install", install),
        web.post("/sandbox/slack/request_urls", request_urls),
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


async def install(request: web.Request) -> web.Response:
    """The app is installed in the second workspace; the token means that workspace from now on."""
    world = request.app[WORLD]
    body = await read_body(request, InstallBody)
    if not BOT_TOKEN.fullmatch(body.bot_token):
        raise ControlError(400, "bot_token must look like xoxb-0123456789")
    team = SLACK_SECOND_TEAM
    world.slack.install(team, body.bot_token)
    world.feed.changed("slack")
    return answer({"ok": True, "team_id": team.id, "bot_user_id": team.bot_user_id, "bot_id": team.bot_id})


async def manifest(request: web.Request) -> web.Response:
    """What the app may do and hears of, in place of everything; what is left out stays."""
    world = request.app[WORLD]
    body = await read_body(request, ManifestBody)
    found = world.slack.manifest
    for name, wanted, known in (("scopes", body.scopes, SCOPES), ("events", body.events, EVENTS)):
        unknown = sorted(set(wanted or ()) - set(known))
        if unknown:
            raise ControlError(400, f"{name}: there is no {', '.join(unknown)}; there are {', '.join(known)}")
    found.scopes = found.scopes if body.scopes is None else set(body.scopes)
    found.events = found.events if body.events is None else set(body.events)
    found.is_agent = found.is_agent if body.is_agent is None else body.is_agent
    found.edit_window_s = found.edit_window_s if body.edit_window_s is None else body.edit_window_s
    world.feed.changed("slack")
    shown: Json = {"scopes": sorted(found.scopes), "events": sorted(found.events), "is_agent": found.is_agent}
    return answer({"ok": True, **shown, "edit_window_s": found.edit_window_s})


async def channel_settings(request: web.Request) -> web.Response:
    """A channel is archived or taken up again, the bot is put out of it or invited."""
    world = request.app[WORLD]
    body = await read_body(request, ChannelBody)
    channel = find_channel(world, body.channel)
    if channel.place.is_im:
        raise ControlError(400, f"{channel.id} is a direct conversation: it cannot be archived, and the bot stays")
    channel.is_archived = channel.is_archived if body.is_archived is None else body.is_archived
    channel.has_bot = channel.has_bot if body.has_bot is None else body.has_bot
    world.feed.changed("slack")
    return answer({"ok": True, "is_archived": channel.is_archived, "has_bot": channel.has_bot})


async def request_urls(request: web.Request) -> web.Response:
    """Where the app is called over HTTP; what is null or left out goes over sockets. The secret signs all of it."""
    world = request.app[WORLD]
    body = await read_body(request, UrlsBody)
    urls = RequestUrls(body.events, body.interactivity, body.commands)
    for name, url in urls.view().items():
        if isinstance(url, str) and (problem := why_not(url)) is not None:
            raise ControlError(400, f"{name}: {problem}")
    if body.signing_secret == "":
        raise ControlError(400, "signing_secret must not be empty")
    if (problem := await world.requests.point(urls, body.signing_secret)) is not None:
        raise ControlError(400, f"events: {problem}")
    world.feed.changed("slack")
    return answer({"ok": True, "signing_secret": world.requests.signing_secret, **urls.view()})


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
