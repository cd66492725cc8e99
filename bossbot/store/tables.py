"""The tables, for SQLite and PostgreSQL. Migrations make them; a test compares the two.

Times are text of one width in UTC, so that their order is the order of time in both databases. A thread that the
platform does not have is `''`: NULL cannot be part of a key.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()


UtcTime = String(24)
"""As `bossbot.domain.events.base.time_text` writes it."""

Serial = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite counts up only a column that is exactly INTEGER PRIMARY KEY."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("title", Text, nullable=False),
    Column("status", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("session_id", String, ForeignKey("sessions.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("type", String, nullable=False),
    Column("task_id", String),
    Column("envelope", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("payload_version", Integer, nullable=False, server_default="1"),
    UniqueConstraint("session_id", "version", name="events_session_version"),
    sqlite_autoincrement=True,
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("state", Text, nullable=False),
)

threads = Table(
    "threads",
    metadata,
    Column("channel", String, primary_key=True),
    Column("chat", String, primary_key=True),
    Column("thread", String, primary_key=True),
    Column("session_id", String, ForeignKey("sessions.id"), nullable=False),
    Index("threads_session", "session_id"),
)

messages = Table(
    "messages",
    metadata,
    Column("channel", String, primary_key=True),
    Column("chat", String, primary_key=True),
    Column("message_id", String, primary_key=True),
    Column("session_id", String, nullable=False),
    sqlite_with_rowid=False,
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("session_id", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("chat", String, nullable=False),
    Column("thread", String, nullable=False),
    Column("key", String, nullable=False),
    Column("card", Text, nullable=False),
    Column("once", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("shown_revision", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("doubtful", Integer, nullable=False),
    Column("owner", String, nullable=False),
    Column("post", Text),
    Column("attempts", Integer, nullable=False),
    Column("error", Text, nullable=False),
    UniqueConstraint("session_id", "channel", "chat", "thread", "key", name="deliveries_key"),
    sqlite_autoincrement=True,
)

unsettled = text("state IN ('pending', 'sending', 'ambiguous')")
"""What `due` looks through: few rows at any time, whatever was sent before. Literal, as the index needs it."""

# The migration says `postgresql_where` too. Said here, it would load that dialect, 100 ms, for every user of SQLite.
Index("deliveries_unsettled", deliveries.c.seq, sqlite_where=unsettled)

inbox = Table(
    "inbox",
    metadata,
    Column("key", String, primary_key=True),
    Column("received_at", UtcTime, nullable=False),
    Index("inbox_received_at", "received_at"),
)

memos = Table(
    "memos",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", Text, nullable=False),
)
