"""A session as a whole, in SQL: taken in from an export, and forgotten."""

from sqlalchemy import bindparam, delete

from bossbot.ids import SessionId
from bossbot.store import sql_log, sql_state, tables
from bossbot.store.database import Sql
from bossbot.store.errors import VersionConflict
from bossbot.store.projection import bindings, projected
from bossbot.store.statement import Statement
from bossbot.store.transfer import Export

_BY_SESSION = tuple(
    Statement(delete(table).where(table.c.session_id == bindparam("session")))
    for table in (tables.snapshots, tables.deliveries, tables.messages, tables.threads, tables.events)
)
_SESSION = Statement(delete(tables.sessions).where(tables.sessions.c.id == bindparam("session")))


def adopt(sql: Sql, export: Export) -> None:
    """As `EventStore.adopt`."""
    version = sql_log.version(sql, export.session_id)
    if version:
        raise VersionConflict(export.session_id, 0, version)
    row = projected(None, export.session_id, export.events)
    sql_log.write_session(sql, row, export.links[-1].hash, new=True)
    sql_log.write_events(sql, export.session_id, export.links, export.events)
    _freed, bound = bindings(export.events)
    free = [thread for thread in bound if sql_state.session_of(sql, thread) is None]
    sql_state.bind(sql, export.session_id, free, free_others=False)


def forget(sql: Sql, session_id: SessionId) -> None:
    """As `EventStore.forget`."""
    sql_state.memo_set(sql, sql_log.FORGOTTEN, str(sql_log.position(sql)))
    for statement in (*_BY_SESSION, _SESSION):
        sql.change(statement, {"session": session_id})
