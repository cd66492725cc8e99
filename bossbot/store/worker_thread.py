"""A thread that does one thing after the other for an event loop, and nothing else.

An executor of the standard library does the same by way of a second future and two more locks; a hand-over costs it
twice as much, and a transaction is little more than a hand-over and a wait for the disk.
"""

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class WorkerThread:
    """Runs until it is stopped, or with the process: what is at work when that ends is not waited for."""

    def __init__(self, name: str) -> None:
        self._handed_in: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._stopped = False
        Thread(target=self._run, name=name, daemon=True).start()

    def do(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        """What `work` returns or raises, to be awaited in the running loop. It is done also if nobody waits for it."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        if self._stopped:
            done.set_exception(RuntimeError("this thread was stopped"))
        else:
            self._handed_in.put(lambda: _do(work, loop, done))
        return done

    def stop(self) -> None:
        """It ends when it has done what was handed in."""
        self._stopped = True
        self._handed_in.put(None)

    def _run(self) -> None:
        for handed_in in iter(self._handed_in.get, None):
            handed_in()
            del handed_in  # while it waits for the next, it holds nothing of this one


def _do(work: Callable[[], T], loop: asyncio.AbstractEventLoop, done: "asyncio.Future[T]") -> None:
    settle: Callable[[Any], None]
    outcome: object
    try:
        settle, outcome = done.set_result, work()
    except BaseException as error:  # noqa: BLE001  it is for whoever waits
        settle, outcome = done.set_exception, error
    try:
        loop.call_soon_threadsafe(_settle, done, settle, outcome)
    except RuntimeError:
        return  # the loop has ended, and with it everybody who waited


def _settle(done: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    if not done.done():
        settle(outcome)
