"""Group commit: what is handed in while one transaction waits for the disk goes into the next one together.

Each piece of work still happens wholly or not at all and is told its own result: what one of them refuses is undone to
its savepoint. A caller is told only after the commit, so that what it was told outlives the process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bossbot.store.errors import StoreError, StoreUnavailable

T = TypeVar("T")
Work = Callable[[Connection], Any]
MOST_AT_ONCE = 64
"""So many pieces of work share a transaction: more would make the first of them wait."""


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work
    done: "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True)
class _Result:
    value: object = None
    refusal: Exception | None = None


class GroupCommit:
    """Runs work in transactions, one after the other. `transact` runs a function as one transaction and commits."""

    def __init__(self, transact: Callable[[Work], Awaitable[Any]]) -> None:
        self._transact = transact
        self._waiting: list[_Job] = []
        self._runner: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, once it is committed; whatever it raised, once it is undone.

        The work goes on when its caller is cancelled.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Job(work, done))
        if self._runner is None:
            self._runner = loop.create_task(self._run(), name="group commit")
        return await done

    async def finished(self) -> None:
        """Returns when nothing is at work any more."""
        while self._runner is not None:
            await asyncio.wait({self._runner})

    async def _run(self) -> None:
        try:
            while self._waiting:
                jobs, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
                await self._together(jobs)
        finally:
            self._runner = None

    async def _together(self, jobs: Sequence[_Job]) -> None:
        try:
            results: Sequence[_Result] = await self._transact(lambda c: _all(c, [job.work for job in jobs]))
        except StoreUnavailable as error:
            _fail(jobs, error)
        except (StoreError, SQLAlchemyError) as error:
            # It failed over one of them, and nothing happened: each is tried alone, so that one spoils no other.
            if len(jobs) == 1:
                _fail(jobs, error)
            for job in jobs if len(jobs) > 1 else ():
                await self._together([job])
        except BaseException as error:
            _fail(jobs, error)
            if not isinstance(error, Exception):
                raise
        else:
            for job, result in zip(jobs, results, strict=True):
                _settle(job, result)


def _all(c: Connection, works: Sequence[Work]) -> list[_Result]:
    return [_Result(works[0](c))] if len(works) == 1 else [_saved(c, work) for work in works]


def _saved(c: Connection, work: Work) -> _Result:
    try:
        with c.begin_nested():
            return _Result(work(c))
    except SQLAlchemyError:
        raise
    except Exception as refusal:  # noqa: BLE001  it is the caller's, and undone
        return _Result(refusal=refusal)


def _settle(job: _Job, result: _Result) -> None:
    if job.done.done():
        return
    if result.refusal is not None:
        job.done.set_exception(result.refusal)
    else:
        job.done.set_result(result.value)


def _fail(jobs: Sequence[_Job], error: BaseException) -> None:
    for job in jobs:
        if not job.done.done():
            job.done.set_exception(error)
