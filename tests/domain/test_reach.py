"""Every state of a task and of an approval is reached by commands of a real session, and every live one can end."""

from collections.abc import Callable

import pytest

from bossbot.domain import commands as c
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.task import LIVE, TaskStatus
from bossbot.ids import ApprovalId, DiffId

from .harness import MAX_RETRIES, WORKER, Session

ADA = ("telegram:1", "Ada")
TROUBLE = c.EndTurn("turn_x", "error", errors=("529",), retryable=True)


def planning() -> Session:
    session = Session()
    session.say("two things")
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc"))
    session.add_task(1)
    return session


def queued() -> Session:
    session = planning()
    session.tell(c.RequestToolCall("tu_1", "Bash", "ls"))
    return session


def running() -> Session:
    session = queued()
    session.update_task(1, "in_progress")
    return session


def assigned() -> Session:
    """What failed is given to the worker anew, which has not said a word yet."""
    session = failed()
    session.recover(1, "529", gone=False)
    return session


def waiting() -> Session:
    session = running()
    session.ask()
    return session


def failed() -> Session:
    session = running()
    session.tell(TROUBLE)
    return session


def blocked() -> Session:
    session = running()
    for number in range(MAX_RETRIES + 1):
        session.tell(TROUBLE)
        session.recover(number, "529", gone=False)
    return session


def changed(session: Session, **changes: tuple[str, ...]) -> Session:
    """A person changes the plan."""
    session.propose(**changes)
    session.tell(c.ApplyPlanDiff(DiffId("diff_1"), "turn_d", *ADA, ()))
    return session


def paused() -> Session:
    return changed(running(), pause_tasks=("task_1",))


def completed() -> Session:
    session = running()
    session.update_task(1, "completed")
    return session


def cancelled() -> Session:
    return changed(running(), cancel_tasks=("task_1",))


WAYS: dict[TaskStatus, Callable[[], Session]] = {
    TaskStatus.PLANNING: planning,
    TaskStatus.QUEUED: queued,
    TaskStatus.ASSIGNED: assigned,
    TaskStatus.RUNNING: running,
    TaskStatus.WAITING_APPROVAL: waiting,
    TaskStatus.BLOCKED: blocked,
    TaskStatus.PAUSED: paused,
    TaskStatus.FAILED: failed,
    TaskStatus.COMPLETED: completed,
    TaskStatus.CANCELLED: cancelled,
}


def test_every_state_is_reached_by_commands() -> None:
    assert set(WAYS) == set(TaskStatus)
    for status, way in WAYS.items():
        assert way().task(1).status is status


@pytest.mark.parametrize("status", sorted(LIVE & set(WAYS)))
def test_every_live_state_can_be_cancelled(status: TaskStatus) -> None:
    session = WAYS[status]()
    if status is TaskStatus.BLOCKED:
        session.tell(c.GiveUp(f"blk_{MAX_RETRIES}", *ADA, "turn_g"))
    elif status is TaskStatus.PAUSED:
        session.update_task(1, "deleted")
    else:
        changed(session, cancel_tasks=("task_1",))
    assert session.task(1).status is TaskStatus.CANCELLED


APPROVALS: dict[ApprovalStatus, c.Command | None] = {
    ApprovalStatus.PENDING: None,
    ApprovalStatus.APPROVED: c.Approve(ApprovalId("apr_1"), *ADA),
    ApprovalStatus.REJECTED: c.Reject(ApprovalId("apr_1"), *ADA),
    ApprovalStatus.EXPIRED: c.ExpireApproval(ApprovalId("apr_1"), 60.0),
    ApprovalStatus.WITHDRAWN: c.WithdrawApproval("req_1", "taken back"),
}


@pytest.mark.parametrize("status", sorted(ApprovalStatus))
def test_every_state_of_an_approval_is_reached_by_a_command(status: ApprovalStatus) -> None:
    session, command = waiting(), APPROVALS[status]
    if command is not None:
        session.tell(command)
    assert session.approval().status is status
