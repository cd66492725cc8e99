"""Letters: what is handed to a mailbox. Commands to decide, cards to draw, and whoever waits for the outcome."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bossbot.domain.commands import Command, FinishToolCall, ReportSnapshot, RequestToolCall
from bossbot.domain.errors import DomainError
from bossbot.domain.state import SessionState
from bossbot.store.outbox import Show
from bossbot.store.records import MessageRef

log = logging.getLogger(__name__)

Draw = Callable[[SessionState], Sequence[Show]]
"""The cards that follow from the state, after all that happened before."""

PATIENT = frozenset({RequestToolCall, FinishToolCall, ReportSnapshot})
"""What the agent tells of its work on the way: nobody waits for it, and it comes often."""


class NotDrawn(Exception):
    """A card could not be drawn, by a mistake of our own: to try again would not help."""


@dataclass(slots=True)
class Letter:
    """`at` is when it came. `told`: who sends cards hears of those that are drawn; else the one who asked for them
    sends them.
    """

    at: datetime
    commands: tuple[Command, ...] = ()
    inbox_key: str | None = None
    heard: MessageRef | None = None
    draw: Draw | None = None
    told: bool = True
    done: "asyncio.Future[SessionState] | None" = None

    @property
    def alone(self) -> bool:
        """It commits alone, so that a repeated delivery is refused with all that it caused."""
        return self.inbox_key is not None or self.heard is not None

    @property
    def patient(self) -> bool:
        """It may wait a moment for others, to commit with them."""
        return self.done is None and self.draw is None and PATIENT.issuperset(map(type, self.commands))

    def drawn(self, state: SessionState) -> Sequence[Show]:
        """The cards that it asks for. Raises `NotDrawn`."""
        try:
            return self.draw(state) if self.draw is not None else ()
        except Exception as error:
            raise NotDrawn(f"{type(error).__name__}: {error}") from error

    def settle(self, state: SessionState) -> None:
        """It is done, and that is the session's state now."""
        if self.done is not None and not self.done.done():
            self.done.set_result(state)

    def fail(self, error: Exception) -> None:
        """Tells whoever waits; a machine cannot be told, and what it wanted is logged."""
        if self.done is not None:
            if not self.done.done():
                self.done.set_exception(error)
            return
        names = ", ".join(type(command).__name__ for command in self.commands) or "a card"
        if isinstance(error, DomainError):
            log.debug("%s: %s", names, error)
        else:
            log.error("%s could not be handled", names, exc_info=error)


def groups(batch: Iterable[Letter]) -> list[list[Letter]]:
    """What commits together: neighbours, except for those that stand alone."""
    found: list[list[Letter]] = []
    for letter in batch:
        if found and not letter.alone and not found[-1][0].alone:
            found[-1].append(letter)
        else:
            found.append([letter])
    return found
