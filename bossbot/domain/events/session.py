"""The session's events: messages, turns, the objective, and the threads it belongs to."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from bossbot.domain.events.base import Payload


class Steering(StrEnum):
    """What becomes of a message while a turn runs: it waits for the end, is read at once, or replaces the turn."""

    QUEUE = "queue"
    NOW = "now"
    REPLACE = "replace"


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
    steering: Steering = Field(default=Steering.QUEUE, description="(ours) what becomes of it while a turn runs")


class SessionMessageStarted(Payload):
    """(ours) The manager's text `id` is shown while it is written. Its words come with `session.message.added`."""

    TYPE = "session.message.started"
    id: str


class SessionMessageClassified(Payload):
    """(ours) What the planner takes a message to mean; `source` is `rules` or `agent`."""

    TYPE = "session.message.classified"
    message_id: str
    intent: str
    objective_change: bool
    judged_by: str = "rules"
    note: str = ""
    condition: str | None = None


class SessionConstraintAdded(Payload):
    """(ours) A message set limits for the work at hand; they hold for what is assigned from now on."""

    TYPE = "session.constraint.added"
    message_id: str
    content: str


class SessionTurnStarted(Payload):
    """(ours) These messages were handed to the manager as one turn; `content` is what the agent CLI was told.

    `takes_up`: what the turn was asked that this one takes up again.
    """

    TYPE = "session.turn.started"
    turn_id: str
    message_ids: tuple[str, ...] = ()
    content: str
    takes_up: str = ""


class SessionTurnSteered(Payload):
    """(ours) A person did not wait for the turn's end.

    `joined`: `content` was written into the running turn. `stopped`: the agent CLI takes no message in mid-turn, so
    the turn is interrupted for it. `replaced`: the person wanted the turn to end.
    """

    TYPE = "session.turn.steered"
    turn_id: str
    how: Literal["joined", "stopped", "replaced"]
    message_ids: tuple[str, ...] = ()
    content: str = ""
    actor: str
    actor_name: str = ""


class SessionTurnDelayed(Payload):
    """(ours) The model's provider gave no answer, and the agent CLI asks it again by itself after `retry_delay_ms`.

    `error_status`: its HTTP status, None when nobody answered at all; `error`: the CLI's word for it.
    """

    TYPE = "session.turn.delayed"
    turn_id: str
    attempt: int
    max_retries: int | None = None
    retry_delay_ms: int = 0
    error_status: int | None = None
    error: str = ""


class SessionTurnFinished(Payload):
    """(ours) The manager's turn ended. Costs in US dollars, times in milliseconds, as the agent CLI says.

    `lost`: the agent's process ended in it; `waiting_for` are the commands that then waited for permission.
    `retryable`: an error of the network or of the model's provider, which may be gone at the next try.
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
    retryable: bool = False


class SessionBlocked(Payload):
    """(ours) What the manager was asked failed `failures` times in a row: a person decides how it goes on."""

    TYPE = "session.blocked"
    id: str
    reason: str
    failures: int


class SessionUnblocked(Payload):
    """(ours) It goes on: a person let it be tried again, gave it up, or wrote to the manager."""

    TYPE = "session.unblocked"
    id: str
    how: Literal["retried", "given_up", "message"]
    actor: str = ""
    actor_name: str = ""


class SessionInterruptRequested(Payload):
    """(ours) Somebody asked to stop everything that runs in the session. `then_tell` is said to the manager after."""

    TYPE = "session.interrupt.requested"
    reason: str
    actor: str = ""
    then_tell: str = ""


class SessionProgressReported(Payload):
    """(ours) The protocol's structured summary, of the manager's work where no task stands for it."""

    TYPE = "session.progress.reported"
    summary: str = ""
    progress_percent: int | None = Field(default=None, ge=0, le=100)
    current_step: str = ""
    next_step: str = ""
    risk: str = ""


class SessionNoteQueued(Payload):
    """(ours) Something that the manager shall read with the next message; `at_once`: as soon as it is idle."""

    TYPE = "session.note.queued"
    content: str
    at_once: bool = False


class SessionMessageDoubted(Payload):
    """(ours) A message of the manager was sent and no answer came: it may stand in the chat, and is not repeated."""

    TYPE = "session.message.doubted"
    message_id: str


class SessionMessageRepeated(Payload):
    """(ours) A person wants to see a doubted message again."""

    TYPE = "session.message.repeated"
    message_id: str
    actor: str = ""
    actor_name: str = ""


class SessionRenamed(Payload):
    """(ours) The session has another title."""

    TYPE = "session.renamed"
    title: str
    previous: str = ""


class SessionArchived(Payload):
    """(ours) The session was put away: it is listed no more, and its log stays."""

    TYPE = "session.archived"
    reason: str = ""


class SessionClosed(Payload):
    """(ours) The session ended; its thread may start another."""

    TYPE = "session.closed"
    reason: str = ""
