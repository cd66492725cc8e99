"""Recovery: sessions whose agent is gone. At the start of the program, and when an agent dies while it works."""

import logging
from collections.abc import Awaitable, Callable

from bossbot.app.mailbox import Change, Mailbox
from bossbot.app.sessions import Sessions, Spawn
from bossbot.domain.commands import Recover
from bossbot.domain.events import SessionTurnFinished
from bossbot.domain.manager import MAX_LOST_TURNS
from bossbot.domain.state import SessionState
from bossbot.ids import MessageId, Mint, SessionId
from bossbot.store.protocol import EventStore

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0


class Recovery:
    """Takes up cut turns: at once after a restart, and after a growing pause when the agent dies."""

    def __init__(
        self,
        store: EventStore,
        sessions: Sessions,
        mint: Mint,
        spawn: Spawn,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._store, self._sessions, self._mint, self._spawn, self._sleep = store, sessions, mint, spawn, sleep

    async def at_start(self) -> list[Mailbox]:
        """Recovers every open session that an earlier process left in the middle of something."""
        opened = []
        for row in await self._store.sessions(open_only=True):
            try:
                mailbox = await self._sessions.get(row.id)
            except Exception:  # one log that cannot be read does not keep the others from going on
                log.exception("session %s cannot be read and is left alone", row.id)
                continue
            opened.append(mailbox)
            if _unfinished(mailbox.state):
                log.info("session %s is taken up again", row.id)
                await mailbox.post(self._command("the bot was restarted"))
        return opened

    def react(self, change: Change) -> None:
        """An agent died in the middle of a turn: try again after a pause that grows with each loss."""
        for event in change.events:
            payload = event.payload
            if isinstance(payload, SessionTurnFinished) and payload.outcome == "lost" and change.after.cut is not None:
                reason = payload.errors[0] if payload.errors else "the agent ended"
                self._spawn(self._after_pause(change.after.id, change.after.lost_turns, reason), name="recovery")

    async def _after_pause(self, session_id: SessionId, lost: int, reason: str) -> None:
        await self._sleep(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(lost - 1, MAX_LOST_TURNS)))
        mailbox = await self._sessions.get(session_id)
        if mailbox.state.cut is not None:
            await mailbox.post(self._command(reason))

    def _command(self, reason: str) -> Recover:
        return Recover(self._mint("turn"), MessageId(self._mint("msg")), reason)


def _unfinished(state: SessionState) -> bool:
    given_up = state.lost_turns > MAX_LOST_TURNS  # the person was told; the next message takes it up
    return bool(
        state.busy
        or state.pending_approvals
        or ((state.queue or state.then_tell or state.cut is not None) and not given_up)
    )
