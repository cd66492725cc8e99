-- The tables of revision 0001.
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
CREATE TABLE sessions (
    id VARCHAR NOT NULL,
    title TEXT NOT NULL,
    status VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    hash VARCHAR(64) NOT NULL,
    created_at VARCHAR(24) NOT NULL,
    updated_at VARCHAR(24) NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE events (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    session_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    type VARCHAR NOT NULL,
    task_id VARCHAR,
    envelope TEXT NOT NULL,
    hash VARCHAR(64) NOT NULL,
    CONSTRAINT events_session_version UNIQUE (session_id, version),
    FOREIGN KEY(session_id) REFERENCES sessions (id)
);
CREATE TABLE threads (
    channel VARCHAR NOT NULL,
    chat VARCHAR NOT NULL,
    thread VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    PRIMARY KEY (channel, chat, thread),
    FOREIGN KEY(session_id) REFERENCES sessions (id)
);
CREATE INDEX threads_session ON threads (session_id);
CREATE TABLE messages (
    channel VARCHAR NOT NULL,
    chat VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    PRIMARY KEY (channel, chat, message_id)
)
 WITHOUT ROWID;
CREATE TABLE deliveries (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    session_id VARCHAR NOT NULL,
    channel VARCHAR NOT NULL,
    chat VARCHAR NOT NULL,
    thread VARCHAR NOT NULL,
    "key" VARCHAR NOT NULL,
    card TEXT NOT NULL,
    once INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    shown_revision INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    doubtful INTEGER NOT NULL,
    owner VARCHAR NOT NULL,
    post TEXT,
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    CONSTRAINT deliveries_key UNIQUE (session_id, channel, chat, thread, "key")
);
CREATE INDEX deliveries_unsettled ON deliveries (seq) WHERE state IN ('pending', 'sending', 'ambiguous');
CREATE TABLE inbox (
    "key" VARCHAR NOT NULL,
    received_at VARCHAR(24) NOT NULL,
    PRIMARY KEY ("key")
);
CREATE INDEX inbox_received_at ON inbox (received_at);
CREATE TABLE memos (
    name VARCHAR NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);
