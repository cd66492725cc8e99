"""What all events have in common: who caused them, how their time is written, and how a payload is kept."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import ClassVar

from msgspec.json import encode
from pydantic import BaseModel, ConfigDict


def time_text(at: datetime) -> str:
    """A time as the log has it, `2026-03-23T12:00:00.000Z`: in UTC, of one width, ordered as the times are.

    Raises ValueError for a time without a zone, which is a programming error.
    """
    if at.tzinfo is None:
        raise ValueError(f"a time without a time zone: {at!r}")
    seconds = encode(at.astimezone(UTC))[1:20].decode()  # a tenth of the time of `isoformat`, for every event
    return f"{seconds}.{at.microsecond // 1000:03}Z"


class Source(StrEnum):
    """Who caused an event."""

    USER = "user"
    MANAGER = "manager"
    SYSTEM = "system"
    WORKER = "worker"


class Payload(BaseModel):
    """What an event says. Unknown fields are kept, so that a newer program's log reads without loss."""

    model_config = ConfigDict(frozen=True, extra="allow")
    TYPE: ClassVar[str] = ""


class UnknownPayload(Payload):
    """The payload of an event type that this version does not know, kept whole."""
