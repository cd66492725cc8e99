"""Receiving by long polling, at least once.

aiogram's own polling confirms an update when it hands it out. Here `getUpdates` confirms only what the sink has stored:
a crash in between costs a repeat (dropped by `delivery_id`), never a message. While something is still being stored we
go on polling, so that a press does not wait behind a message.
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
LOOK_AGAIN_S = 0.5  # while something is being stored; sooner, and the server answers less (Bot API server, Client.cpp)
PAUSE_FIRST_S, PAUSE_GROWTH, PAUSE_MAX_S = 0.5, 2.0, 30.0
SINK_ATTEMPTS = 8  # with these pauses a minute and a half; then an update that the core cannot take is dropped

log = logging.getLogger("bossbot.telegram")
Sleep = Callable[[float], Awaitable[None]]


class Polling:
    """Fetches updates and hands them to a sink. `connected` is true while the last attempt succeeded."""

    def __init__(self, bot: Bot, sleep: Sleep) -> None:
        self.connected = False
        self._bot = bot
        self._sleep = sleep

    async def run(self, sink: Sink, known: Callable[[], Awaitable[User]]) -> None:
        """For ever; every failure is logged with its fix and waited out. `known` asks who the bot is."""
        offset: int | None = None
        pause_s = PAUSE_FIRST_S
        taken = _Taken()
        async with asyncio.TaskGroup() as group:
            while True:
                try:
                    me = await known()
                    updates = await self._poll(offset, 0 if taken.waits else POLL_TIMEOUT_S)
                except (ChannelError, AiogramError) as error:
                    self.connected = False
                    await self._sleep(self._explained(error, pause_s))
                    pause_s = min(pause_s * PAUSE_GROWTH, PAUSE_MAX_S)
                    continue
                self.connected, pause_s = True, PAUSE_FIRST_S
                for update in updates:
                    if update.update_id not in taken.tasks:
                        self._take(update.update_id, _read(update, me), sink, taken, group)
                offset = await taken.confirmed(offset)

    def _take(self, at: int, item: Inbound | None, sink: Sink, taken: "_Taken", group: asyncio.TaskGroup) -> None:
        """Begins to store an update. Messages are stored one after the other, presses at once."""
        after = None if isinstance(item, ButtonPressed) else taken.last_message
        taken.tasks[at] = task = group.create_task(self._hand_over(at, item, sink, after))
        if isinstance(item, MessageReceived):
            taken.last_message = task

    async def _poll(self, offset: int | None, timeout_s: int) -> Sequence[Update]:
        try:
            return await self._bot.get_updates(
                offset=offset,
                timeout=timeout_s,
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

    async def _hand_over(self, at: int, item: Inbound | None, sink: Sink, after: asyncio.Task[None] | None) -> None:
        if after is not None:
            await asyncio.wait({after})
        if item is None:
            return
        pause_s = PAUSE_FIRST_S
        for attempt in range(1, SINK_ATTEMPTS + 1):
            try:
                await sink(item)
            except Exception:  # receiving outlives what the core makes of one update
                log.exception("update %s was not stored, attempt %s of %s", at, attempt, SINK_ATTEMPTS)
                await self._sleep(pause_s)
                pause_s = min(pause_s * PAUSE_GROWTH, PAUSE_MAX_S)
            else:
                return
        log.error("update %s is dropped: the core could not store it", at)

    def _explained(self, error: ChannelError | AiogramError, pause_s: float) -> float:
        """Logs why receiving pauses and what to do about it; returns for how long."""
        known = error if isinstance(error, ChannelError) else channel_error(error, self._bot.token)
        wait_s = known.after_s if isinstance(known, RetryLater) else pause_s
        log.warning("not receiving, next attempt in %.1f s: %s%s", wait_s, known, _fix(error))
        return wait_s


def _read(update: Update, me: User) -> Inbound | None:
    try:
        return inbound(update, me)
    except Exception:  # receiving outlives an update that we cannot make sense of
        log.exception("update %s could not be understood and is skipped", update.update_id)
        return None


class _Taken:
    """The updates that were handed over and are not confirmed yet, in their order."""

    def __init__(self) -> None:
        self.tasks: dict[int, asyncio.Task[None]] = {}
        self.last_message: asyncio.Task[None] | None = None

    @property
    def waits(self) -> bool:
        return bool(self.tasks)

    async def confirmed(self, offset: int | None) -> int | None:
        """Waits a moment for what is being stored; returns the offset that confirms all that stands before the rest."""
        unfinished = [task for task in self.tasks.values() if not task.done()]
        if unfinished:
            await asyncio.wait(unfinished, timeout=LOOK_AGAIN_S)
        for at in list(self.tasks):
            if not self.tasks[at].done():
                break
            del self.tasks[at]
            offset = at + 1
        return offset


def _fix(error: ChannelError | AiogramError) -> str:
    if not isinstance(error, TelegramConflictError):
        return ""
    if "webhook" in error.message:
        return " (a webhook is set for this bot: remove it with deleteWebhook)"
    return " (another program polls with this token: stop it, or use a bot of its own)"
