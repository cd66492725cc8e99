"""Writes a session into a file, whole or not at all."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from bossbot.ids import SessionId
from bossbot.store.protocol import EventStore
from bossbot.store.records import Flaw, Problem
from bossbot.store.transfer import event_line, header_line

PAGE = 1_000


class NotWhole(Exception):
    """The session's log is not what was written; `problems` says where."""

    def __init__(self, session_id: SessionId, problems: list[Problem]) -> None:
        super().__init__(f"session {session_id} is not whole: {problems[0].text} (event {problems[0].version})")
        self.problems = problems


async def export_lines(store: EventStore, session_id: SessionId) -> AsyncIterator[str]:
    """The lines of the session's file. Raises `NotWhole` before the first: what is exported can be imported; and later
    when the session is deleted meanwhile.
    """
    problems = await store.verify(session_id)
    if problems:
        raise NotWhole(session_id, problems)
    version, tip = await store.head(session_id)
    yield header_line(session_id, version, tip)
    seen = 0
    while seen < version:
        page = await store.links(session_id, seen, min(PAGE, version - seen))
        if not page:
            raise NotWhole(session_id, [Problem(Flaw.MISSING, seen + 1, "it was deleted meanwhile")])
        for link in page:
            yield event_line(link)
            seen = link.version


async def export_to(store: EventStore, session_id: SessionId, path: Path) -> None:
    """Writes the file, readable by its owner only, and waits for the disk. Raises `NotWhole`, and OSError."""
    lines = [line async for line in export_lines(store, session_id)]
    await asyncio.to_thread(_write, path, lines)


def _write(path: Path, lines: Iterable[str]) -> None:
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", encoding="utf-8", delete=False
    ) as file:
        try:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
