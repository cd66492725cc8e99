"""What the store hands out beside events: a session's line in the list, an event as it is stored, a flaw in the log."""

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


@dataclass(frozen=True, slots=True)
class Link:
    """One stored event as it stands in the log. `payload_version` says in which form its payload was written."""

    version: int
    envelope: str
    hash: str
    payload_version: int = 1


@dataclass(frozen=True, slots=True)
class Logged:
    """A stored event and its place in the whole log: positions grow in the order of commits, with gaps."""

    position: int
    session_id: SessionId
    type: str
    link: Link


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
