"""The first tables: the log, what is read out of it, the outbox, the inbox, memos."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("updated_at", sa.String(24), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("seq", Serial, primary_key=True, autoincrement=True),
        sa.Column("session_id", sa.String, sa.ForeignKey("sessions.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("task_id", sa.String),
        sa.Column("envelope", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("session_id", "version", name="events_session_version"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "threads",
        sa.Column("channel", sa.String, primary_key=True),
        sa.Column("chat", sa.String, primary_key=True),
        sa.Column("thread", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, sa.ForeignKey("sessions.id"), nullable=False),
    )
    op.create_index("threads_session", "threads", ["session_id"])
    op.create_table(
        "messages",
        sa.Column("channel", sa.String, primary_key=True),
        sa.Column("chat", sa.String, primary_key=True),
        sa.Column("message_id", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, nullable=False),
        sqlite_with_rowid=False,
    )
    _outbox()
    op.create_table(
        "inbox",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("received_at", sa.String(24), nullable=False),
    )
    op.create_index("inbox_received_at", "inbox", ["received_at"])
    op.create_table(
        "memos",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def _outbox() -> None:
    op.create_table(
        "deliveries",
        sa.Column("seq", Serial, primary_key=True, autoincrement=True),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("chat", sa.String, nullable=False),
        sa.Column("thread", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("once", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("shown_revision", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("doubtful", sa.Integer, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("post", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.UniqueConstraint("session_id", "channel", "chat", "thread", "key", name="deliveries_key"),
        sqlite_autoincrement=True,
    )
    unsettled = sa.text("state IN ('pending', 'sending', 'ambiguous')")
    op.create_index("deliveries_unsettled", "deliveries", ["seq"], sqlite_where=unsettled, postgresql_where=unsettled)
