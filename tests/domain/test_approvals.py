"""Approvals: decided once; late and foreign clicks say what became of them; the waiting task goes on."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.errors import AlreadyDecided, NotFound
from bossbot.domain.evolve import evolve
from bossbot.domain.task import TaskStatus
from bossbot.ids import ApprovalId

from .harness import Session, kinds, of_type

FIRST = ApprovalId("apr_1")
YES = c.Approve(FIRST, "telegram:1", "Ada")
NO = c.Reject(FIRST, "telegram:2", "Bob")


@pytest.fixture
def session() -> Session:
    session = Session()
    session.say("clean the build cache")
    session.ask()
    return session


def test_a_yes_is_one_event_that_says_who(session: Session) -> None:
    [approved] = session.tell(YES)
    assert approved == ev.ApprovalApproved(id="apr_1", action="approve", actor="telegram:1", actor_name="Ada")
    assert session.approval().status is ApprovalStatus.APPROVED
    assert session.state.pending_approvals == ()


def test_a_no_carries_the_reason_that_the_agent_reads(session: Session) -> None:
    [rejected] = session.tell(c.Reject(FIRST, "telegram:2", "Bob", "  use make clean  "))
    assert isinstance(rejected, ev.ApprovalRejected)
    assert rejected.reason == "use make clean"


def test_a_no_without_words_still_tells_the_agent_what_to_do(session: Session) -> None:
    [rejected] = session.tell(NO)
    assert isinstance(rejected, ev.ApprovalRejected)
    assert "Bob" in rejected.reason
    assert "not run" in rejected.reason


@pytest.mark.parametrize("first", [YES, NO])
@pytest.mark.parametrize("late", [YES, NO])
def test_a_late_click_does_not_reopen_an_approval_and_hears_who_decided(
    session: Session, first: c.Command, late: c.Command
) -> None:
    session.tell(first)
    decided = session.approval()
    sentence = session.refuses(late, AlreadyDecided)
    assert session.approval() == decided
    assert decided.decided_by in sentence


def test_a_click_on_a_withdrawn_approval_hears_why(session: Session) -> None:
    session.tell(c.WithdrawApproval("req_1", "the agent took it back"))
    assert "the agent took it back" in session.refuses(YES, AlreadyDecided)


def test_a_click_on_a_card_of_nowhere_is_refused(session: Session) -> None:
    session.refuses(c.Approve(ApprovalId("apr_77"), "telegram:1", "Ada"), NotFound)


def test_of_two_waiting_approvals_the_pressed_one_is_decided(session: Session) -> None:
    second = session.ask(2)
    session.tell(c.Approve(second, "telegram:1", "Ada"))
    assert (session.approval(1).pending, session.approval(2).status) == (True, ApprovalStatus.APPROVED)


def test_a_request_that_is_sent_twice_is_one_approval(session: Session) -> None:
    again = c.RequestApproval(ApprovalId("apr_2"), "req_1", "Bash", "dangerous_command", "x", "high", "print_1")
    assert session.tell(again) == []
    assert list(session.state.approvals) == ["apr_1"]


def test_a_request_id_that_a_new_process_uses_again_is_a_new_approval(session: Session) -> None:
    session.tell(c.WithdrawApproval("req_1", "the agent ended"))
    again = c.RequestApproval(ApprovalId("apr_2"), "req_1", "Bash", "dangerous_command", "x", "high", "print_1")
    assert kinds(session.tell(again)) == ["approval.requested"]
    assert session.approval(2).pending


def test_a_withdrawal_of_an_unknown_request_changes_nothing(session: Session) -> None:
    assert session.tell(c.WithdrawApproval("req_77", "x")) == []
    assert session.approval().pending


def test_allowed_for_the_session_the_same_call_is_not_asked_again(session: Session) -> None:
    session.tell(c.Approve(FIRST, "telegram:1", "Ada", "approve_for_session"))
    for number in range(2, 12):
        session.ask(number, fingerprint="print_1")
        assert session.approval(number).status is ApprovalStatus.APPROVED
    session.ask(12, fingerprint="another call")
    assert session.approval(12).pending


def test_a_plain_yes_allows_one_call_only(session: Session) -> None:
    session.tell(YES)
    session.ask(2, fingerprint="print_1")
    assert session.approval(2).pending


def test_calls_without_a_fingerprint_are_never_taken_for_equal(session: Session) -> None:
    for number in (2, 3):
        request = c.RequestApproval(
            ApprovalId(f"apr_{number}"), f"req_{number}", "Bash", "tool_call", "x", "high", fingerprint=""
        )
        session.tell(request)
    session.tell(c.Approve(ApprovalId("apr_2"), "telegram:1", "Ada", "approve_for_session"))
    session.tell(c.RequestApproval(ApprovalId("apr_4"), "req_4", "Bash", "tool_call", "x", "high", fingerprint=""))
    assert session.approval(3).pending
    assert session.approval(4).pending


class TestTheWaitingTask:
    @pytest.fixture
    def session(self) -> Session:
        session = Session()
        session.say("clean the build cache")
        session.add_task(1)
        session.update_task(1, "in_progress")
        session.ask()
        return session

    def test_it_waits_while_its_approval_does(self, session: Session) -> None:
        assert session.approval().task_id == "task_1"
        assert session.task(1).status is TaskStatus.WAITING_APPROVAL

    @pytest.mark.parametrize("decision", [YES, NO, c.WithdrawApproval("req_1", "x")])
    def test_it_runs_on_after_every_decision(self, session: Session, decision: c.Command) -> None:
        session.tell(decision)
        assert session.task(1).status is TaskStatus.RUNNING

    def test_it_waits_until_the_last_of_its_approvals_is_decided(self, session: Session) -> None:
        request = ev.ApprovalRequested(
            id="apr_2",
            session_id="ps_1",
            task_id="task_1",
            kind="tool_call",
            summary="x",
            risk_level="low",
            request_id="req_2",
            tool="Bash",
        )
        session.state = evolve(session.state, ev.NewEvent(source=ev.Source.MANAGER, payload=request))
        session.tell(YES)
        assert session.task(1).status is TaskStatus.WAITING_APPROVAL
        session.tell(c.Approve(ApprovalId("apr_2"), "telegram:1", "Ada"))
        assert session.task(1).status is TaskStatus.RUNNING

    def test_put_off_meanwhile_it_is_not_set_running_by_the_decision(self, session: Session) -> None:
        diff = session.propose(pause_tasks=("task_1",))
        session.tell(c.ApplyPlanDiff(diff, "turn_2", "telegram:1", "Ada", ()))
        assert session.task(1).status is TaskStatus.PAUSED

    def test_the_turns_end_withdraws_what_nobody_decided(self, session: Session) -> None:
        ended = session.end_turn()
        assert [w.id for w in of_type(ended, ev.ApprovalWithdrawn) if isinstance(w, ev.ApprovalWithdrawn)] == ["apr_1"]
        assert session.task(1).status is TaskStatus.RUNNING
        session.refuses(YES, AlreadyDecided)

    def test_rejecting_lets_it_run_on_and_rejecting_to_stop_cancels_it(self, session: Session) -> None:
        session.tell(NO)
        assert session.task(1).status is TaskStatus.RUNNING
        second = session.ask(2)
        told = session.tell(c.Reject(second, "telegram:1", "Ada", "enough", True, "turn_s"))
        assert kinds(told) == ["approval.rejected", "task.cancelled", "session.interrupt.requested"]
        assert session.task(1).status is TaskStatus.CANCELLED
        assert session.state.turn is not None
        assert session.state.turn.interrupted

    def test_rejecting_one_to_stop_makes_the_others_void(self, session: Session) -> None:
        second = session.ask(2)
        session.tell(c.Reject(second, "telegram:1", "Ada", "", True, "turn_s"))
        assert session.approval(2).status is ApprovalStatus.REJECTED
        assert session.approval(1).status is ApprovalStatus.WITHDRAWN

    def test_what_nobody_decides_in_time_is_a_no_and_cannot_be_decided_any_more(self, session: Session) -> None:
        assert kinds(session.tell(c.ExpireApproval(FIRST, 3600.0))) == ["approval.expired", "task.resumed"]
        assert "Too late" in session.refuses(YES, AlreadyDecided)
        session.refuses(c.ExpireApproval(FIRST, 3600.0), AlreadyDecided)

    def test_a_decision_that_came_in_time_does_not_expire(self, session: Session) -> None:
        session.tell(YES)
        session.refuses(c.ExpireApproval(FIRST, 3600.0), AlreadyDecided)


def test_what_was_allowed_for_the_session_is_not_allowed_by_itself_while_all_is_being_stopped() -> None:
    session = Session()
    session.say("clean up")
    session.ask(fingerprint="print")
    session.tell(c.Approve(FIRST, "telegram:1", "Ada", "approve_for_session"))
    session.tell(c.Interrupt("telegram:1", "stopped by Ada", "turn_i"))
    session.ask(2, fingerprint="print")
    assert session.approval(2).pending
    session.end_turn()
    assert session.approval(2).status is ApprovalStatus.WITHDRAWN


def test_an_approval_of_a_running_workflow_outlives_the_turn() -> None:
    session = Session()
    session.say("run the workflow")
    session.start_workflow()
    session.ask()
    session.end_turn()
    assert session.approval().pending
    session.tell(YES)
    assert session.approval().status is ApprovalStatus.APPROVED
