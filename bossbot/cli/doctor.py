"""`bossbot doctor`: is everything there that the bot needs? One line a check, with the fix."""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from bossbot.cli.running import FAILED, SETTINGS_WRONG, complain


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `doctor` takes."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file (default: bossbot.toml, config/bossbot.toml)"
    )
    parser.add_argument("--json", action="store_true", help="print the checks as a JSON list")
    parser.add_argument("--no-start", action="store_true", help="do not start the agent CLI for a look at it")


def main(parsed: argparse.Namespace) -> int:
    """Prints the checks; 0 when nothing is wrong, 1 when something is, 2 when the settings are."""
    from bossbot.bootstrap import known_secrets
    from bossbot.cli.checks import ERROR, Check, run_checks
    from bossbot.settings import SettingsError, default_config, load_settings
    from bossbot.text import neutral, redact

    path = parsed.config or default_config()
    try:
        settings = load_settings(path)
    except SettingsError as error:
        if not parsed.json:
            return complain(str(error), SETTINGS_WRONG)
        print(json.dumps([{"check": "configuration", "verdict": ERROR, "text": redact(str(error))}]))
        return SETTINGS_WRONG
    found: list[Check] = []

    def show(check: Check) -> None:
        found.append(check)
        if not parsed.json:
            text = neutral(redact(check.text, known_secrets(settings)))
            print(f"{check.verdict:<8}{check.name:<15}{text}", flush=True)

    asyncio.run(run_checks(settings, str(path) if path else "", look=not parsed.no_start, show=show))
    if parsed.json:
        listed = [{"check": check.name, "verdict": check.verdict, "text": check.text} for check in found]
        sys.stdout.write(redact(json.dumps(listed, ensure_ascii=False), known_secrets(settings)) + "\n")
    return FAILED if any(check.verdict == ERROR for check in found) else 0
