"""A process that does what a bot does to its store, without chats and agents: owns it, appends, and serves the feeds.

`python -m tests.http.appending_bot STORE SESSIONS`: prints its address, then appends to so many sessions at once until
it is killed.
"""

import asyncio
import sys
from datetime import UTC, datetime

from bossbot.app.mint import mint
from bossbot.domain.events import NewEvent, Payload, SessionMessageAdded, Source, TaskStarted, WorkerHeartbeat
from bossbot.http.server import serving
from bossbot.ids import EventId, SessionId, TaskId
from bossbot.settings import HttpSettings
from bossbot.store.opening import open_store
from bossbot.store.sql import SqlStore
from tests.http.reader import TOKEN

PAYLOADS: list[Payload] = [
    SessionMessageAdded(id="msg_1", role="manager", channel="agent", content="all work and no play"),
    TaskStarted(summary="again"),
    WorkerHeartbeat(worker_id="w", status="busy"),
]


async def append_for_ever(store: SqlStore, session: SessionId) -> None:
    version = await store.version(session)
    while True:
        events = [
            NewEvent(source=Source.MANAGER, payload=payload, task_id=TaskId("task_1")).sealed(
                EventId(mint("evt")), session, datetime.now(UTC)
            )
            for payload in PAYLOADS[: 1 + version % 3]
        ]
        version = await store.append(session, version, events)


async def main(where: str, sessions: int) -> None:
    store = await open_store(where, exclusive=True)
    async with serving(HttpSettings(enabled=True, port=0, token=TOKEN), store) as address:
        print(address, flush=True)
        await asyncio.gather(*(append_for_ever(store, SessionId(f"ps_{n}")) for n in range(sessions)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
