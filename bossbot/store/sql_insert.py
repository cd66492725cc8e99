"""INSERT … ON CONFLICT, which SQLite and PostgreSQL write alike and SQLAlchemy keeps in each dialect."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def insert_new(c: Connection, table: Table, values: Mapping[str, object]) -> bool:
    """Inserts the row unless its primary key exists; tells whether it did."""
    statement = _insert(c, table).on_conflict_do_nothing(index_elements=_key(table))
    return c.execute(statement, values).rowcount == 1


def put(c: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Inserts the rows; one whose primary key exists replaces what stood there."""
    if not rows:
        return
    statement = _insert(c, table)
    changed = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
    c.execute(statement.on_conflict_do_update(index_elements=_key(table), set_=changed), list(rows))


def _insert(c: Connection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    if c.dialect.name != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # loads every driver's dialect: 100 ms that SQLite needs not pay

    return postgresql.insert(table)


def _key(table: Table) -> list[str]:
    return [column.name for column in table.primary_key.columns]
