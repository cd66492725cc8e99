"""The thread of a database: one thing after the other, whoever waits for it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import pytest

from bossbot.store.worker_thread import WorkerThread

PATIENCE_S = 60.0


@pytest.fixture
def thread() -> Iterator[WorkerThread]:
    worker = WorkerThread("worker under test")
    yield worker
    worker.stop()


@dataclass
class Diary:
    """Who was done, in order."""

    lines: list[str] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def write(self, line: str) -> Callable[[], int]:
        def work() -> int:
            self.lines.append(line)
            return threading.get_ident()

        return work

    def write_later(self, line: str) -> Callable[[], int]:
        """Not before it is told to go on."""

        def work() -> int:
            self.begun.set()
            assert self.go_on.wait(PATIENCE_S)
            return self.write(line)()

        return work


async def test_things_are_done_in_order_by_one_thread_beside_the_loops(thread: WorkerThread) -> None:
    diary, words = Diary(), [f"word {number}" for number in range(50)]
    who = await asyncio.gather(*(thread.do(diary.write(word)) for word in words))
    assert diary.lines == words
    assert len(set(who)) == 1
    assert who[0] != threading.get_ident()


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3)])
async def test_what_was_raised_is_for_whoever_waits_and_the_thread_goes_on(
    thread: WorkerThread, error: BaseException
) -> None:
    def work() -> None:
        raise error

    with pytest.raises(type(error), match=str(error)):
        await thread.do(work)
    assert await thread.do(lambda: "on") == "on"


async def test_what_nobody_waits_for_any_more_is_done_all_the_same(thread: WorkerThread) -> None:
    diary = Diary()
    running, waiting = thread.do(diary.write_later("running")), thread.do(diary.write("waiting"))
    assert await asyncio.to_thread(diary.begun.wait, PATIENCE_S)
    running.cancel()
    waiting.cancel()
    diary.go_on.set()
    await thread.do(lambda: None)
    assert diary.lines == ["running", "waiting"]


def test_it_outlives_a_loop_that_ended_while_it_was_at_work(thread: WorkerThread) -> None:
    diary = Diary()

    async def hand_in(work: Callable[[], int], *, wait: bool) -> None:
        done = thread.do(work)
        if wait:
            await done

    asyncio.run(hand_in(diary.write_later("late"), wait=False))
    diary.go_on.set()
    asyncio.run(hand_in(diary.write("next"), wait=True))
    assert diary.lines == ["late", "next"]


async def test_a_thread_that_was_stopped_ends_after_its_work_and_takes_no_more() -> None:
    thread = WorkerThread("worker that ends")
    [running] = [each for each in threading.enumerate() if each.name == "worker that ends"]
    last = thread.do(lambda: "last")
    thread.stop()
    assert await last == "last"
    with pytest.raises(RuntimeError, match="stopped"):
        await thread.do(lambda: "more")
    await asyncio.to_thread(running.join, PATIENCE_S)
    assert not running.is_alive()


class Large:
    """Says when it is gone."""

    gone = threading.Event()

    def __del__(self) -> None:
        self.gone.set()


async def test_while_it_waits_it_holds_nothing_of_what_it_did(thread: WorkerThread) -> None:
    large = Large()
    done = thread.do(partial(isinstance, large, Large))
    del large
    assert await done
    assert await asyncio.to_thread(Large.gone.wait, PATIENCE_S)
