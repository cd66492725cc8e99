"""`bossbot events`: a session's events, as they are told or as JSON; or what the session was after one of them."""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bossbot.cli.log import Wrong, run_reading, session_named, store_arguments
from bossbot.cli.running import FAILED, SETTINGS_WRONG, complain
from bossbot.cli.state import state_text
from bossbot.text import one_line

if TYPE_CHECKING:
    from bossbot.ids import SessionId
    from bossbot.store.records import Link, Logged
    from bossbot.store.sql import SqlStore

LOOK_S = 0.5
PAGE = 500
PAYLOAD_CHARS = 100
MOST_EVENTS = 2**31 - 1
"""The database counts a session's events no further."""

UNREADABLE = (ValueError, RecursionError, TypeError, AttributeError)
"""How reading an event ends that somebody has edited: it is no JSON, no event, or no text at all."""

_HALVES = re.compile("[\ud800-\udfff]")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `events` takes."""
    parser.add_argument("session", metavar="SESSION", help="its id, or how it begins")
    parser.add_argument("--follow", action="store_true", help="go on with what happens, until Ctrl-C")
    parser.add_argument("--json", action="store_true", help="one envelope a line; with --at: the state")
    parser.add_argument("--at", type=int, metavar="N", help="the session's state as of event N")
    store_arguments(parser)


def main(parsed: argparse.Namespace) -> int:
    """Prints them."""
    if parsed.at is not None and parsed.follow:
        return complain("--at shows one moment, --follow what comes: choose one", SETTINGS_WRONG)

    async def show(store: "SqlStore") -> int:
        session = await session_named(store, parsed.session)
        if parsed.at is not None:
            await _state_at(store, session, parsed.at, as_json=parsed.json)
            return 0
        return await _events(store, session, as_json=parsed.json, follow=parsed.follow)

    return run_reading(parsed, show)


async def _events(store: "SqlStore", session: "SessionId", *, as_json: bool, follow: bool) -> int:
    """Prints them; `FAILED` when there was one that cannot be read. It keeps none of the others back."""
    place, code = 0, 0
    while True:
        page = await store.after(place, PAGE, session)
        for entry in page:
            place = entry.position
            try:
                line = _as_json(entry) if as_json else _as_text(entry)
            except UNREADABLE:
                code = complain(
                    f"event {entry.link.version} cannot be read; `bossbot verify {session}` says why", FAILED
                )
            else:
                print(line)
        if not page and not follow:
            return code
        if not page:
            sys.stdout.flush()
            await asyncio.sleep(LOOK_S)


async def _state_at(store: "SqlStore", session: "SessionId", at: int, *, as_json: bool) -> None:
    from bossbot.store.snapshots import encode, restored

    links: Sequence[Link] = await store.links(session, 0, at) if 0 < at <= MOST_EVENTS else []
    if not links or len(links) < at:
        last, _ = await store.head(session)
        raise Wrong(f"session {session} has no event {at}; it has 1 to {last}")
    try:
        state = restored(session, None, links)
    except UNREADABLE:
        raise Wrong(f"an event up to {at} cannot be read; `bossbot verify {session}` says which") from None
    print(_indented(encode(state)) if as_json else state_text(state))


def _indented(state: str) -> str:
    """JSON that any output can take: half a character, which a tool's output may hold, stays escaped."""
    text = json.dumps(json.loads(state), ensure_ascii=False, indent=2)
    return text if text.isascii() or not _HALVES.search(text) else json.dumps(json.loads(state), indent=2)


def _as_json(entry: "Logged") -> str:
    return _envelope(entry)[0]


def _envelope(entry: "Logged") -> tuple[str, dict[str, Any]]:
    """The envelope in today's form, as text and as what it says. Raises one of `UNREADABLE`."""
    from bossbot.store.chain import current_envelope

    text = current_envelope(entry.link, entry.type)
    said = json.loads(text)
    if not isinstance(said, dict) or not isinstance(said.get("payload"), dict):
        raise ValueError("this is no event")
    return text, said


def _as_text(entry: "Logged") -> str:
    raw = _envelope(entry)[1]
    when = one_line(str(raw.get("timestamp", "")).replace("T", " "), 40)[:19]
    said = {key: value for key, value in raw["payload"].items() if value not in (None, "", [], {}, False)}
    payload = one_line(json.dumps(said, ensure_ascii=False), PAYLOAD_CHARS)
    source, kind = one_line(str(raw.get("source", "")), 10), one_line(entry.type, 40)
    task = one_line(str(raw.get("task_id") or "-"), 40)
    return f"{entry.link.version:>6} {when}  {source:<7}  {kind:<28}  {task:<18}  {payload}"
