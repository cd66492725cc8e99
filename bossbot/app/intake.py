"""Intake: what people write and press becomes commands. The one place that asks who somebody is."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta

from bossbot.app.access import Access, Role
from bossbot.app.mailbox import Mailbox
from bossbot.app.presses import NOT_APPROVER, STRANGER, Presses, sentence, stop
from bossbot.app.sessions import Sessions
from bossbot.app.status import artifacts_card, help_card, status_card
from bossbot.app.words import Rejection, Rename, Said, Steered, Word, read_word
from bossbot.channel import ButtonPressed, Card, Channel, ChannelError, Inbound, MessageReceived
from bossbot.domain import commands as c
from bossbot.domain.approval import QUESTION, Approval
from bossbot.domain.errors import DomainError
from bossbot.domain.events import ApprovalRequested, Steering
from bossbot.domain.people import TITLE_CHARS, short_title
from bossbot.domain.state import SessionState
from bossbot.ids import ApprovalId, MessageId, Mint, SessionId, ThreadRef
from bossbot.store.errors import DuplicateDelivery
from bossbot.store.outbox import DeliveryState
from bossbot.store.protocol import EventStore
from bossbot.store.records import MessageRef
from bossbot.views.views import notice

log = logging.getLogger(__name__)

_OF_A_SESSION = (Word.STOP, Word.STATUS, Word.ARTIFACTS, Word.APPROVE, Word.ARCHIVE)
CLOCK_GRAIN = timedelta(seconds=1)
"""Telegram tells the time of a message in whole seconds."""


class Intake:
    """Takes in what channels receive. `plan_first`: messages are judged for plan changes before they go on.

    `steering` is what becomes of a message in mid-turn that does not say so itself.
    """

    def __init__(
        self,
        store: EventStore,
        sessions: Sessions,
        access: Access,
        channels: Mapping[str, Channel],
        mint: Mint,
        *,
        plan_first: bool,
        steering: Steering = Steering.QUEUE,
    ) -> None:
        self._steering, self._presses = steering, Presses(store, sessions, access, channels, mint)
        self._store, self._sessions, self._access = store, sessions, access
        self._channels, self._mint, self._plan_first = channels, mint, plan_first
        self._opening = asyncio.Lock()
        self._told: set[str] = set()

    async def take(self, inbound: Inbound) -> None:
        """Returns when what arrived is committed (or dropped for a reason); then the adapter may confirm it."""
        try:
            match inbound:
                case MessageReceived():
                    await self._message(inbound)
                case ButtonPressed():
                    await self._presses.take(inbound)
        except DuplicateDelivery:
            log.debug("delivery %s came again", inbound.delivery_id)

    # --- messages ---

    async def _message(self, m: MessageReceived) -> None:
        session_id = await self._session_for(m)
        # A thread or topic that has a session is ours; in a whole group that has one, people also talk to each other.
        ours = session_id is not None and (m.private or m.thread.thread is not None)
        addressed = m.addressed or ours or self._access.listens(m.thread.channel, m.thread.chat)
        if not addressed:
            return
        role = self._access.role(m.actor)
        if role is Role.STRANGER:
            await self._turn_away(m)
            return
        word = read_word(m.text)
        if session_id is None:
            await self._open(m, word)
            return
        mailbox = await self._sessions.get(session_id)
        if not await self._by_word(m, role, word, mailbox):
            await self._add(m, mailbox)

    async def _session_for(self, m: MessageReceived) -> SessionId | None:
        """The thread's session; in a private chat also that of the message which this thread hangs on."""
        found = await self._store.session_of(m.thread)
        if found is None and m.private and m.thread.thread is not None:
            root = MessageRef(m.thread.channel, m.thread.chat, m.thread.thread)
            found = await self._store.session_of_message(root)
        return found

    async def _open(self, m: MessageReceived, word: Said | None) -> None:
        steered = word if isinstance(word, Steered) else None
        text = steered.text if steered is not None else m.text
        if isinstance(word, Word | Rename) or not text.strip():
            nothing = steered is not None or isinstance(word, Rename) or word in _OF_A_SESSION
            await self._say(m.thread, notice("Nothing is running here.") if nothing else help_card())
            return
        async with self._opening:
            session_id = await self._store.session_of(m.thread)
            mailbox = await self._sessions.get(session_id or SessionId(self._mint("ps")))
            opening = c.OpenSession(
                title=short_title(text),
                channel=m.thread.channel,
                chat=m.thread.chat,
                thread=m.thread.thread,
                objective=" ".join(text.split())[:TITLE_CHARS],
            )
            await self._add(m, mailbox, *([] if session_id else [opening]), steered=steered)

    async def _add(
        self, m: MessageReceived, mailbox: Mailbox, *before: c.Command, steered: Steered | None = None
    ) -> None:
        message = c.AddMessage(
            message_id=MessageId(self._mint("msg")),
            turn_id=self._mint("turn"),
            channel=m.thread.channel,
            content=steered.text if steered is not None else m.text,
            author=str(m.actor),
            author_name=m.actor_name,
            plan_first=self._plan_first,
            steering=steered.steering if steered is not None else self._steering,
            insists=steered is not None,
        )
        try:
            await mailbox.tell(*before, message, inbox_key=m.delivery_id, heard=_ref(m))
        except DomainError as error:
            await self._say(m.thread, notice(sentence(error)))

    async def _by_word(self, m: MessageReceived, role: Role, word: Said | None, mailbox: Mailbox) -> bool:
        """Handles a message that is a command or decision; False when it is an ordinary one."""
        waiting = [a for a in mailbox.state.pending_approvals if a.kind != QUESTION]
        match word:
            case Word.STOP:
                await self._told_or_refused(m, mailbox, stop(str(m.actor), m.actor_name, self._mint))
            case Word.STATUS:
                await self._say(m.thread, status_card(mailbox.state))
            case Word.ARTIFACTS:
                await self._say(m.thread, artifacts_card(mailbox.state))
            case Word.HELP:
                await self._say(m.thread, help_card())
            case Word.NEW:
                await self._new(m, mailbox)
            case Word.ARCHIVE:
                await self._archive(m, mailbox)
            case Rename(title=title):
                if await self._told_or_refused(m, mailbox, c.RenameSession(title)):
                    await self._say(m.thread, notice(f"This session is now called “{mailbox.state.title}”."))
            case Steered(text="", steering=steering):
                await self._told_or_refused(
                    m, mailbox, c.SteerTurn(self._mint("turn"), steering, str(m.actor), m.actor_name)
                )
            case Steered():
                await self._add(m, mailbox, steered=word)
            case Word.APPROVE if waiting:
                await self._decide_by_word(m, role, mailbox, waiting, None)
            case Rejection() if waiting:
                await self._decide_by_word(m, role, mailbox, waiting, word)
            case _:
                return False
        return True

    async def _new(self, m: MessageReceived, mailbox: Mailbox) -> None:
        done = await self._told_or_refused(m, mailbox, c.CloseSession(f"closed by {m.actor_name}"))
        if done:
            await self._say(m.thread, notice("Session closed. Your next message starts a new one."))

    async def _archive(self, m: MessageReceived, mailbox: Mailbox) -> None:
        done = await self._told_or_refused(m, mailbox, c.ArchiveSession(f"archived by {m.actor_name}"))
        if done:
            await self._say(m.thread, notice("Session archived. Your next message starts a new one."))

    async def _decide_by_word(
        self, m: MessageReceived, role: Role, mailbox: Mailbox, waiting: list[Approval], no: Rejection | None
    ) -> None:
        if role < Role.APPROVER:
            await self._say(m.thread, notice(NOT_APPROVER))
        elif len(waiting) > 1:
            await self._say(m.thread, notice("Several requests wait: decide each with its own buttons."))
        elif no is not None:
            rejection = c.Reject(
                waiting[0].id, str(m.actor), m.actor_name, no.reason, no.stop, self._mint("turn") if no.stop else ""
            )
            await self._told_or_refused(m, mailbox, rejection)
        elif not await self._is_shown(mailbox.state, waiting[0].id) or await self._asked_after(
            m, waiting[0].id, mailbox
        ):
            await self._say(m.thread, notice("A new request is on its way here: read it first, then decide."))
        else:
            await self._told_or_refused(m, mailbox, c.Approve(waiting[0].id, str(m.actor), m.actor_name))

    async def _asked_after(self, m: MessageReceived, approval_id: ApprovalId, mailbox: Mailbox) -> bool:
        """True if the word was written before the request existed: it came late, and was meant for another."""
        for event in await self._store.events_of(mailbox.state.id, ApprovalRequested.TYPE):
            if isinstance(event.payload, ApprovalRequested) and event.payload.id == approval_id:
                return m.sent_at + CLOCK_GRAIN < event.timestamp
        return True

    async def _is_shown(self, state: SessionState, approval_id: ApprovalId) -> bool:
        """A request whose card has not left us yet cannot be what somebody approves."""
        for thread in state.threads:
            delivery = await self._store.delivery(state.id, thread, f"apr:{approval_id}")
            unsent = (DeliveryState.PENDING, DeliveryState.FAILED)
            if delivery is not None and (delivery.post is not None or delivery.state not in unsent):
                return True
        return False

    async def _told_or_refused(self, m: MessageReceived, mailbox: Mailbox, command: c.Command) -> bool:
        try:
            await mailbox.tell(command, inbox_key=m.delivery_id, heard=_ref(m))
        except DomainError as error:
            await self._say(m.thread, notice(sentence(error)))
            return False
        return True

    async def _turn_away(self, m: MessageReceived) -> None:
        """A stranger is told once, in private only, what the owner must do; in a group there is silence."""
        log.info("a message of %s was dropped: not in the settings", m.actor)
        if m.private and str(m.actor) not in self._told:
            self._told.add(str(m.actor))
            text = f"{STRANGER} Its owner can add you to [channels.{m.actor.channel}] members: {m.actor.user}"
            await self._say(m.thread, notice(text))

    async def _say(self, thread: ThreadRef, card: Card) -> None:
        """A reply that is not part of the session's record. If it does not arrive, the person asks again."""
        try:
            await self._channels[thread.channel].post(thread, card, key=self._mint("reply"))
        except ChannelError as error:
            log.warning("a reply in %s was not delivered: %s", thread.channel, error)


def _ref(m: MessageReceived) -> MessageRef:
    return MessageRef(m.thread.channel, m.thread.chat, m.message_id)
