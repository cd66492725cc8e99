"""A side call: one question to the agent CLI, outside of any conversation, answered in the shape of a JSON schema.

The CLI runs in print mode in an empty folder, without tools of its own and without a session on disk. It shows the
model one tool, `StructuredOutput`, checks what the model gives it against the schema, and prints it.
"""

import asyncio
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from bossbot.agent.discovery import Program
from bossbot.agent.environment import agent_environment
from bossbot.agent.guarded import Guarded
from bossbot.settings import AgentSettings
from bossbot.streamjson.lenient import loads
from bossbot.text.redaction import redact

ANSWER_LIMIT_BYTES = 16 * 1024 * 1024
ERROR_CHARS = 300


class SideCallError(Exception):
    """There is no answer. `reason` says why in one line, without secrets."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SideCall:
    """Asks; each call is a process of its own."""

    def __init__(
        self, program: Program, settings: AgentSettings, timeout_s: float, secrets: Iterable[str] = ()
    ) -> None:
        self._program, self._settings, self._timeout_s = program, settings, timeout_s
        self._secrets = tuple(secrets)

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Mapping[str, object]:
        """The answer, whose fields are valid by the schema. Raises `SideCallError`."""
        with tempfile.TemporaryDirectory(prefix="bossbot-ask-", ignore_cleanup_errors=True) as folder:
            try:
                process = await self._start(schema, Path(folder))
            except OSError as error:
                raise SideCallError(f"the agent could not be started: {error}") from None
            try:
                async with asyncio.timeout(self._timeout_s):
                    printed, code = await self._converse(process, prompt)
            except TimeoutError:
                raise SideCallError(f"no answer within {self._timeout_s:g} s") from None
            finally:
                process.kill()
                await process.wait()
        answer = structured_output(printed, process.last_words(code), self._secrets)
        data = answer.get("data")
        return data if isinstance(data, dict) else answer

    async def _start(self, schema: Mapping[str, object], folder: Path) -> Guarded:
        program, settings = self._program, self._settings
        return await Guarded.spawn(
            [*program.command, *program.dialect.side_call(or_in_data(schema), model=settings.model)],
            cwd=folder,
            env=agent_environment(program.dialect, os.environ, settings.env, self._secrets),
            secrets=self._secrets,
        )

    async def _converse(self, process: Guarded, prompt: str) -> tuple[bytes, int]:
        with suppress(ConnectionError):  # it has ended; what it printed says why
            await process.write(prompt.encode(errors="replace"))  # it may hold half a character
        process.end_input()
        printed = bytearray()
        while chunk := await process.read():
            printed += chunk
            if len(printed) > ANSWER_LIMIT_BYTES:
                raise SideCallError(f"an answer of more than {ANSWER_LIMIT_BYTES} bytes")
        return bytes(printed), await process.wait()


def or_in_data(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema of an answer that may also stand in `data`; what it must hold is for the caller to check.

    cbc 2.163.0 now and then offers its tool before it knows our schema, with one parameter `data`, and yet checks the
    answer by our schema: then no answer would do, unless the schema takes both.
    """
    properties = schema.get("properties")
    return {"type": "object", "properties": {**(properties if isinstance(properties, dict) else {}), "data": schema}}


def structured_output(printed: bytes, how_it_ended: str, secrets: Iterable[str] = ()) -> dict[str, object]:
    """The answer in what the CLI printed: cbc prints a list of all messages, Claude Code the result alone."""
    try:
        document = loads(printed)
    except (msgspec.DecodeError, RecursionError):
        raise SideCallError(how_it_ended) from None
    results = [m for m in _messages(document) if isinstance(m, dict) and m.get("type") == "result"]
    if not results:
        raise SideCallError(f"no result; {how_it_ended}")
    answer = results[-1].get("structured_output")
    if isinstance(answer, dict):
        return answer
    told = results[-1].get("errors") or results[-1].get("result") or "the model gave none"
    errors = redact("; ".join(map(str, told)) if isinstance(told, list) else str(told), secrets)
    raise SideCallError(f"no structured output: {errors[:ERROR_CHARS]}")


def _messages(document: object) -> list[object]:
    return document if isinstance(document, list) else [document]
