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
from bossbot.domain.own_tools import PLAN_CREATE, REPORT_PROGRESS, TASK_UPDATE
from bossbot.domain.planning import close_task_set
from bossbot.domain.state import SessionState
from bossbot.domain.task import NATIVE, Task, TaskStatus
from bossbot.ids import TaskId

LISTED = 20
"""So many tasks are named in an answer."""


def create_plan(d: Decision, command: c.CreatePlan) -> None:
    """The plan's tasks, in its order; those that the board has already keep their state."""
    _serve(d, command.request_id, PLAN_CREATE, lambda draft: _create_plan(draft, command))


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


# --- plan_create ---


def _create_plan(d: Decision, command: c.CreatePlan) -> str:
    close_task_set(d)
    ids = _ids(d.state, command)
    for entry in command.entries:
        task_id = ids[_folded(entry.title)]
        if task_id not in d.state.tasks:
            depends_on = tuple(_depends_on(d.state, ids, entry, name) for name in entry.depends_on)
            created = ev.TaskCreated(
                title=entry.title, kind=entry.kind, priority=entry.priority, origin="plan", depends_on=depends_on
            )
            d.emit(Source.MANAGER, created, task_id)
    close_task_set(d)
    order = tuple(ids.values())
    if d.state.order[: len(order)] != order:
        d.emit(Source.MANAGER, ev.PlanUpdated(plan_id=d.state.plan_id, order=order, reason="the manager's plan"))
    if command.objective and command.objective != d.state.objective:
        objective = ev.SessionObjectiveUpdated(
            active_objective=command.objective, previous=d.state.objective, change_reason="the manager's plan"
        )
        d.emit(Source.MANAGER, objective)
    return f"The plan is on the board. {_listed([d.state.tasks[i] for i in order])}"


def _ids(state: SessionState, command: c.CreatePlan) -> dict[str, TaskId]:
    """Title → task: the one on the board with this title, live or done, else the new one.

    Raises when a title stands there twice.
    """
    done = [task for task in state.tasks.values() if task.status is TaskStatus.COMPLETED]
    known = {_folded(task.title): task.id for task in (*done, *state.live_tasks) if task.origin in NATIVE}
    ids: dict[str, TaskId] = {}
    for entry in command.entries:
        title = _folded(entry.title)
        if not title:
            raise DomainError("a task needs a title")
        if title in ids:
            raise DomainError(f"the plan lists “{entry.title}” twice; give each task a title of its own")
        ids[title] = known.get(title, entry.task_id)
    return ids


def _depends_on(state: SessionState, ids: dict[str, TaskId], entry: c.PlanEntry, name: str) -> str:
    found = ids.get(_folded(name)) or _find(state, name).id
    if found == ids[_folded(entry.title)]:
        raise DomainError(f"“{entry.title}” cannot depend on itself")
    return found


# --- task_update ---


def _update_task(d: Decision, command: c.UpdateTask) -> str:
    task = _find(d.state, command.task)
    if task.origin not in NATIVE:
        raise DomainError(f"“{task.title}” is a background task of yours: it reports its own state")
    if command.status:
        _move(d, task, command)
    if command.note or command.progress_percent is not None:
        percent = command.progress_percent
        progress = ev.TaskProgress(task_id=task.id, summary=command.note, progress_percent=percent)
        d.emit(Source.MANAGER, progress, task.id)
    now = d.task(task.id)
    return f"“{now.title}” ({now.id}) is {now.status.value}."


def _move(d: Decision, task: Task, command: c.UpdateTask) -> None:
    """As the state table allows. What was not begun is begun first; saying again what is so changes nothing."""
    wanted = TaskStatus(command.status)
    if task.status is wanted:
        return
    if task.status is TaskStatus.WAITING_APPROVAL and wanted is TaskStatus.RUNNING:
        raise DomainError(f"“{task.title}” waits for a person's permission; it runs again when that is given")
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
    task = _find(d.state, command.task) if command.task else d.state.running_native()
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


# --- finding a task ---


def _find(state: SessionState, name: str) -> Task:
    """A task by its id, its number in the manager's own list, or its title; a live one before an ended one."""
    word = name.strip()
    by_id = state.tasks.get(TaskId(word))
    if by_id is not None:
        return by_id
    by_number = state.by_ref(word.removeprefix("#"), *NATIVE) if word.removeprefix("#").isdecimal() else None
    if by_number is not None:
        return by_number
    named = [task for task in state.tasks.values() if _folded(task.title) == _folded(word)]
    found = [task for task in named if task.live] or named[-1:]
    if len(found) == 1:
        return found[0]
    if found:
        raise DomainError(f"several tasks are called “{name}”; name one by its id. {_listed(found)}")
    on_board = list(state.live_tasks)
    raise DomainError(f"there is no task “{name}”. {_listed(on_board) if on_board else 'The board is empty.'}")


def _listed(tasks: list[Task]) -> str:
    shown = "; ".join(f"{task.id} “{task.title}” ({task.status.value})" for task in tasks[:LISTED])
    return f"Tasks: {shown}" + (f"; and {len(tasks) - LISTED} more" if len(tasks) > LISTED else "")


def _folded(title: str) -> str:
    return " ".join(title.casefold().split())
