"""What the manager does, from the agent CLI's frames: it speaks, calls tools, asks, ends turns, disappears."""

from dataclasses import dataclass
from typing import Literal

from bossbot.domain.events import NOWHERE, Question, Workspace
from bossbot.ids import ApprovalId, MessageId, WorkerId


@dataclass(frozen=True, slots=True)
class Host:
    """The machine that a worker runs on; `os` in the protocol's words: `linux`, `macos`, `windows`."""

    hostname: str = ""
    os: str = ""
    shell: str = ""


@dataclass(frozen=True, slots=True)
class UpdateCapabilities:
    """From the first `system/init` of the main session, and later ones that differ."""

    worker_id: WorkerId
    capabilities: tuple[str, ...]
    agent_session_id: str
    dialect: str
    model: str = ""
    workflows: bool = False
    joins_mid_turn: bool = False
    host: Host = Host()
    workspace: Workspace = NOWHERE


@dataclass(frozen=True, slots=True)
class AddManagerText:
    """Assistant text of the main agent (not of a sub-agent)."""

    message_id: MessageId
    content: str


@dataclass(frozen=True, slots=True)
class BeginText:
    """A text of the manager is shown while it is written; `AddManagerText` with the same id follows, or the end."""

    message_id: MessageId


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
class RecordRuling:
    """The rules decided on a `can_use_tool`, and the CLI was answered at once."""

    tool: str
    ruling: Literal["allow", "deny"]
    request_id: str
    summary: str
    detail: str
    tool_use_id: str | None = None


@dataclass(frozen=True, slots=True)
class WithdrawApproval:
    """`control_cancel_request`, by the CLI's request id."""

    request_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class BeginOwnTurn:
    """The CLI works without being asked: it starts a turn of its own after a background task has ended."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class DelayTurn:
    """`system/api_retry`: the CLI asks the model's provider again by itself, after a pause."""

    attempt: int
    max_retries: int | None = None
    retry_delay_ms: int = 0
    error_status: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """`result`. `next_turn_id` is for the messages that waited. `interrupted` by `terminal_reason` or our interrupt.

    `retryable`: an error that may be gone at the next try.
    """

    next_turn_id: str
    outcome: Literal["success", "error", "interrupted"]
    result: str = ""
    errors: tuple[str, ...] = ()
    duration_ms: int | None = None
    total_cost_usd: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    retryable: bool = False


@dataclass(frozen=True, slots=True)
class AgentExited:
    """The agent CLI's process ended. `reason` holds a bounded, redacted tail of stderr.

    `told_turn_id`: the last turn that it was told (empty: whichever runs). Another one runs in another process.
    """

    worker_id: WorkerId
    reason: str
    next_turn_id: str
    told_turn_id: str = ""


@dataclass(frozen=True, slots=True)
class Recover:
    """What failed is taken up again: the agent's process is gone (the bot was restarted, or the CLI died), or the turn
    or a background task ended with an error that may be gone now. `process_gone`: whatever waited on it is void.

    After more than `max_retries` failures in a row, of the turn or of a background task, a person decides instead;
    `blocked_id` is for that.
    """

    turn_id: str
    blocked_id: str
    reason: str
    max_retries: int
    process_gone: bool = True
