"""The approval's events: a decision waits, is taken, or becomes void."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bossbot.domain.events.base import Payload


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
    """`reason` is what the agent reads. `action`: `reject`, or `reject_and_stop`, which also ends the task."""

    TYPE = "approval.rejected"
    id: str
    actor: str
    actor_name: str = ""
    reason: str = ""
    action: Literal["reject", "reject_and_stop"] = "reject"


class ApprovalAnswered(Payload):
    """(ours) One of several questions was answered (`final`), or a choice of a multiple choice was made or unmade."""

    TYPE = "approval.answered"
    id: str
    question_index: int
    labels: tuple[str, ...]
    actor: str
    final: bool = True


class ApprovalExpired(Payload):
    """(ours) Nobody decided in time: the agent was told so. `reason` is what it reads."""

    TYPE = "approval.expired"
    id: str
    reason: str


class ApprovalWithdrawn(Payload):
    """(ours) The request is void: the agent CLI cancelled it, or its process ended. It can no longer be decided."""

    TYPE = "approval.withdrawn"
    id: str
    reason: str
