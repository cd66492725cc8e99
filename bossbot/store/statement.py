"""Statements: written with SQLAlchemy, once for SQLite and PostgreSQL, and made when the program starts."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, UpdateBase

Made = Select[Any] | UpdateBase


class Statement:
    """One statement; what it is given are bound parameters by name. Where the databases differ, `made` is a function
    from the dialect's name.
    """

    def __init__(self, made: Made | Callable[[str], Made]) -> None:
        self._made = made
        self._by_dialect: dict[str, Made] = {}

    def made(self, dialect: str) -> Made:
        """The statement for a dialect of SQLAlchemy."""
        if not callable(self._made):
            return self._made
        if dialect not in self._by_dialect:
            self._by_dialect[dialect] = self._made(dialect)
        return self._by_dialect[dialect]
