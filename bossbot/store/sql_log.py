"""The log in SQL: appending to it, with all that goes into the same transaction, and reading it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from bossbot.domain.events import Event
from bossbot.ids import SessionId
from bossbot.store import sql_outbox, sql_state, tables
from bossbot.store.chain import GENESIS, Link, envelope_json, event_from_json, flaws, link_hash
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.outbox import Show
from bossbot.store.projection import bindings, projected
from bossbot.store.records import MessageRef, Problem, SessionRow
from bossbot.store.sql_insert import insert_new


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
    query = select(tables.sessions).where(tables.sessions.c.id == session_id).with_for_update()
    found = c.execute(query).one_or_none()
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
    c.execute(insert(tables.events), rows)
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
        c.execute(update(tables.sessions).where(tables.sessions.c.id == row.id).values(values))
    elif not insert_new(c, tables.sessions, {"id": row.id, **values}):
        raise VersionConflict(row.id, 0, version(c, row.id))


def load(c: Connection, session_id: SessionId, after_version: int) -> list[Event]:
    """As `EventStore.load`."""
    e = tables.events.c
    query = select(e.envelope).where(e.session_id == session_id, e.version > after_version).order_by(e.version)
    return [event_from_json(envelope) for envelope in c.scalars(query)]


def events_of(c: Connection, session_id: SessionId, types: Sequence[str]) -> list[Event]:
    """As `EventStore.events_of`."""
    e = tables.events.c
    query = select(e.envelope).where(e.session_id == session_id, e.type.in_(types)).order_by(e.version)
    return [event_from_json(envelope) for envelope in c.scalars(query)]


def version(c: Connection, session_id: SessionId) -> int:
    """As `EventStore.version`."""
    return c.scalar(select(tables.sessions.c.version).where(tables.sessions.c.id == session_id)) or 0


def verify(c: Connection, session_id: SessionId) -> list[Problem]:
    """As `EventStore.verify`."""
    s, e = tables.sessions.c, tables.events.c
    recorded = c.execute(select(s.version, s.hash).where(s.id == session_id)).one_or_none()
    rows = c.execute(select(e.version, e.envelope, e.hash).where(e.session_id == session_id).order_by(e.version))
    links = [Link(row.version, row.envelope, row.hash) for row in rows]
    return flaws(links, recorded.version if recorded else 0, recorded.hash if recorded else GENESIS)
