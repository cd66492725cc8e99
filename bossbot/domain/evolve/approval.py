"""How approvals change, and with them the task that waits."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bossbot.domain import events as ev
from bossbot.domain.approval import Approval, ApprovalStatus
from bossbot.domain.state import SessionState
from bossbot.domain.task import TaskStatus
from bossbot.ids import ApprovalId, TaskId


def _approval_requested(state: SessionState, p: ev.ApprovalRequested) -> SessionState:
    approval = Approval(
        id=ApprovalId(p.id),
        kind=p.kind,
        summary=p.summary,
        risk_level=p.risk_level,
        request_id=p.request_id,
        tool=p.tool,
        task_id=TaskId(p.task_id) if p.task_id else None,
        tool_use_id=p.tool_use_id,
        description=p.description,
        detail=p.detail,
        detail_language=p.detail_language,
        fingerprint=p.fingerprint,
        questions=p.questions,
        risks=p.risks,
    )
    state = replace(state, approvals={**state.approvals, approval.id: approval})
    return _move(state, approval.task_id, TaskStatus.RUNNING, TaskStatus.WAITING_APPROVAL)


def _approved(state: SessionState, p: ev.ApprovalApproved) -> SessionState:
    approval = state.approvals.get(ApprovalId(p.id))
    if approval is not None and p.action == "approve_for_session":
        state = replace(state, session_allows=state.session_allows | {approval.fingerprint})
    return _decided(state, p.id, ApprovalStatus.APPROVED, by=p.actor_name, action=p.action)


def _rejected(state: SessionState, p: ev.ApprovalRejected) -> SessionState:
    return _decided(state, p.id, ApprovalStatus.REJECTED, by=p.actor_name, reason=p.reason)


def _withdrawn(state: SessionState, p: ev.ApprovalWithdrawn) -> SessionState:
    return _decided(state, p.id, ApprovalStatus.WITHDRAWN, reason=p.reason)


def _decided(
    state: SessionState,
    approval_id: str,
    status: ApprovalStatus,
    *,
    by: str = "",
    action: str = "",
    reason: str = "",
) -> SessionState:
    approval = state.approvals.get(ApprovalId(approval_id))
    if approval is None:
        return state
    decided = replace(approval, status=status, decided_by=by, action=action, reason=reason)
    state = replace(state, approvals={**state.approvals, decided.id: decided})
    if any(other.task_id == decided.task_id for other in state.pending_approvals):
        return state
    return _move(state, decided.task_id, TaskStatus.WAITING_APPROVAL, TaskStatus.RUNNING)


def _answered(state: SessionState, p: ev.ApprovalAnswered) -> SessionState:
    approval = state.approvals.get(ApprovalId(p.id))
    if approval is None:
        return state
    if p.final:
        answered = replace(approval, answers={**approval.answers, p.question_index: p.labels})
    else:
        answered = replace(approval, choices={**approval.choices, p.question_index: p.labels})
    return replace(state, approvals={**state.approvals, approval.id: answered})


def _move(state: SessionState, task_id: TaskId | None, old: TaskStatus, new: TaskStatus) -> SessionState:
    task = state.tasks.get(task_id) if task_id else None
    if task is None or task.status is not old:
        return state
    return replace(state, tasks={**state.tasks, task.id: replace(task, status=new)})


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.ApprovalRequested: _approval_requested,
    ev.ApprovalApproved: _approved,
    ev.ApprovalRejected: _rejected,
    ev.ApprovalAnswered: _answered,
    ev.ApprovalWithdrawn: _withdrawn,
}
