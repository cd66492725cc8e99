"""The envelope: seven keys, in the protocol's order, around a payload.

An event of a type that this version does not know is kept as `UnknownPayload`: reading an old or a newer log loses
nothing.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from msgspec import Struct
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    ValidationError,
    field_validator,
    model_serializer,
)

from bossbot.domain.events import approval, artifact, plan, session, steps, task, worker
from bossbot.domain.events.base import Payload, Source, UnknownPayload, time_text
from bossbot.ids import EventId, SessionId, TaskId

_TOPICS = (session, plan, task, worker, steps, approval, artifact)

PAYLOADS: Mapping[str, type[Payload]] = {
    found.TYPE: found
    for topic in _TOPICS
    for found in vars(topic).values()
    if isinstance(found, type) and issubclass(found, Payload) and found.TYPE
}
"""Event type → the class of its payload."""


def _as_logged(at: datetime) -> datetime:
    """In UTC and to the millisecond: an event is equal to itself read back from the log."""
    if at.tzinfo is UTC and not at.microsecond % 1000:
        return at
    return at.astimezone(UTC).replace(microsecond=at.microsecond // 1000 * 1000)


Timestamp = Annotated[AwareDatetime, AfterValidator(_as_logged)]


class Event(BaseModel):
    """The envelope. Its JSON has exactly the protocol's seven keys, in the protocol's order."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: EventId
    session_id: SessionId
    task_id: TaskId | None
    source: Source
    type: str
    timestamp: Timestamp
    payload: Payload

    @field_validator("payload", mode="before")
    @classmethod
    def _parse_payload(cls, value: object, info: Any) -> object:
        if isinstance(value, Payload):
            return value
        known = PAYLOADS.get(info.data.get("type", ""), UnknownPayload)
        try:
            return known.model_validate(value)
        except ValidationError:
            # A newer program's word in a field that we know: the session must still open, without this one event.
            return UnknownPayload.model_validate(value)

    @model_serializer
    def envelope(self) -> dict[str, Any]:
        """The seven keys and their values as JSON knows them; what `model_dump` gives, without its ways about."""
        return {
            "id": self.id,
            "session_id": self.session_id,
            "task_id": self.task_id,
            "source": self.source.value,
            "type": self.type,
            "timestamp": time_text(self.timestamp),
            "payload": self.payload.model_dump(mode="json"),
        }


class NewEvent(Struct, frozen=True):
    """What the domain decides: an event before it has an id and a time, which the edge gives."""

    source: Source
    payload: Payload
    task_id: TaskId | None = None

    def sealed(self, event_id: EventId, session_id: SessionId, at: datetime) -> Event:
        """The event as it enters the log."""
        return Event(
            id=event_id,
            session_id=session_id,
            task_id=self.task_id,
            source=self.source,
            type=self.payload.TYPE,
            timestamp=at,
            payload=self.payload,
        )
