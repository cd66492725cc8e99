"""Migrations: they make what `tables` says, once, quickly, and Alembic stays unloaded when there is nothing to do."""

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Select, create_engine, select
from sqlalchemy.dialects import sqlite

from bossbot.store import migrate, tables
from bossbot.store.opening import open_store

ROOT = Path(__file__).parents[2]


def test_the_migrated_tables_are_those_that_the_program_uses(empty_database: Path) -> None:
    engine = create_engine(f"sqlite:///{empty_database}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []
    engine.dispose()


def ddl(path: Path) -> dict[str, str]:
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        made = {name: " ".join(sql.split()) for name, sql in rows if not name.startswith("sqlite_")}
    made.pop("alembic_version", None)
    return made


def test_migrating_and_creating_give_the_same_ddl(tmp_path: Path, empty_database: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'created.db'}")
    tables.metadata.create_all(engine)
    engine.dispose()
    assert ddl(tmp_path / "created.db") == ddl(empty_database)


def test_the_newest_script_is_the_revision_that_the_program_expects() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [migrate.HEAD]
    assert len(scripts.get_bases()) == 1


async def test_a_migration_that_fails_leaves_an_empty_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bossbot.db"

    def killed(connection: object, revision: object, where: object) -> None:
        real(connection, revision, where)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    real = migrate._upgrade
    monkeypatch.setattr(migrate, "_upgrade", killed)
    with pytest.raises(KeyboardInterrupt):
        await open_store(path)
    assert ddl(path) == {}
    monkeypatch.undo()
    await (await open_store(path)).close()
    assert "events" in ddl(path)


def test_alembic_is_loaded_only_when_there_is_something_to_migrate(tmp_path: Path, empty_database: Path) -> None:
    shutil.copy(empty_database, tmp_path / "current.db")
    script = (
        "import asyncio, sys\n"
        "from bossbot.store.opening import open_store\n"
        "async def main():\n"
        "    await (await open_store(sys.argv[1])).close()\n"
        "    print('alembic' in sys.modules, 'sqlalchemy.dialects.postgresql' in sys.modules)\n"
        "asyncio.run(main())\n"
    )
    for name, loaded in (("current.db", "False False"), ("new.db", "True True")):
        command = [sys.executable, "-c", script, str(tmp_path / name)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        assert ran.stdout.strip() == loaded
        assert ran.stderr == ""


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (select(tables.deliveries).where(tables.unsettled).order_by(tables.deliveries.c.seq), "deliveries_unsettled"),
        (
            select(tables.events).where(tables.events.c.session_id == "a", tables.events.c.version > 3),
            "autoindex_events",
        ),
        (select(tables.messages).where(*(column == "a" for column in tables.messages.primary_key)), "PRIMARY KEY"),
        (select(tables.threads).where(*(column == "a" for column in tables.threads.primary_key)), "autoindex_threads"),
    ],
    ids=["due", "load", "message", "thread"],
)
def test_what_is_asked_often_is_found_by_an_index(empty_database: Path, query: Select[Any], index: str) -> None:
    text = str(query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    with sqlite3.connect(empty_database) as database:
        plan = " ".join(row[3] for row in database.execute("EXPLAIN QUERY PLAN " + text))
    assert index in plan
