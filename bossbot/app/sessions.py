"""All mailboxes of this process: a session's is opened when it is first needed, and lives until the process ends."""

import asyncio
from collections.abc import Callable

from bossbot.app.mailbox import Clock, Mailbox, Reaction
from bossbot.ids import Mint, SessionId
from bossbot.store.protocol import EventStore

Spawn = Callable[..., "asyncio.Task[None]"]


class Sessions:
    """Finds or opens mailboxes. `spawn` runs a mailbox's task (a TaskGroup's `create_task`)."""

    def __init__(self, store: EventStore, mint: Mint, clock: Clock, react: Reaction, spawn: Spawn) -> None:
        self._store, self._mint, self._clock, self._react, self._spawn = store, mint, clock, react, spawn
        self._open: dict[SessionId, Mailbox] = {}
        self._opening: dict[SessionId, asyncio.Future[Mailbox]] = {}

    async def get(self, session_id: SessionId) -> Mailbox:
        """The session's mailbox. Two callers at once get the same one."""
        if session_id in self._open:
            return self._open[session_id]
        if session_id in self._opening:
            return await asyncio.shield(self._opening[session_id])
        opening: asyncio.Future[Mailbox] = asyncio.get_running_loop().create_future()
        self._opening[session_id] = opening
        try:
            mailbox = Mailbox(session_id, self._store, self._mint, self._clock, self._react)
            await mailbox.open()
            self._open[session_id] = mailbox
            self._spawn(mailbox.run(), name=f"mailbox {session_id}")
            opening.set_result(mailbox)
            return mailbox
        except BaseException as error:
            # Whoever waits for the same mailbox was not cancelled, and shall not think so.
            opening.set_exception(error if isinstance(error, Exception) else InterruptedError("not opened; try again"))
            opening.exception()  # also when nobody else waits for it
            raise
        finally:
            del self._opening[session_id]

    def all_open(self) -> list[Mailbox]:
        """Those that are open now."""
        return list(self._open.values())
