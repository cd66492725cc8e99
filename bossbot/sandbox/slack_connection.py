"""One WebSocket of the bot: its hello, its pings, its end, and the silence that a fault can lay on it.

Slack closes a connection after about five hours, and says so ten seconds before; with
`debug_reconnects=true` in its address it lives for six minutes (docs.slack.dev, Socket Mode).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import WSMessage, WSMsgType, web

from bossbot.sandbox.clock import Clock, Timer
from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode, encode
from bossbot.sandbox.people import SLACK_APP_ID

LIFE_S = 18_060.0
DEBUG_LIFE_S = 360.0
WARNING_S = 10.0
CLOSE_AFTER_S = 2.0
"""From `refresh_requested` to the end: what was sent before may still be acknowledged."""
PING_EVERY_S = 10.0
PONG_WITHIN_S = 45.0
HOST = "applink-sandbox"


@dataclass(slots=True, eq=False)
class Socket:
    """One connection; `out` holds what is still to be written to it, None ends it.

    A `silent` one stays open, and nothing moves on it in either direction, pings included.
    """

    ws: web.WebSocketResponse
    clock: Clock
    life_s: float
    out: asyncio.Queue[Json | None] = field(default_factory=asyncio.Queue)
    leaving: bool = False
    silent: bool = False
    heard_at: float = 0.0
    timers: list[Timer] = field(default_factory=list)

    def hello(self, connections: int) -> None:
        """The first frame; from now on the connection's life is counted."""
        self.out.put_nowait(
            {
                "type": "hello",
                "num_connections": connections,
                "connection_info": {"app_id": SLACK_APP_ID},
                "debug_info": {
                    "host": HOST,
                    "build_number": 1,
                    "approximate_connection_time": int(self.life_s),
                },
            }
        )
        self.timers.append(self.clock.call_later(max(0.0, self.life_s - WARNING_S), self.warn))
        self.timers.append(self.clock.call_later(self.life_s, lambda: self.leave("refresh_requested")))

    def warn(self) -> None:
        """Say that the end is near; envelopes still come."""
        self.out.put_nowait({"type": "disconnect", "reason": "warning", "debug_info": {"host": HOST}})

    def leave(self, reason: str) -> None:
        """Say that it is over, and close a little later; no more envelopes come."""
        if not self.leaving:
            self.leaving = True
            self.out.put_nowait({"type": "disconnect", "reason": reason, "debug_info": {"host": HOST}})
            self.timers.append(self.clock.call_later(CLOSE_AFTER_S, self.end))

    def end(self) -> None:
        self.out.put_nowait(None)

    async def live(self, heard: Callable[[Json], None]) -> None:
        """Write, read and ping until either side ends it. `heard` gets every frame that is a JSON object."""
        self.heard_at = asyncio.get_running_loop().time()
        helpers = [asyncio.create_task(self._write()), asyncio.create_task(self._ping())]
        try:
            await self._read(heard)
        finally:
            for timer in self.timers:
                timer.cancel()
            for helper in helpers:
                helper.cancel()

    async def _read(self, heard: Callable[[Json], None]) -> None:
        async for frame in self.ws:
            self.heard_at = asyncio.get_running_loop().time()
            if self.silent:
                continue
            if frame.type is WSMsgType.PING:
                await self._try(self.ws.pong(frame.data))
            elif frame.type is WSMsgType.TEXT and (body := _object(frame)) is not None:
                heard(body)

    async def _write(self) -> None:
        while (frame := await self.out.get()) is not None:
            if not self.silent and not await self._try(self.ws.send_str(encode(frame).decode())):
                return
        await self.ws.close()

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_EVERY_S)
            if asyncio.get_running_loop().time() - self.heard_at > PONG_WITHIN_S and not self.silent:
                await self.ws.close()
                return
            if not self.silent and not await self._try(self.ws.ping(b"Ping from " + HOST.encode())):
                return

    async def _try(self, sending: Awaitable[None]) -> bool:
        try:
            await sending
        except ConnectionError:
            return False
        return True


def _object(frame: WSMessage) -> Json | None:
    try:
        return as_object(decode(frame.data))
    except BadJsonError:
        return None
