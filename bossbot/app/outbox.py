"""The outbox: brings cards to their threads. One worker a chat, so that posts keep their order and a slow or limited
chat holds up no other. What is to be shown stands in the store; only the newest card of a key is ever sent.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field

from bossbot.app.letters import NotDrawn
from bossbot.app.mailbox import Change
from bossbot.app.sessions import Spawn
from bossbot.channel import (
    Ambiguous,
    Card,
    Channel,
    ChannelError,
    ChannelRefused,
    PostGone,
    PostRef,
    RetryLater,
    ThreadRef,
    Unreachable,
)
from bossbot.ids import SessionId
from bossbot.store.outbox import Delivery
from bossbot.store.protocol import EventStore
from bossbot.views.plain import plain
from bossbot.views.views import QUIET_PREFIXES

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
PATIENCE_S = 20.0
"""A platform call without an answer for so long is given up as ambiguous."""

EDITS_REMEMBERED = 100

LAST_WORDS_S = 2.0
"""A card on its way when the bot is told to end may take so long to arrive; else nobody knows whether it did."""

HOLD_S = 3.0
"""After so long a call without an answer holds up the other cards of its chat no longer; it goes on by itself."""

IN_FLIGHT_MAX = 4
"""Calls of one chat that may hang at once; beyond, the chat waits for one of them."""

Address = tuple[SessionId, ThreadRef, str]
Doubt = Callable[[SessionId, str], None]
"""Told of a message (by its key) that is posted once and may or may not have arrived."""

Draw = Callable[[SessionId, ThreadRef, str], Awaitable[None]]
"""Puts the card of progress under this key into the store, as the session is now."""

_NOT_DRAWN = Card()


@dataclass(slots=True)
class _Chat:
    """What waits for one chat: addresses in order of arrival, and when it may speak again.

    `moving`: of what waits, the progress whose card is drawn only when it is its turn.
    """

    waiting: dict[Address, Delivery] = field(default_factory=dict)
    moving: set[Address] = field(default_factory=set)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    not_before: float = 0.0
    pause_s: float = FIRST_PAUSE_S
    edited_at: dict[Address, float] = field(default_factory=dict)
    in_flight: "dict[Address, asyncio.Task[None]]" = field(default_factory=dict)


class Outbox:
    """Sends what the store says must be shown. `spawn` runs the workers; `now` is a monotonic clock in seconds."""

    def __init__(
        self,
        store: EventStore,
        channels: Mapping[str, Channel],
        *,
        spawn: Spawn,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        edit_interval_s: float,
        doubt: Doubt,
        draw: Draw,
        hold_s: float = HOLD_S,
    ) -> None:
        self._doubt, self._draw, self._hold_s = doubt, draw, hold_s
        self._store, self._channels, self._spawn, self._now, self._sleep = store, channels, spawn, now, sleep
        self._edit_interval_s = edit_interval_s
        self._chats: dict[tuple[str, str], _Chat] = {}

    async def resume(self) -> None:
        """Takes up what an earlier process left: waiting cards, and sends whose fate is unknown."""
        for delivery in await self._store.due():
            self._put(delivery)

    def react(self, change: Change) -> None:
        """Cards were committed and wait to be sent, or progress to be drawn and sent."""
        for s in change.shows:
            self._put(Delivery(change.after.id, s.thread, s.key, s.card, s.once, seq=0))
        for key in change.moving:
            for thread in change.after.threads:
                self._put(Delivery(change.after.id, thread, key, _NOT_DRAWN, once=False, seq=0))

    def _put(self, delivery: Delivery) -> None:
        thread = delivery.thread
        if thread.channel not in self._channels:
            return
        place = (thread.channel, thread.chat)
        chat = self._chats.get(place)
        if chat is None:
            chat = self._chats[place] = _Chat()
            self._spawn(self._work(self._channels[thread.channel], chat), name=f"outbox {thread.channel}")
        address = (delivery.session_id, thread, delivery.key)
        chat.waiting.setdefault(address, delivery)
        if delivery.card is _NOT_DRAWN:
            chat.moving.add(address)
        chat.wake.set()

    async def _work(self, channel: Channel, chat: _Chat) -> None:
        while True:
            delay = await self._step(channel, chat)
            if delay is None:
                await chat.wake.wait()
            elif delay > 0:
                await self._wait(chat, delay)

    async def _wait(self, chat: _Chat, delay_s: float) -> None:
        """Sleeps, but not past something urgent that arrives in a chat that may speak."""
        if self._now() < chat.not_before:
            await self._sleep(delay_s)
            return
        try:
            async with asyncio.timeout(delay_s):  # not wait_for, which in Python 3.11 may swallow a cancellation
                await chat.wake.wait()
        except TimeoutError:
            return

    async def _step(self, channel: Channel, chat: _Chat) -> float | None:
        """Sends one card. Returns seconds to wait before the next, 0 for none, None when nothing waits."""
        chat.wake.clear()
        if not chat.waiting:
            return None
        if (held_s := chat.not_before - self._now()) > 0:
            return held_s
        found = self._next(chat)
        if found is None or len(chat.in_flight) >= IN_FLIGHT_MAX:
            return None
        address, delay_s = found
        if delay_s > 0:
            return delay_s
        waiting = chat.waiting.pop(address)
        moving = address in chat.moving
        chat.moving.discard(address)
        try:
            if moving:
                await self._draw(*address)
            claimed = await self._store.claim(waiting)
        except NotDrawn:  # it would not be drawn again either; what happens next draws it anew
            log.exception("outbox: %s could not be drawn", address[2])
            return 0.0
        except Exception:  # the store is away for a moment: the card keeps its place
            if moving:
                chat.moving.add(address)
            log.exception("outbox: %s waits for the store", address[2])
            chat.waiting = {address: waiting, **chat.waiting}
            chat.not_before = self._now() + self._longer(chat)
            return 0.0
        if claimed is not None:
            sending = self._spawn(self._one(channel, chat, address, claimed), name=f"sending {address[2]}")
            chat.in_flight[address] = sending
            await asyncio.wait({sending}, timeout=self._hold_s)
        return 0.0

    async def _one(self, channel: Channel, chat: _Chat, address: Address, delivery: Delivery) -> None:
        try:
            await _finished(self._send(channel, chat, address, delivery))
        except Exception:  # the worker outlives one card that cannot be handled
            log.exception("outbox: %s was not delivered", address[2])
        finally:
            chat.in_flight.pop(address, None)
            chat.wake.set()

    def _next(self, chat: _Chat) -> tuple[Address, float] | None:
        """The first card that may go now, else the one that may go first; progress waits for its interval, and a card
        for the call that is under way with its key.
        """
        best: tuple[Address, float] | None = None
        for address in chat.waiting:
            if address in chat.in_flight:
                continue
            quiet = address[2].startswith(QUIET_PREFIXES)
            since_s = self._now() - chat.edited_at.get(address, float("-inf"))
            delay_s = max(0.0, self._edit_interval_s - since_s) if quiet else 0.0
            if delay_s <= 0:
                return address, 0.0
            if best is None or delay_s < best[1]:
                best = (address, delay_s)
        return best

    async def _send(self, channel: Channel, chat: _Chat, address: Address, delivery: Delivery) -> None:
        if delivery.once and delivery.doubtful:
            # It may stand there already, and must not appear twice: it is left for a person to see in the log.
            await self._store.ambiguous(delivery, "an earlier attempt may have arrived")
            log.warning("outbox: %s may or may not have been delivered; not repeated", delivery.key)
            self._doubt(delivery.session_id, delivery.key)
            return
        try:
            async with asyncio.timeout(PATIENCE_S):
                post = await self._deliver(channel, delivery)
        except RetryLater as error:
            await self._again(chat, address, delivery, error, error.after_s)
        except Unreachable as error:
            await self._again(chat, address, delivery, error, self._longer(chat))
        except (Ambiguous, TimeoutError) as error:
            if delivery.post is not None or not delivery.once:
                await self._again(chat, address, delivery, error, self._longer(chat))
            else:
                await self._store.ambiguous(delivery, str(error) or "no answer")
                log.warning("outbox: %s may or may not have been delivered: %s", delivery.key, error)
                self._doubt(delivery.session_id, delivery.key)
        except (ChannelRefused, ChannelError) as error:
            await self._store.failed(delivery, str(error))
            log.warning("outbox: %s was refused: %s", delivery.key, error)
        except Exception as error:  # an adapter's own mistake: the next card under this key is tried again
            await self._store.failed(delivery, f"{type(error).__name__} in the adapter")
            log.exception("outbox: %s could not be shown", delivery.key)
        else:
            chat.pause_s = FIRST_PAUSE_S
            self._edited(chat, address)
            await self._store.sent(delivery, post)

    def _edited(self, chat: _Chat, address: Address) -> None:
        """Remembers when, for as long as it matters."""
        now = self._now()
        if len(chat.edited_at) >= EDITS_REMEMBERED:
            chat.edited_at = {a: at for a, at in chat.edited_at.items() if now - at < self._edit_interval_s}
        chat.edited_at[address] = now

    async def _deliver(self, channel: Channel, delivery: Delivery) -> PostRef:
        """A card that the platform refuses as it is goes out once more in plain words, with its buttons."""
        try:
            return await self._deliver_as(channel, delivery, delivery.card)
        except ChannelRefused as error:
            log.warning("outbox: %s was refused and is sent in plain words: %s", delivery.key, error)
            return await self._deliver_as(channel, delivery, plain(delivery.card))

    async def _deliver_as(self, channel: Channel, delivery: Delivery, card: Card) -> PostRef:
        if delivery.post is not None:
            try:
                return await channel.edit(delivery.post, card)
            except PostGone:
                if delivery.once:
                    return delivery.post
        return await channel.post(delivery.thread, card, key=delivery.key)

    async def _again(self, chat: _Chat, address: Address, delivery: Delivery, error: Exception, after_s: float) -> None:
        """Holds the whole chat, and keeps the newest card of each key."""
        await self._store.released(delivery, str(error))
        chat.waiting = {address: delivery, **chat.waiting}
        chat.not_before = self._now() + after_s
        log.info("outbox: %s waits %.1f s: %s", delivery.key, after_s, error)

    def _longer(self, chat: _Chat) -> float:
        pause_s = chat.pause_s
        chat.pause_s = min(LONGEST_PAUSE_S, pause_s * 2)
        return pause_s


async def _finished(sending: Coroutine[None, None, None]) -> None:
    """Runs it; when cancelled, gives it `LAST_WORDS_S` to come to its end."""
    task = asyncio.create_task(sending)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task}, timeout=LAST_WORDS_S)
        task.cancel()
        raise
