"""A session as a file: one JSON object a line, the first a header, then every event with its hash.

The hashes are those of the log, so a file tells by itself whether it is whole: each is over the hash before it, and the
header holds the number of events and the last hash.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any, NoReturn

from pydantic import ValidationError

from bossbot.domain.events import Event, NewEvent, SessionClosed, Source
from bossbot.domain.state import ENDED
from bossbot.ids import SESSION_ID, EventId, SessionId
from bossbot.store.chain import GENESIS, event_from_json, link_hash, linked
from bossbot.store.json_text import as_stored
from bossbot.store.projection import bindings, projected
from bossbot.store.records import Link

FORMAT = 1
"""The version of this form of file."""

PAYLOAD_VERSIONS = range(1, 1_000)
"""Also of payloads that a newer program wrote."""

LEVELS = 50
"""Lists and objects within each other; no event has ten, and what has a thousand could be written and never read."""

LINE_CHARS = 64 * 1024 * 1024
"""Far above the longest event; a file without line breaks is not read into memory."""


class BadExport(Exception):
    """The file is no whole export. The text names the line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Export:
    """A whole session: its events as they are stored, and as they are read."""

    session_id: SessionId
    links: Sequence[Link]
    events: Sequence[Event]


def header_line(session_id: SessionId, version: int, tip: str) -> str:
    """The first line: whose events follow, how many, and the hash of the last."""
    return _line({"bossbot_export": FORMAT, "session_id": session_id, "events": version, "head": tip})


def event_line(link: Link) -> str:
    """One event: its version in the session, its payload's version, its hash, and the envelope as it is stored."""
    told = {"version": link.version, "payload_version": link.payload_version, "hash": link.hash}
    return _line({**told, "event": json.loads(link.envelope)})


def read_export(lines: Iterable[str]) -> Export:
    """Reads a file and checks that it is whole. Raises `BadExport`."""
    numbered = _numbered(lines)
    header = _header(*next(numbered, (1, None)))
    links: list[Link] = []
    events: dict[EventId, Event] = {}
    number = 1
    for number, raw in numbered:
        link = _link(number, raw, links[-1] if links else None)
        event = _event(number, link, SessionId(header["session_id"]))
        if event.id in events:
            raise BadExport(number, f"event {link.version} has the id of another, {event.id[:80]!r}")
        events[event.id] = event
        links.append(link)
    tip = links[-1].hash if links else GENESIS
    if (len(links), tip) != (header["events"], header["head"]):
        raise BadExport(
            number + 1,
            f"the header speaks of {header['events']} events up to hash {header['head'][:12]}…, and there are"
            f" {len(links)} up to {tip[:12]}…: the end is missing, or was added",
        )
    if not links:
        raise BadExport(2, "there are no events")
    return Export(SessionId(header["session_id"]), links, [*events.values()])


def closed(export: Export, event_id: EventId, at: datetime) -> Export:
    """The session as it may be taken in: ended, and in no thread. Anybody can write a file whose hashes fit, and an
    open session would be taken up at the next start, with the calls that are allowed in it.
    """
    _freed, bound = bindings(export.events)
    if projected(None, export.session_id, export.events).status in ENDED and not bound:
        return export
    end = NewEvent(source=Source.SYSTEM, payload=SessionClosed(reason="it was imported"))
    sealed, last = end.sealed(event_id, export.session_id, at), export.links[-1]
    return Export(
        export.session_id, [*export.links, *linked([sealed], last.version, last.hash)], [*export.events, sealed]
    )


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line, parse_constant=_no_number, parse_float=_number) if len(line) <= LINE_CHARS else None
        except (ValueError, RecursionError):
            raw = None
        if not isinstance(raw, dict) or _is_deep(raw):
            raise BadExport(number, "this is no JSON object; the file must come from `bossbot export`")
        yield number, raw


def _is_deep(value: object) -> bool:
    level: list[object] = [value]
    for _ in range(LEVELS):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
    return bool(level)


def _inside(value: dict[str, object] | list[object]) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _number(word: str) -> float:
    number = float(word)
    return number if isfinite(number) else _no_number(word)


def _header(number: int, raw: dict[str, Any] | None) -> dict[str, Any]:
    if raw is None or "bossbot_export" not in raw:
        raise BadExport(number, "the header is missing; the file must come from `bossbot export`")
    if raw["bossbot_export"] != FORMAT:
        raise BadExport(number, f"a file of form {raw['bossbot_export']!r} is not known here; use a newer bossbot")
    kinds = {"session_id": str, "events": int, "head": str}
    for key, kind in kinds.items():
        if not isinstance(raw.get(key), kind) or not raw[key]:
            raise BadExport(number, f"the header's {key} is missing or wrong")
    if not SESSION_ID.fullmatch(raw["session_id"]):
        raise BadExport(number, "the header's session_id is no id: letters, digits, _ and - are")
    return raw


def _link(number: int, raw: dict[str, Any], before: Link | None) -> Link:
    kinds = {"version": int, "payload_version": int, "hash": str, "event": dict}
    for key, kind in kinds.items():
        if not isinstance(raw.get(key), kind) or isinstance(raw[key], bool):
            raise BadExport(number, f"{key} is missing or wrong")
    if raw["payload_version"] not in PAYLOAD_VERSIONS:
        raise BadExport(number, f"payload_version {str(raw['payload_version'])[:20]} is no version of a payload")
    expected = before.version + 1 if before else 1
    if raw["version"] != expected:
        raise BadExport(number, f"event {raw['version']} stands where event {expected} should: one is missing or twice")
    envelope = as_stored(raw["event"])
    if link_hash(before.hash if before else GENESIS, envelope) != raw["hash"]:
        raise BadExport(number, f"event {expected} does not fit its hash: this line or the one before was changed")
    return Link(expected, envelope, raw["hash"], raw["payload_version"])


def _event(number: int, link: Link, session_id: SessionId) -> Event:
    try:
        event = event_from_json(link.envelope, link.payload_version)
    except ValidationError as error:
        raise BadExport(number, f"this is no event: {error.errors()[0]['msg']}") from None
    except OverflowError:
        raise BadExport(number, "this is no event: in UTC its time has no date") from None
    if not (event.type + (event.task_id or "")).isprintable():
        raise BadExport(number, "this is no event: its type and task_id are words")
    if event.session_id != session_id:
        raise BadExport(number, f"the event belongs to session {event.session_id!r}, not {session_id!r}")
    return event


def _line(value: object) -> str:
    return as_stored(value) + "\n"
