"""Keeping: the whole output of a tool or a task goes to a file while the session goes on, and the log is told of it.

One output after the other, in a thread. What waits is bounded: an agent that writes faster than the disk keeps
previews only.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from bossbot.agent.inside import read_inside
from bossbot.domain import commands as c
from bossbot.ids import SessionId

log = logging.getLogger(__name__)

WAITING_CHARS = 32 * 1024**2


@dataclass(frozen=True, slots=True)
class Output:
    """An output to keep: its `text`, or the file that holds it (`path` is ours, `output_file` the agent CLI names)."""

    kind: Literal["tool_output", "task_output"]
    name: str
    tool_use_id: str | None = None
    ref: str = ""
    text: str = ""
    path: Path | None = None
    output_file: str = ""


class Kept(Protocol):
    """What was kept of an output."""

    @property
    def id(self) -> str: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def sha256(self) -> str: ...
    @property
    def truncated(self) -> bool: ...


class Files(Protocol):
    """Where outputs are kept (`bossbot.store.artifacts`). Its methods work on the disk."""

    max_file_bytes: int

    def keep_text(self, text: str) -> Kept | None: ...
    def keep_bytes(self, data: bytes, *, truncated: bool = False) -> Kept | None: ...
    def adopt(self, path: Path) -> Kept | None: ...


class Keeping:
    """The outputs of all sessions. `submit` tells a session what was kept."""

    def __init__(self, files: Files, submit: Callable[[SessionId, Sequence[c.Command]], Awaitable[None]]) -> None:
        self._files, self._submit = files, submit
        self._waiting: deque[tuple[SessionId, Output, tuple[Path, ...]]] = deque()
        self._chars = 0
        self._working: asyncio.Task[None] | None = None

    def keep(self, session_id: SessionId, output: Output, folders: Sequence[Path]) -> None:
        """Soon. `folders` is where the agent CLI may name a file. Does not block."""
        if self._chars + len(output.text) > WAITING_CHARS:
            log.warning("session %s: an output of %d characters is not kept", session_id, len(output.text))
            return
        self._chars += len(output.text)
        self._waiting.append((session_id, output, tuple(folders)))
        if self._working is None:
            self._working = asyncio.create_task(self._work(), name="keeping outputs")

    def close(self) -> None:
        """Nothing more is kept."""
        self._waiting.clear()
        if self._working is not None:
            self._working.cancel()

    async def settled(self) -> None:
        """Returns when nothing waits."""
        if self._working is not None:
            await asyncio.wait({self._working})

    async def _work(self) -> None:
        try:
            while self._waiting:
                session_id, output, folders = self._waiting.popleft()
                self._chars -= len(output.text)
                try:
                    await self._one(session_id, output, folders)
                except Exception:  # an output that cannot be kept is one preview only; the others are kept
                    log.exception("session %s: %s was not kept", session_id, output.kind)
        finally:
            self._working = None

    async def _one(self, session_id: SessionId, output: Output, folders: Sequence[Path]) -> None:
        kept = await asyncio.to_thread(self._keep, output, folders)
        if kept is None:
            return
        artifact = c.AddArtifact(
            artifact_id=kept.id,
            kind=output.kind,
            name=output.name,
            size_bytes=kept.size_bytes,
            sha256=kept.sha256,
            truncated=kept.truncated,
            tool_use_id=output.tool_use_id,
            ref=output.ref,
        )
        await self._submit(session_id, [artifact])

    def _keep(self, output: Output, folders: Sequence[Path]) -> Kept | None:
        if output.path is not None:
            return self._files.adopt(output.path)
        if output.output_file:
            found = read_inside(output.output_file, folders, self._files.max_file_bytes)
            return self._files.keep_bytes(found[0], truncated=found[1]) if found is not None and found[0] else None
        return self._files.keep_text(output.text)
