"""PostgreSQL: one owner at a time, connections that are cut at any moment, and an order that readers can rely on."""

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import count

import pytest
from sqlalchemy import func, make_url, select

from bossbot.domain.events import SessionMessageAdded
from bossbot.ids import SessionId, ThreadRef
from bossbot.store import DuplicateDelivery, Show, StoreError, VersionConflict
from bossbot.store.opening import open_store, open_to_read, store_password
from bossbot.store.sql import SqlStore
from bossbot.store.statement import Statement
from bossbot.store.testing import AT, CARD, SESSION, THREAD, event, message, opening
from tests.postgres import Postgres


@pytest.fixture
async def address(postgres: Postgres) -> str:
    return await postgres.fresh()


@pytest.fixture
async def store(address: str) -> AsyncIterator[SqlStore]:
    """The store as `bossbot run` opens it."""
    opened = await open_store(address, exclusive=True)
    yield opened
    await opened.close()


async def refusal(where: str, *, exclusive: bool = True) -> str:
    with pytest.raises(StoreError) as caught:
        await open_store(where, exclusive=exclusive)
    text = str(caught.value)
    assert text.startswith("[store] path")
    assert "\n" not in text
    assert "hunter2" not in text
    return text


# --- one owner ---


async def test_a_second_bot_is_refused_and_let_in_when_the_first_has_ended(address: str, store: SqlStore) -> None:
    assert "another bossbot uses this database; stop it" in await refusal(address)
    await store.close()
    second = await open_store(address, exclusive=True)
    assert await second.append(SESSION, 0, opening()) == 2
    await second.close()


async def test_reading_beside_the_bot_is_possible_and_writing_is_not(address: str, store: SqlStore) -> None:
    await store.append(SESSION, 0, opening())
    reader = await open_to_read(address)
    assert await reader.version(SESSION) == 2
    assert await reader.verify(SESSION) == []
    with pytest.raises(StoreError, match="opened for reading only"):
        await reader.append(SESSION, 2, [message(3)])
    await reader.close()


async def test_a_bot_that_lost_its_place_to_another_writes_nothing_more(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    keeping = asyncio.create_task(store.keep())
    await store.append(SESSION, 0, opening())
    lock = await postgres.connect(address)
    await postgres.cut_off(address)
    assert await lock.fetchval("SELECT pg_advisory_lock(1651471219) IS NOT NULL")  # another bot was quicker
    with pytest.raises(StoreError, match="another bossbot uses this database"):
        await store.append(SESSION, 2, [message(3)])
    with pytest.raises(StoreError, match="another bossbot uses this database"):
        await asyncio.wait_for(keeping, 90)
    assert await store.version(SESSION) == 2
    await lock.close()


# --- connections that are cut ---


async def test_a_cut_connection_costs_a_moment_and_nothing_else(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    await store.append(SESSION, 0, opening())
    assert await postgres.cut_off(address) >= 1
    assert await store.append(SESSION, 2, [message(3)]) == 3
    assert await postgres.cut_off(address) >= 1
    assert await store.version(SESSION) == 3
    await asyncio.gather(postgres.cut_off(address), *(store.load(SESSION) for _ in range(8)))
    assert await store.verify(SESSION) == []


async def waits_in(postgres: Postgres, address: str, event: str) -> None:
    """Returns when a transaction of the bot waits for this inside the server."""
    sql = "SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event = $2"
    for _ in range(4_000):
        if await postgres.execute(sql, make_url(address).database, event):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"nobody waits for {event}")


async def test_a_commit_whose_answer_was_lost_is_not_done_again(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    """The server waits for a copy of itself that is not there, after its own commit: then it is cut off."""
    await store.append(SESSION, 0, opening())
    await postgres.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try:
        await postgres.execute("SELECT pg_reload_conf()")
        writing = asyncio.create_task(store.append(SESSION, 2, [message(3)], inbox_key="in", at=AT))
        await waits_in(postgres, address, "SyncRep")
        await postgres.cut_off(address)
    finally:
        await postgres.execute("ALTER SYSTEM RESET synchronous_standby_names")
        await postgres.execute("SELECT pg_reload_conf()")
    assert await writing == 3
    assert await store.load(SESSION) == [*opening(), message(3)]
    with pytest.raises(DuplicateDelivery):
        await store.append(SESSION, 3, (), inbox_key="in", at=AT)


async def test_a_commit_that_was_cut_before_it_happened_is_done_again(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    await store.append(SESSION, 0, opening())
    for statement in (
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NULL; END'",
        "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON inbox DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION slow()",
    ):
        await postgres.execute(statement, address=address)
    writing = asyncio.create_task(store.append(SESSION, 2, [message(3)], inbox_key="in", at=AT))
    await waits_in(postgres, address, "PgSleep")
    dropping = asyncio.create_task(postgres.execute("DROP FUNCTION slow CASCADE", address=address))
    await waits_in(postgres, address, "relation")
    await postgres.cut_off(address)
    await dropping
    assert await writing == 3
    assert await store.load(SESSION) == [*opening(), message(3)]


async def test_what_is_written_while_connections_are_cut_at_random_is_written_once(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    """Among the cuts are some between COMMIT and its answer: the store then asks the server what became of it."""
    await store.append(SESSION, 0, opening())
    done = asyncio.Event()
    cuts = 0

    async def cut() -> None:
        nonlocal cuts
        knife = await postgres.connect(postgres.address("postgres"))
        sql = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'bossbot'"
            " AND (state = 'active' OR $2)"
        )
        for tries in count():
            if done.is_set():
                break
            cuts += len(await knife.fetch(sql, make_url(address).database, tries % 3 == 2))
            await asyncio.sleep(0.05)
        await knife.close()

    cutting = asyncio.create_task(cut())
    version, deadline = 2, time.monotonic() + 60
    for number in count():
        if number >= 30 and (cuts >= 5 or time.monotonic() > deadline):
            break
        shows = [Show(f"card {number}", THREAD, CARD)]
        words = [message(version + 1, f"round {number}"), message(version + 2)]
        version = await store.append(SESSION, version, words, deliveries=shows, inbox_key=f"in {number}", at=AT)
        assert version == 2 * number + 4
    done.set()
    await cutting
    assert cuts >= 5
    assert await store.verify(SESSION) == []
    said = [e.payload for e in await store.load(SESSION)]
    rounds = [p.content for p in said if isinstance(p, SessionMessageAdded) and p.content.startswith("round")]
    assert rounds == [f"round {before}" for before in range(number)]
    assert len(await store.due()) == number
    with pytest.raises(DuplicateDelivery):
        await store.append(SESSION, version, (), inbox_key=f"in {number - 1}", at=AT)


async def test_what_one_of_many_at_once_is_refused_does_not_touch_the_others(store: SqlStore) -> None:
    await store.append(SESSION, 0, opening())
    sessions = [SessionId(f"ps_many_{number}") for number in range(12)]
    works = [
        store.append(
            session, 0 if number % 3 else 7, opening(session, ThreadRef("chat", session)), inbox_key=session, at=AT
        )
        for number, session in enumerate(sessions)
    ]
    results = await asyncio.gather(*works, store.append(SESSION, 2, [message(3)]), return_exceptions=True)
    kinds = [type(result) for result in results]
    assert kinds == [VersionConflict if number % 3 == 0 else int for number in range(12)] + [int]
    assert [await store.version(session) for session in sessions] == [0 if n % 3 == 0 else 2 for n in range(12)]
    assert await store.append(sessions[0], 0, opening(sessions[0]), inbox_key=sessions[0], at=AT) == 2


async def test_closing_does_not_wait_for_a_server_that_went_away(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    await store.append(SESSION, 0, opening())
    name = make_url(address).database
    await postgres.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
    await postgres.cut_off(address)
    writing = asyncio.create_task(store.append(SESSION, 2, [message(3)]))
    reading = asyncio.create_task(store.version(SESSION))
    await asyncio.sleep(0)
    async with asyncio.timeout(90):
        await store.close()
        results = await asyncio.gather(writing, reading, return_exceptions=True)
    assert all(isinstance(result, StoreError) for result in results)


# --- the order ---


async def test_a_reader_of_positions_misses_no_event_of_writers_that_race(address: str, store: SqlStore) -> None:
    """Numbers are given out before commits: without the writers' lock, a later number could be seen first."""
    await store.close()
    writers = [await open_store(address) for _ in range(3)]
    reader = await open_to_read(address)
    names = [SessionId(f"ps_race_{number}") for number in range(6)]

    async def write(number: int, session: SessionId) -> None:
        version = 0
        for turn in range(8):
            words = SessionMessageAdded(id=f"msg_{turn}", role="user", channel="chat", content="again")
            written = [event(words, turn, session=session) for _ in range(1 + turn % 3)]
            version = await writers[(number + turn) % 3].append(session, version, written)

    async def read() -> list[tuple[int, SessionId, int]]:
        seen: list[tuple[int, SessionId, int]] = []
        while len(seen) < 6 * 15:
            for e in await reader.after(seen[-1][0] if seen else 0, 7):
                seen.append((e.position, e.session_id, e.link.version))
        return seen

    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        reading = group.create_task(read())
        for number, session in enumerate(names):
            group.create_task(write(number, session))
    seen = reading.result()
    assert [place for place, _, _ in seen] == sorted({place for place, _, _ in seen})
    for session in names:
        assert [version for _, of, version in seen if of == session] == list(range(1, 16))
    for opened in (*writers, reader):
        await opened.close()


# --- refusals, and secrets ---


async def test_a_server_that_is_not_there_is_one_sentence_without_the_password() -> None:
    text = await refusal("postgresql://boss:hunter2@127.0.0.1:9/bossbot")
    assert "see that the server runs" in text
    assert "boss" in text


async def test_a_password_among_the_options_is_not_shown_either() -> None:
    await refusal("postgresql://boss@127.0.0.1:9/bossbot?password=hunter2&sslmode=disable")


@pytest.mark.parametrize(
    ("address", "password"),
    [
        ("postgresql://boss:hunter2@h/d", "hunter2"),
        ("postgresql://boss@h/d?password=hunter2", "hunter2"),
        ("postgresql://boss:p%40ss@h/d", "p@ss"),
        ("postgresql://boss@h/d", None),
        ("bossbot.db", None),
        ("what://ever", None),
    ],
)
def test_the_password_in_an_address_is_known_so_that_logs_can_hide_it(address: str, password: str | None) -> None:
    assert store_password(address) == password


async def test_a_database_that_is_not_there_says_how_to_make_it(postgres: Postgres) -> None:
    assert "CREATE DATABASE" in await refusal(postgres.address("nowhere"))


async def test_an_option_that_nobody_knows_is_named(address: str) -> None:
    assert "colour" in await refusal(f"{address}&colour=blue")


async def test_the_database_of_another_program_is_left_as_it_is(postgres: Postgres) -> None:
    address = await postgres.empty()
    await postgres.execute("CREATE TABLE recipes (name text)", address=address)
    assert "another program (it holds 'recipes')" in await refusal(address)
    with pytest.raises(StoreError, match="another program"):
        await open_to_read(address)


async def test_an_empty_database_is_not_made_by_a_reader(postgres: Postgres) -> None:
    with pytest.raises(StoreError, match="is empty"):
        await open_to_read(await postgres.empty())


async def test_a_server_that_forgets_commits_by_default_is_told_to_keep_ours(
    address: str, store: SqlStore, postgres: Postgres
) -> None:
    await store.close()
    name = make_url(address).database
    await postgres.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    again = await open_store(address, exclusive=True)
    setting = await again._database.write(  # what the writer's own session says cannot be seen from outside
        lambda sql: sql.value(Statement(select(func.current_setting("synchronous_commit"))))
    )
    assert setting == "on"
    await again.close()
