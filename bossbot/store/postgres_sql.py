"""Statements on PostgreSQL, by way of SQLAlchemy's connection."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection

from bossbot.store.database import NOTHING, Sql, Values
from bossbot.store.statement import Statement


class PostgresSql(Sql):
    """Over a connection within its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, statement: Statement, values: Values = NOTHING) -> Sequence[Any]:
        return self._connection.execute(statement.made("postgresql"), values).all()

    def change(self, statement: Statement, values: Values) -> int:
        return self._connection.execute(statement.made("postgresql"), values).rowcount

    def change_each(self, statement: Statement, each: Sequence[Values]) -> None:
        if each:  # without values it would run once
            self._connection.execute(statement.made("postgresql"), list(each))

    def savepoint(self) -> AbstractContextManager[object]:
        return self._connection.begin_nested()
