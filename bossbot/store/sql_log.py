"""The log in SQL: appending to it, with all that goes into the same transaction, and reading it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, bindparam, func, select, update

from bossbot.domain.events import Event
from bossbot.domain.events.base import time_text
from bossbot.ids import SessionId
from bossbot.store import sql_outbox, sql_state, tables
from bossbot.store.chain import GENESIS, flaws, linked, misfiled
from bossbot.store.database import Sql
from bossbot.store.errors import DuplicateDelivery, VersionConflict
from bossbot.store.outbox import Show
from bossbot.store.projection import bindings, projected
from bossbot.store.records import Flaw, Link, Logged, MessageRef, Problem, SessionRow
from bossbot.store.sql_insert import or_nothing, plain
from bossbot.store.statement import Statement

ALL = 2**63 - 1
"""A limit that is none."""

FORGOTTEN = "position of what was forgotten"
"""A memo: the newest position when a session was forgotten. A reader of a feed may have come so far."""

s, e = tables.sessions.c, tables.events.c
_this_session, _limit = s.id == bindparam("session"), bindparam("limit", type_=BigInteger)
_stored = select(e.seq, e.session_id, e.version, e.type, e.envelope, e.hash, e.payload_version)
_later = _stored.where(e.session_id == bindparam("session"), e.version > bindparam("after")).order_by(e.version)

_TAKE_IN = or_nothing(tables.inbox)
_SESSION = Statement(select(tables.sessions).where(_this_session))
_LOCKED_SESSION = Statement(select(tables.sessions).where(_this_session).with_for_update())
_NEW_SESSION = or_nothing(tables.sessions)
_CHANGE_SESSION = Statement(
    update(tables.sessions)
    .where(_this_session)
    .values({name: bindparam(name) for name in ("title", "status", "version", "hash", "updated_at")})
)
_NEW_EVENT = plain(tables.events)
_VERSION = Statement(select(s.version).where(_this_session))
_LINKS = Statement(_later.limit(_limit))
_FILED = Statement(_later.add_columns(e.task_id))
_LINKS_OF = Statement(_later.where(e.type == bindparam("type")))
_LOGGED = Statement(select(e.session_id).group_by(e.session_id).order_by(func.min(e.seq)))
_LISTED = Statement(select(s.id).where(s.version > 0).order_by(s.created_at, s.id))
_POSITION = Statement(select(func.max(e.seq)))
_AFTER = Statement(_stored.where(e.seq > bindparam("place")).order_by(e.seq).limit(_limit))
_SEEN = Statement(
    select(e.version)
    .where(e.session_id == bindparam("session"), e.seq <= bindparam("place"))
    .order_by(e.version.desc())
    .limit(1)
)
_AT = Statement(select(e.version).where(e.seq == bindparam("place"), e.session_id == bindparam("session")))


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


def append(sql: Sql, entry: Entry) -> int:
    """As `EventStore.append`. A raised error rolls back what was written before it."""
    if entry.inbox_key is not None and entry.at is not None:
        values = {"key": entry.inbox_key, "received_at": time_text(entry.at)}
        if sql.change(_TAKE_IN, values) == 0:
            raise DuplicateDelivery(entry.inbox_key)
    row, tip = _session(sql, entry.session_id)
    version = row.version if row else 0
    if version != entry.expected_version:
        raise VersionConflict(entry.session_id, entry.expected_version, version)
    if entry.events:
        version = _extend(sql, entry, row, tip)
        freed, bound = bindings(entry.events)
        sql_state.bind(sql, entry.session_id, bound, free_others=freed)
    if entry.heard is not None:
        sql_state.remember_messages(sql, entry.session_id, [entry.heard])
    sql_outbox.show(sql, entry.session_id, entry.deliveries)
    return version


def _session(sql: Sql, session_id: SessionId) -> tuple[SessionRow | None, str]:
    """The session's row, locked where the database locks rows, and the hash of its newest event."""
    found = sql.row(_LOCKED_SESSION, {"session": session_id})
    return (sql_state.session_row(found), found.hash) if found else (None, GENESIS)


def _extend(sql: Sql, entry: Entry, row: SessionRow | None, tip: str) -> int:
    links = linked(entry.events, entry.expected_version, tip)
    write_session(sql, projected(row, entry.session_id, entry.events), links[-1].hash, new=row is None)
    write_events(sql, entry.session_id, links, entry.events)
    return links[-1].version


def write_events(sql: Sql, session_id: SessionId, links: Sequence[Link], events: Sequence[Event]) -> None:
    """The rows of `events`."""
    rows = [
        {
            "session_id": session_id,
            "version": link.version,
            "type": event.type,
            "task_id": event.task_id,
            "envelope": link.envelope,
            "hash": link.hash,
            "payload_version": link.payload_version,
        }
        for link, event in zip(links, events, strict=True)
    ]
    sql.change_each(_NEW_EVENT, rows)


def write_session(sql: Sql, row: SessionRow, tip: str, *, new: bool) -> None:
    """The session's row; `tip` is the hash of its last event."""
    values = {
        "title": row.title,
        "status": row.status,
        "version": row.version,
        "hash": tip,
        "updated_at": time_text(row.updated_at),
    }
    if not new:
        sql.change(_CHANGE_SESSION, {"session": row.id, **values})
    elif sql.change(_NEW_SESSION, {"id": row.id, "created_at": time_text(row.created_at), **values}) == 0:
        raise VersionConflict(row.id, 0, version(sql, row.id))


def links(sql: Sql, session_id: SessionId, after_version: int, limit: int | None) -> list[Link]:
    """As `EventStore.links`."""
    where = {"session": session_id, "after": after_version, "limit": ALL if limit is None else limit}
    return [_link(row) for row in sql.rows(_LINKS, where)]


def links_of(sql: Sql, session_id: SessionId, types: Sequence[str]) -> list[Link]:
    """The session's events of these types, in order."""
    where = {"session": session_id, "after": 0}
    found = [_link(row) for kind in dict.fromkeys(types) for row in sql.rows(_LINKS_OF, {**where, "type": kind})]
    return sorted(found, key=lambda link: link.version)


def version(sql: Sql, session_id: SessionId) -> int:
    """As `EventStore.version`."""
    return sql.value(_VERSION, {"session": session_id}) or 0


def logged_sessions(sql: Sql) -> list[SessionId]:
    """As `EventStore.logged_sessions`; also those whose events are gone and whose row is not."""
    found = [row[0] for statement in (_LOGGED, _LISTED) for row in sql.rows(statement)]
    return [SessionId(session) for session in dict.fromkeys(found)]


def head(sql: Sql, session_id: SessionId) -> tuple[int, str]:
    """What the session's row records of its log's end: how many events, and the hash of the last."""
    recorded = sql.row(_SESSION, {"session": session_id})
    return (recorded.version, recorded.hash) if recorded else (0, GENESIS)


def verify(sql: Sql, session_id: SessionId) -> list[Problem]:
    """As `EventStore.verify`; and of an event that is whole, whether its row says of it what it is."""
    rows = sql.rows(_FILED, {"session": session_id, "after": 0})
    found = flaws(map(_link, rows), *head(sql, session_id))
    bad = {problem.version for problem in found}
    for row in rows:
        text = misfiled(row.envelope, session_id, row.type, row.task_id)
        if text and type(row.version) is int and row.version not in bad:
            found.append(Problem(Flaw.CHANGED, row.version, text))
    return sorted(found, key=lambda problem: problem.version)


def position(sql: Sql) -> int:
    """As `EventStore.position`; what was forgotten has left a memo of its own."""
    return max(sql.value(_POSITION) or 0, int(sql_state.memo_get(sql, FORGOTTEN) or 0))


def after(sql: Sql, place: int, limit: int) -> list[Logged]:
    """As `EventStore.after`."""
    rows = sql.rows(_AFTER, {"place": place, "limit": limit})
    return [Logged(row.seq, SessionId(row.session_id), row.type, _link(row)) for row in rows]


def after_in(sql: Sql, session_id: SessionId, place: int, limit: int) -> list[Logged]:
    """As `EventStore.after` with a session. Versions have an index, so the place is turned into one: at once when it
    is of this session, as it is when somebody reads on; else by looking back from the newest event.
    """
    where = {"session": session_id, "place": place}
    seen = (sql.value(_AT, where) or sql.value(_SEEN, where) or 0) if place > 0 else 0
    rows = sql.rows(_LINKS, {"session": session_id, "after": seen, "limit": limit})
    return [Logged(row.seq, session_id, row.type, _link(row)) for row in rows]


def _link(row: Any) -> Link:
    return Link(row.version, row.envelope, row.hash, row.payload_version)
