"""A bot's webhook in the hands of a test: it keeps what it is sent and answers as it is told."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.sandbox.wires import PATIENCE_S, Wires

Answer = Callable[[dict[str, Any]], Awaitable[web.Response]]


async def agree(_update: dict[str, Any]) -> web.Response:
    return web.Response()


@dataclass
class Receiver:
    """A server at `url`; `answer` makes its answers."""

    url: str = ""
    answer: Answer = agree
    updates: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        update = await request.json()
        self.updates.append(update)
        self.headers.append(dict(request.headers))
        return await self.answer(update)

    @property
    def texts(self) -> list[str]:
        return [update["message"]["text"] for update in self.updates if "message" in update]

    async def heard(self, count: int, timeout_s: float = PATIENCE_S) -> list[str]:
        """The texts that came, as soon as there are that many updates."""
        deadline = time.monotonic() + timeout_s
        while len(self.updates) < count:
            assert time.monotonic() < deadline, f"only {self.texts} came"
            await asyncio.sleep(0.01)
        return self.texts


@asynccontextmanager
async def receiving(context: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A receiver that listens, by https with a context."""
    receiver = Receiver()
    app = web.Application()
    app.router.add_post("/hook", receiver.take)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    receiver.url = f"{'http' if context is None else 'https'}://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield receiver
    await runner.cleanup()


async def has_failed(wires: Wires) -> bool:
    """Does the webhook's info tell of an error?"""
    return "last_error_message" in (await wires.telegram("getWebhookInfo"))["result"]
