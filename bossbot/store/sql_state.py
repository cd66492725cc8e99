"""What SQL keeps beside the log: the list of sessions, whose thread and whose message is whose, inbox and memos."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select

from bossbot.domain.state import ENDED
from bossbot.ids import SessionId, ThreadRef
from bossbot.store import tables
from bossbot.store.records import MessageRef, SessionRow
from bossbot.store.sql_insert import put

s, t, m = tables.sessions.c, tables.threads.c, tables.messages.c

# Statements are made once: making one costs more than SQLite takes to run it.
_SESSIONS = select(tables.sessions).order_by(s.created_at, s.id)
_OPEN_SESSIONS = _SESSIONS.where(s.status.not_in(sorted(ENDED)))
_FREE = delete(tables.threads).where(t.session_id == bindparam("session"))
_THREAD = select(t.session_id).where(*(t[name] == bindparam(name) for name in ("channel", "chat", "thread")))
_MESSAGE = select(m.session_id).where(*(m[name] == bindparam(name) for name in ("channel", "chat", "message_id")))
_FORGET = delete(tables.inbox).where(tables.inbox.c.received_at < bindparam("before"))
_MEMO = select(tables.memos.c.value).where(tables.memos.c.name == bindparam("name"))


def session_row(row: "Row[Any]") -> SessionRow:
    """A row of `sessions`."""
    return SessionRow(SessionId(row.id), row.title, row.status, row.version, row.created_at, row.updated_at)


def sessions(c: Connection, *, open_only: bool) -> list[SessionRow]:
    """As `EventStore.sessions`."""
    return [session_row(row) for row in c.execute(_OPEN_SESSIONS if open_only else _SESSIONS)]


def bind(c: Connection, session_id: SessionId, threads: Sequence[ThreadRef], *, free_others: bool) -> None:
    """Gives the threads to the session; with `free_others` it has no other threads any more."""
    if free_others:
        c.execute(_FREE, {"session": session_id})
    put(c, tables.threads, [{**_thread(thread), "session_id": session_id} for thread in threads])


def session_of(c: Connection, thread: ThreadRef) -> SessionId | None:
    """As `EventStore.session_of`."""
    found = c.scalar(_THREAD, _thread(thread))
    return None if found is None else SessionId(found)


def remember_messages(c: Connection, session_id: SessionId, messages: Sequence[MessageRef]) -> None:
    """From now on these messages lead to the session."""
    put(c, tables.messages, [{**asdict(message), "session_id": session_id} for message in messages])


def session_of_message(c: Connection, message: MessageRef) -> SessionId | None:
    """As `EventStore.session_of_message`."""
    found = c.scalar(_MESSAGE, asdict(message))
    return None if found is None else SessionId(found)


def forget_inbox(c: Connection, before: datetime) -> int:
    """As `EventStore.forget_inbox`."""
    return c.execute(_FORGET, {"before": before}).rowcount


def memo_get(c: Connection, name: str) -> str | None:
    """As `EventStore.memo_get`."""
    return c.scalar(_MEMO, {"name": name})


def memo_set(c: Connection, name: str, value: str) -> None:
    """As `EventStore.memo_set`."""
    put(c, tables.memos, [{"name": name, "value": value}])


def _thread(thread: ThreadRef) -> dict[str, str]:
    return {"channel": thread.channel, "chat": thread.chat, "thread": thread.thread or ""}
