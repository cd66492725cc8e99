"""What the store reads out of events: a session's line in the list, and which threads belong to it. Pure."""

from collections.abc import Sequence
from datetime import datetime

from bossbot.domain.events import (
    Event,
    SessionArchived,
    SessionClosed,
    SessionCreated,
    SessionRenamed,
    SessionThreadBound,
)
from bossbot.ids import SessionId, ThreadRef
from bossbot.store.records import SessionRow

# Looked up first: most events are none of these, and asking an event of what class its payload is takes longer.
_LISTED = frozenset(kind.TYPE for kind in (SessionCreated, SessionRenamed, SessionClosed, SessionArchived))
_BINDING = frozenset(kind.TYPE for kind in (SessionThreadBound, SessionClosed))


def projected(row: SessionRow | None, session_id: SessionId, events: Sequence[Event]) -> SessionRow:
    """The session's line after `events` (at least one)."""
    begun = events[0].timestamp
    row = row or SessionRow(session_id, title="", status="active", version=0, created_at=begun, updated_at=begun)
    title, status = row.title, row.status
    for event in events:
        if event.type not in _LISTED:
            continue
        match event.payload:
            case SessionCreated() as created:
                title, status = _storable(created.title), created.status
            case SessionRenamed() as renamed:
                title = _storable(renamed.title)
            case SessionClosed():
                status = "closed"
            case SessionArchived():
                status = "archived"
    return SessionRow(session_id, title, status, row.version + len(events), row.created_at, events[-1].timestamp)


def _storable(text: str) -> str:
    """Without what a text column cannot hold: halves of characters and, in PostgreSQL, NUL. The log has them."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")


def bindings(events: Sequence[Event]) -> tuple[bool, tuple[ThreadRef, ...]]:
    """Whether the session's earlier threads are freed, and the threads that are its own after `events`."""
    freed, bound = False, dict[ThreadRef, None]()
    for event in events:
        if event.type not in _BINDING:
            continue
        match event.payload:
            case SessionThreadBound(channel=channel, chat=chat, thread=thread):
                bound[ThreadRef(channel, chat, thread)] = None
            case SessionClosed():
                freed, bound = True, {}
    return freed, tuple(bound)


def check_append(session_id: SessionId, events: Sequence[Event], inbox_key: str | None, at: datetime | None) -> None:
    """Raises ValueError for programming errors that no log may keep: a foreign event, a key without its time."""
    for event in events:
        if event.session_id != session_id:
            raise ValueError(f"event {event.id} belongs to session {event.session_id}, not {session_id}")
    if inbox_key is not None and (at is None or at.tzinfo is None):
        raise ValueError("an inbox key needs its time, with a time zone")
