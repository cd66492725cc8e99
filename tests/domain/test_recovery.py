"""Recovery: what waited on a dead agent is void, a cut turn is taken up again so often, then a person must write."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.errors import AlreadyDecided
from bossbot.domain.task import TaskStatus
from bossbot.ids import MessageId, TaskId

from .harness import MAX_RETRIES, WORKER, Session, kinds, of_type

DIED = c.AgentExited(WORKER, "exit code 137", "turn_after")


def content(payloads: list[ev.Payload]) -> str:
    [turn] = of_type(payloads, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    return turn.content


@pytest.fixture
def session() -> Session:
    session = Session()
    session.say("clean the build cache")
    return session


def test_a_killed_bot_finds_the_turn_cut_and_takes_it_up_again(session: Session) -> None:
    told = session.recover()
    [finished] = of_type(told, ev.SessionTurnFinished)
    assert isinstance(finished, ev.SessionTurnFinished)
    assert (finished.turn_id, finished.outcome) == ("turn_1", "lost")
    assert "the bot was restarted" in content(told)
    assert session.state.turn is not None
    assert session.state.turn.id == "turn_again_1"


def test_what_waited_for_a_decision_is_void_and_the_agent_is_told_to_ask_again(session: Session) -> None:
    approval = session.ask()
    told = session.recover()
    assert "rm -rf build-cache-1" in content(told)
    assert "the bot was restarted" in session.refuses(c.Approve(approval, "telegram:1", "Ada"), AlreadyDecided)


def test_an_agent_that_died_before_recovery_is_taken_up_just_the_same(session: Session) -> None:
    session.ask()
    assert of_type(session.tell(DIED), ev.SessionTurnStarted) == []
    told = session.recover()
    assert "rm -rf build-cache-1" in content(told)
    assert of_type(told, ev.SessionTurnFinished) == []


def test_a_turn_that_another_process_was_told_outlives_the_end_of_the_one_before(session: Session) -> None:
    workflow = session.start_workflow()
    session.end_turn()
    session.say("and the other cache", 2)
    told = session.tell(c.AgentExited(WORKER, "exit code 137", "turn_after", told_turn_id="turn_1"))
    assert kinds(told) == ["task.failed"], "what ran in the process that ended"
    assert session.state.tasks[workflow].status is TaskStatus.FAILED
    assert session.state.turn is not None
    assert session.state.turn.id == "turn_2"
    assert session.state.lost_turns == 0


def test_a_turn_that_the_agent_began_by_itself_ends_with_it(session: Session) -> None:
    session.end_turn()
    session.tell(c.BeginOwnTurn("turn_own"))
    told = session.tell(c.AgentExited(WORKER, "exit code 137", "turn_after", told_turn_id="turn_1"))
    assert "session.turn.finished" in kinds(told)
    assert session.state.turn is None


def test_what_was_written_into_a_turn_that_the_agent_began_by_itself_is_not_lost_with_it(session: Session) -> None:
    session.end_turn()
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "claude", joins_mid_turn=True))
    session.tell(c.BeginOwnTurn("turn_own"))
    now = c.AddMessage(
        MessageId("msg_2"), "turn_2", "telegram", "skip the tests", "telegram:1", "Ada", steering=ev.Steering.NOW
    )
    assert "session.turn.steered" in kinds(session.tell(now))
    session.tell(c.AgentExited(WORKER, "exit code 137", "turn_after", told_turn_id="turn_1"))
    assert session.state.turn is None
    assert "skip the tests" in content(session.recover(gone=False))


def test_running_workflows_have_failed_and_may_be_tried_again(session: Session) -> None:
    session.start_workflow()
    session.end_turn()
    told = session.recover()
    [failed] = of_type(told, ev.TaskFailed)
    assert isinstance(failed, ev.TaskFailed)
    assert failed.retryable
    task = session.state.tasks[TaskId("task_w1")]
    assert (task.status, task.retry_count) == (TaskStatus.QUEUED, 1)
    assert "start it again if it is still needed: Gather and write" in content(told)


def test_messages_that_waited_come_with_the_turn_that_is_taken_up(session: Session) -> None:
    session.say("and run the tests", 2)
    assert "and run the tests" in content(session.recover())
    assert session.state.queue == ()


def test_a_change_that_was_applied_but_not_told_is_told_after_the_restart(session: Session) -> None:
    session.add_task(1, "Clean the cache")
    session.propose(cancel_tasks=("task_1",))
    session.tell(c.ApplyPlanDiff(next(iter(session.state.diffs)), "turn_2", "telegram:1", "Ada", ()))
    assert "Clean the cache" in content(session.recover())


def test_an_idle_session_is_left_alone(session: Session) -> None:
    session.end_turn()
    assert session.recover() == []


def test_a_closed_session_is_left_alone() -> None:
    session = Session()
    session.tell(c.CloseSession("done"))
    assert session.recover() == []


def test_an_expected_end_of_an_idle_agent_says_offline_and_no_more(session: Session) -> None:
    session.end_turn()
    assert kinds(session.tell(DIED)) == ["worker.heartbeat"]
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc"))
    assert kinds(session.tell(DIED)) == ["worker.heartbeat"]
    assert session.tell(DIED) == []


def test_a_cut_turn_is_taken_up_so_often_and_then_a_person_is_asked(session: Session) -> None:
    for number in range(1, MAX_RETRIES + 1):
        assert content(session.recover(number))
    told = session.recover(99)
    [blocked] = of_type(told, ev.SessionBlocked)
    assert isinstance(blocked, ev.SessionBlocked)
    assert (blocked.failures, blocked.reason) == (MAX_RETRIES + 1, "the bot was restarted")
    assert session.state.turn is None


def test_whoever_was_asked_may_write_instead_and_it_is_tried_again(session: Session) -> None:
    for number in range(MAX_RETRIES + 1):
        session.recover(number)
    assert "try again" in content(session.say("try again", 5))


def test_a_turn_that_ends_well_forgives_the_losses_before_it(session: Session) -> None:
    for number in range(MAX_RETRIES):
        session.recover(number)
    session.end_turn()
    session.say("go on", 2)
    assert content(session.recover(50))


def test_an_agent_that_dies_of_its_interrupt_was_stopped_and_is_not_taken_up(session: Session) -> None:
    session.say("something else", 2)
    session.tell(c.Interrupt("telegram:1", "enough", "turn_i"))
    told = session.tell(DIED)
    [finished] = of_type(told, ev.SessionTurnFinished)
    assert isinstance(finished, ev.SessionTurnFinished)
    assert finished.outcome == "interrupted"
    assert content(told) == "something else"
