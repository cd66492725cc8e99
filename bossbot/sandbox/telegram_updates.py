"""The queue of updates: they wait until the bot confirms them, and only one poller may wait for them.

Sources: tdlib/telegram-bot-api, Client.cpp (`process_get_updates_query`, `do_get_updates`,
`get_allowed_update_types`); tdlib/td, TQueue.cpp.
"""

import asyncio
import itertools
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import Json, as_list
from bossbot.sandbox.telegram_errors import TelegramError, conflict

MESSAGE_LIFE_S = 86_400.0
CALLBACK_LIFE_S = 150.0
"""A press waits this long and no longer (Client.cpp `process_new_callback_query_queue`)."""
CONFLICT_PAUSE_S = 3.0
AHEAD_MAX = 10
"""An offset further ahead than that is taken for none (TQueue.cpp `get`)."""
LEFT_OUT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
KINDS = frozenset(
    {
        "message", "edited_message", "channel_post", "edited_channel_post", "business_connection",
        "business_message", "edited_business_message", "deleted_business_messages", "message_reaction",
        "message_reaction_count", "inline_query", "chosen_inline_result", "callback_query", "shipping_query",
        "pre_checkout_query", "purchased_paid_media", "poll", "poll_answer", "my_chat_member", "chat_member",
        "chat_join_request", "chat_boost", "removed_chat_boost", "managed_bot", "guest_message",
        "stopped_message_generation",
    }
)  # fmt: skip
"""Every kind of update that `allowed_updates` may name (Bot API 10.3, `Update`)."""
OTHER_POLLER = "terminated by other getUpdates request; make sure that only one bot instance is running"
BY_WEBHOOK = "terminated by setWebhook request"


@dataclass(slots=True, eq=False)
class Waiting:
    """An update in the queue; it is handed out `copies` times more than once.

    A webhook sends the updates of one `line` one after the other, this one not before `ready_at`.
    """

    update: Json
    update_id: int
    dies_at: float
    line: object = None
    copies: int = 0
    ready_at: float = 0.0
    delay_s: float = 1.0
    failures: int = 0

    def start_anew(self) -> None:
        """Another webhook is to get it: what the one before did with it does not count."""
        self.ready_at, self.delay_s, self.failures = 0.0, 1.0, 0


class UpdateQueue:
    """What waits for the bot. Ids grow for as long as the server lives, also across resets."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[Waiting] = deque()
        self._next_death_at = math.inf
        self._next_id = 500_000_001
        self._poller: asyncio.Future[str] | None = None
        self._last_offset: int | None = None
        self._last_poll_at = 0.0
        self._next_conflict_at = 0.0
        self.allowed: frozenset[str] | None = None
        self.on_new: Callable[[], None] | None = None
        self.closed = False

    def __len__(self) -> int:
        return len(self.alive())

    def alive(self) -> deque[Waiting]:
        """What waits and has not outlived its time, oldest first."""
        now = self._clock.now()
        if now >= self._next_death_at:
            self._waiting = deque(waiting for waiting in self._waiting if waiting.dies_at > now)
            self._next_death_at = min((waiting.dies_at for waiting in self._waiting), default=math.inf)
        return self._waiting

    def put(self, kind: str, content: Json, dies_at: float, line: object = None) -> int | None:
        """Queue an update and return its id; None when nobody asked for this kind, or its time is over."""
        if not self._wants(kind) or dies_at <= self._clock.now():
            return None
        update_id = self._next_id
        self._next_id += 1
        self._waiting.append(Waiting({"update_id": update_id, kind: content}, update_id, dies_at, line))
        self._next_death_at = min(self._next_death_at, dies_at)
        self.end_poll("")
        if self.on_new is not None:
            self.on_new()
        return update_id

    def put_again(self, update_id: int | None) -> None:
        """Hand an update that waits out twice."""
        for waiting in self._waiting:
            if waiting.update_id == update_id:
                waiting.copies += 1

    def allow(self, wanted: object) -> None:
        """`allowed_updates`: remembered; what is no array of names changes nothing, unknown names are ignored."""
        names = as_list(wanted)
        if names is None or not all(isinstance(name, str) for name in names):
            return
        self.allowed = frozenset(str(name).lower() for name in names) & KINDS or None

    async def poll(self, offset: int, limit: int, timeout_s: int) -> list[Json]:
        """What getUpdates answers: updates, or after `timeout_s` an empty list.

        Raises 409 in the poller that was waiting when another one came, or a webhook was set.
        """
        limit, timeout_s = self._slowed_down(offset, limit, timeout_s)
        found = self._take(offset, limit)
        if found or timeout_s == 0 or self.closed:
            return found
        self.end_poll(OTHER_POLLER)
        poller = asyncio.get_running_loop().create_future()
        self._poller = poller
        done, _ = await asyncio.wait((poller,), timeout=timeout_s)
        if self._poller is poller:
            self._poller = None
        if done and poller.result():
            raise await self._conflict(poller.result())
        return self._take(max(offset, 0), limit)

    def end_poll(self, conflict_with: str) -> None:
        """Let the waiting poller go: with what there is now, or refused with these words."""
        poller, self._poller = self._poller, None
        if poller is not None and not poller.done():
            poller.set_result(conflict_with)

    def drop(self, waiting: Waiting) -> None:
        """The update was delivered, or nobody will ever take it."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)

    def drop_all(self) -> None:
        self._waiting.clear()

    def close(self) -> None:
        self.closed = True
        self.end_poll("")

    def _wants(self, kind: str) -> bool:
        return kind not in LEFT_OUT_BY_DEFAULT if self.allowed is None else kind in self.allowed

    def _slowed_down(self, offset: int, limit: int, timeout_s: int) -> tuple[int, int]:
        # The official server slows a poller that repeats its offset.
        now = self._clock.now()
        if offset == self._last_offset and now < self._last_poll_at + 3.0:
            timeout_s = max(timeout_s, 3)
            if now < self._last_poll_at + 0.5:
                limit = 1
        self._last_offset, self._last_poll_at = offset, now
        return limit, timeout_s

    def _take(self, offset: int, limit: int) -> list[Json]:
        queue = self.alive()
        if offset < 0:
            while len(queue) > -offset:
                queue.popleft()
        if offset <= self._next_id + AHEAD_MAX:
            while queue and queue[0].update_id < offset:
                queue.popleft()
        found: list[Json] = []
        for waiting in itertools.islice(queue, limit):
            found.extend([waiting.update] * (1 + waiting.copies))
            waiting.copies = 0
        return found

    async def _conflict(self, words: str) -> TelegramError:
        now = self._clock.now()
        if now < self._next_conflict_at:
            await asyncio.sleep(CONFLICT_PAUSE_S)
        else:
            self._next_conflict_at = now + CONFLICT_PAUSE_S
        return conflict(words)
