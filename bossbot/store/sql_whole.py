"""A session as a whole, in SQL: taken in from an export, and forgotten."""

from sqlalchemy import Connection, bindparam, delete, insert

from bossbot.ids import SessionId
from bossbot.store import sql_log, sql_state, tables
from bossbot.store.errors import VersionConflict
from bossbot.store.projection import bindings, projected
from bossbot.store.transfer import Export

_BY_SESSION = tuple(
    delete(table).where(table.c.session_id == bindparam("session"))
    for table in (tables.snapshots, tables.deliveries, tables.messages, tables.threads, tables.events)
)
_SESSION = delete(tables.sessions).where(tables.sessions.c.id == bindparam("session"))


def adopt(c: Connection, export: Export) -> None:
    """As `EventStore.adopt`."""
    version = sql_log.version(c, export.session_id)
    if version:
        raise VersionConflict(export.session_id, 0, version)
    row = projected(None, export.session_id, export.events)
    sql_log.write_session(c, row, export.links[-1].hash, new=True)
    rows = zip(export.links, export.events, strict=True)
    c.execute(
        insert(tables.events),
        [sql_log.event_row(export.session_id, link, event.type, event.task_id) for link, event in rows],
    )
    _freed, bound = bindings(export.events)
    free = [thread for thread in bound if sql_state.session_of(c, thread) is None]
    sql_state.bind(c, export.session_id, free, free_others=False)


def forget(c: Connection, session_id: SessionId) -> None:
    """As `EventStore.forget`."""
    for statement in (*_BY_SESSION, _SESSION):
        c.execute(statement, {"session": session_id})
