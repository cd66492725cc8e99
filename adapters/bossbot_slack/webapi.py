"""Calls of Slack's Web API with both tokens: one HTTP session, no hidden repeats, failures as channel errors."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import ClientSession, ClientTimeout
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bossbot.channel import Ambiguous, BadChannelConfig, ChannelError
from bossbot_slack.errors import FAILURES, channel_error
from bossbot_slack.quiet import sdk_log

CALL_TIMEOUT_S = 30.0
NAME_TIMEOUT_S = 2.0
NEEDED_SCOPES = frozenset({"chat:write"})
HEARING_SCOPES = frozenset({"app_mentions:read", "im:history", "channels:history", "groups:history"})

log = logging.getLogger("bossbot.slack")
Call = Callable[[AsyncWebClient], Awaitable[AsyncSlackResponse]]


@dataclass(frozen=True, slots=True)
class Me:
    """Who the bot token is. `deaf_to` names scopes without which some messages never reach us."""

    user_id: str
    bot_id: str
    name: str
    team_id: str
    team: str
    deaf_to: tuple[str, ...] = ()


class WebApi:
    """Both clients. `timeout_s` is how long a call may take."""

    def __init__(self, bot_token: str, app_token: str, api_base: str, timeout_s: float) -> None:
        self.bot = _client(bot_token, api_base)
        self.app = _client(app_token, api_base)
        self._timeout_s = timeout_s
        self._me: Me | None = None
        self._names: dict[str, str] = {}

    async def call(self, call: Call) -> AsyncSlackResponse:
        """A call with the bot token."""
        return await self._call(self.bot, "bot_token", call)

    async def open_socket(self) -> str:
        """The address of a new socket, good for one connection."""
        said = await self._call(
            self.app, "app_token", lambda web: web.apps_connections_open(app_token=str(self.app.token))
        )
        return str(said.get("url"))

    async def known(self) -> Me:
        """Who we are; `BadChannelConfig` when the token is refused or may not write."""
        if self._me is None:
            said = await self.call(lambda web: web.auth_test())
            self._me = Me(
                user_id=str(said.get("user_id") or ""),
                bot_id=str(said.get("bot_id") or ""),
                name=str(said.get("user") or ""),
                team_id=str(said.get("team_id") or ""),
                team=str(said.get("team") or ""),
                deaf_to=_missing_scopes(said),
            )
        return self._me

    async def name_of(self, user: str) -> str:
        """How a user is called; their id where Slack does not say (the scope users:read is optional)."""
        if user not in self._names:
            try:
                async with asyncio.timeout(NAME_TIMEOUT_S):
                    said = await self.call(lambda web: web.users_info(user=user))
            except (ChannelError, TimeoutError) as error:
                log.info("no name for a user: %s", error)
                self._names[user] = user
            else:
                found = said.get("user") or {}
                profile = found.get("profile") or {}
                self._names[user] = profile.get("display_name") or found.get("real_name") or found.get("name") or user
        return self._names[user]

    async def close(self) -> None:
        if self.bot.session is not None:
            await self.bot.session.close()

    async def _call(self, web: AsyncWebClient, key: str, call: Call) -> AsyncSlackResponse:
        """Over a session of our own: the SDK would otherwise connect anew for each call."""
        if self.bot.session is None or self.bot.session.closed:
            self.bot.session = self.app.session = ClientSession(timeout=ClientTimeout(total=self._timeout_s))
        try:
            return await call(web)
        except FAILURES as error:
            raise channel_error(error, key) from error
        except AttributeError as error:  # the SDK stumbles over answers that are no JSON object, as proxies give them
            raise Ambiguous("Slack's answer could not be read") from error


def _missing_scopes(said: AsyncSlackResponse) -> tuple[str, ...]:
    """The scopes for hearing that the token lacks; without those for writing it is of no use."""
    names = {str(name).lower(): str(value) for name, value in said.headers.items()}
    if "x-oauth-scopes" not in names:
        return ()
    granted = {scope.strip() for scope in names["x-oauth-scopes"].split(",")}
    if missing := NEEDED_SCOPES - granted:
        raise BadChannelConfig(
            f"[channels.slack] bot_token: the app lacks the scope {', '.join(sorted(missing))}; "
            "add it under OAuth & Permissions and install the app again"
        )
    return tuple(sorted(HEARING_SCOPES - granted))


def _client(token: str, base: str) -> AsyncWebClient:
    """A client that never repeats a call by itself: it cannot know whether the first one arrived."""
    web = AsyncWebClient(token=token, base_url=base, retry_handlers=[], logger=sdk_log)
    if urlsplit(base).hostname in ("127.0.0.1", "localhost", "::1"):
        web.proxy = None  # the SDK takes a proxy from the environment, also for this machine
    return web
