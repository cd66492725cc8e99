"""`bossbot verify`: whether the log is what was written, and where it is not."""

import argparse
from typing import TYPE_CHECKING

from bossbot.cli.log import run_reading, session_named, store_arguments
from bossbot.cli.running import FAILED
from bossbot.text import one_line

if TYPE_CHECKING:
    from bossbot.ids import SessionId
    from bossbot.store.sql import SqlStore


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `verify` takes."""
    parser.add_argument("session", metavar="SESSION", nargs="?", help="its id, or how it begins (default: all)")
    store_arguments(parser)


def main(parsed: argparse.Namespace) -> int:
    """Prints a line a session, or a line a flaw; 1 when there is one."""

    async def verify(store: "SqlStore") -> int:
        sessions = [await session_named(store, parsed.session)] if parsed.session else await store.logged_sessions()
        whole = [await _verified(store, session) for session in sessions]
        if not parsed.session:
            print(f"{len(whole)} session{'' if len(whole) == 1 else 's'}, {whole.count(False)} of them not whole")
        return 0 if all(whole) else FAILED

    return run_reading(parsed, verify)


async def _verified(store: "SqlStore", session: "SessionId") -> bool:
    problems, name = await store.verify(session), one_line(session, 80)
    for problem in problems:
        print(f"{name}: event {problem.version}: {problem.flaw.value}: {problem.text}")
    if not problems:
        events, tip = await store.head(session)
        print(f"{name}: whole, {events} events up to hash {tip}")
    return not problems
