"""What people wish, from chat."""

from dataclasses import dataclass

from bossbot.domain.events import NewTask, Steering
from bossbot.ids import ApprovalId, DiffId, MessageId, TaskId


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

    While a question waits, the message answers it (an empty one is refused), unless it `insists` on its `steering`:
    what becomes of it while a turn runs. What insists on being read at once is not held back either.
    """

    message_id: MessageId
    turn_id: str
    channel: str
    content: str
    author: str
    author_name: str
    plan_first: bool = False
    steering: Steering = Steering.QUEUE
    insists: bool = False


@dataclass(frozen=True, slots=True)
class SteerTurn:
    """What waits for the end of the turn `target` (empty: whichever runs) is sent now, or replaces the turn."""

    turn_id: str
    steering: Steering
    actor: str
    actor_name: str
    target: str = ""


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
    """`reason` is read by the agent; without one it reads who rejected it. `stop`: and everything that runs is stopped,
    the task that waited is cancelled; `turn_id` is for what the manager is told then.
    """

    approval_id: ApprovalId
    actor: str
    actor_name: str
    reason: str = ""
    stop: bool = False
    turn_id: str = ""


@dataclass(frozen=True, slots=True)
class ExpireApproval:
    """Nobody has decided it for `after_s` seconds."""

    approval_id: ApprovalId
    after_s: float


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
    """Stop everything that runs in the session, and what waits for another try: the protocol has no narrower stop."""

    actor: str
    reason: str
    turn_id: str
    actor_name: str = ""


@dataclass(frozen=True, slots=True)
class DoubtMessage:
    """The outbox does not know whether the manager's message arrived."""

    message_id: MessageId


@dataclass(frozen=True, slots=True)
class RepeatMessage:
    """Show a doubted message again."""

    message_id: MessageId
    actor: str
    actor_name: str


@dataclass(frozen=True, slots=True)
class RenameSession:
    """The session gets another title."""

    title: str


@dataclass(frozen=True, slots=True)
class ArchiveSession:
    """A closed session is put away; an open one is closed first."""

    reason: str


@dataclass(frozen=True, slots=True)
class TryAgain:
    """What failed too often is tried once more."""

    blocked_id: str
    actor: str
    actor_name: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class GiveUp:
    """What failed too often is given up."""

    blocked_id: str
    actor: str
    actor_name: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class CloseSession:
    reason: str
