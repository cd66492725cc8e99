"""What the commands that read the log share: which store, which session, and text that a terminal may show.

They open the store for reading only, beside the bot, and import nothing of it: no chat platform, no agent.
"""

import argparse
import asyncio
import difflib
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bossbot.cli.running import FAILED, SETTINGS_WRONG, complain, drop_output, not_written
from bossbot.settings import SettingsError, default_config, load_settings

if TYPE_CHECKING:
    from bossbot.ids import SessionId
    from bossbot.store.sql import SqlStore

Work = Callable[["SqlStore"], Awaitable[int]]


class Wrong(Exception):
    """The command cannot do what was asked. The text names the fix."""


def store_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the log is."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the bot's TOML file, for its [store] path")
    parser.add_argument("--store", metavar="PATH", help="the store itself: a file, or postgresql://USER@HOST/DATABASE")


def run_reading(parsed: argparse.Namespace, work: Work) -> int:
    """Runs `work` over the store, opened beside whoever uses it."""
    return _run(parsed, work, _open_to_read)


def run_owning(parsed: argparse.Namespace, work: Work) -> int:
    """Runs `work` over the store as its owner: no bot may use it meanwhile."""
    return _run(parsed, work, _open_alone)


def _run(parsed: argparse.Namespace, work: Work, opening: Callable[[str], Awaitable["SqlStore"]]) -> int:
    from bossbot.store.errors import StoreError

    async def run() -> int:
        store = await opening(where)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        where = parsed.store or load_settings(parsed.config or default_config()).store.path
        code = asyncio.run(run())
        sys.stdout.flush()
        return code
    except SettingsError as error:
        return complain(str(error), SETTINGS_WRONG)
    except (StoreError, Wrong) as error:
        return complain(str(error).replace("[store] path =", "the store") if parsed.store else str(error), FAILED)
    except BrokenPipeError:
        drop_output()  # nobody reads any more; say nothing about it
        return 0
    except OSError as error:
        return not_written(error)
    except KeyboardInterrupt:
        return 0


async def _open_to_read(where: str) -> "SqlStore":
    from bossbot.store.opening import open_to_read

    return await open_to_read(where)


async def _open_alone(where: str) -> "SqlStore":
    from bossbot.store.opening import open_store

    return await open_store(where, exclusive=True)


async def session_named(store: "SqlStore", name: str) -> "SessionId":
    """The session with this id, or the only one whose id begins so. Raises `Wrong`."""
    known = await store.logged_sessions()
    found = [session for session in known if session == name] or [s for s in known if name and s.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Wrong(f"{name!r} begins the ids of {len(found)} sessions: {', '.join(found[:5])}; write more of it")
    close = difflib.get_close_matches(name, known, n=1)
    fix = f"did you mean {close[0]}?" if close else "`bossbot sessions` lists them"
    raise Wrong(f"there is no session {name!r}; {fix}")
