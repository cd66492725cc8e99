"""The manager's own task list: its word moves the board as far as the table allows."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.task import TaskStatus
from bossbot.ids import DiffId, TaskId

from .harness import BEGUN, WORKER, Session, kinds


@pytest.fixture
def session() -> Session:
    session = Session()
    session.say("three things")
    session.add_task(1)
    return session


def test_a_task_of_the_list_is_planned_until_the_list_stands_and_then_waits_in_the_queue(session: Session) -> None:
    task = session.task(1)
    assert (task.status, task.origin, task.ref) == (TaskStatus.PLANNING, "native", "1")
    session.end_turn()
    assert session.task(1).status is TaskStatus.QUEUED


def test_a_list_that_the_agents_death_cut_short_stands_as_far_as_it_came(session: Session) -> None:
    session.tell(c.AgentExited(WORKER, "exit code 137", "turn_9"))
    assert session.task(1).status is TaskStatus.QUEUED


def test_in_progress_goes_along_the_protocols_arrows(session: Session) -> None:
    told = session.update_task(1, "in_progress")
    assert kinds(told) == ["plan.created", "task.queued", *BEGUN]
    assert session.update_task(1, "in_progress") == []


def test_completed_without_in_progress_has_run_all_the_same(session: Session) -> None:
    told = session.update_task(1, "completed")
    assert kinds(told) == ["plan.created", "task.queued", *BEGUN, "task.completed"]


def test_deleted_is_cancelled(session: Session) -> None:
    session.update_task(1, "deleted")
    assert session.task(1).status is TaskStatus.CANCELLED


@pytest.mark.parametrize("end", ["completed", "deleted"])
@pytest.mark.parametrize("late", ["in_progress", "completed", "deleted", "pending", ""])
def test_what_has_ended_stays_so_whatever_the_list_says_later(session: Session, end: str, late: str) -> None:
    session.update_task(1, end)
    status = session.task(1).status
    assert session.update_task(1, late) == []
    assert session.task(1).status is status


@pytest.mark.parametrize("word", ["pending", "", "a word of tomorrow"])
def test_a_word_without_meaning_for_the_board_moves_nothing(session: Session, word: str) -> None:
    session.update_task(1, "in_progress")
    assert session.update_task(1, word) == []
    assert session.task(1).status is TaskStatus.RUNNING


def test_an_update_of_an_unknown_number_moves_nothing(session: Session) -> None:
    session.end_turn()
    assert session.update_task(77, "completed") == []


def test_a_task_that_a_person_put_off_and_the_manager_takes_up_is_resumed(session: Session) -> None:
    session.update_task(1, "in_progress")
    session.propose(pause_tasks=("task_1",))
    session.tell(c.ApplyPlanDiff(DiffId("diff_1"), "turn_2", "telegram:1", "Ada", ()))
    assert session.task(1).status is TaskStatus.PAUSED
    assert kinds(session.update_task(1, "in_progress")) == ["task.resumed"]


def test_a_number_that_a_fresh_cli_uses_again_means_its_newest_task(session: Session) -> None:
    session.tell(c.CreateNativeTask(TaskId("task_8"), "wa_8", "plan_1", "1", "Another first task"))
    session.update_task(1, "completed")
    assert session.state.tasks[TaskId("task_8")].status is TaskStatus.COMPLETED
    assert session.task(1).status is TaskStatus.QUEUED


def test_an_approval_belongs_to_the_one_task_that_runs_and_to_none_when_several_do(session: Session) -> None:
    session.add_task(2)
    session.update_task(1, "in_progress")
    session.ask(1)
    assert session.approval(1).task_id == "task_1"
    session.tell(c.Approve(session.approval(1).id, "telegram:1", "Ada"))
    session.update_task(2, "in_progress")
    session.ask(2)
    assert session.approval(2).task_id is None


def test_a_plan_is_created_when_the_manager_turns_to_something_else(session: Session) -> None:
    session.add_task(2)
    assert kinds(session.tell(c.RequestToolCall("tu_1", "TaskCreate", ""))) == ["tool.call.requested"]
    told = session.tell(c.RequestToolCall("tu_2", "Bash", "ls"))
    assert kinds(told) == ["plan.created", "task.queued", "task.queued", "tool.call.requested"]
    [created] = [p for p in told if isinstance(p, ev.PlanCreated)]
    assert [task.title for task in created.tasks] == ["Task 1", "Task 2"]
