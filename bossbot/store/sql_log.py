"""The log in SQL: appending to it, with all that goes into the same transaction, and reading it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from bossbot.domain.events import Event
from bossbot.ids import SessionId
from bossbot.store import sql_outbox, sql_state, tables
from bossbot.store.chain import GENESIS, flaws, linked
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.outbox import Show
from bossbot.store.projection import bindings, projected
from bossbot.store.records import Link, Logged, MessageRef, Problem, SessionRow
from bossbot.store.sql_insert import insert_new

# Statements are made once: making one costs more than SQLite takes to run it.
s, e = tables.sessions.c, tables.events.c
_SESSION = select(tables.sessions).where(s.id == bindparam("session"))
_LOCKED_SESSION = _SESSION.with_for_update()
_CHANGE_SESSION = update(tables.sessions).where(s.id == bindparam("session"))
_NEW_EVENTS = insert(tables.events)
_VERSION = select(s.version).where(s.id == bindparam("session"))
_STORED = select(e.seq, e.session_id, e.version, e.type, e.envelope, e.hash, e.payload_version)
_LINKS = _STORED.where(e.session_id == bindparam("session"), e.version > bindparam("after")).order_by(e.version)
_LOGGED = select(e.session_id).group_by(e.session_id).order_by(func.min(e.seq))
_LISTED = select(s.id).where(s.version > 0).order_by(s.created_at, s.id)
_POSITION = select(func.max(e.seq))
_AFTER = _STORED.where(e.seq > bindparam("place")).order_by(e.seq)
_SEEN = (
    select(e.version)
    .where(e.session_id == bindparam("session"), e.seq <= bindparam("place"))
    .order_by(e.version.desc())
    .limit(1)
)
_AT = select(e.version).where(e.seq == bindparam("place"), e.session_id == bindparam("session"))


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
    sql_outbox.show(c, entry.session_id, entry.deliveries)
    return version


def _session(c: Connection, session_id: SessionId) -> tuple[SessionRow | None, str]:
    """The session's row, locked where the database locks rows, and the hash of its newest event."""
    found = c.execute(_LOCKED_SESSION, {"session": session_id}).one_or_none()
    return (sql_state.session_row(found), found.hash) if found else (None, GENESIS)


def _extend(c: Connection, entry: Entry, row: SessionRow | None, tip: str) -> int:
    links = linked(entry.events, entry.expected_version, tip)
    write_session(c, projected(row, entry.session_id, entry.events), links[-1].hash, new=row is None)
    rows = zip(links, entry.events, strict=True)
    c.execute(_NEW_EVENTS, [event_row(entry.session_id, link, event.type, event.task_id) for link, event in rows])
    return links[-1].version


def event_row(session_id: SessionId, link: Link, event_type: str, task_id: str | None) -> dict[str, object]:
    """A row of `events`."""
    return {
        "session_id": session_id,
        "version": link.version,
        "type": event_type,
        "task_id": task_id,
        "envelope": link.envelope,
        "hash": link.hash,
        "payload_version": link.payload_version,
    }


def write_session(c: Connection, row: SessionRow, tip: str, *, new: bool) -> None:
    """The session's row; `tip` is the hash of its last event."""
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


def links(c: Connection, session_id: SessionId, after_version: int, limit: int | None) -> list[Link]:
    """As `EventStore.links`."""
    rows = c.execute(_LINKS.limit(limit), {"session": session_id, "after": after_version})
    return [_link(row) for row in rows]


def links_of(c: Connection, session_id: SessionId, types: Sequence[str]) -> list[Link]:
    """The session's events of these types, in order."""
    return [_link(row) for row in c.execute(_LINKS.where(e.type.in_(types)), {"session": session_id, "after": 0})]


def version(c: Connection, session_id: SessionId) -> int:
    """As `EventStore.version`."""
    return c.scalar(_VERSION, {"session": session_id}) or 0


def logged_sessions(c: Connection) -> list[SessionId]:
    """As `EventStore.logged_sessions`; also those whose events are gone and whose row is not."""
    found = [*c.scalars(_LOGGED), *c.scalars(_LISTED)]
    return [SessionId(session) for session in dict.fromkeys(found)]


def head(c: Connection, session_id: SessionId) -> tuple[int, str]:
    """What the session's row records of its log's end: how many events, and the hash of the last."""
    recorded = c.execute(_SESSION, {"session": session_id}).one_or_none()
    return (recorded.version, recorded.hash) if recorded else (0, GENESIS)


def verify(c: Connection, session_id: SessionId) -> list[Problem]:
    """As `EventStore.verify`."""
    return flaws(links(c, session_id, 0, None), *head(c, session_id))


def position(c: Connection) -> int:
    """As `EventStore.position`."""
    return c.scalar(_POSITION) or 0


def after(c: Connection, place: int, limit: int) -> list[Logged]:
    """As `EventStore.after`."""
    rows = c.execute(_AFTER.limit(limit), {"place": place})
    return [Logged(row.seq, SessionId(row.session_id), row.type, _link(row)) for row in rows]


def after_in(c: Connection, session_id: SessionId, place: int, limit: int) -> list[Logged]:
    """As `EventStore.after` with a session. Versions have an index, so the place is turned into one: at once when it
    is of this session, as it is when somebody reads on; else by looking back from the newest event.
    """
    where = {"session": session_id, "place": place}
    seen = (c.scalar(_AT, where) or c.scalar(_SEEN, where) or 0) if place > 0 else 0
    rows = c.execute(_LINKS.limit(limit), {"session": session_id, "after": seen})
    return [Logged(row.seq, session_id, row.type, _link(row)) for row in rows]


def _link(row: "Row[*tuple[Any, ...]]") -> Link:
    return Link(row.version, row.envelope, row.hash, row.payload_version)
