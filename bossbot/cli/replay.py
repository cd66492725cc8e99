"""`bossbot replay`: a recorded stream as Boss events, one JSON object a line in the protocol's envelope."""

import argparse
import sys
from pathlib import Path

from bossbot.cli.running import FAILED, complain, not_written

OPENING_EVENTS = 2
"""A session begins with so many, whatever was recorded."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `replay` takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="ndjson: raw frames, or a capture {t, dir, msg}")
    parser.add_argument("--dialect", choices=("cbc", "claude"), default="", help="default: as the recording says")


def main(parsed: argparse.Namespace) -> int:
    """Prints the events."""
    from bossbot.replay import Replay

    told = 0
    try:
        with parsed.file.open("rb") as lines:
            for event in Replay(parsed.dialect).events(lines):
                sys.stdout.write(event.model_dump_json() + "\n")
                told += 1
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        if error.filename is None:  # it was opened
            return not_written(error)
        return complain(f"{parsed.file}: cannot be read: {error.strerror}", FAILED)
    if told == OPENING_EVENTS:
        return complain(
            f"{parsed.file}: nothing in it is a recording; FILE has a frame of the agent CLI a line", FAILED
        )
    return 0
