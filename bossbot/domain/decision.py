"""A decision in the making: events are emitted one after the other, and each sees the state after those before it."""

from bossbot.domain.approval import Approval
from bossbot.domain.errors import NotFound
from bossbot.domain.events import (
    ApprovalApproved,
    ApprovalExpired,
    ApprovalRejected,
    ApprovalRequested,
    ApprovalWithdrawn,
    NewEvent,
    Payload,
    Source,
    TaskResumed,
    TaskWaitingApproval,
)
from bossbot.domain.evolve import evolve
from bossbot.domain.state import Diff, SessionState
from bossbot.domain.task import Task, TaskStatus
from bossbot.ids import ApprovalId, DiffId, TaskId

Settled = ApprovalApproved | ApprovalRejected | ApprovalExpired | ApprovalWithdrawn


class Decision:
    """Collects the events of one command. `state` is the session as it is after them, `befores` as it was before each.

    Kept, so that nobody has to fold an event again that was folded here.
    """

    def __init__(self, state: SessionState) -> None:
        self.state = state
        self.befores: list[SessionState] = []
        self.events: list[NewEvent] = []

    def emit(self, source: Source, payload: Payload, task_id: TaskId | None = None) -> None:
        """One more event."""
        event = NewEvent(source=source, payload=payload, task_id=task_id)
        self.befores.append(self.state)
        self.events.append(event)
        self.state = evolve(self.state, event)

    def request(self, source: Source, requested: ApprovalRequested, task_id: TaskId | None) -> None:
        """A decision is needed; the task that it belongs to waits for it."""
        self.emit(source, requested, task_id)
        if task_id is not None and self.task(task_id).status is TaskStatus.RUNNING:
            self.emit(Source.SYSTEM, TaskWaitingApproval(approval_id=requested.id), task_id)

    def settle(self, source: Source, settled: Settled, task_id: TaskId | None) -> None:
        """A decision is taken, or void; the task goes on, unless it waits for another one."""
        self.emit(source, settled, task_id)
        task = self.state.tasks.get(task_id) if task_id is not None else None
        if task is None or task.status is not TaskStatus.WAITING_APPROVAL:
            return
        if not any(other.task_id == task.id for other in self.state.pending_approvals):
            self.emit(Source.SYSTEM, TaskResumed(reason=settled.TYPE.replace(".", " ")), task.id)

    def withdraw_approvals(self, reason: str) -> None:
        """Nobody waits for a decision any more: every pending request is void."""
        for approval in self.state.pending_approvals:
            self.settle(Source.SYSTEM, ApprovalWithdrawn(id=approval.id, reason=reason), approval.task_id)

    def task(self, task_id: TaskId) -> Task:
        """The task, or `NotFound`."""
        task = self.state.tasks.get(task_id)
        if task is None:
            raise NotFound(f"there is no task {task_id} on the board")
        return task

    def approval(self, approval_id: ApprovalId) -> Approval:
        """The approval, or `NotFound`."""
        approval = self.state.approvals.get(approval_id)
        if approval is None:
            raise NotFound("this request is not known here")
        return approval

    def diff(self, diff_id: DiffId) -> Diff:
        """The plan diff, or `NotFound`."""
        diff = self.state.diffs.get(diff_id)
        if diff is None:
            raise NotFound("this plan change is not known here")
        return diff
