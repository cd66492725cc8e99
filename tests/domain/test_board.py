"""The manager's plan on the board, by our own tools: what it makes, what it may move, and what it is answered."""

from typing import Any

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.task import TaskStatus
from bossbot.ids import TaskId
from tests.domain.harness import BEGUN, WORKER, Session, kinds, of_type

TITLES = ("Find the cause", "Fix it", "Write a test")


def entry(number: int, title: str, **more: Any) -> c.PlanEntry:
    return c.PlanEntry(TaskId(f"task_{number}"), title, **more)


def plan(*entries: c.PlanEntry, objective: str = "", request: str = "m1") -> c.CreatePlan:
    return c.CreatePlan(request, entries, objective)


def update(task: str, status: Any = "", **more: Any) -> c.UpdateTask:
    return c.UpdateTask("m2", task, WORKER, "wa_9", status, **more)


def planned() -> Session:
    session = Session()
    session.say("plan it")
    session.tell(plan(*(entry(n, title) for n, title in enumerate(TITLES, 1))))
    return session


def answer(payloads: list[ev.Payload]) -> ev.ToolCallAnswered:
    [answered] = of_type(payloads, ev.ToolCallAnswered)
    assert isinstance(answered, ev.ToolCallAnswered)
    return answered


def test_a_plan_stands_on_the_board_in_its_order_and_is_answered_with_its_ids() -> None:
    session = Session()
    session.say("plan it")
    told = session.tell(
        plan(
            entry(1, TITLES[0], kind="investigation", priority="high"),
            entry(2, TITLES[1], depends_on=("find the  CAUSE",)),
            objective="login works",
        )
    )
    assert kinds(told) == [
        "task.created",
        "task.created",
        "plan.created",
        "task.queued",
        "task.queued",
        "session.objective.updated",
        "tool.call.answered",
    ]
    assert session.state.objective == "login works"
    assert session.state.order == ("task_1", "task_2")
    assert session.task(1).priority == "high"
    assert session.task(1).kind == "investigation"
    assert session.task(2).depends_on == ("task_1",)
    assert {task.status for task in session.state.tasks.values()} == {TaskStatus.QUEUED}
    said = answer(told)
    assert (said.request_id, said.is_error) == ("m1", False)
    assert "task_1 “Find the cause” (queued)" in said.text


def test_a_second_plan_keeps_what_is_there_adds_what_is_new_and_takes_its_order() -> None:
    session = planned()
    session.tell(update("Find the cause", "running"))
    told = session.tell(plan(entry(7, "Say sorry"), entry(8, "Find the cause"), entry(9, "Fix it")))
    assert kinds(told) == ["task.created", "plan.updated", "task.queued", "plan.updated", "tool.call.answered"]
    assert session.state.order == ("task_7", "task_1", "task_2", "task_3")
    assert session.task(1).status is TaskStatus.RUNNING
    assert "task_8" not in session.state.tasks


def test_a_plan_that_lists_what_is_done_keeps_it_done_and_what_was_dropped_is_planned_anew() -> None:
    session = planned()
    session.tell(update("Find the cause", "completed"))
    session.tell(update("Fix it", "cancelled"))
    session.tell(plan(*(entry(n + 20, title) for n, title in enumerate(TITLES))))
    assert "task_20" not in session.state.tasks
    assert session.task(1).status is TaskStatus.COMPLETED
    assert session.task(2).status is TaskStatus.CANCELLED
    assert session.task(21).title == "Fix it"
    assert session.state.order[:3] == ("task_1", "task_21", "task_3")


def test_the_same_plan_again_changes_nothing() -> None:
    session = planned()
    told = session.tell(plan(*(entry(n + 20, title) for n, title in enumerate(TITLES))))
    assert kinds(told) == ["tool.call.answered"]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ((entry(1, "A"), entry(2, " a ")), "twice"),
        ((entry(1, "A", depends_on=("A",)),), "itself"),
        ((entry(1, "A", depends_on=("Z",)),), "no task “Z”"),
    ],
)
def test_a_plan_that_cannot_be_changes_nothing_and_is_told_why(entries: tuple[c.PlanEntry, ...], words: str) -> None:
    session = Session()
    session.say("plan it")
    told = session.tell(plan(*entries))
    assert kinds(told) == ["tool.call.answered"]
    assert answer(told).is_error
    assert words in answer(told).text
    assert session.state.tasks == {}


def test_a_task_goes_its_way_by_title_or_id() -> None:
    session = planned()
    assert kinds(session.tell(update("fix it", "running")))[:3] == BEGUN
    blocked = session.tell(update("task_2", "blocked", note="no access"))
    assert kinds(blocked) == ["task.blocked", "task.progress", "tool.call.answered"]
    assert session.task(2).reason == "no access"
    session.tell(update("task_2", "running"))
    assert session.task(2).status is TaskStatus.RUNNING
    told = session.tell(update("task_2", "completed", note="fixed in retry.py", progress_percent=100))
    assert answer(told).text == "“Fix it” (task_2) is completed."
    assert session.task(2).summary == "fixed in retry.py"


def test_a_task_that_nobody_began_is_begun_when_it_is_completed() -> None:
    session = planned()
    told = session.tell(update("Write a test", "completed"))
    assert kinds(told) == [*BEGUN, "task.completed", "tool.call.answered"]


def test_what_the_state_table_forbids_is_refused_and_the_model_reads_it() -> None:
    session = planned()
    session.tell(update("Fix it", "completed"))
    told = session.tell(update("Fix it", "running"))
    assert kinds(told) == ["tool.call.answered"]
    assert answer(told).is_error
    assert "completed" in answer(told).text
    assert session.task(2).status is TaskStatus.COMPLETED
    assert not answer(session.tell(update("Fix it", "completed"))).is_error


def test_a_task_that_waits_for_permission_is_not_started_by_a_word() -> None:
    session = planned()
    session.tell(update("Fix it", "running"))
    session.ask()
    assert session.task(2).status is TaskStatus.WAITING_APPROVAL
    told = session.tell(update("Fix it", "running"))
    assert "permission" in answer(told).text
    assert session.task(2).status is TaskStatus.WAITING_APPROVAL


def test_an_unknown_or_doubtful_task_is_answered_with_what_there_is() -> None:
    session = planned()
    unknown = answer(session.tell(update("Sleep", "running")))
    assert unknown.is_error
    assert "task_3 “Write a test”" in unknown.text
    assert "empty" in answer(Session().tell(update("Sleep"))).text


def test_a_workflow_reports_its_own_state() -> None:
    session = Session()
    session.say("go")
    session.start_workflow("w1")
    assert "reports its own state" in answer(session.tell(update("task_w1", "completed"))).text


def test_the_managers_own_list_takes_up_a_task_of_the_plan() -> None:
    session = planned()
    told = session.tell(c.CreateNativeTask(TaskId("task_50"), "wa_50", "plan_1", "1", "Find the cause"))
    assert kinds(told) == ["task.linked"]
    session.update_task(1, "in_progress")
    assert session.task(1).status is TaskStatus.RUNNING
    assert not answer(session.tell(update("#1", note="halfway", progress_percent=50))).is_error
    assert session.task(1).progress_percent == 50


def test_progress_goes_to_the_task_that_runs_else_to_the_turn() -> None:
    session = planned()
    report = c.ReportProgress("m3", "", "the loop is in retry()", 40, "read the log", "write a fix", "medium")
    told = session.tell(report)
    assert kinds(told) == ["session.progress.reported", "tool.call.answered"]
    assert session.state.turn is not None
    assert session.state.turn.progress is not None
    assert session.state.turn.progress.progress_percent == 40
    session.tell(update("Fix it", "running"))
    told = session.tell(report)
    assert kinds(told) == ["task.progress", "tool.call.answered"]
    assert (session.task(2).progress_percent, session.task(2).risk) == (40, "medium")
    assert session.task(2).next_step == "write a fix"


def test_a_task_that_ended_has_no_progress() -> None:
    session = planned()
    session.tell(update("Fix it", "cancelled"))
    told = session.tell(c.ReportProgress("m3", "Fix it", "going on"))
    assert kinds(told) == ["tool.call.answered"]
    assert "cancelled" in answer(told).text


def test_a_calls_answer_is_in_the_log_for_the_worker_that_asked() -> None:
    session = planned()
    event = session.log[-1]
    assert event.type == "tool.call.answered"
    assert event.source == "system"
