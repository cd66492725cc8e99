"""Expiry: a request that nobody decides is answered with no after its time, and only then."""

import asyncio

from bossbot.app.expiry import Expiry
from bossbot.app.mailbox import Change
from bossbot.app.sessions import Sessions
from bossbot.domain import commands as c
from bossbot.domain.approval import ApprovalStatus
from bossbot.ids import ApprovalId, MessageId, SessionId
from bossbot.store.memory import MemoryStore
from tests.app.desk import AT, Counter, asking, quiet

SESSION = SessionId("ps_1")
FIRST, SECOND = ApprovalId("apr_1"), ApprovalId("apr_2")


async def test_what_nobody_decided_expires_and_what_was_decided_does_not() -> None:
    times_up, slept = asyncio.Event(), []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await times_up.wait()

    async with asyncio.TaskGroup() as group:
        tasks: list[asyncio.Task[None]] = []

        def spawn(*args: object, **more: object) -> "asyncio.Task[None]":
            tasks.append(group.create_task(*args, **more))  # type: ignore[arg-type]
            return tasks[-1]

        def react(change: Change) -> None:
            expiry.react(change)

        sessions = Sessions(MemoryStore(), Counter(), lambda: AT, react, spawn)
        expiry = Expiry(sessions, spawn, sleep, 3600.0)
        box = await sessions.get(SESSION)
        await box.tell(c.OpenSession("Fix", "chat", "1", None))
        await box.tell(c.AddMessage(MessageId("m1"), "turn_1", "chat", "clean up", "chat:1", "Ada"))
        await box.tell(asking(1))
        await box.tell(asking(2))
        await box.tell(c.Approve(SECOND, "chat:1", "Ada"))
        await quiet()
        assert slept == [3600.0, 3600.0]
        assert box.state.approvals[FIRST].pending
        times_up.set()
        await quiet()
        assert box.state.approvals[FIRST].status is ApprovalStatus.EXPIRED
        assert box.state.approvals[SECOND].status is ApprovalStatus.APPROVED
        for task in tasks:
            task.cancel()
