"""What SQL keeps beside the log: the list of sessions, whose thread and whose message is whose, inbox and memos."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from bossbot.ids import SessionId, ThreadRef
from bossbot.store import tables
from bossbot.store.projection import CLOSED
from bossbot.store.records import MessageRef, SessionRow
from bossbot.store.sql_insert import put


def session_row(row: "Row[Any]") -> SessionRow:
    """A row of `sessions`."""
    return SessionRow(SessionId(row.id), row.title, row.status, row.version, row.created_at, row.updated_at)


def sessions(c: Connection, *, open_only: bool) -> list[SessionRow]:
    """As `EventStore.sessions`."""
    s = tables.sessions.c
    query = select(tables.sessions).order_by(s.created_at, s.id)
    if open_only:
        query = query.where(s.status != CLOSED)
    return [session_row(row) for row in c.execute(query)]


def bind(c: Connection, session_id: SessionId, threads: Sequence[ThreadRef], *, free_others: bool) -> None:
    """Gives the threads to the session; with `free_others` it has no other threads any more."""
    if free_others:
        c.execute(delete(tables.threads).where(tables.threads.c.session_id == session_id))
    rows = [{"channel": t.channel, "chat": t.chat, "thread": t.thread or "", "session_id": session_id} for t in threads]
    put(c, tables.threads, rows)


def session_of(c: Connection, thread: ThreadRef) -> SessionId | None:
    """As `EventStore.session_of`."""
    t = tables.threads.c
    query = select(t.session_id).where(
        t.channel == thread.channel, t.chat == thread.chat, t.thread == (thread.thread or "")
    )
    found = c.scalar(query)
    return None if found is None else SessionId(found)


def remember_messages(c: Connection, session_id: SessionId, messages: Sequence[MessageRef]) -> None:
    """From now on these messages lead to the session."""
    rows = [
        {"channel": m.channel, "chat": m.chat, "message_id": m.message_id, "session_id": session_id} for m in messages
    ]
    put(c, tables.messages, rows)


def session_of_message(c: Connection, message: MessageRef) -> SessionId | None:
    """As `EventStore.session_of_message`."""
    m = tables.messages.c
    query = select(m.session_id).where(
        m.channel == message.channel, m.chat == message.chat, m.message_id == message.message_id
    )
    found = c.scalar(query)
    return None if found is None else SessionId(found)


def forget_inbox(c: Connection, before: datetime) -> int:
    """As `EventStore.forget_inbox`."""
    return c.execute(delete(tables.inbox).where(tables.inbox.c.received_at < before)).rowcount


def memo_get(c: Connection, name: str) -> str | None:
    """As `EventStore.memo_get`."""
    return c.scalar(select(tables.memos.c.value).where(tables.memos.c.name == name))


def memo_set(c: Connection, name: str, value: str) -> None:
    """As `EventStore.memo_set`."""
    put(c, tables.memos, [{"name": name, "value": value}])
