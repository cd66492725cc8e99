"""How a task comes to run: it is assigned to a worker, who accepts it, or rejects it and it waits again.

What the worker begins by itself it has accepted. What we give it anew (it had failed) it accepts with its first sign of
life, or, a background task, by starting it; a process that cannot start, or a manager that does not, rejects it.
"""

from bossbot.domain import events as ev
from bossbot.domain.decision import Decision
from bossbot.domain.events import Source
from bossbot.domain.state import SessionState
from bossbot.domain.task import NATIVE, Task, TaskStatus
from bossbot.ids import TaskId, WorkerId


def run(d: Decision, task_id: TaskId, worker_id: WorkerId, assignment_id: str) -> None:
    """Takes a task to `running` along the protocol's arrows: its worker says that it works on it."""
    status = d.task(task_id).status
    if status is TaskStatus.PLANNING:
        d.emit(Source.MANAGER, ev.TaskQueued(), task_id)
    elif put_off_unbegun(d.task(task_id)):
        d.emit(Source.MANAGER, ev.TaskQueued(reason="the manager took it up"), task_id)
    if d.task(task_id).status is TaskStatus.QUEUED:
        _assign(d, d.task(task_id), worker_id, assignment_id)
    if d.task(task_id).status is TaskStatus.ASSIGNED:
        _accept(d, d.task(task_id), worker_id)
    elif d.task(task_id).status in (TaskStatus.PAUSED, TaskStatus.BLOCKED):
        d.emit(Source.WORKER, ev.TaskResumed(reason="the manager took it up again"), task_id)


def put_off_unbegun(task: Task) -> bool:
    """It was put off before anybody had begun it: it goes back to where it was, into the queue."""
    return task.status is TaskStatus.PAUSED and task.assignment_id is None


def _assign(d: Decision, task: Task, worker_id: WorkerId, assignment_id: str) -> None:
    asked = _execution_request(d.state, task)
    assigned = ev.TaskAssigned(assignment_id=assignment_id, worker_id=worker_id, execution_request=asked)
    d.emit(Source.SYSTEM, assigned, task.id)


def _accept(d: Decision, task: Task, worker_id: WorkerId) -> None:
    accepted = ev.WorkerAssignmentAccepted(assignment_id=task.assignment_id or "", worker_id=worker_id)
    d.emit(Source.WORKER, accepted, task.id)
    d.emit(Source.WORKER, ev.TaskStarted(), task.id)


def _execution_request(state: SessionState, task: Task) -> ev.ExecutionRequest:
    return ev.ExecutionRequest(
        task_id=task.id,
        session_id=state.id,
        workspace=state.worker.workspace if state.worker is not None else ev.NOWHERE,
        execution_mode=task.execution_mode,
        goal=task.title,
        constraints=state.constraints,
    )


# --- what failed, and is given to the worker anew ---


def to_be_retried(state: SessionState) -> list[Task]:
    """What failed, or is blocked because it failed too often, and may be tried again; and what a worker gave back."""
    return [task for task in state.tasks.values() if _failed_for_now(task) or came_back(task)]


def _failed_for_now(task: Task) -> bool:
    return task.retryable and task.status in (TaskStatus.FAILED, TaskStatus.BLOCKED)


def came_back(task: Task) -> bool:
    """It was assigned, and its worker did not take it."""
    return task.status is TaskStatus.QUEUED and task.assignment_id is not None


def assign_anew(d: Decision, task: Task, reason: str) -> None:
    """Back into the queue, and to the worker. What a worker did not take has not failed once more."""
    count = task.retry_count
    if task.status is not TaskStatus.QUEUED:
        count += 1
        d.emit(Source.SYSTEM, ev.TaskRetried(reason=reason, retry_count=count), task.id)
    if d.state.worker is not None:
        _assign(d, d.task(task.id), WorkerId(d.state.worker.worker_id), f"{task.assignment_id}.{count}")


def accept_native(d: Decision) -> None:
    """The worker shows that it lives: it has what it was told, and works on the tasks of its own list."""
    for task in _assigned(d.state):
        if task.origin in NATIVE and d.state.worker is not None:
            _accept(d, task, WorkerId(d.state.worker.worker_id))


def reject_assigned(d: Decision, reason: str) -> list[Task]:
    """What was given to the worker, and what it has not taken, waits again. Gives those tasks."""
    rejected = _assigned(d.state)
    for task in rejected:
        worker_id = d.state.worker.worker_id if d.state.worker is not None else ""
        refused = ev.WorkerAssignmentRejected(
            assignment_id=task.assignment_id or "", worker_id=worker_id, reason=reason
        )
        d.emit(Source.WORKER, refused, task.id)
        d.emit(Source.SYSTEM, ev.TaskQueued(reason=reason), task.id)
    return rejected


def _assigned(state: SessionState) -> list[Task]:
    return [task for task in state.live_tasks if task.status is TaskStatus.ASSIGNED]
