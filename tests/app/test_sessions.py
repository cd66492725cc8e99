"""Sessions: one mailbox each, whoever asks first, and nobody suffers for another's failure."""

import asyncio
import gc

import pytest

from bossbot.app.sessions import Sessions
from bossbot.domain import commands as c
from bossbot.domain.errors import DomainError
from bossbot.domain.state import SessionState
from bossbot.ids import MessageId, SessionId
from bossbot.store.memory import MemoryStore
from tests.app.desk import AT, Counter

SESSION = SessionId("ps_1")


class Slow(MemoryStore):
    """Reading a log takes until `go`; it fails while `broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.broken, self.loads = asyncio.Event(), False, 0

    async def state(self, session_id: SessionId) -> tuple[SessionState, int, int]:
        self.loads += 1
        await self.go.wait()
        if self.broken:
            raise OSError("the disk is gone")
        return await super().state(session_id)


@pytest.fixture
async def store() -> Slow:
    return Slow()


def sessions(store: Slow, tasks: "list[asyncio.Task[None]]") -> Sessions:
    def spawn(*args: object, **more: object) -> "asyncio.Task[None]":
        tasks.append(asyncio.create_task(*args, **more))  # type: ignore[arg-type]
        return tasks[-1]

    return Sessions(store, Counter(), lambda: AT, lambda change: None, spawn)


async def test_many_who_ask_at_once_get_the_same_mailbox(store: Slow) -> None:
    tasks: list[asyncio.Task[None]] = []
    found = sessions(store, tasks)
    asking = [asyncio.create_task(found.get(SESSION)) for _ in range(5)]
    await asyncio.sleep(0)
    store.go.set()
    boxes = await asyncio.gather(*asking)
    assert len({id(box) for box in boxes}) == store.loads == len(tasks) == 1
    assert (await boxes[0].tell(c.OpenSession("Fix", "chat", "1", None))).status == "active"
    tasks[0].cancel()


async def test_one_who_goes_away_while_it_opens_does_not_cancel_the_others(store: Slow) -> None:
    tasks: list[asyncio.Task[None]] = []
    found = sessions(store, tasks)
    first = asyncio.create_task(found.get(SESSION))
    await asyncio.sleep(0)
    second = asyncio.create_task(found.get(SESSION))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(OSError, match="try again"):
        await second
    store.go.set()
    assert await found.get(SESSION) is await found.get(SESSION)
    tasks[0].cancel()


async def test_a_log_that_could_not_be_read_is_read_again_next_time(store: Slow) -> None:
    tasks: list[asyncio.Task[None]] = []
    found = sessions(store, tasks)
    store.go.set()
    store.broken = True
    with pytest.raises(OSError, match="disk is gone"):
        await found.get(SESSION)
    assert tasks == []
    store.broken = False
    await found.get(SESSION)
    tasks[0].cancel()


async def test_a_closed_session_is_let_go_and_its_mailbox_still_takes_what_comes_late(store: Slow) -> None:
    tasks: list[asyncio.Task[None]] = []
    found = sessions(store, tasks)
    store.go.set()
    box = await found.get(SESSION)
    await box.tell(c.OpenSession("Fix", "chat", "1", None))
    await box.tell(c.CloseSession("done"))
    await asyncio.wait_for(tasks[0], 60)
    assert found.all_open() == []
    assert await found.get(SESSION) is box
    with pytest.raises(DomainError, match="closed"):
        await box.tell(c.AddMessage(MessageId("msg_1"), "turn_1", "chat", "one more thing", "chat:1", "Ada"))
    await asyncio.wait_for(tasks[1], 60)
    assert found.all_open() == []
    del box
    await asyncio.sleep(0)  # the loop holds what it has run last
    gc.collect()
    again = await found.get(SESSION)
    assert again.state.status == "closed"
    assert store.loads == 2
    await asyncio.wait_for(tasks[2], 60)
