"""The connection to Slack: what is posted, edited and answered. Imports slack-bolt, so only `load` leads here."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlsplit

from aiohttp import ClientSession, ClientTimeout
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bossbot.channel import (
    Ambiguous,
    BadChannelConfig,
    ButtonPressed,
    Card,
    ChannelError,
    Identity,
    PostGone,
    PostRef,
    Sink,
    ThreadRef,
)
from bossbot_slack.errors import FAILURES, FORMAT, channel_error, reason
from bossbot_slack.inbound import NAME
from bossbot_slack.render import UPDATE_TEXT_MAX, Part, bare, escape, render, unformatted
from bossbot_slack.sockets import Me, Receiving, Sleep, sdk_log

CALL_TIMEOUT_S = 30
NAME_TIMEOUT_S = 2.0
REMEMBERED = 2000
EVENT_TYPE = "bossbot_card"
LOOKED_AT = 50  # messages that are searched for a post whose answer never came
_T = TypeVar("_T")
_Place = tuple[ThreadRef, str]
"""Where a card goes and its key, which only there is its own."""

log = logging.getLogger("bossbot.slack")


def load(options: Mapping[str, object]) -> "SlackChannel":
    """The channel for a `[channels.slack]` table; keys other than the tokens and `api_base` are the core's."""
    bot_token = _token(options, "bot_token", "xoxb-")
    app_token = _token(options, "app_token", "xapp-")
    base = options.get("api_base", "https://slack.com/api/")
    if not isinstance(base, str) or not base.startswith(("http://", "https://")):
        raise BadChannelConfig(f"[channels.slack] api_base: must begin with http:// or https://: {str(base)[:40]!r}")
    return SlackChannel(bot_token, app_token, base)


def _token(options: Mapping[str, object], key: str, prefix: str) -> str:
    value = options.get(key, "")
    if not isinstance(value, str) or not value.strip():
        raise BadChannelConfig(f"[channels.slack] {key}: missing; set it to the app's token that begins with {prefix}")
    if not value.strip().startswith(prefix):
        raise BadChannelConfig(f"[channels.slack] {key}: must begin with {prefix}; is it the other token?")
    return value.strip()


class SlackChannel:
    """One app in one workspace. `sleep` is how it waits between attempts to receive, `call_timeout_s` for an answer."""

    name = NAME

    def __init__(
        self,
        bot_token: str,
        app_token: str,
        api_base: str,
        *,
        sleep: Sleep = asyncio.sleep,
        call_timeout_s: float = CALL_TIMEOUT_S,
    ) -> None:
        self._call_timeout_s = call_timeout_s
        self._web = _client(bot_token, api_base)
        self._app_web = _client(app_token, api_base)
        self._receiving = Receiving(self._app_web, bot_token, self._known, self._name_of, sleep)
        self._me: Me | None = None
        self._names: dict[str, str] = {}
        self._begun: dict[_Place, PostRef] = {}
        self._unsure: set[_Place] = set()
        self._shown: OrderedDict[tuple[str, str], Part] = OrderedDict()

    @property
    def connected(self) -> bool:
        """Whether messages and presses reach us now."""
        return self._receiving.connected

    async def check(self) -> Identity:
        """Who the tokens are; `BadChannelConfig` names the one that Slack refuses."""
        me = await self._known()
        await self._call(self._app_web, "app_token", lambda web: web.apps_connections_open(app_token=str(web.token)))
        return Identity(user_id=me.user_id, name=f"@{me.name}", detail=f"in workspace {me.team}")

    async def run(self, sink: Sink) -> None:
        """Receives until cancelled."""
        await self._receiving.run(sink)

    async def post(self, thread: ThreadRef, card: Card, *, key: str) -> PostRef:
        """Posts the parts of a card. After a failure in the middle, the next call with the same key goes on from there.

        Where the answer to a part never came, the next call first looks for it by the key in its metadata.
        """
        place = (thread, key)
        anew = PostRef(NAME, thread.chat, (), thread.thread)
        begun = self._begun.get(place, anew)
        if place in self._unsure:
            begun = await self._found(begun, key)
        try:
            shown = await self._show(begun, card, place)
        except PostGone:  # what was begun is gone: all of it anew
            await self._delete(begun.chat, begun.ids)
            self._begun.pop(place, None)
            shown = await self._show(anew, card, place)
        except Ambiguous:
            self._unsure.add(place)
            raise
        self._begun.pop(place, None)
        self._unsure.discard(place)
        return shown

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        """Edits part by part; posts what is new at the end, deletes what is no longer needed."""
        try:
            return await self._show(post, card, None)
        except PostGone:
            await self._delete(post.chat, post.ids)  # what is left of it must not stand beside its successor
            raise

    async def answer(self, press: ButtonPressed, text: str, *, warn: bool = False) -> None:
        """A message that only the presser sees, in the thread of the card. Slack itself ends the press."""
        if not text.strip():
            return
        shown = escape(f"⚠️ {text}" if warn else text)
        await self._call(
            self._web,
            "bot_token",
            lambda web: web.chat_postEphemeral(
                channel=press.thread.chat, user=press.actor.user, text=shown, thread_ts=press.post.thread
            ),
        )

    async def typing(self, thread: ThreadRef) -> None:
        """The status line of an agent's thread; Slack ends it with the next message. No failure of it matters."""
        if thread.thread is None:
            return
        ts = thread.thread
        try:
            await self._call(
                self._web,
                "bot_token",
                lambda web: web.assistant_threads_setStatus(channel_id=thread.chat, thread_ts=ts, status="is working…"),
            )
        except ChannelError as error:
            log.debug("no status: %s", error)

    async def close(self) -> None:
        if self._web.session is not None:
            await self._web.session.close()

    async def _known(self) -> Me:
        if self._me is None:
            said = await self._call(self._web, "bot_token", lambda web: web.auth_test())
            words = [str(said.get(key) or "") for key in ("user_id", "bot_id", "user", "team_id", "team")]
            self._me = Me(*words)
        return self._me

    async def _name_of(self, user: str) -> str:
        """How a user is called; their id where Slack does not say (the scope users:read is optional)."""
        if user not in self._names:
            try:
                async with asyncio.timeout(NAME_TIMEOUT_S):
                    said = await self._call(self._web, "bot_token", lambda web: web.users_info(user=user))
            except (ChannelError, TimeoutError) as error:
                log.info("no name for a user: %s", error)
                self._names[user] = user
            else:
                found = said.get("user") or {}
                profile = found.get("profile") or {}
                self._names[user] = profile.get("display_name") or found.get("real_name") or found.get("name") or user
        return self._names[user]

    async def _show(self, post: PostRef, card: Card, place: _Place | None) -> PostRef:
        parts, ids = render(card), list(post.ids)
        for at, part in enumerate(parts):
            if at < len(ids):
                await self._edit_part(post.chat, ids[at], part, last=at == len(parts) - 1)
                continue
            ids.append(await self._send_part(post, part, at, place[1] if place else None))
            if place is not None:
                self._begun[place] = PostRef(NAME, post.chat, tuple(ids), post.thread)
        await self._delete(post.chat, ids[len(parts) :])
        return PostRef(NAME, post.chat, tuple(ids[: len(parts)]), post.thread)

    async def _send_part(self, post: PostRef, part: Part, at: int, key: str | None) -> str:
        metadata = {"event_type": EVENT_TYPE, "event_payload": {"key": key, "part": at}} if key is not None else None

        async def send(form: Part) -> AsyncSlackResponse:
            return await self._call(
                self._web,
                "bot_token",
                lambda web: web.chat_postMessage(
                    channel=post.chat,
                    thread_ts=post.thread,
                    text=form.text,
                    blocks=list(form.blocks) or None,
                    metadata=metadata,
                    unfurl_links=False,
                    unfurl_media=False,
                ),
            )

        said = await self._in_best_form(part, send)
        ts = str(said.get("ts"))
        self._remember(post.chat, ts, part)
        return ts

    async def _edit_part(self, chat: str, ts: str, part: Part, *, last: bool) -> None:
        """The last part is always edited, so that a card that is gone is noticed; others only where they changed."""
        if not last and self._shown.get((chat, ts)) == part:
            return

        async def edit(form: Part) -> AsyncSlackResponse:
            if not form.blocks and len(form.text) > UPDATE_TEXT_MAX:
                raise PostGone("too long for chat.update without blocks")
            return await self._call(
                self._web,
                "bot_token",
                lambda web: web.chat_update(channel=chat, ts=ts, text=form.text, blocks=list(form.blocks)),
            )

        await self._in_best_form(part, edit)
        self._remember(chat, ts, part)

    async def _in_best_form(self, part: Part, call: Callable[[Part], Awaitable[_T]]) -> _T:
        """Calls with the part; where Slack refuses its form, in plain blocks, then as bare text: no text is lost."""
        plainer = [unformatted(part), bare(part)]
        form = part
        while True:
            try:
                return await call(form)
            except ChannelError as error:
                if reason(error.__cause__ or error) not in FORMAT or not plainer:
                    raise
                log.warning("Slack refused the form of a message, it goes out plainer: %s", error)
                form = plainer.pop(0)

    async def _found(self, post: PostRef, key: str) -> PostRef:
        """The post with this key, as far as it stands in its place already."""
        said = await self._call(
            self._web,
            "bot_token",
            lambda web: (
                web.conversations_replies(channel=post.chat, ts=post.thread, limit=LOOKED_AT, include_all_metadata=True)
                if post.thread
                else web.conversations_history(channel=post.chat, limit=LOOKED_AT, include_all_metadata=True)
            ),
        )
        standing: dict[int, str] = {}
        for message in said.get("messages") or []:
            metadata = message.get("metadata") or {}
            payload = metadata.get("event_payload") or {}
            if metadata.get("event_type") == EVENT_TYPE and payload.get("key") == key:
                standing[int(payload.get("part", 0))] = str(message["ts"])
        return PostRef(NAME, post.chat, tuple(standing[at] for at in sorted(standing)), post.thread)

    async def _delete(self, chat: str, ids: Sequence[str]) -> None:
        for ts in ids:
            try:
                await self._call(self._web, "bot_token", lambda web, ts=ts: web.chat_delete(channel=chat, ts=ts))  # type: ignore[misc]
            except ChannelError as error:
                log.info("a message could not be deleted: %s", error)

    async def _call(
        self, web: AsyncWebClient, key: str, call: Callable[[AsyncWebClient], Awaitable[AsyncSlackResponse]]
    ) -> AsyncSlackResponse:
        """One Web API call over a session of our own: the SDK would otherwise connect anew for each."""
        if self._web.session is None or self._web.session.closed:
            self._web.session = self._app_web.session = ClientSession(timeout=ClientTimeout(total=self._call_timeout_s))
        try:
            return await call(web)
        except FAILURES as error:
            raise channel_error(error, key) from error
        except AttributeError as error:  # the SDK stumbles over answers that are no JSON object, as proxies give them
            raise Ambiguous("Slack's answer could not be read") from error

    def _remember(self, chat: str, ts: str, part: Part) -> None:
        self._shown[chat, ts] = part
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)


def _client(token: str, base: str) -> AsyncWebClient:
    """A client that never repeats a call by itself: it cannot know whether the first one arrived."""
    web = AsyncWebClient(token=token, base_url=base, timeout=CALL_TIMEOUT_S, retry_handlers=[], logger=sdk_log)
    if urlsplit(base).hostname in ("127.0.0.1", "localhost", "::1"):
        web.proxy = None  # the SDK takes a proxy from the environment, also for this machine
    return web
