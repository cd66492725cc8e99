"""What an agent does not do, or not yet: a background task that fails, a start that fails, a stop in the pause."""

from pathlib import Path

from bossbot.agent.discovery import Program
from bossbot.agent.hired import Hired
from bossbot.agent.longlines import LongLines
from bossbot.agent.pool import AgentPool
from bossbot.app.app import App
from bossbot.domain.events import TaskRetried, WorkerAssignmentRejected
from bossbot.domain.policy import Policy
from bossbot.settings import AgentSettings, RetrySettings
from bossbot.store.memory import MemoryData
from bossbot.streamjson.dialects import CBC
from tests.agent.office import QUICK, Office, office, until
from tests.app.desk import Counter, desk

SLOW = RetrySettings(max_retries=2, first_pause_s=3600.0, longest_pause_s=3600.0)


async def retries(o: Office) -> list[tuple[str, int]]:
    log = await o.desk.store.load(await o.desk.session())
    return [(e.payload.reason, e.payload.retry_count) for e in log if isinstance(e.payload, TaskRetried)]


async def test_a_workflow_that_failed_for_now_is_started_again_by_the_manager(tmp_path: Path) -> None:
    (tmp_path / "troubles").write_text("1")
    async with office(tmp_path, retries=QUICK) as o:
        await o.desk.say("something flaky")
        await o.sees("Workflow F · completed")
        assert await retries(o) == [("API Error: 529 Overloaded", 1)]
        types = await o.desk.types()
        assert types.count("task.created") == 1, "it is the same task"
        assert len(o.notes("starts")) == 1


async def test_a_workflow_that_fails_too_often_is_blocked_and_a_card_asks(tmp_path: Path) -> None:
    (tmp_path / "troubles").write_text("3")
    async with office(tmp_path, retries=QUICK) as o:
        await o.desk.say("something flaky")
        await o.sees("Failed 3 times in a row")
        await o.sees("Workflow F · blocked")
        assert await o.desk.press("Try again") == ("Trying again.", False)
        await o.sees("Workflow F · completed")
        assert [count for _, count in await retries(o)] == [1, 2, 3]


async def test_a_stop_in_the_pause_gives_the_retry_up_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "troubles").write_text("9")
    async with office(tmp_path, retries=SLOW) as o:
        await o.desk.say("please overload")
        await o.sees("The turn ended with an error")
        await o.desk.say("/status")
        await o.sees("tries again what failed")
        await o.desk.say("/stop")
        await o.sees("Given up")
        await o.desk.say("/stop")
        await o.sees("Nothing is running.")
        assert len(o.notes("tries")) == 1


async def test_a_worker_that_cannot_start_rejects_what_it_is_given_with_the_reason(tmp_path: Path) -> None:
    """The program is gone when the bot begins again, with a task that ran."""
    data = MemoryData()
    async with office(tmp_path, data) as o:
        await o.desk.say("be stubborn")
        await o.sees("Background task S")

    def hire(app: App) -> AgentPool:
        program, settings = Program((str(tmp_path / "nowhere"),), CBC), AgentSettings(workspace=tmp_path)
        hired = Hired(program, settings, Policy(), (), Counter("b"), app.submit, LongLines())
        return AgentPool(lambda _: hired)

    async with desk(data, word="b", hire=hire, retries=QUICK) as d:
        await until(lambda: any("Failed 3 times in a row" in text for text in d.platform.texts), "the question")
        log = await d.store.load(await d.session())
        rejected = [e.payload for e in log if isinstance(e.payload, WorkerAssignmentRejected)]
        assert rejected
        assert all("could not be started" in payload.reason for payload in rejected)
        types = [event.type for event in log]
        assert types[types.index("worker.assignment.rejected") + 1] == "task.queued"
        assert await d.press("Give up") == ("Given up.", False)
        state = await d.state()
        assert [task.status.value for task in state.tasks.values()] == ["cancelled"]
