"""The planner's own small vocabulary: the board it is shown and the verdict it gives."""

from dataclasses import dataclass
from typing import Literal

Intent = Literal["objective_change", "control", "approval", "constraint", "clarification", "question", "status", "chat"]

PRECEDENCE: tuple[Intent, ...] = (
    "objective_change",
    "control",
    "approval",
    "constraint",
    "clarification",
    "question",
    "status",
    "chat",
)
"""When a message says several things, the first of these that it says is its intent."""

DEAD = frozenset({"completed", "failed", "cancelled"})
"""Task states that no plan diff can move any more."""


@dataclass(frozen=True, slots=True)
class BoardTask:
    """One task as the person sees it."""

    id: str
    title: str
    status: str
    kind: str = ""
    priority: str = ""

    @property
    def live(self) -> bool:
        return self.status not in DEAD


@dataclass(frozen=True, slots=True)
class Board:
    """What the message is read against: the goal, the tasks in their order, and what the agent last asked."""

    objective: str
    tasks: tuple[BoardTask, ...]
    pending_question: str | None = None
    last_manager_line: str = ""

    @property
    def live(self) -> tuple[BoardTask, ...]:
        return tuple(task for task in self.tasks if task.live)


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task that the message asks for and the board does not have."""

    title: str
    kind: str = "implementation"
    priority: str = "normal"


@dataclass(frozen=True, slots=True)
class DiffDraft:
    """A change of the plan as the message words it; the three id tuples are disjoint and name live tasks only.

    `reprioritize_tasks` is the new order, next task first; live tasks that it does not name keep their places
    behind it. `condition` is a rule for later in the person's words ("if the tests fail, drop it"): nothing of
    it is in the other fields, so what they hold may be applied now.
    """

    change_reason: str
    cancel_tasks: tuple[str, ...] = ()
    pause_tasks: tuple[str, ...] = ()
    reprioritize_tasks: tuple[str, ...] = ()
    create_tasks: tuple[NewTask, ...] = ()
    condition: str | None = None

    @property
    def empty(self) -> bool:
        """True when applying it now would move nothing."""
        return not (self.cancel_tasks or self.pause_tasks or self.reprioritize_tasks or self.create_tasks)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a message means for the plan.

    `diff` is there for every objective change, and for a lone "pause the UI task", whose intent is `control`.
    `abstain` means: ask the person what was meant, apply nothing unasked; `note` says why in one line.
    """

    intent: Intent
    objective_change: bool
    objective: str | None
    diff: DiffDraft | None
    source: Literal["rules", "agent"]
    abstain: bool = False
    note: str = ""
