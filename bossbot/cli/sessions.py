"""`bossbot sessions`: the sessions in the log, oldest first."""

import argparse
import json
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from bossbot.cli.log import run_reading, store_arguments
from bossbot.text import one_line

if TYPE_CHECKING:
    from bossbot.store.records import SessionRow
    from bossbot.store.sql import SqlStore

TITLE_CHARS = 60


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `sessions` takes."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    store_arguments(parser)


def main(parsed: argparse.Namespace) -> int:
    """Prints them."""

    async def list_them(store: "SqlStore") -> int:
        rows = await store.sessions()
        if not rows and not parsed.json:
            print("There are no sessions yet.", file=sys.stderr)
        for row in rows:
            print(_as_json(row) if parsed.json else _as_text(row))
        return 0

    return run_reading(parsed, list_them)


def _as_text(row: "SessionRow") -> str:
    when = row.updated_at.strftime("%Y-%m-%d %H:%M")
    session, status = one_line(row.id, 80), one_line(row.status, 20)
    return f"{session:<20} {status:<9} {row.version:>6} events  {when}  {one_line(row.title, TITLE_CHARS)}"


def _as_json(row: "SessionRow") -> str:
    times = {name: _utc(getattr(row, name)) for name in ("created_at", "updated_at")}
    told = {"id": row.id, "title": row.title, "status": row.status, "events": row.version, **times}
    return json.dumps(told, ensure_ascii=False)


def _utc(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
