"""The log in SQL: appending to it, with all that goes into the same transaction, and reading it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from bossbot.domain.events import Event
from bossbot.ids import SessionId
from bossbot.store import sql_outbox, sql_state, tables
from bossbot.store.chain import GENESIS, Link, envelope_json, event_from_json, flaws, link_hash
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.outbox import Show
from bossbot.store.projection import bindings, projected
from bossbot.store.records import MessageRef, Problem, SessionRow
from bossbot.store.sql_insert import insert_new

# Statements are made once: making one costs more than SQLite takes to run it.
s, e = tables.sessions.c, tables.events.c
_SESSION = select(tables.sessions).where(s.id == bindparam("session"))
_LOCKED_SESSION = _SESSION.with_for_update()
_CHANGE_SESSION = update(tables.sessions).where(s.id == bindparam("session"))
_NEW_EVENTS = insert(tables.events)
_VERSION = select(s.version).where(s.id == bindparam("session"))
_EVENTS = select(e.envelope).where(e.session_id == bindparam("session")).order_by(e.version)
_LATER_EVENTS = _EVENTS.where(e.version > bindparam("after"))
_LINKS = select(e.version, e.envelope, e.hash).where(e.session_id == bindparam("session")).order_by(e.version)


@dataclass(frozen=True, slots=True)
class Entry:
    """Everything that one `append` writes."""

    session_id: SessionId
    expected_version: int
    events: Sequence[Event]
    deliveries: Sequence[Show]
    inbox_key: str | None
    heard: MessageRef | None
    at: datetime | None


def append(c: Connection, entry: Entry) -> int:
    """As `EventStore.append`. A raised error rolls back what was written before it."""
    if entry.inbox_key is not None:
        values = {"key": entry.inbox_key, "received_at": entry.at}
        if not insert_new(c, tables.inbox, values):
            raise DuplicateDelivery(entry.inbox_key)
    row, tip = _session(c, entry.session_id)
    version = row.version if row else 0
    if version != entry.expected_version:
        raise VersionConflict(entry.session_id, entry.expected_version, version)
    if entry.events:
        version = _extend(c, entry, row, tip)
        freed, bound = bindings(entry.events)
        sql_state.bind(c, entry.session_id, bound, free_others=freed)
    if entry.heard is not None:
        sql_state.remember_messages(c, entry.session_id, [entry.heard])
    for show in entry.deliveries:
        sql_outbox.show(c, entry.session_id, show)
    return version


def _session(c: Connection, session_id: SessionId) -> tuple[SessionRow | None, str]:
    """The session's row, locked where the database locks rows, and the hash of its newest event."""
    found = c.execute(_LOCKED_SESSION, {"session": session_id}).one_or_none()
    return (sql_state.session_row(found), found.hash) if found else (None, GENESIS)


def _extend(c: Connection, entry: Entry, row: SessionRow | None, tip: str) -> int:
    rows = []
    for number, event in enumerate(entry.events, entry.expected_version + 1):
        envelope = envelope_json(event)
        tip = link_hash(tip, envelope)
        rows.append(
            {
                "session_id": entry.session_id,
                "version": number,
                "type": event.type,
                "task_id": event.task_id,
                "envelope": envelope,
                "hash": tip,
            }
        )
    _write_session(c, projected(row, entry.session_id, entry.events), tip, new=row is None)
    c.execute(_NEW_EVENTS, rows)
    return entry.expected_version + len(rows)


def _write_session(c: Connection, row: SessionRow, tip: str, *, new: bool) -> None:
    values = {
        "title": row.title,
        "status": row.status,
        "version": row.version,
        "hash": tip,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }
    if not new:
        c.execute(_CHANGE_SESSION, {"session": row.id, **values})
    elif not insert_new(c, tables.sessions, {"id": row.id, **values}):
        raise VersionConflict(row.id, 0, version(c, row.id))


def load(c: Connection, session_id: SessionId, after_version: int) -> list[Event]:
    """As `EventStore.load`."""
    rows = c.scalars(_LATER_EVENTS, {"session": session_id, "after": after_version})
    return [event_from_json(envelope) for envelope in rows]


def events_of(c: Connection, session_id: SessionId, types: Sequence[str]) -> list[Event]:
    """As `EventStore.events_of`."""
    rows = c.scalars(_EVENTS.where(e.type.in_(types)), {"session": session_id})
    return [event_from_json(envelope) for envelope in rows]


def version(c: Connection, session_id: SessionId) -> int:
    """As `EventStore.version`."""
    return c.scalar(_VERSION, {"session": session_id}) or 0


def verify(c: Connection, session_id: SessionId) -> list[Problem]:
    """As `EventStore.verify`."""
    recorded = c.execute(_SESSION, {"session": session_id}).one_or_none()
    links = [Link(row.version, row.envelope, row.hash) for row in c.execute(_LINKS, {"session": session_id})]
    return flaws(links, recorded.version if recorded else 0, recorded.hash if recorded else GENESIS)
