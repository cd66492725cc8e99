"""Snapshots, and the version of each event's payload."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """What was logged before is in its type's first form."""
    op.add_column("events", sa.Column("payload_version", sa.Integer, nullable=False, server_default="1"))
    op.create_table(
        "snapshots",
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )
