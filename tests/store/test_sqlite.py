"""SQLite: who may read the file, what is refused and how, who waits for whom, and what survives a kill."""

import asyncio
import os
import shutil
import sqlite3
import stat
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bossbot.store import Show, StoreError, VersionConflict
from bossbot.store.opening import open_store
from bossbot.store.sql import SqlStore
from bossbot.store.testing import AT, CARD, SESSION, THREAD, message, opening


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_only_this_user_may_read_the_database_and_its_companions(tmp_path: Path) -> None:
    path = tmp_path / "bossbot.db"
    store = await open_store(path)
    await store.append(SESSION, 0, opening())
    assert modes(tmp_path) == {
        "bossbot.db": 0o600,
        "bossbot.db-wal": 0o600,
        "bossbot.db-shm": 0o600,
    }
    await store.close()
    assert modes(tmp_path) == {"bossbot.db": 0o600}


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+aiosqlite:///{}"])
async def test_a_path_and_an_address_open_the_same_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / "boss bot.db"
    store = await open_store(form.format(path))
    await store.close()
    assert path.exists()


async def test_a_home_folder_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    await (await open_store("~/bossbot.db")).close()
    assert (tmp_path / "bossbot.db").exists()


# --- refusals: one sentence that names the setting and the fix ---


async def refusal(where: str | Path) -> str:
    with pytest.raises(StoreError) as caught:
        await open_store(where)
    text = str(caught.value)
    assert text.startswith("[store] path")
    assert "\n" not in text
    return text


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    text = await refusal(tmp_path / "nowhere" / "bossbot.db")
    assert f"there is no folder {str(tmp_path / 'nowhere')!r}" in text
    assert not (tmp_path / "nowhere").exists()


async def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    assert "is a folder" in await refusal(tmp_path)


async def test_a_file_that_holds_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread and a great many other things\n" * 100)
    before = path.read_bytes()
    assert "not a database" in await refusal(path)
    assert path.read_bytes() == before


async def test_the_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    assert "another program (it holds 'recipes')" in await refusal(path)
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)


async def test_the_database_of_a_newer_bossbot_is_refused(tmp_path: Path, empty_database: Path) -> None:
    path = tmp_path / "newer.db"
    shutil.copy(empty_database, path)
    with sqlite3.connect(path) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer bossbot" in await refusal(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_file_that_may_not_be_written_is_refused(tmp_path: Path, empty_database: Path) -> None:
    path = tmp_path / "readonly.db"
    shutil.copy(empty_database, path)
    os.chmod(path, 0o400)
    assert "let this user write" in await refusal(path)


@pytest.mark.parametrize("address", ["mysql://u:hunter2@h/d", "sqlite://", "sqlite:///:memory:", "://", "http://x"])
async def test_an_address_that_is_not_supported_is_refused_without_its_password(address: str) -> None:
    assert "hunter2" not in await refusal(address)


async def test_postgresql_without_its_driver_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bossbot.store.postgres.find_spec", lambda name: None)
    text = await refusal("postgresql://boss:hunter2@127.0.0.1/bossbot")
    assert "asyncpg" in text
    assert "hunter2" not in text


# --- transactions ---


@pytest.fixture
async def path(tmp_path: Path, empty_database: Path) -> Path:
    path = tmp_path / "bossbot.db"
    shutil.copy(empty_database, path)
    return path


async def opened(path: Path) -> SqlStore:
    return await open_store(path)


async def test_of_appends_at_one_version_exactly_one_wins(path: Path) -> None:
    stores = [await opened(path) for _ in range(3)]
    await stores[0].append(SESSION, 0, opening())
    appends = [store.append(SESSION, 2, [message(3)]) for store in stores for _ in range(3)]
    results = await asyncio.gather(*appends, return_exceptions=True)
    assert sorted(str(type(result).__name__) for result in results) == ["VersionConflict"] * 8 + ["int"]
    assert await stores[1].version(SESSION) == 3
    for store in stores:
        await store.close()


async def test_two_processes_that_open_an_empty_database_at_once_both_succeed(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    stores = await asyncio.gather(*(open_store(path) for _ in range(3)))
    await stores[0].append(SESSION, 0, opening())
    assert await stores[2].version(SESSION) == 2
    for store in stores:
        await store.close()


async def test_an_append_whose_caller_is_cancelled_happens_wholly_or_not_at_all(path: Path) -> None:
    store = await opened(path)
    await store.append(SESSION, 0, opening())
    version = 2
    for number in range(20):
        writing = asyncio.create_task(
            store.append(SESSION, version, [message(3), message(4)], deliveries=[Show(f"k{number}", THREAD, CARD)])
        )
        await asyncio.sleep(number * 0.0002)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        now = await settled_version(store)
        assert now in (version, version + 2)
        assert (await store.delivery(SESSION, THREAD, f"k{number}") is not None) == (now > version)
        version = now
    assert await store.verify(SESSION) == []
    await store.close()


async def settled_version(store: SqlStore) -> int:
    """The version once the writer has nothing in hand: writes queue up behind each other."""
    await store.memo_set("settled", "yes")
    return await store.version(SESSION)


async def test_reading_does_not_wait_for_another_process_that_writes(path: Path) -> None:
    store = await opened(path)
    await store.append(SESSION, 0, opening())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    async with asyncio.timeout(60):
        assert await store.version(SESSION) == 2
    other.execute("ROLLBACK")
    other.close()
    await store.close()


async def test_a_writer_that_waited_in_vain_says_who_is_in_the_way_and_works_again_afterwards(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bossbot.store.sqlite_lane.BUSY_TIMEOUT_S", 0.05)
    store = await opened(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        with pytest.raises(StoreError, match="database is locked; another process holds it"):
            await store.append(SESSION, 0, opening())
    other.execute("ROLLBACK")
    other.close()
    assert await store.append(SESSION, 0, opening()) == 2
    await store.close()


async def test_a_write_that_fails_in_the_middle_leaves_nothing(path: Path) -> None:
    store = await opened(path)
    await store.append(SESSION, 0, opening())
    with sqlite3.connect(path) as saboteur:
        saboteur.execute(
            "CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
    late = store.append(SESSION, 2, [message(3)], deliveries=[Show("k", THREAD, CARD)], inbox_key="in", at=AT)
    with pytest.raises(StoreError, match=r"\[store\] path = .*disk is full; free some space"):
        await late
    with sqlite3.connect(path) as saboteur:
        saboteur.execute("DROP TRIGGER full")
    assert await store.append(SESSION, 2, [message(3)], inbox_key="in", at=AT) == 3
    assert await store.verify(SESSION) == []
    await store.close()


async def test_times_of_any_zone_order_as_times(path: Path) -> None:
    store = await opened(path)
    east = timezone(timedelta(hours=8))
    await store.append(SESSION, 0, opening(), inbox_key="early", at=datetime(2026, 3, 23, 19, 0, tzinfo=east))
    await store.append(SESSION, 2, (), inbox_key="late", at=datetime(2026, 3, 23, 12, 0, tzinfo=UTC))
    assert await store.forget_inbox(datetime(2026, 3, 23, 11, 30, tzinfo=UTC)) == 1
    await store.close()


WRITER = """
import asyncio, sys
from bossbot.store.opening import open_store
from bossbot.store import Show
from bossbot.store.testing import AT, CARD, SESSION, THREAD, message, opening

async def main():
    store = await open_store(sys.argv[1])
    await store.append(SESSION, 0, opening())
    version = 2
    while True:
        shows = [Show(f"card {version}", THREAD, CARD)]
        key = f"in {version}"
        version = await store.append(
            SESSION, version, [message(version + 1), message(version + 2)], deliveries=shows, inbox_key=key, at=AT
        )
        print(version, flush=True)

asyncio.run(main())
"""


async def test_what_was_acknowledged_before_kill_9_is_there_and_nothing_is_there_by_half(path: Path) -> None:
    root = Path(__file__).parents[2]
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITER, path, stdout=asyncio.subprocess.PIPE, cwd=root
    )
    assert writer.stdout is not None
    said = [await writer.stdout.readline() for _ in range(25)]
    writer.kill()
    said += (await writer.stdout.read()).splitlines(keepends=True)
    await writer.wait()
    acknowledged = max(int(line) for line in said if line.endswith(b"\n"))
    store = await opened(path)
    version = await store.version(SESSION)
    assert version in (acknowledged, acknowledged + 2)
    assert await store.verify(SESSION) == []
    assert len(await store.load(SESSION)) == version
    assert len(await store.due()) == (version - 2) // 2
    with pytest.raises(VersionConflict):
        await store.append(SESSION, acknowledged - 2, [message(1)])
    await store.close()


LEAVER = """
import asyncio, sys
from bossbot.store.opening import open_store
from bossbot.store.testing import SESSION, message, opening

async def main():
    store = await open_store(sys.argv[1])
    await store.append(SESSION, 0, opening())
    late = asyncio.create_task(store.append(SESSION, 2, [message(3)]))
    await asyncio.sleep(0)

asyncio.run(main())
"""


async def test_a_program_that_ends_without_closing_the_store_ends_and_keeps_what_was_acknowledged(path: Path) -> None:
    leaver = await asyncio.create_subprocess_exec(sys.executable, "-c", LEAVER, path, cwd=Path(__file__).parents[2])
    async with asyncio.timeout(90):
        assert await leaver.wait() == 0
    store = await opened(path)
    assert await store.version(SESSION) in (2, 3)
    assert await store.verify(SESSION) == []
    await store.close()
