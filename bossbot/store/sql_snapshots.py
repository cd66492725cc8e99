"""Snapshots in SQL: one a session, the newest. Whether one may be used is decided by `bossbot.store.snapshots`."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from bossbot.ids import SessionId
from bossbot.store import sql_log
from bossbot.store.records import Link
from bossbot.store.snapshots import Snapshot, usable
from bossbot.store.sql_insert import put
from bossbot.store.tables import events, snapshots

_FIND = select(snapshots).where(snapshots.c.session_id == bindparam("session"))
_HASH = select(events.c.hash).where(
    events.c.session_id == bindparam("session"), events.c.version == bindparam("version")
)


def opening(c: Connection, session_id: SessionId) -> tuple[Snapshot | None, Sequence[Link]]:
    """The session's snapshot if it may be used, and the events behind it; else all events."""
    snapshot = usable(*_found(c, session_id))
    return snapshot, sql_log.links(c, session_id, snapshot.version if snapshot else 0, None)


def keep(c: Connection, session_id: SessionId, version: int, digest: str, state: str) -> bool:
    """Keeps the state after event `version` instead of an older one; False when there is no such event."""
    found = c.scalar(_HASH, {"session": session_id, "version": version})
    if found is None:
        return False
    row = {"session_id": session_id, "version": version, "hash": found, "digest": digest, "state": state}
    put(c, snapshots, [row])
    return True


def _found(c: Connection, session_id: SessionId) -> tuple[Snapshot | None, str | None]:
    row = c.execute(_FIND, {"session": session_id}).one_or_none()
    if row is None:
        return None, None
    there = c.scalar(_HASH, {"session": session_id, "version": row.version})
    return Snapshot(row.version, row.hash, row.digest, row.state), there
