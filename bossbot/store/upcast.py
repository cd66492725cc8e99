"""Upcasters: an event that was written in an older form is read in today's. What is stored, and its hash, stay.

Each type's payload has a version, which is kept in a column beside the envelope. To change a payload's form, add a
function here that turns the last form into the new one; the version then counts up by itself.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Payload = dict[str, Any]
Upcaster = Callable[[Payload], Payload]


def _without_the_input(payload: Payload) -> Payload:
    """1 → 2: a request kept what the tool was called with, secrets included; now that stays with the process."""
    return {key: value for key, value in payload.items() if key not in ("tool_input", "suggestions")}


UPCASTERS: Mapping[str, Sequence[Upcaster]] = {
    "approval.requested": (_without_the_input,),
}
"""Event type → functions from version 1 to 2, from 2 to 3, and so on."""


def payload_version(event_type: str) -> int:
    """The version of the payloads that are written today."""
    return 1 + len(UPCASTERS.get(event_type, ()))


def upcast(envelope: dict[str, Any], written: int) -> dict[str, Any]:
    """The envelope with its payload in today's form. One from a newer program is left as it is."""
    later = UPCASTERS.get(envelope.get("type", ""), ())[max(0, written - 1) :]
    if not later or not isinstance(envelope.get("payload"), dict):
        return envelope
    payload = envelope["payload"]
    for step in later:
        payload = step(payload)
    return {**envelope, "payload": payload}
