"""A database as the store sees it: it runs a function over a connection as one transaction.

The functions are plain SQLAlchemy Core, the same for every database; only where they run differs.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")


class Database(Protocol):
    """Transactions that happen wholly or not at all. A failure of the database itself raises `StoreError`."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` over one consistent state."""
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
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
