"""`bossbot replay`: a recorded stream as Boss events, one JSON object a line in the protocol's envelope."""

import argparse
import sys
from pathlib import Path

from bossbot.cli.running import FAILED, complain


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `replay` takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="ndjson: raw frames, or a capture {t, dir, msg}")
    parser.add_argument("--dialect", choices=("cbc", "claude"), default="", help="default: as the recording says")


def main(parsed: argparse.Namespace) -> int:
    """Prints the events."""
    from bossbot.replay import Replay

    try:
        with parsed.file.open("rb") as lines:
            for event in Replay(parsed.dialect).events(lines):
                sys.stdout.write(event.model_dump_json() + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        return complain(f"{parsed.file}: cannot be read: {error.strerror}", FAILED)
    return 0
