"""Retries: what may be gone at the next try is tried again, what may not is told; after several a person decides."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.errors import AlreadyDecided, DomainError, NotFound
from bossbot.domain.task import TaskStatus
from bossbot.ids import MessageId, TaskId

from .harness import MAX_RETRIES, WORKER, Session, kinds, of_type

OVERLOADED = c.EndTurn("turn_next", "error", errors=("529 Overloaded",), retryable=True)
LIVES = c.UpdateCapabilities(WORKER, (), "cli-1", "cbc")
"""The agent's first word in a turn."""
STOP = c.Interrupt("telegram:1", "stopped by Ada", "turn_i", "Ada")
NO_KEY = c.EndTurn("turn_next", "error", errors=("401 invalid x-api-key",))


@pytest.fixture
def session() -> Session:
    """The manager works on task 1."""
    session = Session()
    session.say("fix the retry loop")
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc"))
    session.add_task(1)
    session.update_task(1, "in_progress")
    return session


def blocked(session: Session) -> str:
    for number in range(1, MAX_RETRIES + 1):
        session.tell(OVERLOADED)
        session.recover(number, "529 Overloaded", gone=False)
    session.tell(OVERLOADED)
    assert kinds(session.recover(9, "529 Overloaded", gone=False)) == ["task.blocked", "session.blocked"]
    return "blk_9"


def test_an_error_that_may_be_gone_at_the_next_try_fails_the_turn_and_its_task_for_now(session: Session) -> None:
    assert kinds(session.tell(OVERLOADED)) == ["task.failed", "session.turn.finished", "worker.heartbeat"]
    task = session.task(1)
    assert (task.status, task.retryable, task.reason) == (TaskStatus.FAILED, True, "529 Overloaded")


def test_a_retry_takes_up_the_turn_and_its_task_with_the_reason_and_the_count(session: Session) -> None:
    session.tell(OVERLOADED)
    told = session.recover(gone=False)
    assert kinds(told) == ["session.turn.started", "task.retried", "task.assigned"]
    assert of_type(told, ev.TaskRetried) == [ev.TaskRetried(reason="529 Overloaded", retry_count=1)]
    assert session.state.turn is not None
    assert "Your last turn ended with an error (529 Overloaded)" in session.state.turn.content
    assert "fix the retry loop" in session.state.turn.content
    assert kinds(session.tell(LIVES)) == ["worker.assignment.accepted", "task.started", "worker.heartbeat"]
    assert session.task(1).status is TaskStatus.RUNNING


def test_each_failure_in_a_row_counts_and_a_success_forgives_them(session: Session) -> None:
    for number in (1, 2):
        session.tell(OVERLOADED)
        assert session.state.lost_turns == number
        session.recover(number, gone=False)
    assert session.task(1).retry_count == 2
    session.end_turn()
    assert session.state.lost_turns == 0


def test_what_cannot_be_mended_by_trying_again_is_blocked_at_once_and_not_taken_up(session: Session) -> None:
    told = session.tell(NO_KEY)
    assert kinds(told)[0] == "task.blocked"
    assert session.task(1).reason == "401 invalid x-api-key"
    assert session.state.cut is None
    assert session.recover(gone=False) == []


def test_a_turn_that_a_person_stopped_is_not_tried_again(session: Session) -> None:
    session.tell(c.Interrupt("telegram:1", "enough", "turn_i"))
    session.tell(OVERLOADED)
    assert session.state.cut is None
    assert session.task(1).status is TaskStatus.RUNNING


def test_after_several_failures_the_task_is_blocked_and_a_person_is_asked_once(session: Session) -> None:
    blocked(session)
    assert session.task(1).status is TaskStatus.BLOCKED
    assert session.state.blocked is not None
    assert session.state.blocked.failures == MAX_RETRIES + 1
    assert session.recover(10, gone=False) == []


def test_an_agent_that_dies_in_the_pause_before_a_retry_loses_nothing_of_what_was_asked(session: Session) -> None:
    session.start_workflow("w1")
    session.tell(OVERLOADED)
    session.recover()
    assert session.state.turn is not None
    assert "fix the retry loop" in session.state.turn.content
    assert "Your process ended" in session.state.turn.content


def test_a_late_end_of_a_turn_that_is_over_takes_nothing_away_from_what_waits(session: Session) -> None:
    blocked_id = blocked(session)
    session.end_turn()
    assert "fix the retry loop" in str(session.state.cut)
    session.tell(c.TryAgain(blocked_id, "telegram:1", "Ada", "turn_10"))
    assert session.state.turn is not None


def test_try_again_is_one_more_try(session: Session) -> None:
    told = session.tell(c.TryAgain(blocked(session), "telegram:1", "Ada", "turn_10"))
    assert kinds(told) == ["session.unblocked", "session.turn.started", "task.retried", "task.assigned"]
    assert session.task(1).retry_count == MAX_RETRIES + 1
    session.tell(OVERLOADED)
    assert kinds(session.recover(11, gone=False)) == ["task.blocked", "session.blocked"]


def test_give_up_cancels_the_task_and_drops_what_was_asked(session: Session) -> None:
    told = session.tell(c.GiveUp(blocked(session), "telegram:1", "Ada", "turn_10"))
    assert kinds(told) == ["session.unblocked", "task.cancelled"]
    assert session.task(1).reason == "given up by Ada"
    session.say("something else", 2)
    assert session.state.turn is not None
    assert session.state.turn.content == "something else"


def test_a_message_tries_again_and_closes_the_question(session: Session) -> None:
    blocked_id = blocked(session)
    told = session.say("now?", 2)
    assert kinds(told)[2:4] == ["session.unblocked", "session.turn.started"]
    assert session.task(1).status is TaskStatus.ASSIGNED
    assert "already decided" in session.refuses(c.TryAgain(blocked_id, "telegram:1", "Ada", "turn_x"), AlreadyDecided)


def test_an_old_or_foreign_question_decides_nothing(session: Session) -> None:
    session.refuses(c.TryAgain("blk_77", "telegram:1", "Ada", "turn_x"), NotFound)
    blocked(session)
    session.refuses(c.GiveUp("blk_77", "telegram:1", "Ada", "turn_x"), NotFound)


@pytest.mark.parametrize("press", [c.TryAgain, c.GiveUp])
@pytest.mark.parametrize("end", [c.CloseSession("closed by Ada"), c.ArchiveSession("archived by Ada")])
def test_an_old_question_starts_nothing_in_a_session_that_was_closed(
    session: Session, press: type[c.TryAgain | c.GiveUp], end: c.CloseSession | c.ArchiveSession
) -> None:
    blocked_id = blocked(session)
    session.tell(end)
    assert session.refuses(press(blocked_id, "telegram:1", "Ada", "turn_x"), DomainError) == "this session is closed"


def test_a_workflow_that_is_started_again_is_the_same_task(session: Session) -> None:
    workflow = session.start_workflow("w1")
    session.recover()
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-2", "cbc"))
    told = session.tell(
        c.StartBackgroundTask(TaskId("task_w2"), "wa_w2", WORKER, "w2", "local_workflow", "Gather and write")
    )
    assert kinds(told) == ["task.linked", "worker.assignment.accepted", "task.started"]
    task = session.state.tasks[workflow]
    assert (task.ref, task.status, task.retry_count) == ("w2", TaskStatus.RUNNING, 1)
    session.tell(c.EndBackgroundTask("w2", "completed", "turn_y", "ok"))
    assert session.state.tasks[workflow].status is TaskStatus.COMPLETED


def test_a_workflow_that_is_not_started_again_is_given_up_with_the_turn(session: Session) -> None:
    workflow = session.start_workflow("w1")
    session.recover()
    session.end_turn()
    task = session.state.tasks[workflow]
    assert (task.status, task.reason) == (TaskStatus.CANCELLED, "the manager did not start it again")


def test_a_workflow_goes_on_when_only_the_conversation_failed(session: Session) -> None:
    workflow = session.start_workflow("w1")
    session.tell(OVERLOADED)
    session.recover(gone=False)
    assert session.state.tasks[workflow].status is TaskStatus.RUNNING


def test_a_stopped_agent_that_dies_of_it_takes_its_workflow_along_for_good(session: Session) -> None:
    workflow = session.start_workflow("w1")
    session.tell(c.Interrupt("telegram:1", "enough", "turn_i"))
    session.tell(c.AgentExited(WORKER, "exit code 137", "turn_z"))
    assert session.state.tasks[workflow].status is TaskStatus.CANCELLED


def own_turn(session: Session) -> None:
    session.tell(c.BeginOwnTurn("turn_own"))
    assert session.state.turn is not None


def test_a_turn_that_the_cli_begins_by_itself_leaves_what_failed_waiting(session: Session) -> None:
    session.tell(OVERLOADED)
    own_turn(session)
    assert session.recover(1, gone=False) == [], "the pause ended in the turn: nothing may begin beside it"
    session.end_turn()
    assert (session.state.turn, session.state.lost_turns) == (None, 1)
    session.recover(2, gone=False)
    assert session.state.turn is not None
    assert "fix the retry loop" in session.state.turn.content


def test_a_failure_of_the_clis_own_turn_loses_nothing_of_what_was_asked_before(session: Session) -> None:
    session.tell(OVERLOADED)
    own_turn(session)
    session.tell(OVERLOADED)
    assert session.state.lost_turns == 2
    assert session.state.cut is not None
    assert session.state.cut.content == "fix the retry loop"


def test_try_again_in_the_clis_own_turn_comes_when_that_is_over(session: Session) -> None:
    blocked_id = blocked(session)
    own_turn(session)
    assert kinds(session.tell(c.TryAgain(blocked_id, "telegram:1", "Ada", "turn_t"))) == ["session.unblocked"]
    session.end_turn()
    assert session.state.turn is not None
    assert "fix the retry loop" in session.state.turn.content
    assert session.task(1).status is TaskStatus.ASSIGNED


def test_give_up_in_the_clis_own_turn_drops_what_failed_and_not_the_turn(session: Session) -> None:
    blocked_id = blocked(session)
    own_turn(session)
    session.tell(c.GiveUp(blocked_id, "telegram:1", "Ada", "turn_g"))
    assert session.state.turn is not None
    assert session.state.cut is None
    assert session.task(1).status is TaskStatus.CANCELLED
    session.end_turn()
    assert session.state.turn is None


def test_stopping_the_clis_own_turn_stops_the_retry_too_unless_a_person_is_asked(session: Session) -> None:
    session.tell(OVERLOADED)
    own_turn(session)
    session.tell(STOP)
    assert session.state.cut is None
    session.end_turn()
    assert (session.state.turn, session.task(1).status) == (None, TaskStatus.CANCELLED)


def test_a_stop_of_the_clis_own_turn_leaves_the_question_how_it_goes_on(session: Session) -> None:
    blocked_id = blocked(session)
    own_turn(session)
    assert kinds(session.tell(STOP)) == ["session.interrupt.requested"]
    session.end_turn()
    session.tell(c.TryAgain(blocked_id, "telegram:1", "Ada", "turn_t"))
    assert session.state.turn is not None
    assert "fix the retry loop" in session.state.turn.content


def test_a_message_that_replaces_the_clis_own_turn_does_not_drop_what_failed_before(session: Session) -> None:
    session.tell(OVERLOADED)
    own_turn(session)
    session.tell(
        c.AddMessage(MessageId("msg_2"), "turn_2", "telegram", "now", "telegram:1", "Ada", steering=ev.Steering.REPLACE)
    )
    session.end_turn("turn_n")
    assert session.state.turn is not None
    assert "fix the retry loop" in session.state.turn.content
    assert session.state.turn.content.endswith("now")
