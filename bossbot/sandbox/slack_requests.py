"""Events, interactions and commands over HTTP, for apps without Socket Mode: signed requests to the app's addresses.

An event that is not answered with 2xx within three seconds comes again with `X-Slack-Retry-Num` and
`X-Slack-Retry-Reason`, unless the answer says `X-Slack-No-Retry: 1` (docs.slack.dev, Events API).
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import aiohttp

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.guards import LOCAL_NAMES
from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode, encode
from bossbot.sandbox.slack_envelope import ACK_WITHIN_S, RETRY_AFTER_S, Envelope

ANSWER_BYTES = 1024 * 1024
"""A longer answer is none; views have 250 kB."""
USER_AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"
NO_ANSWER, REFUSED, UNREACHED = "http_timeout", "http_error", "connection_failed"


@dataclass(slots=True)
class RequestUrls:
    """Where the app wants to be called; what has no address goes over a socket."""

    events: str | None = None
    interactivity: str | None = None
    commands: str | None = None

    def view(self) -> Json:
        return {"events": self.events, "interactivity": self.interactivity, "commands": self.commands}

    def of(self, kind: str) -> str | None:
        """The address for envelopes of this kind."""
        return {"events_api": self.events, "interactive": self.interactivity, "slash_commands": self.commands}[kind]


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of one request: the body of a good answer, or else `failure`, Slack's word for it."""

    body: bytes = b""
    failure: str = ""
    no_retry: bool = False


@dataclass(slots=True)
class Requests:
    """Signed requests to the app, each in a task of its own until it was heard or given up."""

    clock: Clock
    urls: RequestUrls = field(default_factory=RequestUrls)
    signing_secret: str = field(default_factory=lambda: secrets.token_hex(16))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _session: aiohttp.ClientSession | None = None

    def deliver(self, envelope: Envelope, url: str) -> None:
        task = asyncio.get_running_loop().create_task(self._deliver(envelope, url))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def point(self, urls: RequestUrls, signing_secret: str | None) -> str | None:
        """Call the app at these addresses from now on, with this secret if one is given.

        The events address is asked for the challenge first; what is wrong with its answer is returned, and then
        nothing has changed.
        """
        before, self.signing_secret = self.signing_secret, signing_secret or self.signing_secret
        problem = None if urls.events is None else await self._challenge(urls.events)
        if problem is None:
            self.urls = urls
        else:
            self.signing_secret = before
        return problem

    def forget(self) -> None:
        """Drop what is under way."""
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        self.forget()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def _challenge(self, url: str) -> str | None:
        challenge = secrets.token_urlsafe(24)
        body: Json = {"token": "sandbox", "challenge": challenge, "type": "url_verification"}
        heard = await self._post(url, encode(body), {"Content-Type": "application/json"})
        if heard.failure:
            return f"{url} did not answer the challenge: {heard.failure}"
        said = _payload(heard.body).get("challenge", heard.body.decode(errors="replace").strip())
        return None if said == challenge else f"{url} did not answer with the challenge"

    async def _deliver(self, envelope: Envelope, url: str) -> None:
        body, headers = _request(envelope)
        try:
            while (heard := await self._post(url, body, {**headers, **_retry_headers(envelope)})).failure:
                envelope.reason = heard.failure
                envelope.delivered = envelope.delivered or heard.failure != UNREACHED
                if heard.no_retry or not envelope.tries_left:
                    return
                await self._sleep(RETRY_AFTER_S[envelope.attempt])
                envelope.attempt += 1
            envelope.delivered = True
            envelope.finish(_payload(heard.body))
        finally:
            envelope.finish(None)

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> Heard:
        """One request; the three seconds are the sandbox's, so that a script can let them pass."""
        request = asyncio.ensure_future(self._send(url, body, {**headers, **self._signature(body)}))
        limit = asyncio.ensure_future(self._sleep(ACK_WITHIN_S))
        try:
            await asyncio.wait((request, limit), return_when=asyncio.FIRST_COMPLETED)
            return request.result() if request.done() else Heard(failure=NO_ANSWER)
        finally:
            request.cancel()
            limit.cancel()

    async def _send(self, url: str, body: bytes, headers: dict[str, str]) -> Heard:
        if self._session is None:
            self._session = aiohttp.ClientSession(headers={"User-Agent": USER_AGENT})
        try:
            async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as response:
                no_retry = response.headers.get("X-Slack-No-Retry") == "1"
                if not 200 <= response.status < 300:
                    return Heard(failure=REFUSED, no_retry=no_retry)
                body = b"".join([chunk async for chunk in _limited(response.content)])
                return Heard(body=body) if len(body) <= ANSWER_BYTES else Heard(failure=REFUSED)
        except (aiohttp.ClientError, OSError):
            return Heard(failure=UNREACHED)

    def _signature(self, body: bytes) -> dict[str, str]:
        # The real time, not the pushed one: the app compares it with its own clock.
        sent_at = str(int(time.time()))
        digest = hmac.new(self.signing_secret.encode(), f"v0:{sent_at}:".encode() + body, hashlib.sha256)
        return {"X-Slack-Request-Timestamp": sent_at, "X-Slack-Signature": f"v0={digest.hexdigest()}"}

    async def _sleep(self, seconds: float) -> None:
        over = asyncio.get_running_loop().create_future()
        timer = self.clock.call_later(seconds, lambda: None if over.done() else over.set_result(None))
        try:
            await over
        finally:
            timer.cancel()


async def _limited(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    """An answer's pieces to its end, or until there are more than Slack would read."""
    length = 0
    async for chunk in content.iter_any():
        length += len(chunk)
        yield chunk
        if length > ANSWER_BYTES:
            return


def why_not(url: str) -> str | None:
    """Why the app cannot be called at this address, or None: the sandbox calls this machine only."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "it is no address"
    if parts.scheme != "http" or host not in LOCAL_NAMES or parts.username is not None:
        return "it must begin with http://127.0.0.1:, http://localhost: or http://[::1]:"
    return None


def _request(envelope: Envelope) -> tuple[bytes, dict[str, str]]:
    if envelope.type == "events_api":
        return encode(envelope.payload), {"Content-Type": "application/json"}
    fields = envelope.payload if envelope.type == "slash_commands" else {"payload": encode(envelope.payload).decode()}
    body = urlencode({name: str(value) for name, value in fields.items()})
    return body.encode(), {"Content-Type": "application/x-www-form-urlencoded"}


def _retry_headers(envelope: Envelope) -> dict[str, str]:
    if envelope.attempt == 0:
        return {}
    return {"X-Slack-Retry-Num": str(envelope.attempt), "X-Slack-Retry-Reason": envelope.reason}


def _payload(body: bytes) -> Json:
    """What an answer says: its JSON, or a plain text as the text of a message."""
    try:
        found = as_object(decode(body))
    except BadJsonError:
        found = None
    text = body.decode(errors="replace")
    return found if found is not None else {"text": text} if text.strip() else {}
