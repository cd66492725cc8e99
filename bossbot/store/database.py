"""A database as the store sees it: it runs a function as one transaction, and gives it the means to run statements.

The functions are the same for every database; only where and how their statements run differs.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from bossbot.store.statement import Statement

T = TypeVar("T")
Values = Mapping[str, object]
NOTHING: Values = {}


class Sql(ABC):
    """Runs statements within the transaction that is under way. Errors are those of the driver or of SQLAlchemy."""

    @abstractmethod
    def rows(self, statement: Statement, values: Values = NOTHING) -> Sequence[Any]:
        """What it selects: rows with attributes named like the columns."""

    @abstractmethod
    def change(self, statement: Statement, values: Values) -> int:
        """Runs a statement that writes; how many rows it changed."""

    @abstractmethod
    def change_each(self, statement: Statement, each: Sequence[Values]) -> None:
        """Runs a statement that writes with one set of values after the other, or not at all if there is none."""

    @abstractmethod
    def savepoint(self) -> AbstractContextManager[object]:
        """What is done within is undone when it raises, and the transaction goes on; not after a driver's error."""

    def row(self, statement: Statement, values: Values = NOTHING) -> Any:
        """The first row, or None."""
        found = self.rows(statement, values)
        return found[0] if found else None

    def value(self, statement: Statement, values: Values = NOTHING) -> Any:
        """The first row's first column, or None."""
        found = self.rows(statement, values)
        return found[0][0] if found else None


class Database(Protocol):
    """Transactions that happen wholly or not at all. A failure of the database itself raises `StoreError`."""

    async def read(self, work: Callable[[Sql], T]) -> T:
        """Runs `work` over one consistent state."""
        ...

    async def write(self, work: Callable[[Sql], T]) -> T:
        """Runs `work` and commits; whatever it raises rolls back. It may run more than once, and counts once.

        Writes of all processes follow each other: what was committed later has the higher positions.
        """
        ...

    async def keep(self) -> None:
        """Runs for ever; raises `StoreError` when the database is no longer ours to write."""
        ...

    async def close(self) -> None:
        """Ends the connections, after the work that was handed in before."""
        ...
