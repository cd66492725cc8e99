"""Socket Mode: envelopes go out to one of the bot's sockets and must be acknowledged within 3 seconds.

Events that nobody acknowledged come again, as Slack's Events API retries: at once, after a minute,
after five. Presses do not come again: their person sees that the app did not answer.
"""

import secrets
from collections import deque
from collections.abc import Callable

from aiohttp import web

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import Json, as_object, encode
from bossbot.sandbox.slack_connection import DEBUG_LIFE_S, LIFE_S, Socket
from bossbot.sandbox.slack_envelope import ACK_WITHIN_S, RETRY_AFTER_S, Envelope

WAITING_MAX = 1_000
WAITING_LIFE_S = 3_600.0
"""Events that found no socket wait this long for one, no more than `WAITING_MAX` of them."""
SOCKETS_MAX = 10
TICKET_LIFE_S = 30.0


class SocketHub:
    """All sockets of the app, and the envelopes that are under way or wait for one."""

    def __init__(self, clock: Clock, on_change: Callable[[], None]) -> None:
        self._clock = clock
        self._on_change = on_change
        self._sockets: deque[Socket] = deque()
        self._under_way: dict[str, tuple[Envelope, Socket]] = {}
        self._waiting: deque[Envelope] = deque()
        self._paused: dict[str, Envelope] = {}
        self._tickets: dict[str, float] = {}

    @property
    def count(self) -> int:
        """Sockets that take envelopes."""
        return sum(1 for socket in self._sockets if not socket.leaving)

    def new_ticket(self) -> str:
        """A word that lets one connection in, as apps.connections.open gives it out."""
        now = self._clock.now()
        self._tickets = {ticket: at for ticket, at in self._tickets.items() if now - at <= TICKET_LIFE_S}
        ticket = secrets.token_urlsafe(24)
        self._tickets[ticket] = now
        return ticket

    def deliver(self, envelope: Envelope) -> None:
        """Send an envelope to one socket; an event waits for a socket if there is none."""
        self._send(envelope)

    def disconnect(self, count: int, reason: str) -> int:
        """Say `reason` to up to `count` sockets, as Slack does before it closes them; returns how many.

        `warning` alone closes nothing; after every other reason they are closed 2 s later.
        """
        staying = [socket for socket in self._sockets if not socket.leaving][:count]
        for socket in staying:
            if reason == "warning":
                socket.warn()
            else:
                socket.leave(reason)
        return len(staying)

    def silence(self, count: int) -> int:
        """Up to `count` sockets stay open and nothing moves on them any more; returns how many."""
        found = [socket for socket in self._sockets if not socket.leaving and not socket.silent][:count]
        for socket in found:
            socket.silent = True
        return len(found)

    def forget_waiting(self) -> None:
        """Drop what was not delivered yet."""
        self._waiting.clear()
        for envelope in [*(found for found, _ in self._under_way.values()), *self._paused.values()]:
            self._finish(envelope, None)

    async def close(self) -> None:
        self.forget_waiting()
        for socket in list(self._sockets):
            socket.end()
            await socket.ws.close()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket's whole life."""
        issued_at = self._tickets.pop(request.query.get("ticket", ""), None)
        if issued_at is None or self._clock.now() - issued_at > TICKET_LIFE_S:
            return web.Response(status=401, text="this ticket was not given out, or was used already")
        life_s = DEBUG_LIFE_S if request.query.get("debug_reconnects") == "true" else LIFE_S
        socket = Socket(web.WebSocketResponse(autoping=False), self._clock, life_s)
        await socket.ws.prepare(request)
        if len(self._sockets) >= SOCKETS_MAX:
            await socket.ws.send_str(encode({"type": "disconnect", "reason": "too_many_websockets"}).decode())
            await socket.ws.close()
            return socket.ws
        self._enter(socket)
        try:
            await socket.live(self._acknowledge)
        finally:
            self._leave(socket)
        return socket.ws

    def _enter(self, socket: Socket) -> None:
        self._sockets.append(socket)
        socket.hello(len(self._sockets))
        waiting, self._waiting = self._waiting, deque()
        for envelope in waiting:
            self._send(envelope)
        self._on_change()

    def _leave(self, socket: Socket) -> None:
        socket.leaving = True
        self._sockets.remove(socket)
        for envelope in [envelope for envelope, taker in self._under_way.values() if taker is socket]:
            self._again(envelope, "connection_failed", 0.0)
        self._on_change()

    def _acknowledge(self, ack: Json) -> None:
        envelope, _ = self._under_way.get(str(ack.get("envelope_id")), (None, None))
        if envelope is not None:
            self._finish(envelope, as_object(ack.get("payload")) or {})

    def _send(self, envelope: Envelope) -> None:
        self._paused.pop(envelope.envelope_id, None)
        socket = self._next_socket()
        if socket is None:
            self._keep(envelope)
            return
        envelope.delivered = True
        envelope.timer = self._clock.call_later(ACK_WITHIN_S, lambda: self._unheard(envelope))
        self._under_way[envelope.envelope_id] = (envelope, socket)
        socket.out.put_nowait(envelope.wire())

    def _next_socket(self) -> Socket | None:
        self._sockets.rotate(-1)
        return next((socket for socket in self._sockets if not socket.leaving), None)

    def _keep(self, envelope: Envelope) -> None:
        now = self._clock.now()
        envelope.reason = envelope.reason or "connection_failed"
        if not envelope.may_come_again:
            self._finish(envelope, None)
            return
        while self._waiting and (now - self._waiting[0].born_at > WAITING_LIFE_S or len(self._waiting) >= WAITING_MAX):
            self._finish(self._waiting.popleft(), None)
        envelope.attempt = max(1, envelope.attempt)
        self._waiting.append(envelope)

    def _unheard(self, envelope: Envelope) -> None:
        if envelope.tries_left:
            self._again(envelope, "timeout", RETRY_AFTER_S[envelope.attempt])
        else:
            envelope.reason = "timeout"
            self._finish(envelope, None)

    def _again(self, envelope: Envelope, reason: str, pause_s: float) -> None:
        self._under_way.pop(envelope.envelope_id, None)
        if envelope.timer is not None:
            envelope.timer.cancel()
        envelope.reason = reason
        if not envelope.may_come_again:
            self._finish(envelope, None)
            return
        envelope.attempt = min(envelope.attempt + 1, len(RETRY_AFTER_S))
        if pause_s == 0:
            self._send(envelope)
        else:
            self._paused[envelope.envelope_id] = envelope
            envelope.timer = self._clock.call_later(pause_s, lambda: self._send(envelope))

    def _finish(self, envelope: Envelope, answer: Json | None) -> None:
        self._under_way.pop(envelope.envelope_id, None)
        self._paused.pop(envelope.envelope_id, None)
        envelope.finish(answer)
