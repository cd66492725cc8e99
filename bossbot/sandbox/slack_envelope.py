"""What Slack sends to the bot: envelopes, whichever way they go, and when a lost one comes again."""

import asyncio
import secrets
from dataclasses import dataclass

from bossbot.sandbox.clock import Clock, Timer
from bossbot.sandbox.json_types import Json

ACK_WITHIN_S = 3.0
RETRY_AFTER_S = (0.0, 60.0, 300.0)
"""Pauses before the first, second and third retry (docs.slack.dev, Events API)."""


@dataclass(slots=True)
class Envelope:
    """One delivery. `answer` resolves to the payload of its ack ({} when it had none), None when unheard.

    `attempt` counts the retries, and `reason` says why the last try failed; `delivered` becomes true when
    somebody was there to take it.
    """

    envelope_id: str
    type: str
    payload: Json
    born_at: float
    answer: asyncio.Future[Json | None]
    attempt: int = 0
    reason: str = ""
    delivered: bool = False
    timer: Timer | None = None

    @property
    def may_come_again(self) -> bool:
        """Only events do: whoever pressed a button or typed a command sees that the app did not answer."""
        return self.type == "events_api"

    @property
    def tries_left(self) -> bool:
        return self.may_come_again and self.attempt < len(RETRY_AFTER_S)

    def wire(self) -> Json:
        """As it goes over a socket."""
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

    def finish(self, answer: Json | None) -> None:
        """The end: acknowledged, or given up with None."""
        if self.timer is not None:
            self.timer.cancel()
        if not self.answer.done():
            self.answer.set_result(answer)


def new_envelope(kind: str, payload: Json, clock: Clock) -> Envelope:
    """An envelope of the kind `events_api`, `interactive` or `slash_commands`."""
    answer = asyncio.get_running_loop().create_future()
    return Envelope(secrets.token_hex(16), kind, payload, clock.now(), answer)
