"""Whatever the manager calls our tools with: one answer each, no illegal move, and a log that replays to the same."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.domain.task import TRANSITIONS
from bossbot.ids import TaskId
from tests.domain.harness import SESSION, WORKER, Session

names = st.sampled_from(["A", " a ", "B", "C", "task_1", "#1", "1", "", "Z" * 30])
statuses = st.sampled_from(["", "running", "blocked", "paused", "completed", "failed", "cancelled"])
percents = st.none() | st.integers(0, 100)
entries = st.lists(
    st.tuples(names, st.lists(names, max_size=2).map(tuple), st.sampled_from(["low", "normal", "high"])), max_size=4
)


def plan(listed: list[tuple[str, tuple[str, ...], str]], number: int) -> c.CreatePlan:
    tasks = tuple(
        c.PlanEntry(TaskId(f"task_{number}{n}"), title, priority=priority, depends_on=depends_on)
        for n, (title, depends_on, priority) in enumerate(listed)
    )
    return c.CreatePlan(f"m{number}", tasks, "")


calls = st.one_of(
    st.builds(lambda listed: lambda n: plan(listed, n), entries),
    st.builds(
        lambda task, status, percent: lambda n: c.UpdateTask(f"m{n}", task, WORKER, f"wa_{n}", status, "x", percent),
        names,
        statuses,
        percents,
    ),
    st.builds(lambda task, percent: lambda n: c.ReportProgress(f"m{n}", task, "so far", percent), names, percents),
    st.builds(lambda: lambda n: c.CreateNativeTask(TaskId(f"task_n{n}"), f"wa_{n}", "plan_1", str(n), "A")),
    st.builds(lambda: lambda n: c.EndTurn(f"turn_{n}", "success")),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(calls, max_size=14))
def test_every_call_is_answered_once_and_every_move_is_legal(made: list[Any]) -> None:
    session = Session()
    session.say("go")
    for number, make in enumerate(made):
        command = make(number)
        before = {task.id: task.status for task in session.state.tasks.values()}
        statuses_seen = dict(before)
        length = len(session.log)
        told = session.tell(command)
        answers = [p for p in told if isinstance(p, ev.ToolCallAnswered)]
        if isinstance(command, c.CreatePlan | c.UpdateTask | c.ReportProgress):
            assert [a.request_id for a in answers] == [f"m{number}"]
            assert told[-1] is answers[0]
            assert not answers[0].is_error or len(told) == 1
        state = fold(SessionState(id=SESSION), session.log[:length])
        for event in session.log[length:]:
            state = fold(state, [event])
            for task in state.tasks.values():
                old = statuses_seen.get(task.id, task.status)
                assert old is task.status or (old, task.status) in TRANSITIONS
                statuses_seen[task.id] = task.status
        assert state == session.state
        assert set(session.state.order) == set(session.state.tasks)
        titles = [" ".join(t.title.casefold().split()) for t in session.state.live_tasks if t.origin == "plan"]
        assert len(titles) == len(set(titles))
        assert all(title for title in titles)
