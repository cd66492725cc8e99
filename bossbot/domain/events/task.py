"""A task's events: its way through the state machine."""

from typing import Literal

from pydantic import Field

from bossbot.domain.events.base import Payload


class TaskCreated(Payload):
    """A task exists, in status `planning` or `queued`. `ref` is the agent CLI's own id for it."""

    TYPE = "task.created"
    title: str
    kind: str
    status: Literal["planning", "queued"] = "queued"
    priority: str = "normal"
    risk_level: str = "low"
    parent_task_id: str | None = None
    origin: Literal["workflow", "background", "native", "plan"] = "native"
    ref: str = ""
    tool_use_id: str | None = None
    depends_on: tuple[str, ...] = Field(default=(), description="(ours) ids of the tasks that come before it")


class TaskAssigned(Payload):
    """A worker takes the task: the protocol's worker_assignment."""

    TYPE = "task.assigned"
    assignment_id: str
    worker_id: str
    status: str = "assigned"


class TaskStarted(Payload):
    TYPE = "task.started"
    summary: str = ""


class TaskProgress(Payload):
    """The protocol's structured summary."""

    TYPE = "task.progress"
    task_id: str
    summary: str = ""
    progress_percent: int | None = Field(default=None, ge=0, le=100)
    current_step: str = ""
    next_step: str = ""
    risk: str = ""
    total_tokens: int | None = None
    tool_uses: int | None = None
    phases: dict[int, str] = Field(default_factory=dict, description="(ours) every phase listed so far, by index")


class TaskLinked(Payload):
    """(ours) The manager took a task of the plan into its own list, under this number."""

    TYPE = "task.linked"
    ref: str
    tool_use_id: str | None = None


class TaskBlocked(Payload):
    TYPE = "task.blocked"
    reason: str


class TaskPaused(Payload):
    TYPE = "task.paused"
    reason: str = ""


class TaskResumed(Payload):
    TYPE = "task.resumed"
    reason: str = ""


class TaskCancelled(Payload):
    TYPE = "task.cancelled"
    reason: str = ""


class TaskCompleted(Payload):
    """`output_file` is where the agent CLI keeps the whole output."""

    TYPE = "task.completed"
    summary: str = ""
    output_file: str | None = None


class TaskFailed(Payload):
    TYPE = "task.failed"
    reason: str
    retryable: bool = False


class TaskRetried(Payload):
    """(ours) `failed → queued`: the task is tried again, with the reason that the protocol asks for."""

    TYPE = "task.retried"
    reason: str
    retry_count: int
