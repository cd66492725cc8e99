"""Presses: a button of one of our cards becomes a command. The press is answered with what really happened."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from bossbot.app.access import Access, Role
from bossbot.app.mailbox import Mailbox
from bossbot.app.sessions import Sessions
from bossbot.channel import Action, BadAction, ButtonPressed, Channel, ChannelError, Verb
from bossbot.domain import commands as c
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Steering
from bossbot.domain.state import SessionState
from bossbot.ids import ApprovalId, DiffId, MessageId, Mint, SessionId, TaskId
from bossbot.store.errors import DuplicateDelivery
from bossbot.store.protocol import EventStore
from bossbot.store.records import MessageRef

log = logging.getLogger(__name__)

STRANGER = "You are not on this bot's list, so nothing happened."
NOT_APPROVER = "Only approvers can decide this, so nothing happened."
MEMBERS_TOO = frozenset(
    {Verb.STOP, Verb.ANSWER, Verb.SEND_NOW, Verb.REPLACE_TURN, Verb.TRY_AGAIN, Verb.GIVE_UP, Verb.SHOW_AGAIN}
)
"""Whoever may write may stop, steer and answer; all else is for approvers."""


@dataclass(frozen=True, slots=True)
class _Press:
    """A press whose session and action are known."""

    inbound: ButtonPressed
    action: Action
    mailbox: Mailbox


class Presses:
    """Takes in presses."""

    def __init__(
        self, store: EventStore, sessions: Sessions, access: Access, channels: Mapping[str, Channel], mint: Mint
    ) -> None:
        self._store, self._sessions, self._access, self._channels, self._mint = store, sessions, access, channels, mint

    async def take(self, p: ButtonPressed) -> None:
        """Decides first, then answers the presser; the answer says what really happened."""
        try:
            text, warn = await self._pressed(p)
        except DuplicateDelivery:
            text, warn = "", False
        await self._answer(p, text, warn=warn)

    async def _pressed(self, p: ButtonPressed) -> tuple[str, bool]:
        role = self._access.role(p.actor)
        if role is Role.STRANGER:
            return STRANGER, True
        try:
            action = Action.decode(p.action)
        except BadAction:
            return "This button is not known here.", True
        session_id = await self._session_of_post(p)
        if session_id is None:
            return "This button is no longer in use.", True
        if role < Role.APPROVER and action.verb not in MEMBERS_TOO:
            return NOT_APPROVER, True
        press = _Press(p, action, await self._sessions.get(session_id))
        if action.verb is Verb.STOP and not _runs(action.target, press.mailbox.state):
            return "This has already ended.", True
        try:
            state = await press.mailbox.tell(self._command(press), inbox_key=p.delivery_id)
        except DomainError as error:
            await press.mailbox.tell(inbox_key=p.delivery_id)  # the same press twice is no second, refused one
            return sentence(error), True
        return _done(action, state), False

    async def _session_of_post(self, p: ButtonPressed) -> SessionId | None:
        for message_id in p.post.ids:
            found = await self._store.session_of_message(MessageRef(p.post.channel, p.post.chat, message_id))
            if found is not None:
                return found
        return await self._store.session_of(p.thread)

    def _command(self, press: _Press) -> c.Command:
        target, actor, name = press.action.target, str(press.inbound.actor), press.inbound.actor_name
        match press.action.verb:
            case Verb.APPROVE:
                return c.Approve(ApprovalId(target), actor, name)
            case Verb.APPROVE_FOR_SESSION:
                return c.Approve(ApprovalId(target), actor, name, "approve_for_session")
            case Verb.REJECT:
                return c.Reject(ApprovalId(target), actor, name)
            case Verb.REJECT_AND_STOP:
                return c.Reject(ApprovalId(target), actor, name, stop=True, turn_id=self._mint("turn"))
            case Verb.TRY_AGAIN:
                return c.TryAgain(target, actor, name, self._mint("turn"))
            case Verb.GIVE_UP:
                return c.GiveUp(target, actor, name, self._mint("turn"))
            case Verb.SHOW_AGAIN:
                return c.RepeatMessage(MessageId(target), actor, name)
            case Verb.ANSWER:
                question, option = _answer_argument(press.action.argument)
                return c.AnswerQuestion(ApprovalId(target), question, actor, name, option)
            case Verb.APPLY_DIFF:
                diff = press.mailbox.state.diffs.get(DiffId(target))
                new = len(diff.proposal.create_tasks) if diff is not None else 0
                ids = tuple(TaskId(self._mint("task")) for _ in range(new))
                return c.ApplyPlanDiff(DiffId(target), self._mint("turn"), actor, name, ids)
            case Verb.KEEP_PLAN:
                return c.KeepPlan(DiffId(target), actor, name)
            case Verb.STOP:
                return stop(actor, name, self._mint)
            case Verb.SEND_NOW:
                return c.SteerTurn(self._mint("turn"), Steering.NOW, actor, name, target)
            case Verb.REPLACE_TURN:
                return c.SteerTurn(self._mint("turn"), Steering.REPLACE, actor, name, target)

    async def _answer(self, p: ButtonPressed, text: str, *, warn: bool) -> None:
        try:
            await self._channels[p.thread.channel].answer(p, text, warn=warn)
        except ChannelError as error:
            log.warning("a press in %s could not be answered: %s", p.thread.channel, error)


def stop(actor: str, name: str, mint: Mint) -> c.Interrupt:
    """The command behind every way of saying stop."""
    return c.Interrupt(actor, f"stopped by {name}", mint("turn"), name)


def sentence(error: DomainError) -> str:
    """A refusal as a person reads it."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _answer_argument(argument: str) -> tuple[int, int]:
    """Question and option index of an answer button; a malformed one names no question."""
    question, _, option = argument.partition(".")
    try:
        return int(question), int(option)
    except ValueError:
        return -1, 0


def _runs(target: str, state: SessionState) -> bool:
    """Whether what a Stop button was drawn for still runs: a turn, or a background task."""
    return (state.turn is not None and state.turn.id == target) or any(t.id == target for t in state.running_background)


def _done(action: Action, state: SessionState) -> str:
    match action.verb:
        case Verb.APPROVE:
            return "Approved."
        case Verb.APPROVE_FOR_SESSION:
            return "Allowed for this session."
        case Verb.REJECT:
            return "Rejected."
        case Verb.REJECT_AND_STOP:
            return "Rejected; everything is being stopped."
        case Verb.TRY_AGAIN:
            return "Trying again."
        case Verb.GIVE_UP:
            return "Given up."
        case Verb.SHOW_AGAIN:
            return "Shown again."
        case Verb.ANSWER:
            approval = state.approvals.get(ApprovalId(action.target))
            return "Noted." if approval is not None and approval.pending else "Answered."
        case Verb.APPLY_DIFF:
            return "Applied."
        case Verb.KEEP_PLAN:
            return "Plan kept."
        case Verb.STOP:
            return "Stopping."
        case Verb.SEND_NOW | Verb.REPLACE_TURN:
            stopping = state.turn is not None and state.turn.interrupted
            return "The running turn is stopped for it." if stopping else "Sent to the manager."
