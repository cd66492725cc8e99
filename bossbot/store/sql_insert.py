"""INSERT … ON CONFLICT, which SQLite and PostgreSQL write alike and SQLAlchemy keeps in each dialect."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def insert_new(c: Connection, table: Table, values: Mapping[str, object]) -> bool:
    """Inserts the row unless its primary key exists; tells whether it did."""
    return c.execute(_or_nothing(table, c.dialect.name), values).rowcount == 1


def put(c: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Inserts the rows; one whose primary key exists replaces what stood there."""
    if rows:
        c.execute(_or_update(table, c.dialect.name), list(rows))


@cache
def _or_nothing(table: Table, dialect: str) -> "sqlite.Insert | postgresql.Insert":
    return insert_for(table, dialect).on_conflict_do_nothing(index_elements=_key(table))


@cache
def _or_update(table: Table, dialect: str) -> "sqlite.Insert | postgresql.Insert":
    statement = insert_for(table, dialect)
    changed = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=_key(table), set_=changed)


def insert_for(table: Table, dialect: str) -> "sqlite.Insert | postgresql.Insert":
    """The dialect's own INSERT, which knows ON CONFLICT."""
    if dialect != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # 100 ms that SQLite need not pay

    return postgresql.insert(table)


def _key(table: Table) -> list[str]:
    return [column.name for column in table.primary_key.columns]
