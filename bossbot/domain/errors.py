"""Refusals of the domain. Each is told to the person or the caller who asked; the log stays as it was."""

from collections.abc import Sequence


class DomainError(Exception):
    """A command was refused. Its text is a sentence for the person who asked."""


class IllegalTransition(DomainError):
    """The state table has no such arrow."""

    def __init__(self, thing: str, state: str, wanted: str, allowed: Sequence[str]) -> None:
        ways = f"only {' or '.join(allowed)}" if allowed else "nothing else any more"
        super().__init__(f"{thing} is {state} and cannot become {wanted}, {ways}")
        self.thing, self.state, self.wanted = thing, state, wanted


class NotFound(DomainError):
    """The command names something that the session does not have."""


class AlreadyDecided(DomainError):
    """The approval or plan diff was decided, or became void, before this command came."""
