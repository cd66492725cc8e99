"""Recovery: what failed and may be tried again is taken up. At the start of the program what an earlier process left;
later, after a growing pause, what an agent's death or trouble at the model's provider cut off: a turn, or a background
task.
"""

import logging
from collections.abc import Awaitable, Callable

from bossbot.app.mailbox import Change, Mailbox
from bossbot.app.sessions import Sessions, Spawn
from bossbot.domain.commands import Recover
from bossbot.domain.events import Event, SessionTurnFinished, TaskFailed
from bossbot.domain.giving_up import failures, waits_for_retry, why
from bossbot.domain.state import SessionState
from bossbot.ids import Mint, SessionId
from bossbot.settings import RetrySettings
from bossbot.store.protocol import EventStore

log = logging.getLogger(__name__)


class Recovery:
    """Takes up failed turns: at once after a restart, and else after a pause that grows with each failure in a row."""

    def __init__(
        self,
        store: EventStore,
        sessions: Sessions,
        mint: Mint,
        spawn: Spawn,
        sleep: Callable[[float], Awaitable[None]],
        settings: RetrySettings,
    ) -> None:
        self._store, self._sessions, self._mint, self._spawn, self._sleep = store, sessions, mint, spawn, sleep
        self._settings = settings

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
                await mailbox.post(self._command("the bot was restarted", process_gone=True))
        return opened

    def react(self, change: Change) -> None:
        """A turn or a background task failed and may be tried again. While a turn runs that waits for its end."""
        if change.after.turn is not None or not any(map(_is_an_end, change.events)):
            return
        if waits_for_retry(change.after) and not change.after.asks_how_to_go_on:
            self._spawn(self._later(change.after.id, failures(change.after)), name="recovery")

    async def _later(self, session_id: SessionId, failed: int) -> None:
        """Whoever decides is asked at once: no pause comes before that."""
        if failed <= self._settings.max_retries:
            await self._sleep(self._pause_s(failed))
        mailbox = await self._sessions.get(session_id)
        if waits_for_retry(mailbox.state):
            # Not `process_gone`: that is recorded, and what runs by now, a message may have begun in another process.
            await mailbox.post(self._command(why(mailbox.state), process_gone=False))

    def _pause_s(self, failures: int) -> float:
        """Twice as long with each failure; the exponent is bounded, because a person may try again for ever."""
        return min(self._settings.longest_pause_s, self._settings.first_pause_s * 2.0 ** min(failures - 1, 30))

    def _command(self, reason: str, *, process_gone: bool) -> Recover:
        return Recover(
            turn_id=self._mint("turn"),
            blocked_id=self._mint("blk"),
            reason=reason,
            max_retries=self._settings.max_retries,
            process_gone=process_gone,
        )


def _is_an_end(event: Event) -> bool:
    """Also of a turn of the CLI's own: a pause that ended in it took nothing up."""
    payload = event.payload
    return isinstance(payload, SessionTurnFinished) or (isinstance(payload, TaskFailed) and payload.retryable)


def _unfinished(state: SessionState) -> bool:
    """Where a person was asked how it goes on, that person or the next message takes it up."""
    return bool(
        state.busy
        or state.pending_approvals
        or ((state.queue or state.then_tell or waits_for_retry(state)) and not state.asks_how_to_go_on)
    )
