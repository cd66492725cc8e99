"""A model endpoint on loopback that answers from a script, for both real agent CLIs.

    async with ScriptedModel(Script([Rule("hello", [Text("Hello.")])])) as model:
        ...  # run a CLI against model.port; then look at model.requests

It keeps the body of every request, so a test can assert what the model was given to read.
"""

import asyncio
import types
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol, Self

from aiohttp import web

from tests.fakes import anthropic_wire, openai_wire
from tests.fakes.script import Answer, Fail, Rule, Script, Step, Text, ToolCall, ToolResult, Turn, repeat_dangling

__all__ = [
    "Answer",
    "Fail",
    "Rule",
    "Script",
    "ScriptedModel",
    "Step",
    "Text",
    "ToolCall",
    "ToolResult",
    "Turn",
    "repeat_dangling",
]


class _Wire(Protocol):
    def read_turn(self, body: dict[str, Any], /) -> Turn: ...
    def message_body(self, answer: Text | ToolCall, model: str, /) -> dict[str, Any]: ...
    def stream_chunks(self, answer: Text | ToolCall, model: str, /) -> Iterator[str]: ...
    def error_body(self, failure: Fail, /) -> dict[str, Any]: ...


class ScriptedModel:
    """The server. `requests` holds the bodies in order of arrival, `turns` what the script saw of them."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.turns: list[Turn] = []
        self.port = 0
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        # 64 MiB: a tool result can be far longer than aiohttp's 1 MiB default.
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/v1/chat/completions", self._chat_completions)
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_post("/v1/messages/count_tokens", _count_tokens)
        app.router.add_route("*", "/{rest:.*}", _anything_else)
        self._runner = web.AppRunner(app, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def tool_results(self, name: str | None = None) -> list[ToolResult]:
        """Every tool result the model has read, once each, oldest first; `name` narrows to one tool."""
        seen = {result.call_id: result for turn in self.turns for result in turn.results}
        return [result for result in seen.values() if name is None or result.name == name]

    async def _chat_completions(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, openai_wire)

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, anthropic_wire)

    async def _answer(self, request: web.Request, wire: _Wire) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        turn = wire.read_turn(body)
        self.requests.append(body)
        self.turns.append(turn)
        answer = self.script.answer(turn)
        await asyncio.sleep(answer.delay_s)
        if answer.hold is not None:
            await answer.hold.wait()
        if isinstance(answer, Fail):
            return web.json_response(wire.error_body(answer), status=answer.status)
        model = str(body.get("model", "scripted"))
        if not body.get("stream"):
            return web.json_response(wire.message_body(answer, model))
        return await _stream(request, answer, wire.stream_chunks(answer, model))


async def _stream(request: web.Request, answer: Text | ToolCall, chunks: Iterator[str]) -> web.StreamResponse:
    word_delay_s = answer.word_delay_s if isinstance(answer, Text) else 0.0
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    with suppress(ConnectionResetError):  # an interrupted CLI hangs up, and wants no more of it
        await response.prepare(request)
        for chunk in chunks:
            await response.write(chunk.encode())
            if word_delay_s:
                await asyncio.sleep(word_delay_s)
        await response.write_eof()
    return response


async def _count_tokens(request: web.Request) -> web.Response:
    return web.json_response({"input_tokens": 100})


async def _anything_else(request: web.Request) -> web.Response:
    """Claude Code's `HEAD /api/hello`, and whatever else the CLIs ask a provider for."""
    return web.json_response({})
