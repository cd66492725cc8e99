"""What goes over a socket: envelopes, and the socket that carries them one after another."""

import asyncio
from dataclasses import dataclass, field

from aiohttp import web

from bossbot.sandbox.clock import Timer
from bossbot.sandbox.json_types import Json, encode


@dataclass(slots=True)
class Envelope:
    """One delivery. `answer` resolves to the payload of its ack ({} when it had none), None when unheard."""

    envelope_id: str
    type: str
    payload: Json
    born_at: float
    answer: asyncio.Future[Json | None]
    attempt: int = 0
    reason: str = ""
    socket: "Socket | None" = None
    timer: Timer | None = None

    @property
    def may_come_again(self) -> bool:
        return self.type == "events_api"

    def wire(self) -> Json:
        body: Json = {
            "envelope_id": self.envelope_id,
            "payload": self.payload,
            "type": self.type,
            "accepts_response_payload": not self.may_come_again,
        }
        if self.may_come_again:
            body["retry_attempt"] = self.attempt
            body["retry_reason"] = self.reason
        return body


@dataclass(slots=True, eq=False)
class Socket:
    """One connection of the bot; `out` holds what is still to be written to it."""

    ws: web.WebSocketResponse
    out: asyncio.Queue[Json | None] = field(default_factory=asyncio.Queue)
    leaving: bool = False


async def write_frames(socket: Socket) -> None:
    """Write what is put into `out` until None comes, then close."""
    while (frame := await socket.out.get()) is not None:
        try:
            await socket.ws.send_str(encode(frame).decode())
        except ConnectionError:
            return
    await socket.ws.close()
