"""The queue of updates: they wait until the bot confirms them, and only one poller may wait for them."""

import asyncio
from collections import deque
from dataclasses import dataclass

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_errors import TelegramError, conflict

MESSAGE_LIFE_S = 86_400.0
CALLBACK_LIFE_S = 150.0
"""A press waits this long and no longer (telegram-bot-api, `Client::get_callback_query_update`)."""
CONFLICT_PAUSE_S = 3.0
LEFT_OUT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(slots=True)
class Waiting:
    """An update in the queue; it is handed out `copies` times more than once, in one answer."""

    update: Json
    update_id: int
    dies_at: float
    copies: int = 0


class UpdateQueue:
    """getUpdates' side of the state. Ids grow for as long as the server lives, also across resets."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[Waiting] = deque()
        self._next_id = 500_000_001
        self._poller: asyncio.Future[bool] | None = None
        self._last_offset: int | None = None
        self._last_poll_at = 0.0
        self._next_conflict_at = 0.0
        self.allowed: frozenset[str] | None = None
        self.closed = False

    def __len__(self) -> int:
        self._forget_dead()
        return len(self._waiting)

    def put(self, kind: str, content: Json, dies_at: float) -> int | None:
        """Queue an update and return its id; None when the bot did not ask for this kind."""
        if not self._wants(kind):
            return None
        update_id = self._next_id
        self._next_id += 1
        self._waiting.append(Waiting({"update_id": update_id, kind: content}, update_id, dies_at))
        self._end_poll(answer=True)
        return update_id

    def put_again(self, update_id: int | None) -> None:
        """Hand an update that waits out twice, in one answer."""
        for waiting in self._waiting:
            if waiting.update_id == update_id:
                waiting.copies += 1

    async def poll(self, offset: int, limit: int, timeout_s: int) -> list[Json]:
        """What getUpdates answers: updates, or after `timeout_s` an empty list.

        Raises 409 in the poller that was waiting when another one came.
        """
        limit, timeout_s = self._slowed_down(offset, limit, timeout_s)
        found = self._take(offset, limit)
        if found or timeout_s == 0 or self.closed:
            return found
        self._end_poll(answer=False)
        poller = asyncio.get_running_loop().create_future()
        self._poller = poller
        done, _ = await asyncio.wait((poller,), timeout=timeout_s)
        if self._poller is poller:
            self._poller = None
        if done and not poller.result():
            raise await self._conflict()
        return self._take(max(offset, 0), limit)

    def drop_all(self) -> None:
        self._waiting.clear()

    def close(self) -> None:
        self.closed = True
        self._end_poll(answer=True)

    def _wants(self, kind: str) -> bool:
        return kind not in LEFT_OUT_BY_DEFAULT if self.allowed is None else kind in self.allowed

    def _slowed_down(self, offset: int, limit: int, timeout_s: int) -> tuple[int, int]:
        # The official server slows a poller that repeats its offset (process_get_updates_query).
        now = self._clock.now()
        if offset == self._last_offset and now < self._last_poll_at + 3.0:
            timeout_s = max(timeout_s, 3)
            if now < self._last_poll_at + 0.5:
                limit = 1
        self._last_offset, self._last_poll_at = offset, now
        return limit, timeout_s

    def _take(self, offset: int, limit: int) -> list[Json]:
        self._forget_dead()
        if offset < 0:
            while len(self._waiting) > -offset:
                self._waiting.popleft()
        while self._waiting and self._waiting[0].update_id < offset:
            self._waiting.popleft()
        found: list[Json] = []
        for waiting in list(self._waiting)[:limit]:
            found.extend([waiting.update] * (1 + waiting.copies))
            waiting.copies = 0
        return found

    def _forget_dead(self) -> None:
        now = self._clock.now()
        if any(waiting.dies_at <= now for waiting in self._waiting):
            self._waiting = deque(waiting for waiting in self._waiting if waiting.dies_at > now)

    def _end_poll(self, answer: bool) -> None:
        poller, self._poller = self._poller, None
        if poller is not None and not poller.done():
            poller.set_result(answer)

    async def _conflict(self) -> TelegramError:
        now = self._clock.now()
        if now < self._next_conflict_at:
            await asyncio.sleep(CONFLICT_PAUSE_S)
        else:
            self._next_conflict_at = now + CONFLICT_PAUSE_S
        return conflict("terminated by other getUpdates request; make sure that only one bot instance is running")
