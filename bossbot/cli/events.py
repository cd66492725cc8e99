"""`bossbot events`: a session's events, as they are told or as JSON; or what the session was after one of them."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bossbot.cli.log import Wrong, run_reading, session_named, store_arguments
from bossbot.cli.running import SETTINGS_WRONG, complain
from bossbot.cli.state import state_text
from bossbot.text import one_line

if TYPE_CHECKING:
    from bossbot.ids import SessionId
    from bossbot.store.records import Link, Logged
    from bossbot.store.sql import SqlStore

LOOK_S = 0.5
PAGE = 500
PAYLOAD_CHARS = 100


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
        else:
            await _events(store, session, as_json=parsed.json, follow=parsed.follow)
        return 0

    return run_reading(parsed, show)


async def _events(store: "SqlStore", session: "SessionId", *, as_json: bool, follow: bool) -> None:
    place = 0
    while True:
        page = await store.after(place, PAGE, session)
        for entry in page:
            place = entry.position
            print(_as_json(entry) if as_json else _as_text(entry))
        if not page and not follow:
            return
        if not page:
            sys.stdout.flush()
            await asyncio.sleep(LOOK_S)


async def _state_at(store: "SqlStore", session: "SessionId", at: int, *, as_json: bool) -> None:
    from bossbot.store.snapshots import encode, restored

    links: Sequence[Link] = await store.links(session, 0, at) if at > 0 else []
    if not links or len(links) < at:
        last, _ = await store.head(session)
        raise Wrong(f"session {session} has no event {at}; it has 1 to {last}")
    state = restored(session, None, links)
    print(json.dumps(json.loads(encode(state)), ensure_ascii=False, indent=2) if as_json else state_text(state))


def _as_json(entry: "Logged") -> str:
    from bossbot.store.chain import current_envelope

    return current_envelope(entry.link, entry.type)


def _as_text(entry: "Logged") -> str:
    raw = json.loads(_as_json(entry))
    when = str(raw.get("timestamp", ""))[:19].replace("T", " ")
    said = {key: value for key, value in raw.get("payload", {}).items() if value not in (None, "", [], {}, False)}
    payload = one_line(json.dumps(said, ensure_ascii=False), PAYLOAD_CHARS)
    source, kind = one_line(str(raw.get("source", "")), 10), one_line(entry.type, 40)
    task = one_line(str(raw.get("task_id") or "-"), 40)
    return f"{entry.link.version:>6} {when}  {source:<7}  {kind:<28}  {task:<18}  {payload}"
