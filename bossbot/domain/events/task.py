"""A task's events: its way through the state machine."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bossbot.domain.events.base import Payload


class TaskCreated(Payload):
    """A task exists. `ref` is the agent CLI's own id for it.

    `execution_mode`, and for `collaborative` the two fields after it, are the protocol's: what a task may share with
    others, and whether somebody waits for its result.
    """

    TYPE = "task.created"
    title: str
    kind: str
    status: Literal["planning", "queued"] = "planning"
    priority: str = "normal"
    risk_level: str = "low"
    parent_task_id: str | None = None
    origin: Literal["workflow", "background", "native", "plan"] = "native"
    ref: str = ""
    tool_use_id: str | None = None
    depends_on: tuple[str, ...] = Field(default=(), description="(ours) ids of the tasks that come before it")
    execution_mode: Literal["independent", "collaborative", "research_only"] = "independent"
    shared_context_refs: tuple[str, ...] = ()
    handoff_expected: bool = False


class TaskQueued(Payload):
    """(ours) The plan that the task belongs to stands, or a worker gave the task back: it waits to be assigned."""

    TYPE = "task.queued"
    reason: str = ""


class Workspace(BaseModel):
    """Where a task is worked on, as far as it is known. `repo` is the repository's address, without any password."""

    model_config = ConfigDict(frozen=True, extra="allow")
    repo: str = ""
    branch: str = ""
    worktree_path: str = ""


NOWHERE = Workspace()
"""Nothing is known of the place."""


class ExecutionRequest(BaseModel):
    """The protocol's execution request: what the worker is asked to do, and within what limits people set."""

    model_config = ConfigDict(frozen=True, extra="allow")
    task_id: str
    session_id: str
    workspace: Workspace = NOWHERE
    execution_mode: str = "independent"
    goal: str
    constraints: tuple[str, ...] = ()


class TaskAssigned(Payload):
    """A worker takes the task: the protocol's worker_assignment, with the execution request."""

    TYPE = "task.assigned"
    assignment_id: str
    worker_id: str
    status: str = "assigned"
    execution_request: ExecutionRequest | None = None


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


class TaskWaitingApproval(Payload):
    """(ours) The task stands still until a person has decided the approval."""

    TYPE = "task.waiting_approval"
    approval_id: str


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
