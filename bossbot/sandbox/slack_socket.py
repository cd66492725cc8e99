"""Socket Mode: envelopes go out to one of the bot's sockets and must be acknowledged within 3 seconds.

Events that nobody acknowledged come again, as Slack's Events API retries: at once, after a minute,
after five. Presses do not come again: their person sees that the app did not answer.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from functools import partial

from aiohttp import WSMsgType, web

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode, encode
from bossbot.sandbox.people import SLACK_APP_ID
from bossbot.sandbox.slack_envelope import Envelope, Socket, write_frames

ACK_WITHIN_S = 3.0
RETRY_AFTER_S = (0.0, 60.0, 300.0)
"""Pauses before the first, second and third retry (docs.slack.dev, Events API)."""
WAITING_MAX = 1_000
WAITING_LIFE_S = 3_600.0
"""Events that found no socket wait this long for one, no more than `WAITING_MAX` of them."""
SOCKETS_MAX = 10
PING_EVERY_S = 10.0
REFRESH_CLOSE_S = 2.0
TICKET_LIFE_S = 30.0


class SocketHub:
    """All sockets of the app, and the envelopes that are under way or wait for one."""

    def __init__(self, clock: Clock, on_change: Callable[[], None]) -> None:
        self._clock = clock
        self._on_change = on_change
        self._sockets: deque[Socket] = deque()
        self._under_way: dict[str, Envelope] = {}
        self._waiting: deque[Envelope] = deque(maxlen=WAITING_MAX)
        self._paused: dict[str, Envelope] = {}
        self._tickets: dict[str, float] = {}

    @property
    def count(self) -> int:
        """Sockets that take envelopes."""
        return sum(1 for socket in self._sockets if not socket.leaving)

    def new_ticket(self) -> str:
        """A word that lets one connection in, as apps.connections.open gives it out."""
        ticket = secrets.token_urlsafe(24)
        self._tickets[ticket] = self._clock.now()
        return ticket

    def deliver(self, kind: str, payload: Json) -> Envelope:
        """Send an envelope to one socket; an event waits for a socket if there is none."""
        answer = asyncio.get_running_loop().create_future()
        envelope = Envelope(secrets.token_hex(16), kind, payload, self._clock.now(), answer)
        self._send(envelope)
        return envelope

    def disconnect(self, count: int, reason: str) -> int:
        """Ask up to `count` sockets to leave, as Slack does before it closes them; returns how many."""
        staying = [socket for socket in self._sockets if not socket.leaving][:count]
        for socket in staying:
            socket.leaving = True
            socket.out.put_nowait({"type": "disconnect", "reason": reason, "debug_info": {"host": "sandbox"}})
            self._clock.call_later(REFRESH_CLOSE_S, partial(socket.out.put_nowait, None))
        return len(staying)

    def forget_waiting(self) -> None:
        """Drop what was not delivered yet."""
        self._waiting.clear()
        for envelope in [*self._under_way.values(), *self._paused.values()]:
            self._finish(envelope, None)

    async def close(self) -> None:
        self.forget_waiting()
        for socket in list(self._sockets):
            socket.out.put_nowait(None)
            await socket.ws.close()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket's whole life."""
        issued_at = self._tickets.pop(request.query.get("ticket", ""), None)
        if issued_at is None or self._clock.now() - issued_at > TICKET_LIFE_S:
            return web.Response(status=401, text="this ticket was not given out, or was used already")
        socket = Socket(web.WebSocketResponse(heartbeat=PING_EVERY_S))
        await socket.ws.prepare(request)
        if len(self._sockets) >= SOCKETS_MAX:
            await socket.ws.send_str(encode({"type": "disconnect", "reason": "too_many_websockets"}).decode())
            await socket.ws.close()
            return socket.ws
        self._enter(socket)
        writer = asyncio.create_task(write_frames(socket))
        try:
            await self._read(socket)
        finally:
            self._leave(socket)
            writer.cancel()
        return socket.ws

    def _enter(self, socket: Socket) -> None:
        self._sockets.append(socket)
        socket.out.put_nowait(
            {
                "type": "hello",
                "num_connections": len(self._sockets),
                "debug_info": {"host": "sandbox", "approximate_connection_time": 18060},
                "connection_info": {"app_id": SLACK_APP_ID},
            }
        )
        waiting, self._waiting = list(self._waiting), deque(maxlen=WAITING_MAX)
        for envelope in waiting:
            self._send(envelope)
        self._on_change()

    def _leave(self, socket: Socket) -> None:
        socket.leaving = True
        self._sockets.remove(socket)
        for envelope in [item for item in self._under_way.values() if item.socket is socket]:
            self._again(envelope, "connection_failed", 0.0)
        self._on_change()

    async def _read(self, socket: Socket) -> None:
        async for frame in socket.ws:
            if frame.type is not WSMsgType.TEXT:
                continue
            try:
                ack = as_object(decode(frame.data)) or {}
            except BadJsonError:
                continue
            envelope = self._under_way.get(str(ack.get("envelope_id")))
            if envelope is not None:
                self._finish(envelope, as_object(ack.get("payload")) or {})

    def _send(self, envelope: Envelope) -> None:
        self._paused.pop(envelope.envelope_id, None)
        socket = self._next_socket()
        if socket is None:
            self._keep(envelope)
            return
        envelope.socket = socket
        envelope.timer = self._clock.call_later(ACK_WITHIN_S, lambda: self._unheard(envelope))
        self._under_way[envelope.envelope_id] = envelope
        socket.out.put_nowait(envelope.wire())

    def _next_socket(self) -> Socket | None:
        self._sockets.rotate(-1)
        return next((socket for socket in self._sockets if not socket.leaving), None)

    def _keep(self, envelope: Envelope) -> None:
        now = self._clock.now()
        if not envelope.may_come_again:
            self._finish(envelope, None)
            return
        while self._waiting and now - self._waiting[0].born_at > WAITING_LIFE_S:
            self._waiting.popleft()
        envelope.attempt = max(1, envelope.attempt)
        envelope.reason = envelope.reason or "connection_failed"
        self._waiting.append(envelope)

    def _unheard(self, envelope: Envelope) -> None:
        if envelope.attempt < len(RETRY_AFTER_S):
            self._again(envelope, "timeout", RETRY_AFTER_S[envelope.attempt])
        else:
            self._finish(envelope, None)

    def _again(self, envelope: Envelope, reason: str, pause_s: float) -> None:
        self._under_way.pop(envelope.envelope_id, None)
        if envelope.timer is not None:
            envelope.timer.cancel()
        if not envelope.may_come_again:
            self._finish(envelope, None)
            return
        envelope.socket = None
        envelope.attempt = min(envelope.attempt + 1, len(RETRY_AFTER_S))
        envelope.reason = reason
        if pause_s == 0:
            self._send(envelope)
        else:
            self._paused[envelope.envelope_id] = envelope
            envelope.timer = self._clock.call_later(pause_s, lambda: self._send(envelope))

    def _finish(self, envelope: Envelope, answer: Json | None) -> None:
        self._under_way.pop(envelope.envelope_id, None)
        self._paused.pop(envelope.envelope_id, None)
        if envelope.timer is not None:
            envelope.timer.cancel()
        if not envelope.answer.done():
            envelope.answer.set_result(answer)
