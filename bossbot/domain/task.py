"""A task and its states. The table is the code: an arrow that is not in it does not happen.

`ARROWS` holds the arrows of the Boss protocol's diagram, and those that a working system needs beyond it, each with
its reason. `docs/states.md` is drawn from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct, field

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


@dataclass(frozen=True, slots=True)
class Arrow:
    """What happens along an arrow: the event that takes it. `reason` is empty where the protocol draws the arrow."""

    event: str
    reason: str = ""


ARROWS: Mapping[tuple[TaskStatus, TaskStatus], Arrow] = {
    (_S.PLANNING, _S.QUEUED): Arrow("task.queued"),
    (_S.QUEUED, _S.ASSIGNED): Arrow("task.assigned"),
    (_S.ASSIGNED, _S.RUNNING): Arrow("task.started"),
    (_S.RUNNING, _S.BLOCKED): Arrow("task.blocked"),
    (_S.RUNNING, _S.PAUSED): Arrow("task.paused"),
    (_S.RUNNING, _S.WAITING_APPROVAL): Arrow("task.waiting_approval"),
    (_S.RUNNING, _S.COMPLETED): Arrow("task.completed"),
    (_S.RUNNING, _S.FAILED): Arrow("task.failed"),
    (_S.RUNNING, _S.CANCELLED): Arrow("task.cancelled"),
    (_S.BLOCKED, _S.RUNNING): Arrow("task.resumed"),
    (_S.PAUSED, _S.RUNNING): Arrow("task.resumed"),
    (_S.WAITING_APPROVAL, _S.RUNNING): Arrow("task.resumed"),
    (_S.WAITING_APPROVAL, _S.CANCELLED): Arrow("task.cancelled"),
    (_S.FAILED, _S.QUEUED): Arrow("task.retried"),
    # Beyond the diagram:
    (_S.PLANNING, _S.CANCELLED): Arrow("task.cancelled", "a plan diff drops a task that nobody has started"),
    (_S.QUEUED, _S.CANCELLED): Arrow("task.cancelled", "a plan diff drops a task that nobody has started"),
    (_S.ASSIGNED, _S.CANCELLED): Arrow("task.cancelled", "a plan diff drops a task that its worker has not started"),
    (_S.BLOCKED, _S.CANCELLED): Arrow("task.cancelled", "what is blocked can be given up"),
    (_S.PAUSED, _S.CANCELLED): Arrow("task.cancelled", "what is paused can be given up"),
    (_S.PLANNING, _S.PAUSED): Arrow("task.paused", "a plan diff puts off a task that nobody has started"),
    (_S.QUEUED, _S.PAUSED): Arrow("task.paused", "a plan diff puts off a task that nobody has started"),
    (_S.ASSIGNED, _S.PAUSED): Arrow("task.paused", "a plan diff puts off a task that its worker has not started"),
    (_S.BLOCKED, _S.PAUSED): Arrow("task.paused", "what is blocked can be put off"),
    (_S.WAITING_APPROVAL, _S.PAUSED): Arrow(
        "task.paused", "a plan diff puts off a task whose question is withdrawn with it"
    ),
    (_S.ASSIGNED, _S.QUEUED): Arrow("task.queued", "the worker rejects the assignment"),
    (_S.PAUSED, _S.QUEUED): Arrow("task.queued", "a task that was put off before it began goes back into the queue"),
    (_S.FAILED, _S.BLOCKED): Arrow(
        "task.blocked", "what failed several times is raised to blocked, as the protocol's text asks"
    ),
    (_S.BLOCKED, _S.QUEUED): Arrow("task.retried", "a person lets try again what had failed too often"),
    (_S.WAITING_APPROVAL, _S.COMPLETED): Arrow(
        "task.completed", "an agent CLI may end a task whose question it never waited for"
    ),
    (_S.WAITING_APPROVAL, _S.FAILED): Arrow("task.failed", "the worker dies while its question waits"),
    (_S.PAUSED, _S.COMPLETED): Arrow(
        "task.completed", "the agent CLI ends a task that it was told to put off too late"
    ),
    (_S.PAUSED, _S.FAILED): Arrow("task.failed", "the agent CLI ends a task that it was told to put off too late"),
    (_S.BLOCKED, _S.COMPLETED): Arrow("task.completed", "the agent CLI tells the end without telling the resumption"),
    (_S.BLOCKED, _S.FAILED): Arrow("task.failed", "the agent CLI tells the end without telling the resumption"),
}

TRANSITIONS: frozenset[tuple[TaskStatus, TaskStatus]] = frozenset(ARROWS)
TERMINAL: frozenset[TaskStatus] = frozenset({_S.COMPLETED, _S.CANCELLED, _S.FAILED})
LIVE: frozenset[TaskStatus] = frozenset(TaskStatus) - TERMINAL

KINDS = ("investigation", "implementation", "review", "test", "documentation")
"""The known kinds of the manager's tasks. The vocabulary is open: any other word is kept and shown as it is."""

NATIVE = ("native", "plan")
"""Origins of tasks that the manager itself works on."""
BACKGROUND = ("workflow", "background")
"""Origins of tasks that the agent CLI runs beside the conversation."""


class StepState(Struct, frozen=True):
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


class Task(Struct, frozen=True):
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
    retryable: bool = False
    reason: str = ""
    summary: str = ""
    progress_percent: int | None = None
    current_step: str = ""
    next_step: str = ""
    total_tokens: int | None = None
    tool_uses: int | None = None
    risk: str = ""
    depends_on: tuple[str, ...] = ()
    execution_mode: str = "independent"
    shared_context_refs: tuple[str, ...] = ()
    handoff_expected: bool = False
    steps: Mapping[str, StepState] = field(default_factory=dict)
    phases: Mapping[int, str] = field(default_factory=dict)

    @property
    def live(self) -> bool:
        """True until the task has ended."""
        return self.status in LIVE

    def check(self, wanted: TaskStatus) -> None:
        """Raises `IllegalTransition` if the table has no arrow from here to `wanted`."""
        if (self.status, wanted) not in TRANSITIONS:
            allowed = sorted(new.value for old, new in TRANSITIONS if old is self.status)
            raise IllegalTransition(f"task “{self.title}” ({self.id})", self.status.value, wanted.value, allowed)
