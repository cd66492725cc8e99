"""A mailbox: what is decided together is written together, once, and a failure belongs to whoever caused it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from bossbot.app.mailbox import COMMIT_INTERVAL_S, SNAPSHOT_EVENTS, Change, Clock, Mailbox
from bossbot.domain import commands as c
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Event
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import MessageId, SessionId
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.memory import MemoryStore
from bossbot.store.records import MessageRef
from tests.app.desk import AT, Counter, quiet

SESSION = SessionId("ps_1")
OPEN = c.OpenSession("Fix the build", "chat", "1", None)


class Store(MemoryStore):
    """Counts writes; the next ones fail with `failures`."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[list[str]] = []
        self.failures: list[Exception] = []
        self.unreadable = False

    async def append(self, session_id: SessionId, expected_version: int, events: Sequence[Event], **more: Any) -> int:
        if self.failures:
            raise self.failures.pop(0)
        version = await super().append(session_id, expected_version, events, **more)
        self.writes.append([event.type for event in events])
        return version

    async def state(self, session_id: SessionId) -> tuple[SessionState, int, int]:
        if self.unreadable:
            raise OSError("the disk is gone")
        return await super().state(session_id)


@asynccontextmanager
async def mailbox(
    store: Store,
    changes: list[Change] | None = None,
    clock: Clock = lambda: AT,
    interval_s: float = COMMIT_INTERVAL_S,
) -> AsyncIterator[Mailbox]:
    runs: list[asyncio.Task[None]] = []

    def wake() -> None:
        runs.append(asyncio.create_task(box.run()))

    react = (changes if changes is not None else []).append
    box = Mailbox(SESSION, store, Counter(), clock, react, wake, interval_s)
    await box.open()
    try:
        yield box
        assert all(not run.done() or run.exception() is None for run in runs)
    finally:
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)


def message(number: int, text: str = "hello") -> c.AddMessage:
    return c.AddMessage(MessageId(f"msg_{number}"), f"turn_{number}", "chat", text, "chat:1", "Ada")


def text(number: int) -> c.AddManagerText:
    return c.AddManagerText(MessageId(f"said_{number}"), f"line {number}")


async def test_what_the_agent_says_at_once_is_one_write() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        for number in range(5):
            await box.post(text(number))
        await quiet()
    assert len(store.writes) == 2
    assert store.writes[1] == ["session.message.added"] * 5


async def test_what_the_agent_tells_of_its_work_waits_for_more_of_it_and_comes_before_what_does_not_wait() -> None:
    store = Store()
    async with mailbox(store, interval_s=600.0) as box:
        await box.tell(OPEN, message(1))
        for number in range(9):
            await box.post(c.RequestToolCall(f"use_{number}", "Bash", "make test"))
            await quiet()
        assert len(store.writes) == 1
        await box.post(text(1))
        await quiet()
        assert store.writes[1:] == [["tool.call.requested"] * 9 + ["session.message.added"]]


async def test_it_does_not_wait_for_long_and_keeps_the_time_at_which_it_came() -> None:
    store, times = Store(), iter(AT + timedelta(seconds=number) for number in range(9))
    async with mailbox(store, clock=lambda: next(times)) as box:
        await box.tell(OPEN)
        for number in range(3):
            await box.post(c.RequestToolCall(f"use_{number}", "Bash", "make test"))
        for _ in range(6_000):
            if len(store.writes) == 2:
                break
            await asyncio.sleep(0.01)
    assert store.writes[1:] == [["tool.call.requested"] * 3]
    at = [event.timestamp for event in await store.load(SESSION)]
    assert at[-3:] == [AT + timedelta(seconds=number) for number in (1, 2, 3)]


async def test_a_delivery_with_an_inbox_key_is_written_alone_with_its_key_and_its_message() -> None:
    store = Store()
    heard = MessageRef("chat", "1", "said7")
    async with mailbox(store) as box:
        await box.tell(OPEN)
        await box.post(text(1))
        said = asyncio.create_task(box.tell(message(1), inbox_key="m1", heard=heard))
        await quiet()
        await box.post(text(2))
        await said
        await quiet()
    assert [len(write) for write in store.writes] == [2, 1, 3, 1]
    assert await store.session_of_message(heard) == SESSION
    assert store.data.inbox == {"m1": AT}


async def test_a_repeated_delivery_is_refused_and_changes_nothing() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        state = await box.tell(message(1), inbox_key="m1")
        with pytest.raises(DuplicateDelivery):
            await box.tell(message(2), inbox_key="m1")
        assert box.state is state


async def test_a_refusal_spoils_nothing_else_in_its_batch() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        refused, _, closed = await asyncio.gather(
            box.tell(c.Interrupt("chat:1", "no", "turn_1")),
            box.post(text(1)),
            box.tell(c.CloseSession("done")),
            return_exceptions=True,
        )
    assert isinstance(refused, DomainError)
    assert getattr(closed, "status", "") == "closed"
    assert store.writes[1:] == [["session.message.added", "session.closed"]]


async def test_a_command_that_nobody_can_handle_spoils_nothing_else_in_its_batch() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        broken, _, fine = await asyncio.gather(
            box.tell(object()),  # type: ignore[arg-type]
            box.post(text(1)),
            box.tell(text(2)),
            return_exceptions=True,
        )
    assert isinstance(broken, AssertionError)
    assert not isinstance(fine, BaseException)
    assert store.writes[1:] == [["session.message.added"] * 2]


async def test_of_several_commands_told_together_none_counts_when_one_is_refused() -> None:
    store = Store()
    async with mailbox(store) as box:
        with pytest.raises(DomainError):
            await box.tell(OPEN, message(1, "  "))
    assert store.writes == []


async def test_a_session_that_somebody_else_wrote_to_is_read_again_and_decided_anew() -> None:
    store = Store()
    async with mailbox(store) as first, mailbox(store) as second:
        await first.tell(OPEN)
        with pytest.raises(DomainError, match="already open"):
            await second.tell(OPEN)
        state = await second.tell(message(1))
        assert state.turn is not None
        assert state.turn.id == "turn_1"
        assert (await first.tell(message(2))).queue[0].content == "hello"


async def test_a_second_conflict_in_a_row_is_told_and_the_mailbox_goes_on() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        store.failures = [VersionConflict(SESSION, 1, 2), VersionConflict(SESSION, 1, 2)]
        with pytest.raises(VersionConflict):
            await box.tell(message(1))
        assert (await box.tell(message(2))).turn is not None


async def test_a_log_that_cannot_be_read_again_fails_the_letter_and_not_the_mailbox() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        store.failures, store.unreadable = [VersionConflict(SESSION, 1, 2)], True
        with pytest.raises(OSError, match="disk is gone"):
            await box.tell(message(1))
        store.unreadable = False
        assert (await box.tell(message(2))).turn is not None


async def test_a_failed_write_is_told_and_leaves_the_state_as_it_was() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        before = box.state
        store.failures = [OSError("no space left")]
        with pytest.raises(OSError, match="no space left"):
            await box.tell(message(1), inbox_key="m1")
        assert box.state is before
        await box.tell(message(1), inbox_key="m1")


async def test_reactions_hear_of_each_write_in_order_and_only_after_it() -> None:
    store, changes = Store(), list[Change]()
    async with mailbox(store, changes) as box:
        await box.tell(OPEN)
        await box.tell(message(1))
        await box.post(c.AddManagerText(MessageId("m"), "  "))  # nothing is said: nothing is written
        await quiet()
    assert [[e.type for e in change.events] for change in changes] == store.writes
    assert changes[1].before == changes[0].after
    assert changes[1].after.turn is not None


async def test_a_caller_that_went_away_does_not_keep_its_command_from_counting() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        gone = asyncio.create_task(box.tell(message(1), inbox_key="m1"))
        await asyncio.sleep(0)
        gone.cancel()
        await quiet()
        assert box.state.turn is not None
        assert (await box.tell(message(2))).queue[0].id == "msg_2"


async def test_a_long_session_is_opened_from_a_snapshot_and_is_the_same() -> None:
    store = Store()
    async with mailbox(store) as box:
        await box.tell(OPEN)
        await asyncio.gather(*(box.post(text(number)) for number in range(SNAPSHOT_EVENTS)))
        state = await box.tell()
        await quiet()
    again, version, from_snapshot = await store.state(SESSION)
    assert again == state == fold(SessionState(id=SESSION), await store.load(SESSION))
    assert version >= from_snapshot >= SNAPSHOT_EVENTS
