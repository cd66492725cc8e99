"""Group commit: what is handed in while one transaction waits for the disk goes into the next one together.

Each piece of work still happens wholly or not at all and is told its own result: what one of them refuses is undone to
its savepoint. A caller is told only after the commit, so that what it was told outlives the process.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from sqlite3 import Error as SqliteError
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from bossbot.store.database import Sql
from bossbot.store.errors import StoreError, StoreUnavailable

T = TypeVar("T")
Work = Callable[[Sql], Any]
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
    """Runs work in transactions, one after the other. `transact` runs a function as one transaction and commits; it
    raises only when it is awaited.
    """

    def __init__(self, transact: Callable[[Work], Awaitable[Any]]) -> None:
        self._transact = transact
        self._waiting: deque[_Job] = deque()
        self._alone: deque[_Job] = deque()
        self._rest = asyncio.Event()
        self._rest.set()

    async def run(self, work: Callable[[Sql], T]) -> T:
        """The result of `work`, once it is committed; whatever it raised, once it is undone.

        The work goes on when its caller is cancelled.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(work, done))
        if self._rest.is_set():
            self._rest.clear()
            self._next()
        return await done

    async def finished(self) -> None:
        """Returns when nothing is at work any more."""
        while not self._rest.is_set():
            await self._rest.wait()

    def _next(self) -> None:
        """Begins the next transaction, if anything waits."""
        if not self._alone and not self._waiting:
            self._rest.set()
            return
        batch = _Batch(self._alone, 1) if self._alone else _Batch(self._waiting, MOST_AT_ONCE)
        attempt = asyncio.ensure_future(self._transact(batch.work))
        attempt.add_done_callback(partial(self._ended, batch))

    def _ended(self, batch: "_Batch", attempt: "asyncio.Future[list[_Result]]") -> None:
        if attempt.cancelled():  # the loop is ending, and nobody waits any more
            self._give_up(batch)
            return
        error = attempt.exception()
        if error is None:
            for job, result in zip(batch.jobs, attempt.result(), strict=True):
                _settle(job, result)
        elif len(batch.jobs) > 1 and _may_be_of_one(error):
            self._alone.extend(batch.jobs)
        else:
            for job in batch.jobs:
                _fail(job, error)
        self._next()

    def _give_up(self, batch: "_Batch") -> None:
        for job in (*batch.jobs, *self._alone, *self._waiting):
            job.done.cancel()
        self._alone.clear()
        self._waiting.clear()
        self._rest.set()


class _Batch:
    """What goes into one transaction: all that waits when it has begun, also what came after it was asked for."""

    def __init__(self, waiting: deque[_Job], most: int) -> None:
        self._waiting, self._most = waiting, most
        self._taken: list[_Job] | None = None

    @property
    def jobs(self) -> Sequence[_Job]:
        """Taken when first asked for, in the transaction's thread; the same if it has to be tried again."""
        if self._taken is None:
            self._taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._most))]
        return self._taken

    def work(self, sql: Sql) -> list[_Result]:
        """All of it."""
        jobs = self.jobs
        return [_Result(jobs[0].work(sql))] if len(jobs) == 1 else [_saved(sql, job.work) for job in jobs]


def _may_be_of_one(error: BaseException) -> bool:
    """It may have failed over one of them, and nothing happened: each is tried alone, so that one spoils no other."""
    return isinstance(error, StoreError | SQLAlchemyError) and not isinstance(error, StoreUnavailable)


def _saved(sql: Sql, work: Work) -> _Result:
    try:
        with sql.savepoint():
            return _Result(work(sql))
    except (SqliteError, SQLAlchemyError):
        raise
    except Exception as refusal:  # noqa: BLE001  it is the caller's, and undone
        return _Result(refusal=refusal)


def _settle(job: _Job, result: _Result) -> None:
    if result.refusal is not None:
        _fail(job, result.refusal)
    elif not job.done.done():
        job.done.set_result(result.value)


def _fail(job: _Job, error: BaseException) -> None:
    if not job.done.done():
        job.done.set_exception(error)
