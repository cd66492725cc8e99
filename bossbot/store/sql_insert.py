"""INSERT: of what is new, of what replaces, and of what counts up. Its ON CONFLICT is written alike by SQLite and
PostgreSQL, and kept by SQLAlchemy in each dialect.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Table, bindparam, insert, literal_column, null
from sqlalchemy.dialects import sqlite

from bossbot.store.statement import Made, Statement

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def plain(table: Table) -> Statement:
    """Inserts a row; a column that counts by itself is left out."""
    return Statement(insert(table).values(_values(table)).inline())


def or_nothing(table: Table) -> Statement:
    """Inserts a row unless its primary key exists; `change` tells whether it did."""
    return Statement(lambda dialect: insert_for(table, dialect).on_conflict_do_nothing(index_elements=_key(table)))


def or_replace(table: Table) -> Statement:
    """Inserts a row; one whose primary key exists gets its values."""

    def made(dialect: str) -> Made:
        statement = insert_for(table, dialect)
        changed = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
        return statement.on_conflict_do_update(index_elements=_key(table), set_=changed)

    return Statement(made)


def insert_for(
    table: Table, dialect: str, always: Mapping[str, str | int | None] | None = None
) -> "sqlite.Insert | postgresql.Insert":
    """The dialect's own INSERT, which knows ON CONFLICT; columns with `always` the same value need not be given."""
    values = _values(table) | {name: fixed(value) for name, value in (always or {}).items()}
    if dialect != "postgresql":
        return sqlite.insert(table).values(values).inline()
    from sqlalchemy.dialects import postgresql  # 100 ms that SQLite need not pay

    return postgresql.insert(table).values(values).inline()


def fixed(value: str | int | None) -> ColumnElement[Any]:
    """A value of the program that stands in the statement's text: binding one costs as much as storing it."""
    if value is None:
        return null()
    return literal_column(str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'")


def _values(table: Table) -> dict[str, object]:
    counted = table.autoincrement_column
    return {column.name: bindparam(column.name) for column in table.columns if column is not counted}


def _key(table: Table) -> list[str]:
    return [column.name for column in table.primary_key.columns]
