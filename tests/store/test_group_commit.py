"""Group commit: what is handed in together commits together, and each piece of work has its own outcome."""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, insert

from bossbot.store import StoreError
from bossbot.store.database import Sql
from bossbot.store.errors import StoreUnavailable
from bossbot.store.group_commit import MOST_AT_ONCE, GroupCommit
from bossbot.store.sqlite_sql import SqliteSql
from bossbot.store.statement import Statement

Work = Callable[[Sql], Any]
SAID = Table("said", MetaData(), Column("word", String, primary_key=True))
SAY = Statement(insert(SAID))


class Disk:
    """A database whose transactions begin when it is `unlocked`, and whose commits take until `free`."""

    def __init__(self) -> None:
        self.raw = sqlite3.connect(":memory:", isolation_level=None)
        self.raw.execute("CREATE TABLE said (word TEXT PRIMARY KEY)")
        self.unlocked, self.working, self.free = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.unlocked.set()
        self.commits = 0
        self.locks: list[Exception] = []
        self.troubles: list[BaseException] = []
        self.group = GroupCommit(self.transact)

    async def transact(self, work: Work) -> Any:
        await self.unlocked.wait()
        if self.locks:
            raise self.locks.pop(0)
        self.raw.execute("BEGIN")
        try:
            result = work(SqliteSql(self.raw))
            self.working.set()
            await self.free.wait()
            if self.troubles:
                raise self.troubles.pop(0)
        except sqlite3.Error as error:
            self.raw.rollback()
            raise StoreError(str(error)) from error
        except BaseException:
            self.raw.rollback()
            raise
        self.raw.execute("COMMIT")
        self.commits += 1
        return result

    def say(self, word: str) -> "asyncio.Task[str]":
        def work(sql: Sql) -> str:
            sql.change(SAY, {"word": word})
            if word.startswith("refused"):
                raise ValueError(word)
            return word.upper()

        return asyncio.create_task(self.group.run(work))

    @property
    def said(self) -> list[str]:
        return [word for (word,) in self.raw.execute("SELECT word FROM said ORDER BY rowid")]


async def started(disk: Disk) -> "asyncio.Task[str]":
    """The first commit is under way; what comes now waits for it."""
    first = disk.say("first")
    await disk.working.wait()
    return first


async def test_what_waits_while_one_commits_is_the_next_commit() -> None:
    disk = Disk()
    await started(disk)
    waiting = [disk.say(f"word {number}") for number in range(10)]
    await asyncio.sleep(0)
    disk.free.set()
    assert await asyncio.gather(*waiting) == [f"WORD {number}" for number in range(10)]
    assert disk.commits == 2
    assert disk.said == ["first", *(f"word {number}" for number in range(10))]


async def test_what_comes_before_the_transaction_has_begun_is_in_it() -> None:
    disk = Disk()
    disk.unlocked.clear()
    words = [disk.say("first")]
    await asyncio.sleep(0)
    words += [disk.say(f"word {number}") for number in range(3)]
    await asyncio.sleep(0)
    disk.unlocked.set()
    disk.free.set()
    assert await asyncio.gather(*words) == ["FIRST", "WORD 0", "WORD 1", "WORD 2"]
    assert disk.commits == 1


async def test_a_transaction_that_cannot_begin_is_told_to_everybody_who_waits_for_it() -> None:
    disk = Disk()
    disk.unlocked.clear()
    disk.locks = [StoreUnavailable("locked")]
    words = [disk.say("first")]
    await asyncio.sleep(0)
    words.append(disk.say("second"))
    await asyncio.sleep(0)
    disk.unlocked.set()
    disk.free.set()
    results = await asyncio.gather(*words, return_exceptions=True)
    assert [str(result) for result in results] == ["locked", "locked"]
    assert await disk.say("third") == "THIRD"
    assert disk.said == ["third"]


async def test_one_that_refuses_leaves_nothing_and_the_others_whole() -> None:
    disk = Disk()
    await started(disk)
    waiting = [disk.say(word) for word in ("one", "refused", "two")]
    await asyncio.sleep(0)
    disk.free.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(result) for result in results] == ["ONE", "refused", "TWO"]
    assert (disk.said, disk.commits) == (["first", "one", "two"], 2)


async def test_one_over_which_the_database_fails_spoils_no_other() -> None:
    disk = Disk()
    await started(disk)
    waiting = [disk.say(word) for word in ("one", "first", "two")]
    await asyncio.sleep(0)
    disk.free.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result) for result in results] == [str, StoreError, str]
    assert disk.said == ["first", "one", "two"]


async def test_a_commit_that_fails_is_nobodys_success() -> None:
    disk = Disk()
    first = await started(disk)
    waiting = [disk.say(word) for word in ("one", "two")]
    await asyncio.sleep(0)
    disk.troubles = [StoreError("the first commit"), StoreError("both"), StoreError("one")]
    disk.free.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(result) for result in results] == ["one", "TWO"]
    assert disk.said == ["two"]
    assert str(first.exception()) == "the first commit"


async def test_when_the_database_is_away_nobody_waits_for_another() -> None:
    disk = Disk()
    first = await started(disk)
    waiting = [disk.say(f"word {number}") for number in range(5)]
    await asyncio.sleep(0)
    disk.troubles = [StoreUnavailable("away")] * 2
    disk.free.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(result) for result in results] == ["away"] * 5
    assert (disk.troubles, str(first.exception())) == ([], "away")
    assert await disk.say("back") == "BACK"


async def test_work_whose_caller_is_cancelled_is_done_all_the_same() -> None:
    disk = Disk()
    await started(disk)
    cancelled, other = disk.say("one"), disk.say("two")
    await asyncio.sleep(0)
    cancelled.cancel()
    disk.free.set()
    assert await other == "TWO"
    assert disk.said == ["first", "one", "two"]
    with pytest.raises(asyncio.CancelledError):
        await cancelled


async def test_when_the_loop_ends_what_waits_is_given_up() -> None:
    disk = Disk()
    first = await started(disk)
    second = disk.say("second")
    await asyncio.sleep(0)
    disk.troubles = [asyncio.CancelledError()]
    disk.free.set()
    await asyncio.wait({first, second})
    assert (first.cancelled(), second.cancelled()) == (True, True)
    await disk.group.finished()
    assert disk.said == []


async def test_not_more_than_so_many_wait_for_one_commit_and_all_are_done_in_the_end() -> None:
    disk = Disk()
    await started(disk)
    for number in range(MOST_AT_ONCE + 5):
        disk.say(f"word {number}")
    await asyncio.sleep(0)
    disk.free.set()
    await disk.group.finished()
    assert (len(disk.said), disk.commits) == (MOST_AT_ONCE + 6, 3)
