"""What the manager does with our own tools: it puts its plan on the board, moves tasks and reports how far it is.

Each call is answered, and the answer is an event: `tool.call.answered`. A call that cannot be served changes nothing
and is answered with the reason, so that the model can do better.
"""

from collections.abc import Callable

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.assignments import run
from bossbot.domain.decision import Decision
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Payload, Source
from bossbot.domain.finding import find
from bossbot.domain.own_tools import PLAN_CREATE, REPORT_PROGRESS, TASK_UPDATE
from bossbot.domain.plan_making import make_plan, shared_context
from bossbot.domain.task import NATIVE, Task, TaskStatus


def create_plan(d: Decision, command: c.CreatePlan) -> None:
    """The plan's tasks, in its order; those that the board has already keep their state."""
    _serve(d, command.request_id, PLAN_CREATE, lambda draft: make_plan(draft, command))


def update_task(d: Decision, command: c.UpdateTask) -> None:
    """A task moves, or says how far it is."""
    _serve(d, command.request_id, TASK_UPDATE, lambda draft: _update_task(draft, command))


def report_progress(d: Decision, command: c.ReportProgress) -> None:
    """The structured summary of a task, else of the one that runs, else of the turn."""
    _serve(d, command.request_id, REPORT_PROGRESS, lambda draft: _report_progress(draft, command))


def _serve(d: Decision, request_id: str, tool: str, work: Callable[[Decision], str]) -> None:
    """Does all of it or nothing, and answers."""
    draft = Decision(d.state)
    try:
        text, is_error = work(draft), False
    except DomainError as error:
        text, is_error = str(error), True
    else:
        for event in draft.events:
            d.emit(event.source, event.payload, event.task_id)
    d.emit(Source.SYSTEM, ev.ToolCallAnswered(request_id=request_id, tool=tool, text=text, is_error=is_error))


# --- task_update ---


def _update_task(d: Decision, command: c.UpdateTask) -> str:
    task = find(d.state, command.task)
    if task.origin not in NATIVE:
        raise DomainError(f"“{task.title}” is a background task of yours: it reports its own state")
    if command.status:
        _move(d, task, command)
    if command.note or command.progress_percent is not None:
        percent = command.progress_percent
        progress = ev.TaskProgress(task_id=task.id, summary=command.note, progress_percent=percent)
        d.emit(Source.MANAGER, progress, task.id)
    now = d.task(task.id)
    shared = shared_context(d.state, now.shared_context_refs) if command.status == "running" else ""
    told = f"“{now.title}” ({now.id}) is {now.status.value}."
    return f"{told} It builds on this:\n{shared}" if shared else told


def _move(d: Decision, task: Task, command: c.UpdateTask) -> None:
    """As the state table allows. What was not begun is begun first; saying again what is so changes nothing."""
    wanted = TaskStatus(command.status)
    if task.status is wanted:
        return
    if task.status is TaskStatus.WAITING_APPROVAL and wanted is TaskStatus.RUNNING:
        raise DomainError(f"“{task.title}” waits for a person's permission; it runs again when that is given")
    if wanted is TaskStatus.COMPLETED and task.handoff_expected and not (command.note or task.summary):
        raise DomainError(f"others wait for what “{task.title}” has found: say it in note")
    if wanted in (TaskStatus.RUNNING, TaskStatus.BLOCKED, TaskStatus.COMPLETED, TaskStatus.FAILED):
        run(d, task.id, command.worker_id, command.assignment_id)
    if d.task(task.id).status is not wanted:
        d.task(task.id).check(wanted)
        d.emit(Source.MANAGER, _moved(wanted, command.note), task.id)


def _moved(wanted: TaskStatus, note: str) -> Payload:
    match wanted:
        case TaskStatus.BLOCKED:
            return ev.TaskBlocked(reason=note or "the manager says it is blocked")
        case TaskStatus.PAUSED:
            return ev.TaskPaused(reason=note or "the manager put it off")
        case TaskStatus.COMPLETED:
            return ev.TaskCompleted(summary=note)
        case TaskStatus.FAILED:
            return ev.TaskFailed(reason=note or "the manager says it failed")
        case TaskStatus.CANCELLED:
            return ev.TaskCancelled(reason=note or "the manager dropped it")
        case _:
            return ev.TaskResumed(reason=note or "the manager took it up again")


# --- report_progress ---


def _report_progress(d: Decision, command: c.ReportProgress) -> str:
    task = find(d.state, command.task) if command.task else d.state.running_native()
    summary = {
        "summary": command.summary,
        "progress_percent": command.progress_percent,
        "current_step": command.current_step,
        "next_step": command.next_step,
        "risk": command.risk,
    }
    if task is None:
        d.emit(Source.MANAGER, ev.SessionProgressReported.model_validate(summary))
        return "Shown."
    if not task.live:
        raise DomainError(f"“{task.title}” is {task.status.value}: it has no progress any more")
    d.emit(Source.MANAGER, ev.TaskProgress.model_validate({"task_id": task.id, **summary}), task.id)
    return f"Shown at “{task.title}”."
