"""The connection to Slack: what is posted, edited and answered. Imports slack-bolt, so only `load` leads here."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping

from bossbot.channel import (
    Ambiguous,
    BadChannelConfig,
    ButtonPressed,
    Card,
    ChannelError,
    Identity,
    PostRef,
    Sink,
    ThreadRef,
)
from bossbot.channel.parts import Parts
from bossbot_slack.inbound import NAME
from bossbot_slack.messages import SlackMessages
from bossbot_slack.render import escape
from bossbot_slack.sockets import Receiving, Sleep
from bossbot_slack.webapi import CALL_TIMEOUT_S, WebApi

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
        now: Callable[[], float] = time.time,
    ) -> None:
        self._now = now
        self._web = WebApi(bot_token, app_token, api_base, call_timeout_s)
        self._receiving = Receiving(self._web, sleep)
        self._messages = SlackMessages(self._web)
        self._parts = Parts(NAME, self._messages)
        self._unsure: dict[tuple[ThreadRef, str], float] = {}

    @property
    def connected(self) -> bool:
        """Whether messages and presses reach us now."""
        return self._receiving.connected

    async def check(self) -> Identity:
        """Who the tokens are; `BadChannelConfig` names the one that Slack refuses."""
        me = await self._web.known()
        await self._web.open_socket()
        deaf = f"; it cannot hear everything without the scopes {', '.join(me.deaf_to)}" if me.deaf_to else ""
        return Identity(user_id=me.user_id, name=f"@{me.name}", detail=f"in workspace {me.team}{deaf}")

    async def run(self, sink: Sink) -> None:
        """Receives until cancelled."""
        await self._receiving.run(sink)

    async def post(self, thread: ThreadRef, card: Card, *, key: str) -> PostRef:
        """Posts the parts of a card. After a failure midway, the next call with this key goes on from there.

        Where the answer to a part never came, the next call first looks for it by the key in its metadata.
        """
        place, tried_at = (thread, key), self._now()
        begun = self._parts.begun(thread, key)
        if place in self._unsure:
            begun = await self._messages.find(begun, key, self._unsure[place])
        try:
            post = await self._parts.post(thread, card, key, begun)
        except (Ambiguous, asyncio.CancelledError):
            self._unsure.setdefault(place, tried_at)
            raise
        self._unsure.pop(place, None)
        return post

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        """Edits part by part; posts what is new at the end, deletes what is no longer needed."""
        return await self._parts.edit(post, card)

    async def draft(self, thread: ThreadRef, text: str, *, key: str) -> bool:
        """None here: the core edits a post, which the answer then takes over."""
        return False

    async def answer(self, press: ButtonPressed, text: str, *, warn: bool = False) -> None:
        """A message that only the presser sees, in the thread of the card. Slack itself ends the press."""
        if not text.strip():
            return
        shown = escape(f"⚠️ {text}" if warn else text)
        await self._web.call(
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
            await self._web.call(
                lambda web: web.assistant_threads_setStatus(channel_id=thread.chat, thread_ts=ts, status="is working…"),
            )
        except ChannelError as error:
            log.debug("no status: %s", error)

    async def close(self) -> None:
        await self._web.close()
