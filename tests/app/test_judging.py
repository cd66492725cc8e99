"""Judging: a held message gets a verdict, whatever happened to the board, the planner or the process meanwhile."""

import asyncio
from collections.abc import Mapping

from bossbot.domain import commands as c
from bossbot.domain.state import DiffStatus
from bossbot.ids import DiffId, TaskId
from bossbot.intent.planner import Planner
from bossbot.store.memory import MemoryData, MemoryStore
from tests.app.desk import APPROVER, MEMBER, Desk, desk, quiet

RULES = Planner(None, 1.0)


class Slow:
    """A side call that takes as long as the test wants, and then answers with `answer`."""

    def __init__(self, answer: Mapping[str, object] | Exception) -> None:
        self.answer, self.asked, self.go = answer, 0, asyncio.Event()

    async def __call__(self, prompt: str, schema: dict[str, object]) -> Mapping[str, object]:
        self.asked += 1
        await self.go.wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def with_tasks(d: Desk) -> tuple[TaskId, TaskId]:
    """A session whose manager works on two tasks of its own list."""
    await d.say("fix the retry and add a cache")
    for number, title in ((1, "Fix the retry"), (2, "Add the cache")):
        await d.agent(c.CreateNativeTask(TaskId(f"task_{number}x"), f"wa_{number}", "plan_1", str(number), title))
    return TaskId("task_1x"), TaskId("task_2x")


async def only_diff(d: Desk) -> DiffId:
    [diff_id] = (await d.state()).diffs
    return diff_id


async def test_a_message_that_changes_the_plan_waits_as_a_diff_and_is_not_handed_to_the_manager() -> None:
    async with desk(planner=RULES) as d:
        _, cache = await with_tasks(d)
        await d.say("drop the cache")
        state = await d.state()
        diff = state.diffs[await only_diff(d)]
        assert diff.proposal.cancel_tasks == (cache,)
        assert state.queue == ()
        assert dict(state.held) == {}
        assert d.platform.texts[-1].startswith("Change the plan?\n“drop the cache”")


async def test_apply_moves_the_task_and_tells_the_manager_once() -> None:
    async with desk(planner=RULES) as d:
        _, cache = await with_tasks(d)
        await d.say("drop the cache")
        assert await d.press("Apply", MEMBER) == ("Only approvers can decide this, so nothing happened.", True)
        place = d.platform.with_button("Apply")
        assert await d.press("Apply", APPROVER) == ("Applied.", False)
        assert await d.press_action(*place) == ("This plan change was already applied by Ben.", True)
        state = await d.state()
        assert not state.tasks[cache].live
        assert state.diffs[await only_diff(d)].status is DiffStatus.APPLIED


async def test_keep_plan_changes_nothing_and_leaves_a_note_for_the_manager() -> None:
    async with desk(planner=RULES) as d:
        _, cache = await with_tasks(d)
        await d.say("drop the cache")
        assert await d.press("Keep plan") == ("Plan kept.", False)
        state = await d.state()
        assert state.tasks[cache].live
        assert "drop the cache" in state.notes[0]


async def test_an_ordinary_message_goes_on_to_the_manager() -> None:
    async with desk(planner=RULES) as d:
        await with_tasks(d)
        await d.say("thanks, looks good")
        state = await d.state()
        assert [said.content for said in state.queue] == ["thanks, looks good"]
        assert dict(state.diffs) == {}


async def test_while_the_planner_thinks_the_session_goes_on() -> None:
    slow = Slow(RuntimeError("never"))
    async with desk(planner=Planner(slow, 60.0)) as d:
        await with_tasks(d)
        await d.say("drop the cache")
        assert slow.asked == 1
        await d.asks()
        assert await d.press("Approve") == ("Approved.", False)
        slow.go.set()


async def test_a_task_that_ended_while_the_planner_thought_is_in_no_diff_and_the_words_are_not_lost() -> None:
    slow = Slow({})
    async with desk(planner=Planner(slow, 60.0)) as d:
        _, cache = await with_tasks(d)
        slow.answer = {
            "intent": "objective_change",
            "objective_change": True,
            "change_reason": "drop the cache",
            "cancel_tasks": [cache],
        }
        await d.say("drop the cache")
        await d.agent(c.UpdateNativeTask("2", "worker_1", "wa_2", "completed"))  # type: ignore[arg-type]
        slow.go.set()
        await quiet()
        state = await d.state()
        assert dict(state.held) == {}
        assert dict(state.diffs) == {}
        assert [said.content for said in state.queue] == ["drop the cache"]


async def test_messages_are_judged_and_handed_on_in_the_order_in_which_they_were_written() -> None:
    slow = Slow(RuntimeError("by the rules"))
    async with desk(planner=Planner(slow, 60.0)) as d:
        await with_tasks(d)
        await d.say("use python 3.12 for the retry")
        await d.say("thanks")
        assert slow.asked == 1
        slow.go.set()
        await quiet()
        assert [said.content for said in (await d.state()).queue] == ["use python 3.12 for the retry", "thanks"]


async def test_a_planner_that_fails_is_replaced_by_the_rules() -> None:
    slow = Slow(RuntimeError("no answer"))
    slow.go.set()
    async with desk(planner=Planner(slow, 60.0)) as d:
        _, cache = await with_tasks(d)
        await d.say("drop the cache")
        assert (await d.state()).diffs[await only_diff(d)].proposal.cancel_tasks == (cache,)


async def test_after_a_restart_a_message_that_was_being_judged_is_judged_once() -> None:
    data, slow = MemoryData(), Slow(RuntimeError("never"))
    async with desk(data, planner=Planner(slow, 60.0)) as d:
        await with_tasks(d)
        await d.say("drop the cache")
        assert [said.content for said in (await d.state()).held.values()] == ["drop the cache"]
    async with desk(data, planner=RULES, word="b") as d:
        assert dict((await d.state()).held) == {}
        assert (await d.types()).count("session.message.classified") == 2
        assert d.platform.texts[-1].startswith("Change the plan?\n“drop the cache”")


async def test_a_verdict_that_cannot_be_written_leaves_the_message_held_and_the_bot_alive() -> None:
    class Full(MemoryStore):
        full = False

        async def append(self, *args: object, **more: object) -> int:
            if self.full:
                raise OSError("no space left")
            return await super().append(*args, **more)  # type: ignore[arg-type]

    store, slow = Full(), Slow(RuntimeError("by the rules"))
    async with desk(store=store, planner=Planner(slow, 60.0)) as d:
        await with_tasks(d)
        await d.say("drop the cache")
        store.full = True
        slow.go.set()
        await quiet()
        assert len((await d.state()).held) == 1
        store.full = False
        await d.say("thanks")
        assert dict((await d.state()).held) == {}
