"""Receiving by long polling, at least once.

aiogram's own polling confirms an update when it hands it out. Here the next `getUpdates` confirms a batch only after
the sink has stored all of it: a crash in between costs a repeat (dropped by `delivery_id`), never a message.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from aiogram import Bot
from aiogram.exceptions import AiogramError, ClientDecodeError, TelegramConflictError
from aiogram.types import Update, User
from pydantic import ValidationError

from bossbot.channel import ButtonPressed, ChannelError, Inbound, MessageReceived, RetryLater, Sink
from bossbot_telegram.errors import channel_error
from bossbot_telegram.inbound import inbound

POLL_TIMEOUT_S = 25  # the server clamps at 50
ANSWER_SLACK_S = 15
PAUSE_FIRST_S, PAUSE_GROWTH, PAUSE_MAX_S = 0.5, 2.0, 30.0
SINK_ATTEMPTS = 8  # with these pauses a minute and a half; then an update that the core cannot take is dropped

log = logging.getLogger("bossbot.telegram")
Sleep = Callable[[float], Awaitable[None]]


class Polling:
    """Fetches updates and hands them to a sink. `sleep` is how it waits between attempts."""

    def __init__(self, bot: Bot, sleep: Sleep) -> None:
        self._bot = bot
        self._sleep = sleep

    async def run(self, sink: Sink, known: Callable[[], Awaitable[User]]) -> None:
        """For ever; every failure is logged with its fix and waited out. `known` asks who the bot is."""
        offset: int | None = None
        pause_s = PAUSE_FIRST_S
        while True:
            try:
                me = await known()
                updates = await self._poll(offset)
            except (ChannelError, AiogramError) as error:
                await self._sleep(self._explained(error, pause_s))
                pause_s = min(pause_s * PAUSE_GROWTH, PAUSE_MAX_S)
                continue
            pause_s = PAUSE_FIRST_S
            await self._deliver([(update.update_id, inbound(update, me)) for update in updates], sink)
            if updates:
                offset = updates[-1].update_id + 1

    async def _poll(self, offset: int | None) -> Sequence[Update]:
        try:
            return await self._bot.get_updates(
                offset=offset,
                timeout=POLL_TIMEOUT_S,
                allowed_updates=["message", "callback_query"],
                request_timeout=POLL_TIMEOUT_S + ANSWER_SLACK_S,
            )
        except ClientDecodeError as error:
            return self._readable(error)

    def _readable(self, error: ClientDecodeError) -> Sequence[Update]:
        """The updates of a batch that can be read: one of an unknown form must not hold up the others for ever."""
        raw = error.data.get("result") if isinstance(error.data, dict) else None
        if not isinstance(raw, list) or not all(isinstance(item, dict) and "update_id" in item for item in raw):
            raise error
        updates: list[Update] = []
        for item in raw:
            try:
                updates.append(Update.model_validate(item, context={"bot": self._bot}))
            except ValidationError:
                log.warning("skipping update %s, which has an unknown form", item["update_id"])
                updates.append(Update(update_id=item["update_id"]))
        return updates

    async def _deliver(self, batch: Sequence[tuple[int, Inbound | None]], sink: Sink) -> None:
        """Messages in their order; presses beside them, so that no press waits behind a message."""
        messages = [(at, item) for at, item in batch if isinstance(item, MessageReceived)]
        async with asyncio.TaskGroup() as group:
            group.create_task(self._in_order(messages, sink))
            for at, item in batch:
                if isinstance(item, ButtonPressed):
                    group.create_task(self._hand_over(at, item, sink))

    async def _in_order(self, messages: Sequence[tuple[int, MessageReceived]], sink: Sink) -> None:
        for at, message in messages:
            await self._hand_over(at, message, sink)

    async def _hand_over(self, update_id: int, item: Inbound, sink: Sink) -> None:
        pause_s = PAUSE_FIRST_S
        for attempt in range(1, SINK_ATTEMPTS + 1):
            try:
                await sink(item)
            except Exception:  # receiving outlives what the core makes of one update
                log.exception("update %s was not stored, attempt %s of %s", update_id, attempt, SINK_ATTEMPTS)
                await self._sleep(pause_s)
                pause_s = min(pause_s * PAUSE_GROWTH, PAUSE_MAX_S)
            else:
                return
        log.error("update %s is dropped: the core could not store it", update_id)

    def _explained(self, error: ChannelError | AiogramError, pause_s: float) -> float:
        """Logs why receiving pauses and what to do about it; returns for how long."""
        known = error if isinstance(error, ChannelError) else channel_error(error, self._bot.token)
        wait_s = known.after_s if isinstance(known, RetryLater) else pause_s
        log.warning("not receiving, next attempt in %.1f s: %s%s", wait_s, known, _fix(error))
        return wait_s


def _fix(error: ChannelError | AiogramError) -> str:
    if not isinstance(error, TelegramConflictError):
        return ""
    if "webhook" in error.message:
        return " (a webhook is set for this bot: remove it with deleteWebhook)"
    return " (another program polls with this token: stop it, or use a bot of its own)"
