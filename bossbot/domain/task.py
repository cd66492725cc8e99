"""A task and its states. The table is the code: an arrow that is not in it does not happen.

`PROTOCOL` holds the arrows of the Boss protocol's diagram. `EXTRA` holds those that a working system needs beyond it,
each with its reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bossbot.domain.errors import IllegalTransition
from bossbot.ids import TaskId


class TaskStatus(StrEnum):
    PLANNING = "planning"
    QUEUED = "queued"
    ASSIGNED = "assigned"
    RUNNING = "running"
    BLOCKED = "blocked"
    PAUSED = "paused"
    WAITING_APPROVAL = "waiting_approval"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


_S = TaskStatus

PROTOCOL: frozenset[tuple[TaskStatus, TaskStatus]] = frozenset(
    {
        (_S.PLANNING, _S.QUEUED),
        (_S.QUEUED, _S.ASSIGNED),
        (_S.ASSIGNED, _S.RUNNING),
        (_S.RUNNING, _S.BLOCKED),
        (_S.RUNNING, _S.PAUSED),
        (_S.RUNNING, _S.WAITING_APPROVAL),
        (_S.RUNNING, _S.COMPLETED),
        (_S.RUNNING, _S.FAILED),
        (_S.RUNNING, _S.CANCELLED),
        (_S.BLOCKED, _S.RUNNING),
        (_S.PAUSED, _S.RUNNING),
        (_S.WAITING_APPROVAL, _S.RUNNING),
        (_S.WAITING_APPROVAL, _S.CANCELLED),
        (_S.FAILED, _S.QUEUED),
    }
)

EXTRA: Mapping[tuple[TaskStatus, TaskStatus], str] = {
    (_S.PLANNING, _S.CANCELLED): "a plan diff drops a task that nobody has started",
    (_S.QUEUED, _S.CANCELLED): "a plan diff drops a task that nobody has started",
    (_S.ASSIGNED, _S.CANCELLED): "a plan diff drops a task that its worker has not started",
    (_S.BLOCKED, _S.CANCELLED): "what is blocked can be given up",
    (_S.PAUSED, _S.CANCELLED): "what is paused can be given up",
    (_S.PLANNING, _S.PAUSED): "a plan diff puts off a task that nobody has started",
    (_S.QUEUED, _S.PAUSED): "a plan diff puts off a task that nobody has started",
    (_S.ASSIGNED, _S.PAUSED): "a plan diff puts off a task that its worker has not started",
    (_S.BLOCKED, _S.PAUSED): "what is blocked can be put off",
    (_S.WAITING_APPROVAL, _S.PAUSED): "a plan diff puts off a task whose question is withdrawn with it",
    (_S.ASSIGNED, _S.QUEUED): "the worker rejects the assignment",
    (_S.PAUSED, _S.QUEUED): "a task that was put off before it began goes back into the queue",
    (_S.WAITING_APPROVAL, _S.COMPLETED): "an agent CLI may end a task whose question it never waited for",
    (_S.WAITING_APPROVAL, _S.FAILED): "the worker dies while its question waits",
    (_S.PAUSED, _S.COMPLETED): "the agent CLI ends a task that it was told to put off too late",
    (_S.PAUSED, _S.FAILED): "the agent CLI ends a task that it was told to put off too late",
    (_S.BLOCKED, _S.COMPLETED): "the agent CLI reports the end without reporting the resumption",
    (_S.BLOCKED, _S.FAILED): "the agent CLI reports the end without reporting the resumption",
}

TRANSITIONS: frozenset[tuple[TaskStatus, TaskStatus]] = PROTOCOL | frozenset(EXTRA)
TERMINAL: frozenset[TaskStatus] = frozenset({_S.COMPLETED, _S.CANCELLED, _S.FAILED})
LIVE: frozenset[TaskStatus] = frozenset(TaskStatus) - TERMINAL


@dataclass(frozen=True, slots=True)
class StepState:
    """A phase or an agent of a workflow as last reported. `state` is `start`, `done`, `error` or `cached`."""

    key: str
    entry_type: str
    index: int | None
    state: str
    label: str = ""
    phase_index: int | None = None
    phase_title: str = ""
    summary: str = ""
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A task as the log says it is."""

    id: TaskId
    title: str
    kind: str
    status: TaskStatus
    priority: str = "normal"
    risk_level: str = "low"
    parent_task_id: TaskId | None = None
    origin: str = "native"
    ref: str = ""
    tool_use_id: str | None = None
    assignment_id: str | None = None
    retry_count: int = 0
    reason: str = ""
    summary: str = ""
    progress_percent: int | None = None
    current_step: str = ""
    next_step: str = ""
    total_tokens: int | None = None
    tool_uses: int | None = None
    risk: str = ""
    depends_on: tuple[str, ...] = ()
    steps: Mapping[str, StepState] = field(default_factory=dict)
    phases: Mapping[int, str] = field(default_factory=dict)

    @property
    def live(self) -> bool:
        """True until the task has ended."""
        return self.status in LIVE

    def check(self, wanted: TaskStatus) -> None:
        """Raises `IllegalTransition` if the table has no arrow from here to `wanted`."""
        if (self.status, wanted) not in TRANSITIONS:
            raise IllegalTransition(f"task “{self.title}” ({self.id})", self.status.value, wanted.value)
