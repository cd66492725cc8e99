"""Statements on SQLite's own driver. SQLAlchemy turns each into text once; running it from there on is the driver's
affair alone: SQLAlchemy would take several times as long to run one as SQLite does.
"""

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy.dialects import sqlite

from bossbot.store.database import NOTHING, Sql, Values
from bossbot.store.statement import Statement

_DIALECT = sqlite.dialect(paramstyle="qmark")


class SqliteSql(Sql):
    """Over one connection, in the thread that has it."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def rows(self, statement: Statement, values: Values = NOTHING) -> Sequence[Any]:
        text = _text(statement)
        cursor = self._raw.execute(text.sql, text.filled(values))
        return [text.row(*found) for found in cursor]

    def change(self, statement: Statement, values: Values) -> int:
        text = _text(statement)
        return self._raw.execute(text.sql, text.filled(values)).rowcount

    def change_each(self, statement: Statement, each: Sequence[Values]) -> None:
        if each:
            text = _text(statement)
            self._raw.executemany(text.sql, [text.filled(values) for values in each])

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._raw.execute("SAVEPOINT work")
        try:
            yield
        except sqlite3.Error:
            raise  # SQLite may have ended the whole transaction; it is over in any case
        except BaseException:
            self._raw.execute("ROLLBACK TO work")
            self._raw.execute("RELEASE work")
            raise
        self._raw.execute("RELEASE work")


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as SQLite takes it, the order of its values, and those that stand in the statement itself."""

    sql: str
    names: Sequence[str]
    fixed: Values
    row: Callable[..., Any]

    def filled(self, values: Values) -> Sequence[object]:
        every = {**self.fixed, **values} if self.fixed else values
        return [every[name] for name in self.names]


@cache
def _text(statement: Statement) -> _Text:
    made = statement.made("sqlite")
    compiled = made.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    fixed = {name: value for name, value in compiled.params.items() if value is not None}
    columns = [column.name for column in getattr(made, "selected_columns", ())]
    return _Text(str(compiled), compiled.positiontup or (), fixed, namedtuple("Row", columns, rename=True))
