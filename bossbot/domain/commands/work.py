"""What becomes of tasks, from the agent CLI's frames: its own list, workflows and other background tasks."""

from dataclasses import dataclass

from bossbot.ids import TaskId, WorkerId


@dataclass(frozen=True, slots=True)
class CreateNativeTask:
    """A successful TaskCreate of the manager's own list. `ref` is the number in that list (`"1"`)."""

    task_id: TaskId
    assignment_id: str
    plan_id: str
    ref: str
    title: str
    kind: str = "implementation"
    tool_use_id: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateNativeTask:
    """A successful TaskUpdate. `status` is the CLI's word: pending, in_progress, completed, deleted, or empty."""

    ref: str
    worker_id: WorkerId
    assignment_id: str
    status: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class StartBackgroundTask:
    """`task_started`. `task_type` is the CLI's (`local_workflow`, `local_agent`, …); `ref` its task_id."""

    task_id: TaskId
    assignment_id: str
    worker_id: WorkerId
    ref: str
    task_type: str
    title: str
    tool_use_id: str | None = None


@dataclass(frozen=True, slots=True)
class SnapshotEntry:
    """One entry of `workflow_progress` whose type is known; `state` is empty for phases."""

    entry_type: str
    index: int
    state: str = ""
    label: str = ""
    phase_index: int | None = None
    phase_title: str = ""
    tokens: int | None = None
    preview: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ReportSnapshot:
    """`task_progress`: the snapshot replaces the last one; the domain says what changed."""

    ref: str
    entries: tuple[SnapshotEntry, ...] = ()
    total_tokens: int | None = None
    tool_uses: int | None = None
    current_step: str = ""


@dataclass(frozen=True, slots=True)
class UpdateBackgroundTask:
    """`task_updated`. A terminal status says nothing here: `task_notification` is the one end."""

    ref: str
    status: str


@dataclass(frozen=True, slots=True)
class EndBackgroundTask:
    """`task_notification`: completed, failed or stopped. `retryable`: a failure that may be gone at the next try."""

    ref: str
    status: str
    next_turn_id: str
    summary: str = ""
    output_file: str | None = None
    retryable: bool = False
