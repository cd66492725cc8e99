"""What a session is, as its log says: the state that `evolve` folds and `decide` reads. Immutable throughout."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from bossbot.domain.approval import Approval
from bossbot.domain.events import (
    NOWHERE,
    ArtifactCreated,
    PlanDiffGenerated,
    SessionTurnDelayed,
    SessionTurnSteered,
    Steering,
    Workspace,
)
from bossbot.domain.mapping import newest_first
from bossbot.domain.task import BACKGROUND, NATIVE, Task, TaskStatus
from bossbot.ids import ApprovalId, DiffId, MessageId, SessionId, TaskId, ThreadRef

ENDED = frozenset({"closed", "archived"})
"""Statuses of a session that is over."""

RECENT_ARTIFACTS = 20
"""So many can be named in chat."""

CONSTRAINTS = 20
"""Of what people set as limits so many hold, the newest: more would say nothing."""

RECENT_MESSAGES = 60
"""How many messages a recap can reach back."""


NOT_WORKED_ON = frozenset({TaskStatus.PLANNING, TaskStatus.QUEUED, TaskStatus.ASSIGNED, TaskStatus.BLOCKED})
"""Of a live task: the agent CLI does nothing about it."""


class DiffStatus(StrEnum):
    PENDING = "pending"
    APPLIED = "applied"
    KEPT = "kept"


class Said(Struct, frozen=True):
    """A message of the conversation."""

    id: MessageId
    role: str
    content: str
    author_name: str = ""
    author: str = ""
    steering: Steering = Steering.QUEUE


class Diff(Struct, frozen=True):
    """A plan diff, the message it came from, and what became of it. `previous_objective` comes back with Keep plan;
    `previous_from` is the message that had said that one.
    """

    proposal: PlanDiffGenerated
    message: Said | None
    previous_objective: str = ""
    previous_from: str | None = None
    status: DiffStatus = DiffStatus.PENDING
    decided_by: str = ""
    interrupts: bool = False


class Progress(Struct, frozen=True):
    """The manager's structured summary of a turn, where no task stands for its work."""

    summary: str = ""
    progress_percent: int | None = None
    current_step: str = ""
    next_step: str = ""
    risk: str = ""


class Turn(Struct, frozen=True):
    """What the manager is doing now. `own` turns were started by the agent CLI itself."""

    id: str
    content: str
    message_ids: tuple[str, ...] = ()
    interrupted: bool = False
    tool_calls: int = 0
    current_tool: str = ""
    takes_up: str = ""
    progress: Progress | None = None
    steered: SessionTurnSteered | None = None
    delayed: SessionTurnDelayed | None = None
    """The model's provider gave no answer, and the CLI asks it again; None once the model has said something."""
    delay_ms: int = 0
    """How long it has waited for that in all."""
    writing: str = ""
    """The text that is shown while it is written, by its id."""

    @property
    def own(self) -> bool:
        """True when nobody asked for it."""
        return not self.content


class Cut(Struct, frozen=True):
    """A turn that failed and may be taken up: what it was asked, and what waited for permission in it.

    `lost`: the agent's process ended in it; else the turn ended with an error that may be gone at the next try.
    """

    content: str
    waiting_for: tuple[str, ...]
    reason: str
    lost: bool = True


class Blocked(Struct, frozen=True):
    """It failed too often: a person decides. `how` is empty until then."""

    id: str
    reason: str
    failures: int
    how: str = ""
    decided_by: str = ""


class WorkerState(Struct, frozen=True):
    """The agent CLI of this session."""

    worker_id: str
    agent_session_id: str = ""
    dialect: str = ""
    model: str = ""
    workflows: bool = False
    joins_mid_turn: bool = False
    status: str = "idle"
    workspace: Workspace = NOWHERE


class SessionState(Struct, frozen=True):
    """A Boss project session.

    `live`: tasks that have not ended, in plan order. `pending`: approvals that wait, oldest first. `unplanned`: tasks
    of the manager's that are in no plan yet. The three are there so that nobody looks through all that ever was.

    `held`: messages whose meaning for the plan is being judged. `queue`: messages that wait for the turn to end.
    `notes`: what the manager shall read with the next message. `lost_turns`: turns in a row that a dying agent cut
    or that failed and may be tried again; `cut` is set while the last one has not been taken up. `blocked` is the last
    time that this happened too often.
    """

    id: SessionId
    title: str = ""
    status: str = "new"
    objective: str = ""
    objective_from: str | None = None
    threads: tuple[ThreadRef, ...] = ()
    recent: tuple[Said, ...] = ()
    constraints: tuple[str, ...] = ()
    held: Mapping[MessageId, Said] = field(default_factory=dict)
    queue: tuple[Said, ...] = ()
    notes: tuple[str, ...] = ()
    then_tell: str = ""
    turn: Turn | None = None
    lost_turns: int = 0
    cut: Cut | None = None
    blocked: Blocked | None = None
    doubted: frozenset[MessageId] = frozenset()
    turns: int = 0
    total_cost_usd: float = 0.0
    tasks: Mapping[TaskId, Task] = field(default_factory=dict)
    live: tuple[TaskId, ...] = ()
    approvals: Mapping[ApprovalId, Approval] = field(default_factory=dict)
    pending: tuple[ApprovalId, ...] = ()
    diffs: Mapping[DiffId, Diff] = field(default_factory=dict)
    plan_id: str = ""
    plan_tasks: frozenset[TaskId] = frozenset()
    unplanned: tuple[TaskId, ...] = ()
    order: tuple[TaskId, ...] = ()
    worker: WorkerState | None = None
    open_tools: Mapping[str, str] = field(default_factory=dict)
    session_allows: frozenset[str] = frozenset()
    artifacts: tuple[ArtifactCreated, ...] = ()

    @property
    def pending_approvals(self) -> tuple[Approval, ...]:
        """Approvals that wait, oldest first."""
        return tuple(self.approvals[i] for i in self.pending)

    @property
    def live_tasks(self) -> tuple[Task, ...]:
        """Tasks that have not ended, in plan order."""
        return tuple(self.tasks[i] for i in self.live)

    @property
    def running_background(self) -> tuple[Task, ...]:
        """Workflows and other background tasks that the agent CLI works on."""
        return tuple(t for t in self.live_tasks if t.origin in BACKGROUND and t.status not in NOT_WORKED_ON)

    @property
    def asks_how_to_go_on(self) -> bool:
        """True while a person is asked what becomes of what failed too often."""
        return self.blocked is not None and not self.blocked.how

    @property
    def busy(self) -> bool:
        """True while the manager or one of its background tasks works."""
        return self.turn is not None or bool(self.running_background)

    def said(self, message_id: str) -> bool:
        """Whether this message was said, among the recent ones."""
        return any(said.id == message_id for said in self.recent)

    def by_ref(self, ref: str, *origins: str) -> Task | None:
        """The newest task with this id of the agent CLI."""
        return next((t for t in newest_first(self.tasks) if t.ref == ref and t.origin in origins), None)

    def running_native(self) -> Task | None:
        """The one native task that runs now, if it is exactly one."""
        running = [t for t in self.live_tasks if t.status is TaskStatus.RUNNING and t.origin in NATIVE]
        return running[0] if len(running) == 1 else None
