"""evolve(state, event) → state: how each event changes the session. Total: unknown events change nothing.

Nothing is refused here: what stands in the log has happened.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from bossbot.domain import events as ev
from bossbot.domain.approval import Approval, ApprovalStatus
from bossbot.domain.state import RECENT_MESSAGES, Cut, Diff, DiffStatus, Said, SessionState, Turn, WorkerState
from bossbot.domain.task import StepState, Task, TaskStatus
from bossbot.ids import ApprovalId, DiffId, MessageId, TaskId, ThreadRef

BOARD_TOOLS = frozenset({"TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})
"""The manager's own list: the board shows it, so these calls are no progress of their own."""

K = TypeVar("K")
V = TypeVar("V")


def evolve(state: SessionState, event: ev.Event | ev.NewEvent) -> SessionState:
    """The state after `event`."""
    payload = event.payload
    change = _CHANGES.get(type(payload))
    if change is not None:
        return change(state, payload)
    if event.task_id is not None and event.task_id in state.tasks:
        change_task = _TASK_CHANGES.get(type(payload))
        if change_task is not None:
            task = change_task(state.tasks[event.task_id], payload)
            return replace(state, tasks={**state.tasks, event.task_id: task})
    if isinstance(payload, ev.TaskCreated) and event.task_id is not None:
        return _task_created(state, event.task_id, payload)
    return state


def fold(state: SessionState, events: "list[ev.Event] | tuple[ev.Event, ...]") -> SessionState:
    """The state after all of `events`."""
    for event in events:
        state = evolve(state, event)
    return state


# --- session ---


def _created(state: SessionState, p: ev.SessionCreated) -> SessionState:
    return replace(state, title=p.title, status=p.status, objective=p.active_objective)


def _bound(state: SessionState, p: ev.SessionThreadBound) -> SessionState:
    return replace(state, threads=(*state.threads, ThreadRef(p.channel, p.chat, p.thread)))


def _objective(state: SessionState, p: ev.SessionObjectiveUpdated) -> SessionState:
    return replace(state, objective=p.active_objective, objective_from=p.message_id)


def _message(state: SessionState, p: ev.SessionMessageAdded) -> SessionState:
    said = Said(MessageId(p.id), p.role, p.content, p.author_name)
    state = replace(state, recent=(*state.recent, said)[-RECENT_MESSAGES:])
    if p.role != "user" or p.answers:
        return state
    return replace(state, held={**state.held, said.id: said})


def _classified(state: SessionState, p: ev.SessionMessageClassified) -> SessionState:
    said = state.held.get(MessageId(p.message_id))
    if said is None:
        return state
    return replace(state, held=_without(state.held, said.id), queue=(*state.queue, said))


def _turn_started(state: SessionState, p: ev.SessionTurnStarted) -> SessionState:
    taken = set(p.message_ids)
    return replace(
        state,
        turn=Turn(p.turn_id, p.content, p.message_ids, takes_up=p.takes_up),
        queue=tuple(said for said in state.queue if said.id not in taken),
        notes=() if p.content else state.notes,
        then_tell="" if p.content else state.then_tell,
        turns=state.turns + 1,
        cut=None,
    )


def _turn_finished(state: SessionState, p: ev.SessionTurnFinished) -> SessionState:
    lost = state.lost_turns + 1 if p.outcome == "lost" else 0
    cut = _cut(state, p) if p.outcome == "lost" else None
    cost = p.total_cost_usd if p.total_cost_usd is not None else state.total_cost_usd
    return replace(state, turn=None, lost_turns=lost, cut=cut, open_tools={}, total_cost_usd=cost)


def _cut(state: SessionState, p: ev.SessionTurnFinished) -> Cut:
    """What was asked first, however often it was taken up again."""
    turn = state.turn
    asked = (turn.takes_up or turn.content) if turn is not None else ""
    return Cut(asked, p.waiting_for, p.errors[0] if p.errors else "no reason was given")


def _interrupt(state: SessionState, p: ev.SessionInterruptRequested) -> SessionState:
    turn = replace(state.turn, interrupted=True) if state.turn else None
    return replace(state, turn=turn, then_tell=_joined(state.then_tell, p.then_tell))


def _note(state: SessionState, p: ev.SessionNoteQueued) -> SessionState:
    if p.at_once:
        return replace(state, then_tell=_joined(state.then_tell, p.content))
    return replace(state, notes=(*state.notes, p.content))


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def _closed(state: SessionState, p: ev.SessionClosed) -> SessionState:
    return replace(state, status="closed")


# --- plan ---


def _plan_created(state: SessionState, p: ev.PlanCreated) -> SessionState:
    return replace(state, plan_id=p.plan_id, plan_tasks=frozenset(TaskId(t.id) for t in p.tasks))


def _plan_updated(state: SessionState, p: ev.PlanUpdated) -> SessionState:
    known = state.plan_tasks | {TaskId(t.id) for t in p.added}
    first = tuple(TaskId(i) for i in dict.fromkeys(p.order) if i in state.tasks)
    order = (*first, *(i for i in state.order if i not in set(first)))
    return replace(state, plan_tasks=known, order=order)


def _diff_generated(state: SessionState, p: ev.PlanDiffGenerated) -> SessionState:
    said = next((s for s in state.queue if s.id == p.message_id), None)
    diff = Diff(p, said, previous_objective=state.objective)
    queue = tuple(s for s in state.queue if s.id != p.message_id)
    return replace(state, diffs={**state.diffs, DiffId(p.id): diff}, queue=queue)


def _diff_applied(state: SessionState, p: ev.PlanDiffApplied) -> SessionState:
    return _diff_decided(state, p.id, DiffStatus.APPLIED, p.actor_name, p.interrupts)


def _diff_rejected(state: SessionState, p: ev.PlanDiffRejected) -> SessionState:
    return _diff_decided(state, p.id, DiffStatus.KEPT, p.actor_name, False)


def _diff_decided(state: SessionState, diff_id: str, status: DiffStatus, by: str, interrupts: bool) -> SessionState:
    diff = state.diffs.get(DiffId(diff_id))
    if diff is None:
        return state
    decided = replace(diff, status=status, decided_by=by, interrupts=interrupts)
    return replace(state, diffs={**state.diffs, DiffId(diff_id): decided})


# --- approvals ---


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


# --- worker and tools ---


def _capabilities(state: SessionState, p: ev.WorkerCapabilitiesUpdated) -> SessionState:
    same = state.worker is not None and state.worker.worker_id == p.worker_id
    status = state.worker.status if state.worker is not None and same else "idle"
    worker = WorkerState(p.worker_id, p.agent_session_id, p.dialect, p.model, p.workflows, status)
    if state.worker is not None and state.worker.agent_session_id != p.agent_session_id:
        state = replace(state, tasks={task.id: _unlinked(task) for task in state.tasks.values()})
    return replace(state, worker=worker)


def _unlinked(task: Task) -> Task:
    """Another session of the CLI begins another list: its number 1 is not the old number 1."""
    return replace(task, ref="") if task.live and task.origin in ("native", "plan") else task


def _heartbeat(state: SessionState, p: ev.WorkerHeartbeat) -> SessionState:
    if state.worker is None:
        return state
    return replace(state, worker=replace(state.worker, status=p.status))


def _tool_requested(state: SessionState, p: ev.ToolCallRequested) -> SessionState:
    state = replace(state, open_tools={**state.open_tools, p.tool_use_id: p.tool})
    if state.turn is None or p.tool in BOARD_TOOLS:
        return state
    label = f"{p.tool} {p.input_preview}".strip()
    return replace(state, turn=replace(state.turn, tool_calls=state.turn.tool_calls + 1, current_tool=label))


def _tool_finished(state: SessionState, p: ev.ToolCallFinished) -> SessionState:
    return replace(state, open_tools=_without(state.open_tools, p.tool_use_id))


# --- tasks ---


def _task_created(state: SessionState, task_id: TaskId, p: ev.TaskCreated) -> SessionState:
    task = Task(
        id=task_id,
        title=p.title,
        kind=p.kind,
        status=TaskStatus(p.status),
        priority=p.priority,
        risk_level=p.risk_level,
        parent_task_id=TaskId(p.parent_task_id) if p.parent_task_id else None,
        origin=p.origin,
        ref=p.ref,
        tool_use_id=p.tool_use_id,
    )
    order = state.order if task_id in state.order else (*state.order, task_id)
    return replace(state, tasks={**state.tasks, task_id: task}, order=order)


def _progress(task: Task, p: ev.TaskProgress) -> Task:
    return replace(
        task,
        summary=p.summary or task.summary,
        progress_percent=p.progress_percent if p.progress_percent is not None else task.progress_percent,
        current_step=p.current_step,
        next_step=p.next_step,
        total_tokens=p.total_tokens if p.total_tokens is not None else task.total_tokens,
        tool_uses=p.tool_uses if p.tool_uses is not None else task.tool_uses,
        phases=p.phases or task.phases,
    )


def _step(state_word: str) -> "Callable[[Task, ev.Step], Task]":
    def change(task: Task, p: ev.Step) -> Task:
        step = StepState(
            key=p.step,
            entry_type=p.entry_type,
            index=p.index,
            state="cached" if p.cached else state_word,
            label=p.label,
            phase_index=p.phase_index,
            phase_title=p.phase_title,
            summary=p.error if isinstance(p, ev.TaskStepFailed) and p.error else p.summary,
            tokens=p.tokens,
        )
        return replace(task, steps={**task.steps, step.key: step})

    return change


def _becomes(status: TaskStatus) -> "Callable[[Task, ev.Payload], Task]":
    def change(task: Task, p: ev.Payload) -> Task:
        reason = getattr(p, "reason", "")
        summary = getattr(p, "summary", "") or task.summary
        return replace(task, status=status, reason=reason, summary=summary)

    return change


def _assigned(task: Task, p: ev.TaskAssigned) -> Task:
    return replace(task, status=TaskStatus.ASSIGNED, assignment_id=p.assignment_id)


def _linked(task: Task, p: ev.TaskLinked) -> Task:
    return replace(task, ref=p.ref, tool_use_id=p.tool_use_id)


def _retried(task: Task, p: ev.TaskRetried) -> Task:
    return replace(task, status=TaskStatus.QUEUED, retry_count=p.retry_count, reason=p.reason)


def _move(state: SessionState, task_id: TaskId | None, old: TaskStatus, new: TaskStatus) -> SessionState:
    task = state.tasks.get(task_id) if task_id else None
    if task is None or task.status is not old:
        return state
    return replace(state, tasks={**state.tasks, task.id: replace(task, status=new)})


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {k: v for k, v in mapping.items() if k != key}


_CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.SessionCreated: _created,
    ev.SessionThreadBound: _bound,
    ev.SessionObjectiveUpdated: _objective,
    ev.SessionMessageAdded: _message,
    ev.SessionMessageClassified: _classified,
    ev.SessionTurnStarted: _turn_started,
    ev.SessionTurnFinished: _turn_finished,
    ev.SessionInterruptRequested: _interrupt,
    ev.SessionNoteQueued: _note,
    ev.SessionClosed: _closed,
    ev.PlanCreated: _plan_created,
    ev.PlanUpdated: _plan_updated,
    ev.PlanDiffGenerated: _diff_generated,
    ev.PlanDiffApplied: _diff_applied,
    ev.PlanDiffRejected: _diff_rejected,
    ev.ApprovalRequested: _approval_requested,
    ev.ApprovalApproved: _approved,
    ev.ApprovalRejected: _rejected,
    ev.ApprovalAnswered: _answered,
    ev.ApprovalWithdrawn: _withdrawn,
    ev.WorkerCapabilitiesUpdated: _capabilities,
    ev.WorkerHeartbeat: _heartbeat,
    ev.ToolCallRequested: _tool_requested,
    ev.ToolCallFinished: _tool_finished,
}

_TASK_CHANGES: Mapping[type[ev.Payload], Callable[[Task, Any], Task]] = {
    ev.TaskAssigned: _assigned,
    ev.TaskStarted: _becomes(TaskStatus.RUNNING),
    ev.TaskProgress: _progress,
    ev.TaskLinked: _linked,
    ev.TaskBlocked: _becomes(TaskStatus.BLOCKED),
    ev.TaskPaused: _becomes(TaskStatus.PAUSED),
    ev.TaskResumed: _becomes(TaskStatus.RUNNING),
    ev.TaskCancelled: _becomes(TaskStatus.CANCELLED),
    ev.TaskCompleted: _becomes(TaskStatus.COMPLETED),
    ev.TaskFailed: _becomes(TaskStatus.FAILED),
    ev.TaskRetried: _retried,
    ev.TaskStepStarted: _step("start"),
    ev.TaskStepFinished: _step("done"),
    ev.TaskStepFailed: _step("error"),
}
