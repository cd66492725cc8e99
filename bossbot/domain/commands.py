"""Commands: wishes that may be refused. People's come from chat, the agent's from its frames (`bossbot.agent`).

A command carries every id that its events will need: the domain mints nothing and knows no clock.
"""

from dataclasses import dataclass
from typing import Literal

from bossbot.domain.events import NewTask, Question
from bossbot.ids import ApprovalId, DiffId, MessageId, TaskId, WorkerId

# --- people ---


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Begin a session in a thread. `title` comes from the first message."""

    title: str
    channel: str
    chat: str
    thread: str | None
    objective: str = ""


@dataclass(frozen=True, slots=True)
class AddMessage:
    """A person wrote to the manager. `plan_first`: while tasks are live, hold it back until it is judged.

    While a question waits, the message answers it (an empty one is refused).
    """

    message_id: MessageId
    turn_id: str
    channel: str
    content: str
    author: str
    author_name: str
    plan_first: bool = False


@dataclass(frozen=True, slots=True)
class ClassifyMessage:
    """The planner's verdict on a held message. Without a diff the message goes on to the manager."""

    message_id: MessageId
    turn_id: str
    diff_id: DiffId
    intent: str
    objective_change: bool
    judged_by: str
    objective: str = ""
    change_reason: str = ""
    cancel_tasks: tuple[str, ...] = ()
    pause_tasks: tuple[str, ...] = ()
    reprioritize_tasks: tuple[str, ...] = ()
    create_tasks: tuple[NewTask, ...] = ()
    condition: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Approve:
    """`action` is `approve` or `approve_for_session`."""

    approval_id: ApprovalId
    actor: str
    actor_name: str
    action: str = "approve"


@dataclass(frozen=True, slots=True)
class Reject:
    """`reason` is read by the agent; without one it reads who rejected it."""

    approval_id: ApprovalId
    actor: str
    actor_name: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A choice for one question of an AskUserQuestion approval: an option by index, or words of one's own.

    `option` −1 with empty `text` means "done" for a multiple choice.
    """

    approval_id: ApprovalId
    question_index: int
    actor: str
    actor_name: str
    option: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class ApplyPlanDiff:
    """`task_ids` are fresh ids for the diff's new tasks, one each, in order."""

    diff_id: DiffId
    turn_id: str
    actor: str
    actor_name: str
    task_ids: tuple[TaskId, ...]


@dataclass(frozen=True, slots=True)
class KeepPlan:
    diff_id: DiffId
    actor: str
    actor_name: str


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Stop everything that runs in the session: the protocol has no narrower stop."""

    actor: str
    reason: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class CloseSession:
    reason: str


# --- the agent CLI -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UpdateCapabilities:
    """From the first `system/init` of the main session, and later ones that differ."""

    worker_id: WorkerId
    capabilities: tuple[str, ...]
    agent_session_id: str
    dialect: str
    model: str = ""
    workflows: bool = False


@dataclass(frozen=True, slots=True)
class AddManagerText:
    """Assistant text of the main agent (not of a sub-agent)."""

    message_id: MessageId
    content: str


@dataclass(frozen=True, slots=True)
class RequestToolCall:
    """An assistant `tool_use`. `within` is `parent_tool_use_id`: a sub-agent's call."""

    tool_use_id: str
    tool: str
    input_preview: str
    within: str | None = None


@dataclass(frozen=True, slots=True)
class FinishToolCall:
    """A `tool_result`."""

    tool_use_id: str
    is_error: bool
    output_preview: str
    output_bytes: int
    output_sha256: str
    within: str | None = None


@dataclass(frozen=True, slots=True)
class RequestApproval:
    """A `can_use_tool` that the policy lets a person decide. The same request sent twice is one approval."""

    approval_id: ApprovalId
    request_id: str
    tool: str
    kind: str
    summary: str
    risk_level: str
    fingerprint: str
    tool_use_id: str | None = None
    description: str = ""
    detail: str = ""
    detail_language: str = ""
    questions: tuple[Question, ...] = ()
    risks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WithdrawApproval:
    """`control_cancel_request`, by the CLI's request id."""

    request_id: str
    reason: str


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
    """`task_notification`: completed, failed or stopped."""

    ref: str
    status: str
    next_turn_id: str
    summary: str = ""
    output_file: str | None = None


@dataclass(frozen=True, slots=True)
class BeginOwnTurn:
    """The CLI works without being asked: it starts a turn of its own after a background task has ended."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """`result`. `next_turn_id` is for the messages that waited. `interrupted` by `terminal_reason` or our interrupt."""

    next_turn_id: str
    outcome: Literal["success", "error", "interrupted"]
    result: str = ""
    errors: tuple[str, ...] = ()
    duration_ms: int | None = None
    total_cost_usd: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class AgentExited:
    """The agent CLI's process ended. `reason` holds a bounded, redacted tail of stderr."""

    worker_id: WorkerId
    reason: str
    next_turn_id: str


@dataclass(frozen=True, slots=True)
class Recover:
    """The agent's process is gone (the bot was restarted, or the CLI died): whatever waited on it is void.

    The turn that was cut is taken up again, unless that failed several times in a row.
    """

    turn_id: str
    message_id: MessageId
    reason: str


Command = (
    OpenSession
    | AddMessage
    | ClassifyMessage
    | Approve
    | Reject
    | AnswerQuestion
    | ApplyPlanDiff
    | KeepPlan
    | Interrupt
    | CloseSession
    | UpdateCapabilities
    | AddManagerText
    | RequestToolCall
    | FinishToolCall
    | RequestApproval
    | WithdrawApproval
    | CreateNativeTask
    | UpdateNativeTask
    | StartBackgroundTask
    | ReportSnapshot
    | UpdateBackgroundTask
    | EndBackgroundTask
    | BeginOwnTurn
    | EndTurn
    | AgentExited
    | Recover
)
