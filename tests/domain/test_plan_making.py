"""Sub-tasks, and what the tasks of a plan share: parent, risk, execution mode and the collaborative fields."""

import pytest

from bossbot.channel import Rows
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.ids import TaskId
from bossbot.views.plan import board_card

from .harness import WORKER, Session, kinds
from .test_board import answer, entry, plan, update


@pytest.fixture
def session() -> Session:
    session = Session()
    session.say("plan it")
    return session


def test_a_sub_task_names_its_parent_and_stands_below_it(session: Session) -> None:
    session.tell(plan(entry(1, "Fix the login"), entry(2, "Find the cause", parent="fix the LOGIN"), entry(3, "Docs")))
    assert [session.task(n).parent_task_id for n in (1, 2, 3)] == [None, "task_1", None]
    [rows] = [block for block in board_card(session.state).blocks if isinstance(block, Rows)]
    assert [(row.label, row.level) for row in rows.rows] == [("Fix the login", 0), ("Find the cause", 1), ("Docs", 0)]


def test_a_parent_may_stand_on_the_board_already(session: Session) -> None:
    session.tell(plan(entry(1, "Fix the login")))
    session.tell(plan(entry(5, "Fix the login"), entry(6, "Write a test", parent="task_1")))
    assert session.task(6).parent_task_id == "task_1"


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ((entry(1, "A", parent="B"), entry(2, "B")), "list “B” before “A”"),
        ((entry(1, "A", parent="A"),), "list “A” before “A”"),
        ((entry(1, "A", parent="B"), entry(2, "B", parent="A")), "list “B” before “A”"),
        ((entry(1, "A", parent="nobody"),), "there is no task “nobody”"),
    ],
)
def test_no_task_is_its_own_ancestor(session: Session, entries: tuple[c.PlanEntry, ...], why: str) -> None:
    said = answer(session.tell(plan(*entries)))
    assert said.is_error
    assert why in said.text
    assert session.state.tasks == {}


def test_risk_and_execution_mode_are_kept_and_stand_in_the_execution_request(session: Session) -> None:
    session.tell(plan(entry(1, "Look", execution_mode="research_only", risk_level="high")))
    session.tell(update("Look", "running"))
    assert (session.task(1).risk_level, session.task(1).execution_mode) == ("high", "research_only")
    [assigned] = [e.payload for e in session.log if isinstance(e.payload, ev.TaskAssigned)]
    assert assigned.execution_request is not None
    assert assigned.execution_request.execution_mode == "research_only"


def collaborating(session: Session) -> None:
    session.tell(
        plan(
            entry(1, "Find the cause", execution_mode="collaborative", handoff_expected=True),
            entry(2, "Fix it", execution_mode="collaborative", shared_context_refs=("find the cause", "artifact_0123")),
        )
    )


def test_whoever_begins_a_task_is_told_what_the_others_found(session: Session) -> None:
    collaborating(session)
    assert session.task(2).shared_context_refs == ("task_1.summary", "artifact_0123")
    session.tell(update("Find the cause", "completed", note="retry() loops on 401"))
    said = answer(session.tell(update("Fix it", "running")))
    assert "- “Find the cause” (completed): retry() loops on 401" in said.text
    assert "- artifact_0123: a file that was kept" in said.text


def test_a_task_that_others_wait_for_is_not_completed_without_a_word(session: Session) -> None:
    collaborating(session)
    session.tell(update("Find the cause", "running"))
    said = answer(session.tell(update("Find the cause", "completed")))
    assert said.is_error
    assert "say it in note" in said.text
    assert session.task(1).status == "running"
    session.tell(update("Find the cause", "completed", note="retry() loops on 401"))
    assert session.task(1).status == "completed"


def test_a_workflow_is_a_part_of_the_task_that_runs_when_it_begins(session: Session) -> None:
    session.tell(plan(entry(1, "Survey")))
    session.tell(update("Survey", "running"))
    session.start_workflow("w1")
    assert session.state.tasks[TaskId("task_w1")].parent_task_id == "task_1"


def test_a_workflow_beside_no_task_has_no_parent(session: Session) -> None:
    told = session.tell(c.StartBackgroundTask(TaskId("task_w"), "wa_w", WORKER, "w", "local_workflow", "Gather"))
    assert kinds(told)[0] == "task.created"
    assert session.state.tasks[TaskId("task_w")].parent_task_id is None
