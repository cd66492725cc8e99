"""An approval and its states. A decision is taken once; everything later is told what became of it."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from bossbot.domain.errors import AlreadyDecided
from bossbot.domain.events import Question
from bossbot.domain.task import Arrow
from bossbot.ids import ApprovalId, TaskId


class ApprovalStatus(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


ARROWS: Mapping[tuple[ApprovalStatus, ApprovalStatus], Arrow] = {
    (ApprovalStatus.PENDING, ApprovalStatus.APPROVED): Arrow("approval.approved"),
    (ApprovalStatus.PENDING, ApprovalStatus.REJECTED): Arrow("approval.rejected"),
    (ApprovalStatus.PENDING, ApprovalStatus.EXPIRED): Arrow(
        "approval.expired", "nobody decided in time, and the agent shall not wait for ever"
    ),
    (ApprovalStatus.PENDING, ApprovalStatus.WITHDRAWN): Arrow(
        "approval.withdrawn", "the agent took the request back, or its process ended, and no answer would reach it"
    ),
}
"""As `bossbot.domain.task.ARROWS`: what has no reason is the protocol's."""

TRANSITIONS: frozenset[tuple[ApprovalStatus, ApprovalStatus]] = frozenset(ARROWS)

QUESTION = "question"


class Approval(Struct, frozen=True):
    """A decision that waits, or waited, for a person. `decided_by` is a display name, untrusted."""

    id: ApprovalId
    kind: str
    summary: str
    risk_level: str
    request_id: str
    tool: str
    status: ApprovalStatus = ApprovalStatus.PENDING
    task_id: TaskId | None = None
    tool_use_id: str | None = None
    description: str = ""
    detail: str = ""
    detail_language: str = ""
    fingerprint: str = ""
    questions: tuple[Question, ...] = ()
    risks: tuple[str, ...] = ()
    answers: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    choices: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    action: str = ""
    decided_by: str = ""
    reason: str = ""

    @property
    def pending(self) -> bool:
        """True while somebody can still decide it."""
        return self.status is ApprovalStatus.PENDING

    def check(self, wanted: ApprovalStatus) -> None:
        """Raises `AlreadyDecided`, which says what became of it, if it cannot become `wanted` any more."""
        if (self.status, wanted) not in TRANSITIONS:
            raise AlreadyDecided(self.outcome())

    def outcome(self) -> str:
        """A sentence: what became of it."""
        match self.status:
            case ApprovalStatus.PENDING:
                return "Still waiting for a decision."
            case ApprovalStatus.APPROVED:
                verb = "answered" if self.kind == QUESTION else "approved"
                return f"Already {verb} by {self.decided_by}."
            case ApprovalStatus.REJECTED:
                return f"Already rejected by {self.decided_by}."
            case ApprovalStatus.EXPIRED:
                return "Too late: nobody had decided in time, and the agent was told so."
            case ApprovalStatus.WITHDRAWN:
                return f"No longer open: {self.reason}."

    def next_question(self) -> int | None:
        """Index of the first question without an answer, or None when all have one."""
        return next((i for i in range(len(self.questions)) if not self.answers.get(i)), None)
