"""Expiry: a request that nobody decides in time is answered with no, so that no agent waits for ever.

The clock runs in this process only: with the process the request dies anyway, and is asked anew.
"""

from collections.abc import Awaitable, Callable

from bossbot.app.mailbox import Change
from bossbot.app.sessions import Sessions, Spawn
from bossbot.domain.commands import ExpireApproval
from bossbot.domain.events import ApprovalRequested
from bossbot.ids import ApprovalId, SessionId


class Expiry:
    """Waits `after_s` seconds beside each request that is still open."""

    def __init__(
        self, sessions: Sessions, spawn: Spawn, sleep: Callable[[float], Awaitable[None]], after_s: float
    ) -> None:
        self._sessions, self._spawn, self._sleep, self._after_s = sessions, spawn, sleep, after_s

    def react(self, change: Change) -> None:
        """Starts the clock of what has just been asked."""
        for event in change.events:
            if isinstance(event.payload, ApprovalRequested) and event.payload.id in change.after.pending:
                self._spawn(self._expire(change.after.id, ApprovalId(event.payload.id)), name="expiry")

    async def _expire(self, session_id: SessionId, approval_id: ApprovalId) -> None:
        await self._sleep(self._after_s)
        mailbox = await self._sessions.get(session_id)
        approval = mailbox.state.approvals.get(approval_id)
        if approval is not None and approval.pending:
            await mailbox.post(ExpireApproval(approval_id, self._after_s))
