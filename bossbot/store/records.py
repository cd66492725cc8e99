"""What the store hands out beside events: a session's line in the list, a platform message, a flaw in the log."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bossbot.ids import SessionId


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in the list. `version` counts its events; the times are of its first and its newest event."""

    id: SessionId
    title: str
    status: str
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class MessageRef:
    """One message of a platform, posted by us or by a person."""

    channel: str
    chat: str
    message_id: str


class Flaw(StrEnum):
    """How a log differs from what was written."""

    CHANGED = "changed"
    MISSING = "missing"
    INSERTED = "inserted"


@dataclass(frozen=True, slots=True)
class Problem:
    """A flaw in a session's log, found by `verify`. `version` is where: the first event that it touches."""

    flaw: Flaw
    version: int
    text: str
