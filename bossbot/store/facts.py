"""Facts: what folding needs of a stored event, its payload and its task. A long log is opened by reading those.

The envelope is taken apart without making objects of what is in it, and only payloads that change a session are read.
What cannot be read in this quick way is read as every other event is.
"""

from typing import NamedTuple

import msgspec
from pydantic import ValidationError

from bossbot.domain.events import PAYLOADS, Payload, UnknownPayload
from bossbot.ids import TaskId
from bossbot.store.chain import event_from_json
from bossbot.store.records import Link
from bossbot.store.upcast import payload_version


class Fact(NamedTuple):
    """An event as `evolve` needs it."""

    payload: Payload
    task_id: TaskId | None


class _Envelope(msgspec.Struct):
    type: str
    task_id: str | None
    payload: msgspec.Raw


_UNKNOWN = UnknownPayload()
_decode = msgspec.json.Decoder(_Envelope).decode


def fact(link: Link) -> Fact:
    """What the event says, in today's form. Raises ValueError if it cannot be read."""
    try:
        envelope = _decode(link.envelope)
        kind = PAYLOADS.get(envelope.type)
        if kind is None:
            return Fact(_UNKNOWN, None)
        if link.payload_version >= payload_version(envelope.type):
            payload = kind.model_validate_json(bytes(envelope.payload))
            return Fact(payload, None if envelope.task_id is None else TaskId(envelope.task_id))
    except (msgspec.DecodeError, ValidationError, UnicodeError):
        pass  # half a character, or a newer program's word in a field that we know
    event = event_from_json(link.envelope, link.payload_version)
    return Fact(event.payload, event.task_id)
