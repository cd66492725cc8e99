"""`bossbot import`: a session from a file that `bossbot export` wrote. The bot must not run meanwhile.

A session that was open comes in closed: it can be read, and what the file says starts nothing.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TextIO

from bossbot.cli.log import Wrong, run_owning, store_arguments
from bossbot.cli.running import FAILED, complain

if TYPE_CHECKING:
    from bossbot.store.sql import SqlStore
    from bossbot.store.transfer import Export


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `import` takes."""
    parser.add_argument("file", metavar="FILE", help="what `bossbot export` wrote; - reads standard input")
    store_arguments(parser)


def main(parsed: argparse.Namespace) -> int:
    """Reads the whole file, checks it, and only then opens the store."""
    from bossbot.app.mint import mint
    from bossbot.ids import EventId
    from bossbot.store.errors import VersionConflict
    from bossbot.store.transfer import closed

    try:
        export = _read(parsed.file)
    except Wrong as error:
        return complain(str(error), FAILED)
    ended = closed(export, EventId(mint("evt")), datetime.now(UTC))

    async def import_(store: "SqlStore") -> int:
        try:
            await store.adopt(ended)
        except VersionConflict as error:
            raise Wrong(
                f"session {export.session_id} is here already, with {error.actual} events; nothing was written"
            ) from None
        more = "" if ended is export else ", and one that closes it: what a file says starts nothing"
        print(f"{export.session_id}: {len(export.links)} events{more}")
        return 0

    return run_owning(parsed, import_)


def _read(name: str) -> "Export":
    from bossbot.store.transfer import BadExport, read_export

    try:
        with _opened(name) as lines:
            return read_export(lines)
    except BadExport as error:
        raise Wrong(f"{name}: {error}; nothing was written") from None
    except UnicodeDecodeError:
        raise Wrong(f"{name}: this is not UTF-8 text; the file must come from `bossbot export`") from None
    except OSError as error:
        raise Wrong(f"{name}: cannot be read: {error.strerror}") from None


@contextmanager
def _opened(name: str) -> Iterator[Iterable[str]]:
    if name == "-":
        yield _lines(sys.stdin)
        return
    with open(name, encoding="utf-8", newline="\n") as file:
        yield _lines(file)


def _lines(file: TextIO) -> Iterator[str]:
    """The file's lines, and of one that is too long only so much that this shows."""
    from bossbot.store.transfer import LINE_CHARS

    return iter(partial(file.readline, LINE_CHARS + 1), "")
