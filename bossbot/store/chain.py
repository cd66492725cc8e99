"""The hash chain: each event carries the hash of its predecessor within the session, so that a flaw shows.

The hash is over the envelope's canonical JSON, not over its bytes as stored: an export may format it differently.
Cutting the end off the log together with its session row leaves no trace; for that, keep the newest hash elsewhere.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from bossbot.domain.events import Event
from bossbot.store.records import Flaw, Problem

GENESIS = "0" * 64
"""The predecessor of a session's first event."""


@dataclass(frozen=True, slots=True)
class Link:
    """One stored event as it stands in the log."""

    version: int
    envelope: str
    hash: str


def envelope_json(event: Event) -> str:
    """The envelope as it is stored: compact, its seven keys in the protocol's order."""
    return _dumps(event.model_dump(), sort_keys=False)


def event_from_json(envelope: str) -> Event:
    """The event that `envelope_json` wrote."""
    return Event.model_validate(json.loads(envelope))


def link_hash(previous: str, envelope: str) -> str:
    """sha256 in hex over the predecessor's hash and the canonical JSON. Raises ValueError if it is not JSON."""
    canonical = _dumps(json.loads(envelope), sort_keys=True)
    return sha256(previous.encode() + canonical.encode()).hexdigest()


def _dumps(value: object, *, sort_keys: bool) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    # A program's output may hold half a character (a lone surrogate), which no UTF-8 text can: it stays escaped.
    return text if _encodable(text) else json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def flaws(links: Iterable[Link], version: int, tip: str) -> list[Problem]:
    """Compares a log with what its session says of it: `version` events, the last with hash `tip`."""
    links = list(links)
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
    except ValueError:
        return False


def _events(count: int) -> str:
    return "1 event is" if count == 1 else f"{count} events are"
