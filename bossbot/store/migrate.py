"""Brings a database's tables up to date. Alembic is loaded only when there is something to do."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from bossbot.store.errors import StoreError

HEAD = "0002"
"""The newest revision in `migrations/versions`."""


def migrate(connection: Connection, where: str) -> None:
    """Makes or alters the tables, inside the caller's transaction: all of it or nothing. `where` names the setting.

    It is a transaction of `Database.write`: one process at a time is here.
    """
    revision = _revision(connection, where)
    if revision != HEAD:
        _upgrade(connection, revision, where)


def check_revision(connection: Connection, where: str) -> None:
    """Raises `StoreError` unless the tables are today's: whoever only reads brings nothing up to date."""
    revision = _revision(connection, where)
    if revision is None:
        raise StoreError(f"{where} is empty; name the bot's own database, or start the bot once")
    if revision != HEAD:
        raise StoreError(
            f"{where} was written by another version of bossbot (its tables are of revision {revision}, this program"
            f" knows {HEAD}); start this version's bot on it once, or use that version"
        )


def _revision(connection: Connection, where: str) -> str | None:
    """The schema's revision, or None for an empty database."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if tables:
        raise StoreError(
            f"{where} is the database of another program (it holds {sorted(tables)[0]!r}); set another one"
        )
    return None


def _upgrade(connection: Connection, revision: str | None, where: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise StoreError(
            f"{where} was written by a newer bossbot (its tables are of revision {revision}, this program knows"
            f" {HEAD}); install that version, or set another one"
        )
    command.upgrade(config, "head")
