"""The app on Slack as its administrator sets it up: where it is installed and called, what it may do and hear."""

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_slack_lookups import find_channel
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SLACK_SECOND_TEAM
from bossbot.sandbox.slack_manifest import EVENTS, SCOPES
from bossbot.sandbox.slack_requests import RequestUrls, why_not
from bossbot.sandbox.slack_wire import BOT_TOKEN
from bossbot.sandbox.world import WORLD


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
        web.post("/sandbox/slack/install", install),
        web.post("/sandbox/slack/manifest", manifest),
        web.post("/sandbox/slack/request_urls", request_urls),
    ]


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
