"""A background task that failed by itself: tried again when that may help, told when not; blocked after several."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.task import TaskStatus
from bossbot.ids import TaskId

from .harness import MAX_RETRIES, WORKER, Session, kinds, of_type

LIVES = c.UpdateCapabilities(WORKER, (), "cli-1", "cbc")
TASK = TaskId("task_w1")


def fails(ref: str = "w1", *, retryable: bool = True) -> c.EndBackgroundTask:
    return c.EndBackgroundTask(ref, "failed", "turn_n", "API Error: 529 Overloaded", retryable=retryable)


@pytest.fixture
def session() -> Session:
    """A workflow runs beside an idle manager."""
    session = Session()
    session.say("gather")
    session.tell(LIVES)
    session.start_workflow("w1")
    session.end_turn()
    return session


def start_again(session: Session, ref: str) -> list[ev.Payload]:
    return session.tell(
        c.StartBackgroundTask(TaskId(f"task_{ref}"), f"wa_{ref}", WORKER, ref, "local_workflow", "Gather and write")
    )


def test_the_manager_is_asked_to_start_it_again_with_reason_and_count(session: Session) -> None:
    assert kinds(session.tell(fails())) == ["task.failed"]
    told = session.recover(gone=False)
    assert kinds(told) == ["session.turn.started", "task.retried", "task.assigned"]
    assert of_type(told, ev.TaskRetried) == [ev.TaskRetried(reason="API Error: 529 Overloaded", retry_count=1)]
    assert session.state.turn is not None
    assert "“Gather and write” failed (API Error: 529 Overloaded)" in session.state.turn.content
    assert kinds(start_again(session, "w2")) == ["task.linked", "worker.assignment.accepted", "task.started"]
    session.end_turn()
    session.tell(c.EndBackgroundTask("w2", "completed", "turn_n", "ok"))
    task = session.state.tasks[TASK]
    assert (task.status, task.retry_count) == (TaskStatus.COMPLETED, 1)


def test_a_final_failure_is_not_tried_again(session: Session) -> None:
    session.tell(fails(retryable=False))
    assert session.recover(gone=False) == []
    assert session.state.tasks[TASK].status is TaskStatus.FAILED


def test_a_manager_that_starts_it_again_by_itself_needs_no_asking(session: Session) -> None:
    session.tell(fails())
    session.tell(c.BeginOwnTurn("turn_own"))
    told = start_again(session, "w2")
    assert kinds(told) == ["task.retried", "task.assigned", "task.linked", "worker.assignment.accepted", "task.started"]
    session.end_turn()
    assert session.recover(gone=False) == []
    assert session.state.tasks[TASK].retry_count == 1


def test_the_retry_waits_for_the_clis_own_turn(session: Session) -> None:
    session.tell(fails())
    session.tell(c.BeginOwnTurn("turn_own"))
    assert session.recover(1, gone=False) == []
    assert "session.turn.started" not in kinds(session.end_turn())
    assert "task.retried" in kinds(session.recover(2, gone=False))


def fail_too_often(session: Session) -> str:
    for number in range(1, MAX_RETRIES + 1):
        session.tell(fails(f"w{number}"))
        session.recover(number, gone=False)
        start_again(session, f"w{number + 1}")
        session.end_turn()
    session.tell(fails(f"w{MAX_RETRIES + 1}"))
    told = session.recover(9, gone=False)
    assert kinds(told) == ["task.blocked", "session.blocked"]
    [asked] = of_type(told, ev.SessionBlocked)
    assert isinstance(asked, ev.SessionBlocked)
    assert (asked.failures, asked.reason) == (MAX_RETRIES + 1, "“Gather and write”: API Error: 529 Overloaded")
    return asked.id


def test_after_several_failures_it_is_blocked_and_a_person_is_asked_once(session: Session) -> None:
    fail_too_often(session)
    assert session.state.tasks[TASK].status is TaskStatus.BLOCKED
    assert session.recover(10, gone=False) == []


def test_try_again_is_one_more_try_of_the_task(session: Session) -> None:
    blocked_id = fail_too_often(session)
    told = session.tell(c.TryAgain(blocked_id, "telegram:1", "Ada", "turn_t"))
    assert kinds(told) == ["session.unblocked", "session.turn.started", "task.retried", "task.assigned"]
    assert session.state.tasks[TASK].retry_count == MAX_RETRIES + 1


def test_try_again_in_the_clis_own_turn_comes_after_it(session: Session) -> None:
    blocked_id = fail_too_often(session)
    session.tell(c.BeginOwnTurn("turn_own"))
    assert kinds(session.tell(c.TryAgain(blocked_id, "telegram:1", "Ada", "turn_t"))) == ["session.unblocked"]
    assert "task.retried" in kinds(session.end_turn())


def test_give_up_cancels_the_task(session: Session) -> None:
    told = session.tell(c.GiveUp(fail_too_often(session), "telegram:1", "Ada", "turn_g"))
    assert kinds(told) == ["session.unblocked", "task.cancelled"]


def test_a_message_takes_it_up_too(session: Session) -> None:
    session.tell(fails())
    told = session.say("how is it going?", 2)
    assert kinds(told)[-2:] == ["task.retried", "task.assigned"]
    assert session.state.turn is not None
    assert session.state.turn.content.endswith("how is it going?")


def test_a_task_that_died_with_its_process_under_a_new_turn_is_tried_again(session: Session) -> None:
    session.say("and the other cache", 2)
    session.tell(c.AgentExited(WORKER, "exit code 137", "turn_after", told_turn_id="turn_1"))
    assert session.state.tasks[TASK].status is TaskStatus.FAILED
    session.end_turn()
    assert "task.retried" in kinds(session.recover(gone=False))
