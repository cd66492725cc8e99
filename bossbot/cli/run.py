"""`bossbot run`: the bot."""

import argparse
from pathlib import Path

from bossbot.cli.running import SETTINGS_WRONG, complain, run_until_stopped, set_up_log


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `run` takes."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file (default: bossbot.toml, config/bossbot.toml)"
    )


def main(parsed: argparse.Namespace) -> int:
    """Runs the bot until it is stopped."""
    from bossbot.bootstrap import known_secrets, run_bot
    from bossbot.settings import SettingsError, default_config, load_settings

    try:
        settings = load_settings(parsed.config or default_config())
    except SettingsError as error:
        return complain(str(error), SETTINGS_WRONG)
    set_up_log(settings.log.level, known_secrets(settings))
    return run_until_stopped(run_bot(settings))
