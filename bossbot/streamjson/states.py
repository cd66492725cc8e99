"""Whose turn it is on the pipe: a table, and nothing but the table.

A turn runs from a user message (or from the CLI's own beginning, after a background task has ended) to its
`result`. The states matter because a message or an interrupt at the wrong moment is lost or hits the wrong work.
"""

from enum import Enum, auto


class Turn(Enum):
    IDLE = auto()
    RUNNING = auto()
    STOPPING = auto()
    """An interrupt was written and the turn has not ended yet."""


class Sign(Enum):
    """What moves a turn."""

    TOLD = auto()
    """We wrote a user message."""
    WORKS = auto()
    """The main agent speaks, calls a tool or asks: it works, whether told to or not."""
    STOP_SENT = auto()
    """We wrote an interrupt."""
    STOP_ECHOED = auto()
    """The CLI told the model that it was interrupted, in a dialect where that may be the last word of a turn."""
    RESULT = auto()


TRANSITIONS: dict[tuple[Turn, Sign], Turn] = {
    (Turn.IDLE, Sign.TOLD): Turn.RUNNING,
    (Turn.IDLE, Sign.WORKS): Turn.RUNNING,
    (Turn.RUNNING, Sign.STOP_SENT): Turn.STOPPING,
    (Turn.RUNNING, Sign.RESULT): Turn.IDLE,
    (Turn.STOPPING, Sign.TOLD): Turn.RUNNING,
    (Turn.STOPPING, Sign.STOP_ECHOED): Turn.IDLE,
    (Turn.STOPPING, Sign.RESULT): Turn.IDLE,
}
"""What is not listed changes nothing: an interrupt of an idle agent, a second result, work that goes on."""


def after(turn: Turn, sign: Sign) -> Turn:
    """The turn after this sign."""
    return TRANSITIONS.get((turn, sign), turn)
