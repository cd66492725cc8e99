"""Snapshots in SQL: one a session, the newest. Whether one may be used is decided by `bossbot.store.snapshots`."""

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from bossbot.ids import SessionId
from bossbot.store import sql_log
from bossbot.store.database import Sql
from bossbot.store.records import Link
from bossbot.store.snapshots import Snapshot, usable
from bossbot.store.sql_insert import or_replace
from bossbot.store.statement import Statement
from bossbot.store.tables import events, snapshots

_FIND = Statement(select(snapshots).where(snapshots.c.session_id == bindparam("session")))
_HASH = Statement(
    select(events.c.hash).where(events.c.session_id == bindparam("session"), events.c.version == bindparam("version"))
)
_KEEP = or_replace(snapshots)


def opening(sql: Sql, session_id: SessionId) -> tuple[Snapshot | None, Sequence[Link]]:
    """The session's snapshot if it may be used, and the events behind it; else all events."""
    snapshot = usable(*_found(sql, session_id))
    return snapshot, sql_log.links(sql, session_id, snapshot.version if snapshot else 0, None)


def keep(sql: Sql, session_id: SessionId, version: int, digest: str, state: str) -> bool:
    """Keeps the state after event `version` instead of an older one; False when there is no such event."""
    found = sql.value(_HASH, {"session": session_id, "version": version})
    if found is None:
        return False
    row = {"session_id": session_id, "version": version, "hash": found, "digest": digest, "state": state}
    sql.change(_KEEP, row)
    return True


def _found(sql: Sql, session_id: SessionId) -> tuple[Snapshot | None, str | None]:
    row = sql.row(_FIND, {"session": session_id})
    if row is None:
        return None, None
    there = sql.value(_HASH, {"session": session_id, "version": row.version})
    return Snapshot(row.version, row.hash, row.digest, row.state), there
