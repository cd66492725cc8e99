"""Tasks as the agent CLI reports them: its own task list, its workflows and other background tasks.

The CLI's word about its own work is taken as far as the state table allows; what the table forbids (a task that a
person cancelled "completes") changes nothing and is no error.
"""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.assignments import assign_anew, run, to_be_retried
from bossbot.domain.decision import Decision
from bossbot.domain.events import Source
from bossbot.domain.planning import close_task_set
from bossbot.domain.snapshot import changes, summary
from bossbot.domain.task import BACKGROUND, NATIVE, TRANSITIONS, Task, TaskStatus
from bossbot.domain.turns import start_turn_if_idle
from bossbot.ids import TaskId


def create_native_task(d: Decision, command: c.CreateNativeTask) -> None:
    """The manager put a task on its list: a new one, or one of an applied plan diff that it takes up."""
    planned = next(
        (t for t in d.state.live_tasks if t.origin in NATIVE and not t.ref and _same(t.title, command.title)),
        None,
    )
    if planned is not None:
        d.emit(Source.MANAGER, ev.TaskLinked(ref=command.ref, tool_use_id=command.tool_use_id), planned.id)
        return
    created = ev.TaskCreated(
        title=command.title,
        kind=command.kind,
        origin="native",
        ref=command.ref,
        tool_use_id=command.tool_use_id,
    )
    d.emit(Source.MANAGER, created, command.task_id)


def update_native_task(d: Decision, command: c.UpdateNativeTask) -> None:
    """The manager moved a task of its list."""
    close_task_set(d)
    task = d.state.by_ref(command.ref, *NATIVE)
    if task is None or not task.live:
        return
    match command.status:
        case "in_progress":
            run(d, task.id, command.worker_id, command.assignment_id)
        case "completed":
            run(d, task.id, command.worker_id, command.assignment_id)
            _emit_if_legal(d, task.id, TaskStatus.COMPLETED, ev.TaskCompleted())
        case "deleted":
            _emit_if_legal(d, task.id, TaskStatus.CANCELLED, ev.TaskCancelled(reason="the manager dropped it"))


def start_background_task(d: Decision, command: c.StartBackgroundTask) -> None:
    """A workflow or another background task begins, or begins anew. Announced twice, it is one.

    It is a part of the task that the manager works on just now, if that is one.
    """
    if d.state.by_ref(command.ref, *BACKGROUND) is not None:
        return
    workflow = command.task_type == "local_workflow"
    again = _waits_for_its_retry(d, command.title)
    if again is not None:
        if again.status is not TaskStatus.ASSIGNED:  # the manager was quicker than we
            assign_anew(d, again, again.reason)
        d.emit(Source.MANAGER, ev.TaskLinked(ref=command.ref, tool_use_id=command.tool_use_id), again.id)
        run(d, again.id, command.worker_id, command.assignment_id)
        return
    within = d.state.running_native()
    created = ev.TaskCreated(
        title=command.title,
        parent_task_id=within.id if within is not None else None,
        kind="workflow" if workflow else command.task_type,
        origin="workflow" if workflow else "background",
        ref=command.ref,
        tool_use_id=command.tool_use_id,
    )
    d.emit(Source.MANAGER, created, command.task_id)
    run(d, command.task_id, command.worker_id, command.assignment_id)


def _waits_for_its_retry(d: Decision, title: str) -> Task | None:
    given = (task for task in d.state.live_tasks if task.status is TaskStatus.ASSIGNED)
    waiting = (task for task in (*given, *to_be_retried(d.state)) if task.origin in BACKGROUND)
    return next((task for task in waiting if _same(task.title, title)), None)


def report_snapshot(d: Decision, command: c.ReportSnapshot) -> None:
    """Emits what differs from the last snapshot. Also after the end: a late agent may still fail, nothing reopens."""
    task = d.state.by_ref(command.ref, *BACKGROUND)
    if task is None:
        return
    for payload in changes(task, command.entries):
        d.emit(Source.WORKER, payload, task.id)
    progress = summary(d.task(task.id), command) if task.live else None
    if progress is not None:
        d.emit(Source.WORKER, progress, task.id)


def update_background_task(d: Decision, command: c.UpdateBackgroundTask) -> None:
    """`paused` and its end. Terminal words wait for the notification; `running` is news only after a pause."""
    task = d.state.by_ref(command.ref, *BACKGROUND)
    if task is None:
        return
    if command.status == "paused":
        _emit_if_legal(d, task.id, TaskStatus.PAUSED, ev.TaskPaused(reason="the agent paused it"))
    elif command.status == "running" and task.status is TaskStatus.PAUSED:
        d.emit(Source.WORKER, ev.TaskResumed(reason="the agent resumed it"), task.id)


def end_background_task(d: Decision, command: c.EndBackgroundTask) -> None:
    """The one authoritative end. When it was the last that ran, what waited for it is void or is told now."""
    task = d.state.by_ref(command.ref, *BACKGROUND)
    if task is None:
        return
    if task.live:
        _end(d, task.id, command)
    if not d.state.busy:
        d.withdraw_approvals("the task ended without it")
        start_turn_if_idle(d, command.next_turn_id)


def _end(d: Decision, task_id: TaskId, command: c.EndBackgroundTask) -> None:
    match command.status:
        case "completed":
            done = ev.TaskCompleted(summary=command.summary, output_file=command.output_file)
            _emit_if_legal(d, task_id, TaskStatus.COMPLETED, done)
        case "stopped":
            stopped = ev.TaskCancelled(reason=f"stopped: {command.summary}" if command.summary else "stopped")
            _emit_if_legal(d, task_id, TaskStatus.CANCELLED, stopped)
        case _:
            failed = ev.TaskFailed(reason=command.summary or command.status, retryable=command.retryable)
            _emit_if_legal(d, task_id, TaskStatus.FAILED, failed)


def _emit_if_legal(d: Decision, task_id: TaskId, wanted: TaskStatus, payload: ev.Payload) -> None:
    if (d.task(task_id).status, wanted) in TRANSITIONS:
        d.emit(Source.WORKER, payload, task_id)


def _same(a: str, b: str) -> bool:
    return " ".join(a.casefold().split()) == " ".join(b.casefold().split())
