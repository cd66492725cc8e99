"""How a task changes."""

from collections.abc import Callable, Mapping, Set
from typing import Any

from msgspec.structs import replace

from bossbot.domain import events as ev
from bossbot.domain.mapping import put
from bossbot.domain.state import SessionState
from bossbot.domain.task import NATIVE, StepState, Task, TaskStatus
from bossbot.ids import TaskId


def created(state: SessionState, task_id: TaskId, p: ev.TaskCreated) -> SessionState:
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
        depends_on=p.depends_on,
        execution_mode=p.execution_mode,
        shared_context_refs=p.shared_context_refs,
        handoff_expected=p.handoff_expected,
    )
    if task_id not in state.tasks:
        unplanned = state.unplanned
        if task.origin in NATIVE and task_id not in state.plan_tasks:
            unplanned = (*unplanned, task_id)
        state = replace(state, order=(*state.order, task_id), unplanned=unplanned)
    return changed(state, task)


def changed(state: SessionState, task: Task) -> SessionState:
    """The session with the task as it is now."""
    live = state.live
    if task.live is not (task.id in live):
        live = _with(state, task.id) if task.live else tuple(i for i in live if i != task.id)
    return replace(state, tasks=put(state.tasks, task.id, task), live=live)


def _with(state: SessionState, task_id: TaskId) -> tuple[TaskId, ...]:
    """The live tasks and this one; mostly it is new, and the last."""
    return (*state.live, task_id) if state.order[-1] == task_id else in_order(state, {*state.live, task_id})


def in_order(state: SessionState, chosen: Set[TaskId]) -> tuple[TaskId, ...]:
    """The chosen tasks in plan order."""
    return tuple(i for i in state.order if i in chosen)


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
        risk=p.risk or task.risk,
    )


def _step(state_word: str) -> Callable[[Task, ev.Step], Task]:
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
        return replace(task, steps=put(task.steps, step.key, step))

    return change


def _becomes(status: TaskStatus) -> Callable[[Task, ev.Payload], Task]:
    def change(task: Task, p: ev.Payload) -> Task:
        reason = getattr(p, "reason", "")
        summary = getattr(p, "summary", "") or task.summary
        retryable = getattr(p, "retryable", task.retryable and status is TaskStatus.BLOCKED)
        return replace(task, status=status, reason=reason, summary=summary, retryable=retryable)

    return change


def _assigned(task: Task, p: ev.TaskAssigned) -> Task:
    return replace(task, status=TaskStatus.ASSIGNED, assignment_id=p.assignment_id)


def _linked(task: Task, p: ev.TaskLinked) -> Task:
    return replace(task, ref=p.ref, tool_use_id=p.tool_use_id)


def _retried(task: Task, p: ev.TaskRetried) -> Task:
    return replace(task, status=TaskStatus.QUEUED, retry_count=p.retry_count, retryable=False, reason=p.reason)


CHANGES: Mapping[type[ev.Payload], Callable[[Task, Any], Task]] = {
    ev.TaskQueued: _becomes(TaskStatus.QUEUED),
    ev.TaskAssigned: _assigned,
    ev.TaskStarted: _becomes(TaskStatus.RUNNING),
    ev.TaskProgress: _progress,
    ev.TaskLinked: _linked,
    ev.TaskBlocked: _becomes(TaskStatus.BLOCKED),
    ev.TaskWaitingApproval: _becomes(TaskStatus.WAITING_APPROVAL),
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
