"""`bossbot export`: a session as a file, with its hashes."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bossbot.cli.log import Wrong, run_reading, session_named, store_arguments

if TYPE_CHECKING:
    from bossbot.store.sql import SqlStore


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `export` takes."""
    parser.add_argument("session", metavar="SESSION", help="its id, or how it begins")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a new file (default: standard output)")
    store_arguments(parser)


def main(parsed: argparse.Namespace) -> int:
    """Writes it."""

    async def export(store: "SqlStore") -> int:
        from bossbot.store.export_file import NotWhole, export_lines, export_to

        session = await session_named(store, parsed.session)
        try:
            if parsed.output is None:
                async for line in export_lines(store, session):
                    sys.stdout.write(line)
            else:
                _new_file(parsed.output)
                await export_to(store, session, parsed.output)
        except NotWhole as error:
            raise Wrong(f"{error}; `bossbot verify {session}` tells all") from None
        except OSError as error:
            if parsed.output is None:
                raise
            raise Wrong(f"{parsed.output}: cannot be written: {error.strerror}") from None
        return 0

    return run_reading(parsed, export)


def _new_file(path: Path) -> None:
    if path.exists():
        raise Wrong(f"{path} exists; name another file, or remove it first")
