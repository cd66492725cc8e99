"""How a task comes to run: it is assigned to a worker, who accepts; and how what failed is assigned anew."""

from bossbot.domain import events as ev
from bossbot.domain.decision import Decision
from bossbot.domain.events import Source
from bossbot.domain.task import NATIVE, Task, TaskStatus
from bossbot.ids import TaskId, WorkerId


def run(d: Decision, task_id: TaskId, worker_id: WorkerId, assignment_id: str) -> None:
    """Takes a task to `running` along the protocol's arrows."""
    status = d.task(task_id).status
    if status is TaskStatus.PLANNING:
        d.emit(Source.MANAGER, ev.TaskQueued(), task_id)
    if d.task(task_id).status is TaskStatus.QUEUED:
        asked = _execution_request(d, d.task(task_id))
        assigned = ev.TaskAssigned(assignment_id=assignment_id, worker_id=worker_id, execution_request=asked)
        d.emit(Source.SYSTEM, assigned, task_id)
    if d.task(task_id).status is TaskStatus.ASSIGNED:
        accepted = ev.WorkerAssignmentAccepted(assignment_id=assignment_id, worker_id=worker_id)
        d.emit(Source.WORKER, accepted, task_id)
        d.emit(Source.WORKER, ev.TaskStarted(), task_id)
    elif status in (TaskStatus.PAUSED, TaskStatus.BLOCKED):
        d.emit(Source.WORKER, ev.TaskResumed(reason="the manager took it up again"), task_id)


def _execution_request(d: Decision, task: Task) -> ev.ExecutionRequest:
    return ev.ExecutionRequest(
        task_id=task.id,
        session_id=d.state.id,
        execution_mode=task.execution_mode,
        goal=task.title,
        constraints=d.state.constraints,
    )


def to_be_retried(d: Decision) -> list[Task]:
    """What failed, or is blocked because it failed too often, and may be tried again."""
    return [t for t in d.state.tasks.values() if t.retryable and t.status in (TaskStatus.FAILED, TaskStatus.BLOCKED)]


def retry(d: Decision, task: Task, reason: str) -> None:
    """Back into the queue. The manager goes on with its own tasks at once; a background task it must start anew."""
    count = task.retry_count + 1
    d.emit(Source.SYSTEM, ev.TaskRetried(reason=reason, retry_count=count), task.id)
    if task.origin in NATIVE and d.state.worker is not None:
        run(d, task.id, WorkerId(d.state.worker.worker_id), f"{task.assignment_id}.{count}")
