"""Cards of progress: drawn not for each event but when they are sent, and none is lost that matters."""

import asyncio

import pytest

from bossbot.app.letters import NotDrawn
from bossbot.app.mailbox import Change, Mailbox
from bossbot.channel import Card
from bossbot.domain import commands as c
from bossbot.domain.state import SessionState
from bossbot.ids import MessageId, TaskId, ThreadRef, WorkerId
from bossbot.store.outbox import Delivery
from bossbot.views.views import View
from tests.app.desk import PRIVATE, quiet
from tests.app.test_mailbox import OPEN, SESSION, Store, mailbox

WORKER = WorkerId("worker_1")
OTHER = ThreadRef("chat", "2")


async def at_work(box: Mailbox) -> None:
    """A turn with five tool calls, and a workflow with an agent."""
    await box.tell(OPEN, c.AddMessage(MessageId("msg_1"), "turn_1", "chat", "hello", "chat:1", "Ada"))
    await box.tell(c.StartBackgroundTask(TaskId("task_w"), "wa_w", WORKER, "w", "local_workflow", "Gather"))
    for number in range(5):
        await box.post(c.RequestToolCall(f"use_{number}", "Bash", f"make test-{number}"))
    agent = c.SnapshotEntry("workflow_agent", 1, "start", "reads the log", phase_index=1)
    await box.tell(c.ReportSnapshot("w", (agent,)))


async def shown(store: Store, key: str, thread: ThreadRef = PRIVATE) -> Delivery | None:
    return await store.delivery(SESSION, thread, key)


async def test_progress_is_not_drawn_while_nobody_sends_it() -> None:
    store, changes = Store(), list[Change]()
    async with mailbox(store, changes) as box:
        await at_work(box)
    assert {key for change in changes for key in change.moving} == {"turn:turn_1", "task:task_w"}
    assert await shown(store, "turn:turn_1") is None
    begun = await shown(store, "task:task_w")
    assert begun is not None
    assert "reads the log" not in str(begun.card)


async def test_who_sends_it_has_it_drawn_as_it_is_now_in_that_thread_and_nobody_else_is_told() -> None:
    store, changes = Store(), list[Change]()
    async with mailbox(store, changes) as box:
        await at_work(box)
        told = len(changes)
        await box.draw("turn:turn_1", PRIVATE)
        await box.draw("task:task_w", PRIVATE)
        assert len(changes) == told
    turn, task = await shown(store, "turn:turn_1"), await shown(store, "task:task_w")
    assert turn is not None
    assert "5 tool calls · now: Bash make test-4" in str(turn.card)
    assert task is not None
    assert "reads the log" in str(task.card)
    assert await shown(store, "turn:turn_1", OTHER) is None


async def test_what_has_ended_is_not_drawn_over_its_end() -> None:
    store = Store()
    async with mailbox(store) as box:
        await at_work(box)
        await box.tell(c.EndBackgroundTask("w", "completed", "all found", "turn_2"), c.EndTurn("turn_2", "success"))
        ends = [await shown(store, key) for key in ("turn:turn_1", "task:task_w")]
        writes = len(store.writes)
        await box.draw("turn:turn_1", PRIVATE)
        await box.draw("task:task_w", PRIVATE)
        assert [await shown(store, key) for key in ("turn:turn_1", "task:task_w")] == ends
        assert len(store.writes) == writes
    assert "Done · 5 tool calls" in str(ends[0])
    assert "completed" in str(ends[1])


async def test_a_card_that_cannot_be_drawn_spoils_nothing_that_commits_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(state: SessionState, key: str) -> Card:
        raise KeyError("agents")

    async with mailbox(Store()) as box:
        await at_work(box)
        monkeypatch.setattr("bossbot.app.mailbox.progress_card", mistaken)
        renamed = c.RenameSession("Fix the cache")
        outcomes = await asyncio.gather(box.draw("turn:turn_1", PRIVATE), box.tell(renamed), return_exceptions=True)
        assert isinstance(outcomes[0], NotDrawn)
        assert box.state.title == "Fix the cache"


async def test_what_cannot_be_shown_is_in_the_log_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def mistaken(*_: object) -> list[View]:
        raise KeyError("agents")

    store = Store()
    async with mailbox(store) as box:
        monkeypatch.setattr("bossbot.app.mailbox.views", mistaken)
        await at_work(box)
        assert len(await store.load(SESSION)) > 5
    assert "cannot be shown" in caplog.text


async def test_what_moved_when_the_bot_died_is_shown_with_what_becomes_of_it_after_the_next_start() -> None:
    store, changes = Store(), list[Change]()
    async with mailbox(store) as box:
        await at_work(box)
    async with mailbox(store, changes) as box:
        await box.tell(c.Recover("turn_2", "blk_1", "the bot was restarted", 3, process_gone=True))
        await quiet()
    cards = {show.key: show.card for change in changes for show in change.shows}
    assert "process ended" in cards["turn:turn_1"].title
    assert "reads the log" in str(cards["task:task_w"])
    assert "running" not in cards["task:task_w"].title
