"""Every state of a task and of an approval is reached by commands of a real session, and every live one can end.

Every arrow of the task's table is taken by some commands, too: none is only drawn.
"""

from collections.abc import Callable

import pytest

from bossbot.domain import commands as c
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.evolve import evolve, happened
from bossbot.domain.state import SessionState
from bossbot.domain.task import ARROWS, LIVE, TaskStatus
from bossbot.ids import ApprovalId, DiffId, TaskId

from .harness import MAX_RETRIES, SESSION, WORKER, Session, verdict

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


# --- the arrows ---


def later(way: Callable[[], Session], *commands: c.Command) -> Callable[[], Session]:
    def go() -> Session:
        session = way()
        for command in commands:
            session.tell(command)
        return session

    return go


def diff(way: Callable[[], Session], **changes: tuple[str, ...]) -> Callable[[], Session]:
    return lambda: changed(way(), **changes)


def beside() -> Session:
    """A workflow that the agent CLI runs, as task 1."""
    session = planning()
    session.update_task(1, "deleted")
    session.tell(c.StartBackgroundTask(TaskId("task_w"), "wa_w", WORKER, "w", "local_workflow", "Gather"))
    return session


def beside_blocked() -> Session:
    """It failed for now, too often; its CLI is still there."""
    session = later(beside, c.EndTurn("turn_x", "success"), ended("failed", retryable=True))()
    session.tell(c.Recover("turn_r", "blk_1", "529", max_retries=0, process_gone=False))
    return session


def ended(status: str, *, retryable: bool = False) -> c.EndBackgroundTask:
    return c.EndBackgroundTask("w", status, "turn_x", "529", retryable=retryable)


def listed(word: str) -> c.UpdateNativeTask:
    return c.UpdateNativeTask("1", WORKER, "wa_9", word)


def put_off_again() -> Session:
    """Put off before it began, and then wanted first."""
    session = changed(queued(), pause_tasks=("task_1",))
    session.say("the build first, please", 8, plan_first=True)
    session.tell(verdict(8, "diff_8", reprioritize_tasks=("task_1",)))
    session.tell(c.ApplyPlanDiff(DiffId("diff_8"), "turn_8", *ADA, ()))
    return session


_S = TaskStatus
CANCEL, PAUSE = {"cancel_tasks": ("task_1",)}, {"pause_tasks": ("task_1",)}
PAUSED, GONE = c.UpdateBackgroundTask("w", "paused"), c.AgentExited(WORKER, "exit code 1", "turn_x")
TAKES: dict[tuple[TaskStatus, TaskStatus], Callable[[], Session]] = {
    (_S.PLANNING, _S.QUEUED): queued,
    (_S.QUEUED, _S.ASSIGNED): running,
    (_S.ASSIGNED, _S.RUNNING): running,
    (_S.RUNNING, _S.BLOCKED): later(running, c.EndTurn("turn_x", "error", errors=("401",))),
    (_S.RUNNING, _S.PAUSED): paused,
    (_S.RUNNING, _S.WAITING_APPROVAL): waiting,
    (_S.RUNNING, _S.COMPLETED): completed,
    (_S.RUNNING, _S.FAILED): failed,
    (_S.RUNNING, _S.CANCELLED): cancelled,
    (_S.BLOCKED, _S.RUNNING): later(running, c.EndTurn("turn_x", "error", errors=("401",)), listed("in_progress")),
    (_S.PAUSED, _S.RUNNING): later(paused, listed("in_progress")),
    (_S.WAITING_APPROVAL, _S.RUNNING): later(waiting, c.Approve(ApprovalId("apr_1"), *ADA)),
    (_S.WAITING_APPROVAL, _S.CANCELLED): later(
        waiting, c.Reject(ApprovalId("apr_1"), *ADA, stop=True, turn_id="turn_s")
    ),
    (_S.FAILED, _S.QUEUED): assigned,
    (_S.PLANNING, _S.CANCELLED): diff(planning, **CANCEL),
    (_S.QUEUED, _S.CANCELLED): diff(queued, **CANCEL),
    (_S.ASSIGNED, _S.CANCELLED): diff(assigned, **CANCEL),
    (_S.BLOCKED, _S.CANCELLED): later(blocked, c.GiveUp(f"blk_{MAX_RETRIES}", *ADA, "turn_g")),
    (_S.PAUSED, _S.CANCELLED): later(paused, listed("deleted")),
    (_S.PLANNING, _S.PAUSED): diff(planning, **PAUSE),
    (_S.QUEUED, _S.PAUSED): diff(queued, **PAUSE),
    (_S.ASSIGNED, _S.PAUSED): diff(assigned, **PAUSE),
    (_S.BLOCKED, _S.PAUSED): diff(later(running, c.EndTurn("turn_x", "error", errors=("401",))), **PAUSE),
    (_S.WAITING_APPROVAL, _S.PAUSED): diff(waiting, **PAUSE),
    (_S.ASSIGNED, _S.QUEUED): later(assigned, GONE),
    (_S.PAUSED, _S.QUEUED): put_off_again,
    (_S.FAILED, _S.BLOCKED): blocked,
    (_S.BLOCKED, _S.QUEUED): later(blocked, c.TryAgain(f"blk_{MAX_RETRIES}", *ADA, "turn_t")),
    (_S.WAITING_APPROVAL, _S.COMPLETED): later(waiting, listed("completed")),
    (_S.WAITING_APPROVAL, _S.FAILED): later(waiting, TROUBLE),
    (_S.PAUSED, _S.COMPLETED): later(beside, PAUSED, ended("completed")),
    (_S.PAUSED, _S.FAILED): later(beside, PAUSED, ended("failed")),
    (_S.BLOCKED, _S.COMPLETED): later(beside_blocked, ended("completed")),
    (_S.BLOCKED, _S.FAILED): later(beside_blocked, ended("failed")),
}


def test_every_arrow_of_the_table_has_a_way() -> None:
    assert set(TAKES) == set(ARROWS)


@pytest.mark.parametrize(("old", "new"), TAKES, ids=[f"{old}-{new}" for old, new in TAKES])
def test_every_arrow_is_taken_by_commands_with_its_own_event(old: TaskStatus, new: TaskStatus) -> None:
    session = TAKES[old, new]()
    taken = set()
    for then, event in happened(SessionState(id=SESSION), session.log):
        after = evolve(then, event)
        taken |= {
            (task.status, after.tasks[task.id].status, event.type)
            for task in then.tasks.values()
            if task.status is not after.tasks[task.id].status
        }
    assert (old, new, ARROWS[old, new].event) in taken


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
