"""`bossbot artifact ID`: the whole output of a tool or a task, as it was kept beside the log."""

import argparse
import sys
from pathlib import Path

from bossbot.cli.running import FAILED, SETTINGS_WRONG, complain, not_written


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `artifact` takes."""
    parser.add_argument("id", metavar="ID", help="as the log and /artifacts name it: artifact_…")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file (default: bossbot.toml, config/bossbot.toml)"
    )
    parser.add_argument("--store", metavar="PATH", help="the store that they lie beside, as in the other commands")


def main(parsed: argparse.Namespace) -> int:
    """Writes it to stdout as it is; to a terminal without what would move its cursor or worse."""
    from bossbot.settings import SettingsError, default_config, load_settings
    from bossbot.store.artifacts import ArtifactFiles, NoArtifact
    from bossbot.text import neutral

    try:
        settings = load_settings(parsed.config or default_config())
    except SettingsError as error:
        return complain(str(error), SETTINGS_WRONG)
    if parsed.store:
        settings = settings.model_copy(update={"store": settings.store.model_copy(update={"path": parsed.store})})
    a = settings.artifacts
    files = ArtifactFiles(
        settings.artifact_folder,
        max_file_bytes=a.max_file_bytes,
        max_total_bytes=a.max_total_bytes,
        retention_days=a.retention_days,
    )
    try:
        data = files.read(parsed.id)
    except NoArtifact as error:
        return complain(str(error), FAILED)
    try:
        if sys.stdout.isatty():
            sys.stdout.write(neutral(data.decode("utf-8", "replace")) + "\n")
        else:
            sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        return not_written(error)
    return 0
