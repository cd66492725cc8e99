"""The agents of all sessions: a driver each, made when its session first has something for it."""

import asyncio
from collections.abc import Sequence

from bossbot.agent.driver import Driver
from bossbot.agent.hired import Hire
from bossbot.domain.events import Event
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId


class AgentPool:
    """Tells each session's driver what has happened; ends all of them when it is cancelled."""

    def __init__(self, hire: Hire) -> None:
        self._hire = hire
        self._drivers: dict[SessionId, Driver] = {}
        self._group: asyncio.TaskGroup | None = None

    def react(self, session_id: SessionId, events: Sequence[Event], state: SessionState) -> None:
        """Told after each commit of a session. Does not block."""
        driver = self._drivers.get(session_id)
        if driver is None:
            assert self._group is not None
            driver = self._drivers[session_id] = Driver(session_id, self._hire(state))
            self._group.create_task(driver.run(), name=f"driver {session_id}")
        driver.react(events, state)

    async def run(self) -> None:
        """Runs until cancelled; then every agent is ended, all at once."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            await asyncio.Event().wait()
