"""How approvals change."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from bossbot.domain import events as ev
from bossbot.domain.approval import Approval, ApprovalStatus
from bossbot.domain.mapping import put
from bossbot.domain.state import SessionState
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
    pending = (*_others(state, approval.id), approval.id)
    return replace(state, approvals=put(state.approvals, approval.id, approval), pending=pending)


def _others(state: SessionState, approval_id: ApprovalId) -> tuple[ApprovalId, ...]:
    return tuple(i for i in state.pending if i != approval_id)


def _approved(state: SessionState, p: ev.ApprovalApproved) -> SessionState:
    approval = state.approvals.get(ApprovalId(p.id))
    if approval is not None and p.action == "approve_for_session":
        state = replace(state, session_allows=state.session_allows | {approval.fingerprint})
    return _decided(state, p.id, ApprovalStatus.APPROVED, by=p.actor_name, action=p.action)


def _rejected(state: SessionState, p: ev.ApprovalRejected) -> SessionState:
    return _decided(state, p.id, ApprovalStatus.REJECTED, by=p.actor_name, action=p.action, reason=p.reason)


def _expired(state: SessionState, p: ev.ApprovalExpired) -> SessionState:
    return _decided(state, p.id, ApprovalStatus.EXPIRED, reason=p.reason)


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
    approvals = put(state.approvals, decided.id, decided)
    return replace(state, approvals=approvals, pending=_others(state, decided.id))


def _answered(state: SessionState, p: ev.ApprovalAnswered) -> SessionState:
    approval = state.approvals.get(ApprovalId(p.id))
    if approval is None:
        return state
    if p.final:
        answered = replace(approval, answers=put(approval.answers, p.question_index, p.labels))
    else:
        answered = replace(approval, choices=put(approval.choices, p.question_index, p.labels))
    return replace(state, approvals=put(state.approvals, approval.id, answered))


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.ApprovalRequested: _approval_requested,
    ev.ApprovalApproved: _approved,
    ev.ApprovalRejected: _rejected,
    ev.ApprovalAnswered: _answered,
    ev.ApprovalExpired: _expired,
    ev.ApprovalWithdrawn: _withdrawn,
}
