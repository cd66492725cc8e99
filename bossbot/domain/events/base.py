"""What all events have in common: who caused them, and how a payload is kept."""

from enum import StrEnum
from typing import ClassVar

from pydantic import BaseModel, ConfigDict


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
