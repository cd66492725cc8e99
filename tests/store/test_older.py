"""A database that an older bossbot left: it is brought up to date, and everything in it is there and whole."""

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bossbot.domain.events import ApprovalRequested
from bossbot.store import DuplicateDelivery, MessageRef, StoreError, tables
from bossbot.store.opening import open_store, open_to_read
from bossbot.store.testing import AT, SESSION, THREAD, message, opening, refused
from tests.postgres import Postgres

OLDER = Path(__file__).parent / "older"


@pytest.fixture(params=["sqlite", "postgresql"])
async def older(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database of revision 0001."""
    made = (OLDER / f"0001.{request.param}.sql").read_text(encoding="utf-8")
    filled = (OLDER / "0001.rows.sql").read_text(encoding="utf-8")
    if request.param == "sqlite":
        path = tmp_path / "bossbot.db"
        with sqlite3.connect(path) as database:
            database.executescript(made + filled)
        return str(path)
    server: Postgres = request.getfixturevalue("postgres")
    address = await server.empty()
    connection = await server.connect(address)
    await connection.execute(made + filled)
    await connection.close()
    return address


async def test_what_an_older_bossbot_wrote_is_there_and_whole(older: str) -> None:
    store = await open_store(older)
    assert await store.verify(SESSION) == []
    events = await store.load(SESSION)
    assert events[:3] == [*opening(), message(3)]
    assert [row.title for row in await store.sessions()] == ["Fix the build"]
    assert await store.session_of(THREAD) == SESSION
    assert await store.session_of_message(MessageRef("telegram", "-100", "5")) == SESSION
    assert [delivery.key for delivery in await store.due()] == ["apr:apr_1"]
    assert await store.memo_get("telegram.offset") == "42"
    await refused(DuplicateDelivery, store.append(SESSION, 4, (), inbox_key="telegram:41", at=AT))
    state, version, _ = await store.state(SESSION)
    assert (state.title, version, [a.summary for a in state.pending_approvals]) == (
        "Fix the build",
        4,
        ["rm -rf build-cache"],
    )
    assert await store.append(SESSION, 4, [message(5)]) == 5
    await store.close()


async def test_an_event_in_its_first_form_is_read_in_todays_and_stored_as_it_was(older: str) -> None:
    """The first form of a request for approval held the tool's input, with the secrets in it."""
    store = await open_store(older)
    asked = (await store.load(SESSION, 3))[0]
    assert isinstance(asked.payload, ApprovalRequested)
    assert "hunter2" not in asked.model_dump_json()
    [stored] = await store.links(SESSION, 3)
    assert "hunter2" in stored.envelope
    assert stored.payload_version == 1
    await store.append(SESSION, 4, [asked.model_copy(update={"id": "evt_5"})])
    [again] = await store.links(SESSION, 4)
    assert again.payload_version == 2
    assert await store.verify(SESSION) == []
    await store.close()


async def test_the_tables_of_an_older_database_become_todays(older: str) -> None:
    await (await open_store(older)).close()
    assert await differences(older) == []


async def differences(address: str) -> list[object]:
    """Between a database's tables and those that the program uses; an index's `WHERE` is not looked at."""

    def found(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, tables.metadata))

    if "://" not in address:
        with create_engine(f"sqlite:///{address}").connect() as connection:
            return found(connection)
    engine = create_async_engine(make_url(address).set(drivername="postgresql+asyncpg"))
    async with engine.connect() as connected:
        result = await connected.run_sync(found)
    await engine.dispose()
    return result


async def test_whoever_only_reads_does_not_bring_it_up_to_date(older: str) -> None:
    for _ in range(2):
        with pytest.raises(StoreError, match=r"of revision 0001, this program knows .*; start this version's bot"):
            await open_to_read(older)
