"""Every event of the Boss protocol: a past fact in an envelope of seven keys, from `id` to `payload`.

A payload class carries its event's dotted name in `TYPE`. Names and fields are the protocol's own words; what the
protocol lacks has a name of the same form and says so in its docstring. An event of a type that this version does not
know is kept as `UnknownPayload`: reading an old or a newer log loses nothing.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_serializer,
)

from bossbot.ids import EventId, SessionId, TaskId


class Source(StrEnum):
    """Who caused an event."""

    USER = "user"
    MANAGER = "manager"
    SYSTEM = "system"
    WORKER = "worker"


class Payload(BaseModel):
    """What an event says. Unknown fields are kept, so that a newer program's log reads without loss."""

    model_config = ConfigDict(frozen=True, extra="allow")
    TYPE: ClassVar[str] = ""


# --- session ---


class SessionCreated(Payload):
    """A Boss project session begins. `status` is `active`."""

    TYPE = "session.created"
    title: str
    status: str = "active"
    active_objective: str = ""


class SessionThreadBound(Payload):
    """(ours) From now on this chat thread belongs to the session."""

    TYPE = "session.thread.bound"
    channel: str
    chat: str
    thread: str | None = None


class SessionObjectiveUpdated(Payload):
    """The session pursues another objective. `message_id` names the message that said so."""

    TYPE = "session.objective.updated"
    active_objective: str
    previous: str = ""
    change_reason: str = ""
    message_id: str | None = None


class SessionMessageAdded(Payload):
    """Somebody said something. `id` is the message's; `role` is `user`, `manager` or `system`."""

    TYPE = "session.message.added"
    id: str
    role: Literal["user", "manager", "system"]
    channel: str
    content: str
    author: str = ""
    author_name: str = ""
    answers: str | None = Field(default=None, description="approval id, when the message answered a question")


class SessionMessageClassified(Payload):
    """(ours) What the planner takes a message to mean; `source` is `rules` or `agent`."""

    TYPE = "session.message.classified"
    message_id: str
    intent: str
    objective_change: bool
    judged_by: str = "rules"
    note: str = ""
    condition: str | None = None


class SessionTurnStarted(Payload):
    """(ours) These messages were handed to the manager as one turn; `content` is what the agent CLI was told.

    `takes_up`: what the turn was asked that this one takes up again.
    """

    TYPE = "session.turn.started"
    turn_id: str
    message_ids: tuple[str, ...] = ()
    content: str
    takes_up: str = ""


class SessionTurnFinished(Payload):
    """(ours) The manager's turn ended. Costs in US dollars, times in milliseconds, as the agent CLI says.

    `lost`: the agent's process ended in it; `waiting_for` are the commands that then waited for permission.
    """

    TYPE = "session.turn.finished"
    turn_id: str | None = None
    outcome: Literal["success", "error", "interrupted", "lost"]
    result: str = ""
    errors: tuple[str, ...] = ()
    duration_ms: int | None = None
    total_cost_usd: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    waiting_for: tuple[str, ...] = ()


class SessionInterruptRequested(Payload):
    """(ours) Somebody asked to stop everything that runs in the session. `then_tell` is said to the manager after."""

    TYPE = "session.interrupt.requested"
    reason: str
    actor: str = ""
    then_tell: str = ""


class SessionNoteQueued(Payload):
    """(ours) Something that the manager shall read with the next message; `at_once`: as soon as it is idle."""

    TYPE = "session.note.queued"
    content: str
    at_once: bool = False


class SessionClosed(Payload):
    """(ours) The session ended; its thread may start another."""

    TYPE = "session.closed"
    reason: str = ""


# --- plan ---


class PlannedTask(BaseModel):
    """A task as a plan lists it."""

    model_config = ConfigDict(frozen=True, extra="allow")
    id: str
    title: str
    kind: str = "implementation"
    priority: str = "normal"


class PlanCreated(Payload):
    """The first set of tasks."""

    TYPE = "plan.created"
    plan_id: str
    tasks: tuple[PlannedTask, ...]


class PlanUpdated(Payload):
    """The plan lists more tasks, or another order. `order` is the whole order, first comes next."""

    TYPE = "plan.updated"
    plan_id: str
    added: tuple[PlannedTask, ...] = ()
    order: tuple[str, ...] = ()
    reason: str = ""


class NewTask(BaseModel):
    """A task that a plan diff would create."""

    model_config = ConfigDict(frozen=True, extra="allow")
    title: str
    kind: str = "implementation"
    priority: str = "normal"


class PlanDiffGenerated(Payload):
    """A change of mind as a diff on the board, in the protocol's form. It waits for a decision."""

    TYPE = "plan.diff.generated"
    id: str
    session_id: str
    change_reason: str
    cancel_tasks: tuple[str, ...] = ()
    pause_tasks: tuple[str, ...] = ()
    continue_tasks: tuple[str, ...] = ()
    reprioritize_tasks: tuple[str, ...] = ()
    create_tasks: tuple[NewTask, ...] = ()
    message_id: str | None = None
    judged_by: str = "rules"
    condition: str | None = None


class PlanDiffApplied(Payload):
    """(ours) A person pressed Apply. `interrupts` says that a running workflow or turn is stopped for it."""

    TYPE = "plan.diff.applied"
    id: str
    actor: str
    actor_name: str = ""
    interrupts: bool = False


class PlanDiffRejected(Payload):
    """(ours) A person pressed Keep plan; nothing changes."""

    TYPE = "plan.diff.rejected"
    id: str
    actor: str
    actor_name: str = ""
    reason: str = ""


# --- task ---


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


# --- worker ---


class WorkerHeartbeat(Payload):
    """`status` is `idle`, `busy` or `offline`."""

    TYPE = "worker.heartbeat"
    worker_id: str
    status: str
    current_task_id: str | None = None
    load: float | None = None
    reason: str = ""


class WorkerCapabilitiesUpdated(Payload):
    """What the agent CLI of this session can do. `agent_session_id` is the CLI's own, for interrupt and resume."""

    TYPE = "worker.capabilities.updated"
    worker_id: str
    capabilities: tuple[str, ...] = ()
    agent_session_id: str = ""
    dialect: str = ""
    model: str = ""
    workflows: bool = False


class WorkerAssignmentAccepted(Payload):
    TYPE = "worker.assignment.accepted"
    assignment_id: str
    worker_id: str


class WorkerAssignmentRejected(Payload):
    TYPE = "worker.assignment.rejected"
    assignment_id: str
    worker_id: str
    reason: str = ""


# --- execution steps ---


class Step(Payload):
    """A phase or an agent of a workflow. `step` is its key in the task: entry type and index, `workflow_agent:1`."""

    step: str
    entry_type: str = ""
    index: int | None = None
    label: str = ""
    phase_index: int | None = None
    phase_title: str = ""
    summary: str = ""
    tokens: int | None = None
    cached: bool = False


class TaskStepStarted(Step):
    TYPE = "task.step.started"


class TaskStepFinished(Step):
    TYPE = "task.step.finished"


class TaskStepFailed(Step):
    TYPE = "task.step.failed"
    error: str = ""


class ToolCallRequested(Payload):
    """The manager calls a tool. `input_preview` is bounded; `within` is the tool call of the sub-agent that does."""

    TYPE = "tool.call.requested"
    tool_use_id: str
    tool: str
    input_preview: str = ""
    within: str | None = None


class ToolCallFinished(Payload):
    """`output_preview` is bounded; size in bytes and sha256 are of the whole output."""

    TYPE = "tool.call.finished"
    tool_use_id: str
    tool: str = ""
    is_error: bool = False
    output_preview: str = ""
    output_bytes: int = 0
    output_sha256: str = ""
    within: str | None = None


# --- approval ---


class QuestionOption(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")
    label: str
    description: str = ""


class Question(BaseModel):
    """One question of the agent CLI's AskUserQuestion."""

    model_config = ConfigDict(frozen=True, extra="allow")
    question: str
    header: str = ""
    multi_select: bool = False
    options: tuple[QuestionOption, ...] = ()


class ApprovalRequested(Payload):
    """A decision waits for a person. `request_id` is the agent CLI's; it dies with the CLI's process.

    `kind` is `dangerous_command`, `file_change`, `workflow`, `question` or `tool_call`. `detail` is the whole command
    or content, readable in full, with secrets removed: the input itself stays with the agent's process, in memory.
    `fingerprint` tells equal inputs from others.
    """

    TYPE = "approval.requested"
    id: str
    session_id: str
    task_id: str | None = None
    kind: str
    summary: str
    risk_level: str
    status: Literal["pending"] = "pending"
    request_id: str
    tool: str
    tool_use_id: str | None = None
    description: str = ""
    detail: str = ""
    detail_language: str = ""
    fingerprint: str = ""
    questions: tuple[Question, ...] = ()
    risks: tuple[str, ...] = ()


class ApprovalApproved(Payload):
    """`action` is `approve`, `approve_once` or `approve_for_session`; a question's answers map question → label(s)."""

    TYPE = "approval.approved"
    id: str
    action: str = "approve"
    actor: str
    actor_name: str = ""
    answers: dict[str, str] = Field(default_factory=dict)


class ApprovalRejected(Payload):
    """`reason` is what the agent reads."""

    TYPE = "approval.rejected"
    id: str
    actor: str
    actor_name: str = ""
    reason: str = ""


class ApprovalAnswered(Payload):
    """(ours) One of several questions was answered (`final`), or a choice of a multiple choice was made or unmade."""

    TYPE = "approval.answered"
    id: str
    question_index: int
    labels: tuple[str, ...]
    actor: str
    final: bool = True


class ApprovalWithdrawn(Payload):
    """(ours) The request is void: the agent CLI cancelled it, or its process ended. It can no longer be decided."""

    TYPE = "approval.withdrawn"
    id: str
    reason: str


class UnknownPayload(Payload):
    """The payload of an event type that this version does not know, kept whole."""


def _payload_types() -> dict[str, type[Payload]]:
    found: dict[str, type[Payload]] = {}
    waiting = list(Payload.__subclasses__())
    while waiting:
        cls = waiting.pop()
        waiting.extend(cls.__subclasses__())
        if cls.TYPE:
            found[cls.TYPE] = cls
    return found


PAYLOADS: Mapping[str, type[Payload]] = _payload_types()


def _as_logged(at: datetime) -> datetime:
    """In UTC and to the millisecond: an event is equal to itself read back from the log."""
    return at.astimezone(UTC).replace(microsecond=at.microsecond // 1000 * 1000)


Timestamp = Annotated[AwareDatetime, AfterValidator(_as_logged)]


class Event(BaseModel):
    """The envelope. Its JSON has exactly the protocol's seven keys, in the protocol's order."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: EventId
    session_id: SessionId
    task_id: TaskId | None
    source: Source
    type: str
    timestamp: Timestamp
    payload: Payload

    @field_validator("payload", mode="before")
    @classmethod
    def _parse_payload(cls, value: object, info: Any) -> object:
        if isinstance(value, Payload):
            return value
        known = PAYLOADS.get(info.data.get("type", ""), UnknownPayload)
        try:
            return known.model_validate(value)
        except ValidationError:
            # A newer program's word in a field that we know: the session must still open, without this one event.
            return UnknownPayload.model_validate(value)

    @model_serializer
    def _envelope(self) -> dict[str, Any]:
        at = self.timestamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {
            "id": self.id,
            "session_id": self.session_id,
            "task_id": self.task_id,
            "source": self.source.value,
            "type": self.type,
            "timestamp": at,
            "payload": self.payload.model_dump(mode="json"),
        }


class NewEvent(BaseModel):
    """What the domain decides: an event before it has an id and a time, which the edge gives."""

    model_config = ConfigDict(frozen=True)
    source: Source
    payload: Payload
    task_id: TaskId | None = None

    def sealed(self, event_id: EventId, session_id: SessionId, at: datetime) -> Event:
        """The event as it enters the log."""
        return Event(
            id=event_id,
            session_id=session_id,
            task_id=self.task_id,
            source=self.source,
            type=self.payload.TYPE,
            timestamp=at,
            payload=self.payload,
        )
