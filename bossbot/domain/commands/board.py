"""What the manager asks of us by our own tools. `request_id` is the agent CLI's: the answer goes back under it."""

from dataclasses import dataclass
from typing import Literal

from bossbot.ids import TaskId, WorkerId


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """A task of a plan. `depends_on` and `parent`: titles or ids of tasks of this plan or of the board; a reference to
    a shared context is an artifact's id, or a task's title or id.
    """

    task_id: TaskId
    title: str
    kind: str = "implementation"
    priority: str = "normal"
    depends_on: tuple[str, ...] = ()
    parent: str = ""
    risk_level: str = "low"
    execution_mode: Literal["independent", "collaborative", "research_only"] = "independent"
    shared_context_refs: tuple[str, ...] = ()
    handoff_expected: bool = False


@dataclass(frozen=True, slots=True)
class CreatePlan:
    """`plan_create`: the whole plan, in order. What stands on the board under the same title stays as it is."""

    request_id: str
    entries: tuple[PlanEntry, ...]
    objective: str = ""


@dataclass(frozen=True, slots=True)
class UpdateTask:
    """`task_update`: `task` is an id or a title. Whatever is empty or None stays as it is."""

    request_id: str
    task: str
    worker_id: WorkerId
    assignment_id: str
    status: Literal["", "running", "blocked", "paused", "completed", "failed", "cancelled"] = ""
    note: str = ""
    progress_percent: int | None = None


@dataclass(frozen=True, slots=True)
class ReportProgress:
    """`report_progress`: the protocol's structured summary, of a task or (`task` empty) of the turn."""

    request_id: str
    task: str = ""
    summary: str = ""
    progress_percent: int | None = None
    current_step: str = ""
    next_step: str = ""
    risk: str = ""
