"""The hash chain: each event carries the hash of its predecessor within the session, so that a flaw shows.

The hash is over the envelope's canonical JSON, not over its bytes as stored: an export may format it differently.
Cutting the end off the log together with its session row leaves no trace; for that, keep the newest hash elsewhere.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec

from bossbot.domain.events import Event
from bossbot.store.json_text import as_stored, as_stored_and_canonical, canonical
from bossbot.store.records import Flaw, Link, Problem
from bossbot.store.upcast import payload_version, upcast

GENESIS = "0" * 64
"""The predecessor of a session's first event."""


def linked(events: Sequence[Event], after_version: int, tip: str) -> list[Link]:
    """The events as they are stored behind version `after_version`, whose hash is `tip`."""
    links = []
    for version, event in enumerate(events, after_version + 1):
        envelope, hashed = as_stored_and_canonical(event.envelope())
        tip = _hash(tip, hashed)
        links.append(Link(version, envelope, tip, payload_version(event.type)))
    return links


def envelope_json(event: Event) -> str:
    """The envelope as it is stored: compact, its seven keys in the protocol's order."""
    return as_stored(event.envelope())


def event_from_json(envelope: str, written: int = 1) -> Event:
    """The event that `envelope_json` wrote when its payload's version was `written`."""
    return Event.model_validate(upcast(json.loads(envelope), written))


def current_envelope(link: Link, event_type: str) -> str:
    """The envelope in today's form, as JSON on one line."""
    if link.payload_version >= payload_version(event_type) and "\n" not in link.envelope:
        return link.envelope
    return as_stored(upcast(json.loads(link.envelope), link.payload_version))


def link_hash(previous: str, envelope: str) -> str:
    """sha256 in hex over the predecessor's hash and the canonical JSON. Raises ValueError if it is not JSON."""
    return _hash(previous, canonical(json.loads(envelope)))


def _hash(previous: str, envelope: bytes) -> str:
    return sha256(previous.encode() + envelope).hexdigest()


def flaws(links: Iterable[Link], version: int, tip: str) -> list[Problem]:
    """Compares a log with what its session says of it: `version` events, the last with hash `tip`."""
    links = [link for link in links if type(link.version) is int]  # SQLite keeps any value: what has no number is gone
    last = links[-1] if links else Link(0, "", GENESIS)
    closed_up = version - last.version if last.hash == tip else 0
    found = list(_flaws_within(links, closed_up))
    if last.version > version:
        extra = last.version - version
        found.append(
            Problem(Flaw.INSERTED, version + 1, f"{_events(extra)} behind the recorded end at version {version}")
        )
    elif last.version < version and not closed_up:
        gap = version - last.version
        found.append(Problem(Flaw.MISSING, last.version + 1, f"{_events(gap)} missing at the end"))
    elif last.version == version and last.hash != tip and not found:
        found.append(Problem(Flaw.CHANGED, last.version, "the last event is not the one that was recorded last"))
    return found


def _flaws_within(links: list[Link], closed_up: int) -> Iterator[Problem]:
    """Walks the chain. `closed_up` events were cut out and those behind them renumbered: the end is still the end."""
    before = [Link(0, "", GENESIS)]
    for link in links:
        expected = before[-1].version + 1
        if link.version > expected:
            gap = link.version - expected
            yield Problem(Flaw.MISSING, expected, f"{_events(gap)} missing before version {link.version}")
        elif not _follows(before[-1], link):
            if len(before) > 1 and _follows(before[-2], link):
                yield Problem(Flaw.INSERTED, before[-1].version, "the next event follows the one before this")
            elif closed_up > 0:
                yield Problem(Flaw.MISSING, link.version, f"{_events(closed_up)} missing here: the log was closed up")
                closed_up = 0
            else:
                yield Problem(Flaw.CHANGED, link.version, "the event, its hash or its predecessor's was changed")
        before.append(link)


def _follows(previous: Link, link: Link) -> bool:
    try:
        return link_hash(previous.hash, link.envelope) == link.hash
    except (ValueError, RecursionError, TypeError, AttributeError):  # no JSON, or no text at all
        return False


class _Said(msgspec.Struct):
    session_id: str
    type: str
    task_id: str | None


_said = msgspec.json.Decoder(_Said).decode


def misfiled(envelope: str, session_id: str, event_type: str, task_id: str | None) -> str:
    """What the database says beside an event that is whole, and the event does not: in words, empty if nothing.

    The hash is not over it, and what looks for events of a session or a type looks there.
    """
    try:
        said = _said(envelope)
    except (msgspec.DecodeError, UnicodeError, TypeError):
        return ""
    beside = {
        "session": (said.session_id, session_id),
        "type": (said.type, event_type),
        "task": (said.task_id, task_id),
    }
    wrong = [
        f"the event's {name} {truly!r} is filed as {filed!r}"
        for name, (truly, filed) in beside.items()
        if truly != filed
    ]
    return "; ".join(wrong)


def _events(count: int) -> str:
    return "1 event is" if count == 1 else f"{count} events are"
