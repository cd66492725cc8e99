"""A wire between an adapter and the sandbox on which single calls can be answered otherwise, cut or swallowed."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, web


@dataclass(slots=True)
class Trouble:
    """What happens to the next call of one of these methods, after `skip` more that pass."""

    methods: frozenset[str]
    skip: int = 0
    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/html"
    swallow: bool = False
    cut: bool = False


@dataclass
class Wire:
    """Passes calls on and remembers them; `troubles` are played once each, first come first served."""

    base: str
    session: ClientSession
    troubles: list[Trouble] = field(default_factory=list)
    calls: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    address: str = ""

    def trouble(self, *methods: str, **what: Any) -> None:
        self.troubles.append(Trouble(frozenset(methods), **what))

    def methods(self) -> list[str]:
        return [method for method, _ in self.calls]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        method = request.path.rsplit("/", 1)[-1]
        body = await request.read()
        self.calls.append((method, await _arguments(request, body)))
        trouble = self._trouble(method)
        if trouble is not None and trouble.cut:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if trouble is not None and not trouble.swallow:
            if isinstance(trouble.body, str):
                return web.Response(text=trouble.body, content_type=trouble.content_type, status=trouble.status)
            return web.json_response(trouble.body, status=trouble.status, headers=trouble.headers)
        headers = {name: request.headers[name] for name in ("Content-Type", "Authorization") if name in request.headers}
        async with self.session.post(self.base + request.path_qs, data=body, headers=headers) as answer:
            content = await answer.read()
            if trouble is not None:
                await asyncio.sleep(60)
            kept = {name: value for name, value in answer.headers.items() if name in ("Content-Type", "Retry-After")}
            return web.Response(status=answer.status, body=content, headers=kept)

    def _trouble(self, method: str) -> Trouble | None:
        for trouble in self.troubles:
            if method in trouble.methods:
                if trouble.skip:
                    trouble.skip -= 1
                    return None
                self.troubles.remove(trouble)
                return trouble
        return None


async def _arguments(request: web.Request, body: bytes) -> Mapping[str, object]:
    if request.content_type == "application/json":
        found = json.loads(body or b"{}")
        assert isinstance(found, dict)
        return found
    return {name: value for name, value in (await request.post()).items() if isinstance(value, str)}


@asynccontextmanager
async def wire_to(base: str) -> AsyncIterator[Wire]:
    """A wire to the server at `base` (scheme, host and port only), listening at `.address`."""
    async with ClientSession() as session:
        wire = Wire(base, session)
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", wire.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            wire.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
            yield wire
        finally:
            await runner.cleanup()
