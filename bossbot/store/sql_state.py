"""What SQL keeps beside the log: the list of sessions, whose thread and whose message is whose, inbox and memos."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select

from bossbot.domain.events.base import time_text
from bossbot.domain.state import ENDED
from bossbot.ids import SessionId, ThreadRef
from bossbot.store import tables
from bossbot.store.database import Sql
from bossbot.store.records import MessageRef, SessionRow
from bossbot.store.sql_insert import or_replace
from bossbot.store.statement import Statement

s, t, m = tables.sessions.c, tables.threads.c, tables.messages.c

_ALL = select(tables.sessions).order_by(s.created_at, s.id)
_SESSIONS, _OPEN_SESSIONS = Statement(_ALL), Statement(_ALL.where(s.status.not_in(sorted(ENDED))))
_BIND = or_replace(tables.threads)
_FREE = Statement(delete(tables.threads).where(t.session_id == bindparam("session")))
_THREAD = Statement(select(t.session_id).where(*(t[name] == bindparam(name) for name in ("channel", "chat", "thread"))))
_REMEMBER = or_replace(tables.messages)
_MESSAGE = Statement(
    select(m.session_id).where(*(m[name] == bindparam(name) for name in ("channel", "chat", "message_id")))
)
_FORGET = Statement(delete(tables.inbox).where(tables.inbox.c.received_at < bindparam("before")))
_MEMO = Statement(select(tables.memos.c.value).where(tables.memos.c.name == bindparam("name")))
_SET_MEMO = or_replace(tables.memos)


def session_row(row: Any) -> SessionRow:
    """A row of `sessions`."""
    begun, last = datetime.fromisoformat(row.created_at), datetime.fromisoformat(row.updated_at)
    return SessionRow(SessionId(row.id), row.title, row.status, row.version, begun, last)


def sessions(sql: Sql, *, open_only: bool) -> list[SessionRow]:
    """As `EventStore.sessions`."""
    return [session_row(row) for row in sql.rows(_OPEN_SESSIONS if open_only else _SESSIONS)]


def bind(sql: Sql, session_id: SessionId, threads: Sequence[ThreadRef], *, free_others: bool) -> None:
    """Gives the threads to the session; with `free_others` it has no other threads any more."""
    if free_others:
        sql.change(_FREE, {"session": session_id})
    sql.change_each(_BIND, [{**_thread(thread), "session_id": session_id} for thread in threads])


def session_of(sql: Sql, thread: ThreadRef) -> SessionId | None:
    """As `EventStore.session_of`."""
    found = sql.value(_THREAD, _thread(thread))
    return None if found is None else SessionId(found)


def remember_messages(sql: Sql, session_id: SessionId, messages: Sequence[MessageRef]) -> None:
    """From now on these messages lead to the session."""
    sql.change_each(_REMEMBER, [{**_message(message), "session_id": session_id} for message in messages])


def session_of_message(sql: Sql, message: MessageRef) -> SessionId | None:
    """As `EventStore.session_of_message`."""
    found = sql.value(_MESSAGE, _message(message))
    return None if found is None else SessionId(found)


def forget_inbox(sql: Sql, before: datetime) -> int:
    """As `EventStore.forget_inbox`."""
    return sql.change(_FORGET, {"before": time_text(before)})


def memo_get(sql: Sql, name: str) -> str | None:
    """As `EventStore.memo_get`."""
    found = sql.value(_MEMO, {"name": name})
    return None if found is None else str(found)


def memo_set(sql: Sql, name: str, value: str) -> None:
    """As `EventStore.memo_set`."""
    sql.change(_SET_MEMO, {"name": name, "value": value})


def _thread(thread: ThreadRef) -> dict[str, str]:
    return {"channel": thread.channel, "chat": thread.chat, "thread": thread.thread or ""}


def _message(message: MessageRef) -> dict[str, str]:
    return {"channel": message.channel, "chat": message.chat, "message_id": message.message_id}
