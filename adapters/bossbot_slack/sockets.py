"""Receiving by Socket Mode, at least once: Slack hears "got it" only after the sink has stored what came.

Bolt acknowledges events before their listener runs, unless `process_before_response` is set; then a listener that
fails leaves the envelope unacknowledged, and Slack delivers it again. The SDK replaces sockets that close or fall
silent; if it cannot within a while (it may retry an address that was good only once), everything is built anew.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from bossbot.channel import ButtonPressed, ChannelError, MessageReceived, RetryLater, Sink
from bossbot_slack.errors import FAILURES, channel_error
from bossbot_slack.inbound import Json, message, press, sender
from bossbot_slack.quiet import sdk_log
from bossbot_slack.webapi import Me, WebApi

PING_EVERY_S = 5.0  # a socket that does not answer within half of this is closed
CONNECT_WITHIN_S = 20.0
LOST_FOR_S = 30.0  # how long the SDK may take to replace a socket before we start anew
LOOK_EVERY_S = 1.0
STORE_PAUSES_S = (0.2, 1.0)  # Slack waits 3 s for an acknowledgement
PRESS_ACK_S = 2.0  # Slack shows the presser a failure after 3
PAUSE_FIRST_S, PAUSE_GROWTH, PAUSE_MAX_S = 0.5, 2.0, 30.0

log = logging.getLogger("bossbot.slack")
Sleep = Callable[[float], Awaitable[None]]


class Receiving:
    """One app's socket. `sleep` is how it waits between attempts; `connected` is true while it hears."""

    def __init__(self, web: WebApi, sleep: Sleep) -> None:
        self._web = web
        self._sleep = sleep
        self.connected = False
        self._order = asyncio.Lock()
        self._late: set[asyncio.Task[None]] = set()

    async def run(self, sink: Sink) -> None:
        """For ever; every failure is logged with its fix and waited out."""
        pause_s = PAUSE_FIRST_S
        while True:
            try:
                await self._connection(sink)
            except (ChannelError, *FAILURES) as error:
                known = error if isinstance(error, ChannelError) else channel_error(error, "app_token")
                wait_s = known.after_s if isinstance(known, RetryLater) else pause_s
                log.warning("not receiving, next attempt in %.1f s: %s", wait_s, known)
                await self._sleep(wait_s)
                pause_s = min(pause_s * PAUSE_GROWTH, PAUSE_MAX_S)
            else:
                log.warning("the socket to Slack was lost for %.0f s: connecting anew", LOST_FOR_S)
                pause_s = PAUSE_FIRST_S

    async def _connection(self, sink: Sink) -> None:
        """Receives until the SDK has failed for a while to keep a socket."""
        handler = self._handler(sink, await self._web.known())
        try:
            await self._connect(handler)
            self.connected = True
            await self._until_lost(handler)
        finally:
            self.connected = False
            await _untyped(handler.client.close)

    def _handler(self, sink: Sink, me: Me) -> AsyncSocketModeHandler:
        async def authorize() -> AuthorizeResult:
            return AuthorizeResult(
                enterprise_id=None,
                team_id=me.team_id,
                bot_token=self._web.bot.token,
                bot_user_id=me.user_id,
                bot_id=me.bot_id,
            )

        async def on_event(event: Json) -> None:
            await self._message(event, me, sink)

        async def on_action(body: Json, ack: AsyncAck) -> None:
            if (pressed := press(body)) is not None:
                await self._press(pressed, sink)
            await ack()

        app = AsyncApp(
            client=AsyncWebClient(base_url=self._web.app.base_url),
            authorize=authorize,
            process_before_response=True,
            request_verification_enabled=False,  # there is nothing to verify on a socket that we opened
            logger=sdk_log,
        )
        app.event(re.compile(".*"))(on_event)
        app.action(re.compile(".*"))(on_action)
        handler = AsyncSocketModeHandler(
            app, self._web.app.token, web_client=self._web.app, logger=sdk_log, ping_interval=PING_EVERY_S
        )
        handler.client.proxy = self._web.app.proxy
        return handler

    async def _connect(self, handler: AsyncSocketModeHandler) -> None:
        """Asks for the address ourselves: the SDK would retry a wrong token without an end, and sleep at a limit."""
        handler.client.wss_uri = await self._web.open_socket()
        async with asyncio.timeout(CONNECT_WITHIN_S):
            await _untyped(handler.client.connect)

    async def _until_lost(self, handler: AsyncSocketModeHandler) -> None:
        lost_s = 0.0
        while lost_s < LOST_FOR_S:
            await self._sleep(LOOK_EVERY_S)
            self.connected = await handler.client.is_connected()
            lost_s = 0.0 if self.connected else lost_s + LOOK_EVERY_S

    async def _message(self, event: Json, me: Me, sink: Sink) -> None:
        """Stores a message; one after the other, so that looking up a name cannot change their order."""
        user = sender(event) if event.get("type") in ("message", "app_mention") else None
        if user is None:
            return
        async with self._order:
            received = message(event, me.user_id, await self._web.name_of(user))
            if received is not None:
                await self._store(received, sink)

    async def _store(self, received: MessageReceived, sink: Sink) -> None:
        """Tries a few times itself, for Slack comes back only after a minute; the last failure is Slack's to repeat."""
        for pause_s in STORE_PAUSES_S:
            try:
                return await sink(received)
            except Exception:  # receiving outlives what the core makes of one message
                log.exception("message %s was not stored, next attempt in %.1f s", received.delivery_id, pause_s)
                await self._sleep(pause_s)
        return await sink(received)

    async def _press(self, pressed: ButtonPressed, sink: Sink) -> None:
        """Stores a press; one that takes long is acknowledged meanwhile. A failure is not: the presser sees that."""
        storing = asyncio.create_task(_hand_over(pressed, sink))
        self._late.add(storing)
        storing.add_done_callback(self._late.discard)
        done, _ = await asyncio.wait({storing}, timeout=PRESS_ACK_S)
        if done:
            storing.result()
        else:
            log.warning("storing press %s takes more than %.1f s", pressed.delivery_id, PRESS_ACK_S)


async def _untyped(call: Callable[[], Awaitable[None]]) -> None:
    """The SDK leaves these two methods without types."""
    await call()


async def _hand_over(pressed: ButtonPressed, sink: Sink) -> None:
    await sink(pressed)
