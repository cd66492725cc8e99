"""Sessions: one mailbox each, whoever asks first, and nobody suffers for another's failure."""

import asyncio

import pytest

from bossbot.app.sessions import Sessions
from bossbot.domain import commands as c
from bossbot.domain.events import Event
from bossbot.ids import SessionId
from bossbot.store.memory import MemoryStore
from tests.app.desk import AT, Counter

SESSION = SessionId("ps_1")


class Slow(MemoryStore):
    """Reading a log takes until `go`; it fails while `broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.broken, self.loads = asyncio.Event(), False, 0

    async def load(self, session_id: SessionId, after_version: int = 0) -> list[Event]:
        self.loads += 1
        await self.go.wait()
        if self.broken:
            raise OSError("the disk is gone")
        return await super().load(session_id, after_version)


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
