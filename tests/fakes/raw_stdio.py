"""One agent CLI on raw pipes: what a test needs to speak stream-json without bossbot in between."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.fakes.real_cli import CliSetup

Frame = dict[str, Any]

# A line of tool output can exceed asyncio's 64 kB default many times over.
LINE_LIMIT_BYTES = 16 * 1024**2


def is_result(frame: Frame) -> bool:
    return bool(frame.get("type") == "result")


def is_permission(frame: Frame) -> bool:
    return bool(frame.get("type") == "control_request" and frame["request"]["subtype"] == "can_use_tool")


def of_kind(*kinds: str) -> Callable[[Frame], bool]:
    """Frames of these kinds, as `kind_of` names them."""
    return lambda frame: kind_of(frame) in kinds


def kind_of(frame: Frame) -> str:
    """`type`, with the subtype or the first content block's type where the frame has one."""
    kind = str(frame.get("type"))
    if kind in ("assistant", "user") and isinstance(frame["message"]["content"], list):
        return f"{kind}/{frame['message']['content'][0]['type']}"
    inner = frame.get("request") if kind == "control_request" else frame
    subtype = inner.get("subtype") if isinstance(inner, dict) else None
    return f"{kind}/{subtype}" if subtype else kind


class RawCli:
    """The process and every frame it has written so far. Use as `async with RawCli.start(...)`."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path, dialect: str) -> None:
        self.argv, self.env, self.cwd, self.dialect = list(argv), dict(env), cwd, dialect
        self.frames: list[Frame] = []
        self._process: asyncio.subprocess.Process | None = None
        self._stderr: asyncio.Task[bytes] | None = None

    @classmethod
    def of(cls, setup: CliSetup, cwd: Path, *extra: str) -> Self:
        return cls([*setup.argv, *extra], setup.process_env(), cwd, setup.dialect)

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *self.argv,
            cwd=self.cwd,
            env=self.env,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LINE_LIMIT_BYTES,
            start_new_session=True,
        )
        assert self._process.stderr is not None
        self._stderr = asyncio.create_task(self._process.stderr.read())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "use the CLI inside `async with`"
        return self._process

    async def kill(self) -> None:
        """SIGKILL to the whole group: the CLI gets no chance to say goodbye."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()

    async def stderr_text(self) -> str:
        """What it said on stderr, once it has ended."""
        assert self._stderr is not None
        return (await self._stderr).decode(errors="replace")

    async def send(self, frame: Mapping[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(frame, ensure_ascii=False).encode() + b"\n")
        await self.process.stdin.drain()

    async def initialize(self) -> None:
        request = {
            "subtype": "initialize",
            "hooks": None if self.dialect == "cbc" else {},
            "capabilities": {"askUserQuestion": True},
            "hasPrompt": True,
        }
        await self.send({"type": "control_request", "request_id": "init", "request": request})

    async def say(self, text: str) -> None:
        await self.send({"type": "user", "message": {"role": "user", "content": text}})

    async def interrupt(self) -> None:
        request = {"subtype": "interrupt", "session_id": self.session_id, "reason": "user cancel"}
        await self.send({"type": "control_request", "request_id": "stop-1", "request": request})

    async def allow(self, frame: Frame, updated_input: Mapping[str, object] | None = None) -> None:
        given = updated_input or frame["request"]["input"]
        verdict = {"allowed": True} if self.dialect == "cbc" else {"behavior": "allow"}
        await self._decide(frame, {**verdict, "updatedInput": given})

    async def deny(self, frame: Frame, reason: str) -> None:
        cbc = {"allowed": False, "reason": reason, "interrupt": False}
        claude = {"behavior": "deny", "message": reason, "interrupt": False}
        await self._decide(frame, cbc if self.dialect == "cbc" else claude)

    async def _decide(self, frame: Frame, verdict: Mapping[str, object]) -> None:
        response = {"subtype": "success", "request_id": frame["request_id"], "response": verdict}
        await self.send({"type": "control_response", "response": response})

    async def read_until(self, wanted: Callable[[Frame], bool], timeout_s: float = 60.0) -> Frame:
        """The next frame that is wanted; the ones before it are kept in `frames`. EOF is an error."""
        async with asyncio.timeout(timeout_s):
            while not wanted(frame := await self.read_frame()):
                pass
        return frame

    async def read_frame(self) -> Frame:
        """The next frame. EOF is an error."""
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise EOFError(f"the CLI ended with {await self.process.wait()}: {await self.stderr_text()}")
        frame: Frame = json.loads(line)
        self.frames.append(frame)
        return frame

    @property
    def session_id(self) -> str:
        return next(str(f["session_id"]) for f in self.frames if kind_of(f) == "system/init")

    @property
    def kinds(self) -> list[str]:
        return [kind_of(frame) for frame in self.frames]

    @property
    def texts(self) -> list[str]:
        """What the assistant said, sub-agents aside."""
        return [
            block["text"]
            for frame in self.frames
            if frame["type"] == "assistant" and not frame.get("parent_tool_use_id")
            for block in frame["message"]["content"]
            if block["type"] == "text"
        ]
