"""The webhook: while one is set, every update is posted to it until it answers with 2xx.

Sources: tdlib/telegram-bot-api, WebhookActor.cpp. The order, the repeats and what becomes of an answer are
those of the official server; where it demands https, four ports and a public address, the sandbox wants
this machine's own address instead, at any port, by http or https.
"""

import asyncio
import os
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import aiohttp

from bossbot.sandbox.clock import Clock, Timer
from bossbot.sandbox.json_types import Json, encode
from bossbot.sandbox.telegram_updates import UpdateQueue, Waiting

RESEND_MAX_S = 60.0
RETRY_AFTER_MAX_S = 3600
GONE_FOR_S = 23 * 3600.0
"""A webhook that has answered 410 for that long is given up."""
ANSWER_WITHIN_S = 60.0
ANSWER_BYTES = 51 * 1024 * 1024
"""A call in an answer may bring a file of 50 MB along."""
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
Answered = Callable[["Hook", str, bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Hook:
    """What setWebhook has set."""

    url: str
    bot_id: int
    secret_token: str = ""
    max_connections: int = 40
    certificate: bytes = b""

    @property
    def address(self) -> str:
        """Where to post: without a scheme it is https (HttpUrl.cpp `parse_url`)."""
        return self.url if "://" in self.url else f"https://{self.url}"


class Webhook:
    """Posts the queue's updates to the bot, several lines of them at once, each line in its order."""

    def __init__(self, clock: Clock, queue: UpdateQueue) -> None:
        self._clock = clock
        self._queue = queue
        self._session: aiohttp.ClientSession | None = None
        self._flights: dict[asyncio.Task[None], Waiting] = {}
        self._timer: Timer | None = None
        self._gone_since: float | None = None
        self.hook: Hook | None = None
        self.next_set_at = 0.0
        self.last_error: tuple[int, str] | None = None
        self.on_answer: Answered | None = None

    async def set(self, hook: Hook) -> None:
        """Send updates there from now on."""
        await self.remove()
        self.hook = hook
        context: ssl.SSLContext | bool = True
        if hook.certificate:
            context = ssl.create_default_context(cadata=hook.certificate.decode("ascii", "replace"))
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=hook.max_connections, ssl=context),
            timeout=aiohttp.ClientTimeout(total=ANSWER_WITHIN_S),
        )
        self._queue.on_new = self._pump
        for waiting in self._queue.alive():
            waiting.start_anew()
        self._pump()

    async def remove(self) -> None:
        """Send no more; what was under way counts as not delivered."""
        self.hook, self.last_error, self._gone_since = None, None, None
        session, self._session = self._session, None  # at once: another webhook may be set while flights end
        self._queue.on_new = None
        if self._timer is not None:
            self._timer.cancel()
        flights = list(self._flights)
        self._flights.clear()
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        if session is not None:
            await session.close()

    def info(self) -> Json:
        """What getWebhookInfo tells of it."""
        body: Json = {
            "url": self.hook.url if self.hook else "",
            "has_custom_certificate": bool(self.hook and self.hook.certificate),
            "pending_update_count": len(self._queue),
        }
        if self.last_error is not None:
            body["last_error_date"], body["last_error_message"] = self.last_error
        if self.hook is not None:
            body["max_connections"] = self.hook.max_connections
            body["ip_address"] = "127.0.0.1"
        if self._queue.allowed is not None:
            body["allowed_updates"] = sorted(self._queue.allowed)
        return body

    def _pump(self) -> None:
        """Send what may be sent now, and come again when the next one may."""
        hook, now = self.hook, self._clock.now()
        if hook is None:
            return
        busy = {flight.line for flight in self._flights.values()}
        wait_s: float | None = None
        for waiting in self._queue.alive():
            if len(self._flights) >= hook.max_connections:
                break
            if waiting.line in busy:
                continue
            busy.add(waiting.line)
            if waiting.ready_at > now:
                wait_s = min(wait_s or RETRY_AFTER_MAX_S, waiting.ready_at - now)
            else:
                self._send(hook, waiting)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if wait_s is None else self._clock.call_later(wait_s, self._pump)

    def _send(self, hook: Hook, waiting: Waiting) -> None:
        flight = asyncio.get_running_loop().create_task(self._fly(hook, waiting))
        self._flights[flight] = waiting
        flight.add_done_callback(self._landed)

    def _landed(self, flight: "asyncio.Task[None]") -> None:
        if self._flights.pop(flight, None) is not None:
            self._pump()

    async def _fly(self, hook: Hook, waiting: Waiting) -> None:
        if self._session is None:
            return
        headers = {"Content-Type": "application/json"}
        if hook.secret_token:
            headers[SECRET_HEADER] = hook.secret_token
        body = encode(waiting.update)
        try:
            async with self._session.post(hook.address, data=body, headers=headers, allow_redirects=False) as response:
                status, reason = response.status, response.reason or ""
                said = await _body(response)
                kind, retry_after = response.headers.get("Content-Type", ""), response.headers.get("Retry-After", "")
        except TimeoutError:
            return self._failed(waiting, "Read timeout expired")
        except aiohttp.ClientConnectorCertificateError as error:
            return self._failed(waiting, f"SSL error {error.certificate_error}")
        except aiohttp.ClientConnectorError as error:
            return self._failed(waiting, os.strerror(error.errno) if error.errno else "Connection closed")
        except aiohttp.ClientError:
            return self._failed(waiting, "Connection closed")
        if not 200 <= status <= 299:
            return await self._refused(hook, waiting, status, reason, retry_after)
        self._gone_since = None
        self._delivered(waiting)
        if self.on_answer is not None and said:
            await self.on_answer(hook, kind, said)

    def _delivered(self, waiting: Waiting) -> None:
        if waiting.copies > 0:
            waiting.copies -= 1
        else:
            self._queue.drop(waiting)

    async def _refused(self, hook: Hook, waiting: Waiting, status: int, reason: str, retry_after: str) -> None:
        pause_s = min(int(retry_after), RETRY_AFTER_MAX_S) if retry_after.isdigit() else 0
        self._failed(waiting, f"Wrong response from the webhook: {status} {reason}", pause_s)
        now = self._clock.now()
        if status != 410:
            self._gone_since = None
        elif self._gone_since is None:
            self._gone_since = now
        elif now > self._gone_since + GONE_FOR_S:
            self._clock.call_later(0, partial(self._give_up, hook))

    def _give_up(self, hook: Hook) -> None:
        if self.hook is hook:
            self.hook, self._queue.on_new = None, None

    def _failed(self, waiting: Waiting, words: str, retry_after_s: int = 0) -> None:
        """Once more at once, then after 2, 4, 8… seconds; an update that would outlive its time is dropped."""
        now = self._clock.now()
        self.last_error = (int(now), words)
        pause_s = float(retry_after_s)
        if retry_after_s == 0 and waiting.failures > 0:
            waiting.delay_s = min(RESEND_MAX_S, waiting.delay_s * 2)
            pause_s = waiting.delay_s
        waiting.failures += 1
        waiting.ready_at = now + pause_s
        if waiting.ready_at > waiting.dies_at:
            self._queue.drop(waiting)


async def _body(response: aiohttp.ClientResponse) -> bytes:
    """What the bot answered; nothing when it is more than any call may have."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_chunked(1 << 16):
        size += len(chunk)
        if size > ANSWER_BYTES:
            return b""
        chunks.append(chunk)
    return b"".join(chunks)
