"""Recovery: what an earlier process or a dead agent left is taken up again, with growing pauses, and not for ever."""

import asyncio

from bossbot.app.mailbox import Change, Mailbox
from bossbot.app.recovery import Recovery
from bossbot.app.sessions import Sessions
from bossbot.channel import ThreadRef
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.state import SessionState
from bossbot.ids import MessageId, SessionId, TaskId, WorkerId
from bossbot.settings import RetrySettings
from bossbot.store.memory import MemoryData, MemoryStore
from tests.app.desk import AT, PRIVATE, Counter, desk, quiet

SESSION = SessionId("ps_1")
SETTINGS = RetrySettings()
OTHER = ThreadRef("chat", "2")


class House:
    """Sessions and their recovery; pauses are noted and take no time."""

    def __init__(
        self, group: asyncio.TaskGroup, data: MemoryData | None = None, settings: RetrySettings = SETTINGS
    ) -> None:
        self.pauses: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.store, mint = MemoryStore(data), Counter()

        def spawn(*args: object, **more: object) -> "asyncio.Task[None]":
            self._tasks.append(group.create_task(*args, **more))  # type: ignore[arg-type]
            return self._tasks[-1]

        self.sessions = Sessions(self.store, mint, lambda: AT, self._react, spawn)
        self.recovery = Recovery(self.store, self.sessions, mint, spawn, self._sleep, settings)

    def _react(self, change: Change) -> None:
        self.recovery.react(change)

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def working(self) -> None:
        box = await self.sessions.get(SESSION)
        await box.tell(c.OpenSession("Fix", "chat", "1", None))
        await box.tell(c.AddMessage(MessageId("m1"), "turn_1", "chat", "clean up", "chat:1", "Ada"))

    async def agent_dies(self) -> None:
        box = await self.sessions.get(SESSION)
        await box.tell(c.AgentExited(WorkerId("worker_1"), "exit code 1", "turn_x"))
        await quiet()

    def end(self) -> None:
        for task in self._tasks:
            task.cancel()


async def test_an_agent_that_dies_again_and_again_is_tried_with_growing_pauses_and_then_given_up() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        for _ in range(SETTINGS.max_retries):
            await house.agent_dies()
            assert (await house.sessions.get(SESSION)).state.turn is not None
        assert house.pauses == [1.0, 2.0, 4.0]
        await house.agent_dies()
        state = (await house.sessions.get(SESSION)).state
        assert state.turn is None
        assert state.blocked is not None
        assert state.blocked.failures == SETTINGS.max_retries + 1
        assert house.pauses == [1.0, 2.0, 4.0], "whoever is to decide is asked at once"
        house.end()


async def test_a_person_who_writes_after_giving_up_starts_it_again_with_what_was_asked() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        for _ in range(SETTINGS.max_retries + 1):
            await house.agent_dies()
        box = await house.sessions.get(SESSION)
        state = await box.tell(c.AddMessage(MessageId("m2"), "turn_2", "chat", "again", "chat:1", "Ada"))
        assert state.turn is not None
        assert "clean up" in state.turn.content
        assert "again" in state.turn.content
        house.end()


async def test_a_success_in_between_makes_the_pauses_short_again() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        await house.agent_dies()
        await house.agent_dies()
        box = await house.sessions.get(SESSION)
        await box.tell(c.EndTurn("turn_y", "success"))
        await box.tell(c.AddMessage(MessageId("m2"), "turn_2", "chat", "more", "chat:1", "Ada"))
        await house.agent_dies()
        assert house.pauses == [1.0, 2.0, 1.0]
        house.end()


async def test_however_often_a_person_tries_again_the_pause_is_bounded() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group, settings=RetrySettings(max_retries=100, longest_pause_s=60.0))
        await house.working()
        for _ in range(40):
            await house.agent_dies()
        assert house.pauses[:7] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0]
        assert max(house.pauses) == 60.0
        house.end()


class Crossing(House):
    """A message arrives just when the pause is over, and is not yet handled."""

    async def _sleep(self, seconds: float) -> None:
        await super()._sleep(seconds)
        box = await self.sessions.get(SESSION)
        message = c.AddMessage(MessageId("m2"), "turn_2", "chat", "only the cache", "chat:1", "Ada")
        self._tasks.append(asyncio.ensure_future(box.tell(message)))  # type: ignore[arg-type]
        await asyncio.sleep(0)


async def test_a_message_that_comes_at_the_end_of_the_pause_begins_one_turn_and_ends_none() -> None:
    async with asyncio.TaskGroup() as group:
        house = Crossing(group)
        await house.working()
        await house.agent_dies()
        events = await house.store.load(SESSION)
        begun = [event.payload.turn_id for event in events if isinstance(event.payload, ev.SessionTurnStarted)]
        assert begun == ["turn_1", "turn_2"]
        assert sum(isinstance(event.payload, ev.SessionTurnFinished) for event in events) == 1
        house.end()


async def test_trouble_at_the_provider_is_waited_out_with_the_same_growing_pauses() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        box = await house.sessions.get(SESSION)
        for _ in range(2):
            await box.tell(c.EndTurn("turn_y", "error", errors=("529 Overloaded",), retryable=True))
            await quiet()
            assert box.state.turn is not None
            assert "529 Overloaded" in box.state.turn.content
        assert house.pauses == [1.0, 2.0]
        house.end()


async def with_a_workflow(house: House) -> Mailbox:
    """The session's mailbox, with a workflow at work."""
    box = await house.sessions.get(SESSION)
    await box.tell(c.UpdateCapabilities(WorkerId("worker_1"), (), "cli-1", "cbc"))
    await box.tell(c.StartBackgroundTask(TaskId("t1"), "wa_1", WorkerId("worker_1"), "b1", "local_workflow", "W"))
    return box


async def test_a_background_task_that_failed_for_now_is_tried_again_after_the_pause() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        box = await with_a_workflow(house)
        await box.tell(c.EndTurn("turn_y", "success"))
        await box.tell(c.EndBackgroundTask("b1", "failed", "turn_z", "529", retryable=True))
        await quiet()
        assert house.pauses == [1.0]
        assert (box.state.tasks[TaskId("t1")].status, box.state.tasks[TaskId("t1")].retry_count) == ("assigned", 1)
        house.end()


async def test_a_task_that_fails_in_a_turn_waits_for_its_end_before_it_is_tried_again() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        box = await with_a_workflow(house)
        await box.tell(c.EndBackgroundTask("b1", "failed", "turn_z", "529", retryable=True))
        await quiet()
        assert house.pauses == []
        await box.tell(c.EndTurn("turn_y", "success"))
        await quiet()
        assert house.pauses == [1.0]
        assert box.state.tasks[TaskId("t1")].status == "assigned"
        house.end()


async def test_what_cannot_be_mended_is_not_tried_again() -> None:
    async with asyncio.TaskGroup() as group:
        house = House(group)
        await house.working()
        box = await house.sessions.get(SESSION)
        await box.tell(c.EndTurn("turn_y", "error", errors=("401 invalid x-api-key",)))
        await quiet()
        assert (box.state.turn, house.pauses) == (None, [])
        house.end()


async def test_a_restart_takes_up_what_was_cut_and_leaves_the_idle_alone() -> None:
    data = MemoryData()
    async with desk(data) as d:
        await d.say("clean up")
        await d.asks()
    async with desk(data, word="b") as d:
        [started] = [e.payload for e in d.agents.heard if isinstance(e.payload, ev.SessionTurnStarted)]
        assert "rm -rf cache-1" in started.content
        await d.agent(c.EndTurn("turn_z", "success"))
    async with desk(data, word="c") as d:
        assert d.agents.heard == []
        assert (await d.state(PRIVATE)).turn is None


async def test_a_session_that_was_given_up_is_not_tried_again_at_each_restart() -> None:
    data = MemoryData()
    async with asyncio.TaskGroup() as group:
        house = House(group, data)
        await house.working()
        for _ in range(SETTINGS.max_retries + 1):
            await house.agent_dies()
        house.end()
    async with desk(data, word="b") as d:
        assert d.agents.heard == []


async def test_one_log_that_cannot_be_read_does_not_keep_the_others_from_going_on() -> None:
    class Damaged(MemoryStore):
        async def state(self, session_id: SessionId) -> tuple[SessionState, int, int]:
            if session_id == bad:
                raise ValueError("not JSON")
            return await super().state(session_id)

    data, bad = MemoryData(), SessionId("")
    async with desk(data) as d:
        await d.say("clean up")
        bad = await d.session()
        await d.say("another", "2", OTHER)
    async with desk(data, store=Damaged(data), word="b") as d:
        assert {event.session_id for event in d.agents.heard} == {await d.session(OTHER)}
        await d.say("still there?", "2", OTHER)
        assert [said.content for said in (await d.state(OTHER)).queue] == ["still there?"]
