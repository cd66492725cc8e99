"""All mailboxes of this process: a session's is opened when it is first needed, and let go when the session is closed.

Whoever still holds the mailbox of a closed session may use it: it wakes up for what comes late.
"""

import asyncio
from collections.abc import Callable
from weakref import WeakValueDictionary, ref

from bossbot.app.mailbox import Clock, Mailbox, Reaction
from bossbot.ids import Mint, SessionId
from bossbot.store.protocol import EventStore

Spawn = Callable[..., "asyncio.Task[None]"]


class Sessions:
    """Finds or opens mailboxes. `spawn` runs a mailbox's task (a TaskGroup's `create_task`)."""

    def __init__(self, store: EventStore, mint: Mint, clock: Clock, react: Reaction, spawn: Spawn) -> None:
        self._store, self._mint, self._clock, self._react, self._spawn = store, mint, clock, react, spawn
        self._open: dict[SessionId, Mailbox] = {}
        self._let_go: WeakValueDictionary[SessionId, Mailbox] = WeakValueDictionary()
        self._opening: dict[SessionId, asyncio.Future[Mailbox]] = {}

    async def get(self, session_id: SessionId) -> Mailbox:
        """The session's mailbox. Two callers at once get the same one."""
        known = self._open.get(session_id) or self._let_go.get(session_id)
        if known is not None:
            return known
        if session_id in self._opening:
            return await asyncio.shield(self._opening[session_id])
        opening: asyncio.Future[Mailbox] = asyncio.get_running_loop().create_future()
        self._opening[session_id] = opening
        try:
            mailbox = self._new(session_id)
            await mailbox.open()
            mailbox.awake()
            opening.set_result(mailbox)
            return mailbox
        except BaseException as error:
            # Whoever waits for the same mailbox was not cancelled, and shall not think so.
            opening.set_exception(error if isinstance(error, Exception) else InterruptedError("not opened; try again"))
            opening.exception()  # also when nobody else waits for it
            raise
        finally:
            del self._opening[session_id]

    def _new(self, session_id: SessionId) -> Mailbox:
        def wake() -> None:
            mailbox = here()
            if mailbox is not None:
                self._open[session_id] = mailbox
                self._spawn(self._live(session_id, mailbox), name=f"mailbox {session_id}")

        mailbox = Mailbox(session_id, self._store, self._mint, self._clock, self._react, wake)
        here = ref(mailbox)
        return mailbox

    async def _live(self, session_id: SessionId, mailbox: Mailbox) -> None:
        await mailbox.run()
        self._let_go[session_id] = self._open.pop(session_id)

    def all_open(self) -> list[Mailbox]:
        """Those that are open now."""
        return list(self._open.values())
