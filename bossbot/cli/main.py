"""The command `bossbot`. Only the parser lives here: a command's module is imported when it is called."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from bossbot import __version__

_COMMANDS = {
    "run": ("bossbot.cli.run", "run the bot"),
    "doctor": ("bossbot.cli.doctor", "check configuration, agent CLI, login and store"),
    "demo": ("bossbot.cli.demo", "try everything here: a local Telegram and Slack with a page, and the bot"),
    "sandbox": ("bossbot.cli.sandbox", "only the local Telegram and Slack with their page"),
    "sessions": ("bossbot.cli.sessions", "list the sessions in the log"),
    "events": ("bossbot.cli.events", "show a session's events, or its state as of one of them"),
    "artifact": ("bossbot.cli.artifact", "print the whole output of a tool or task"),
    "export": ("bossbot.cli.export", "write a session to a file"),
    "import": ("bossbot.cli.import_", "read a session from such a file"),
    "verify": ("bossbot.cli.verify", "check that nobody changed the log"),
    "replay": ("bossbot.cli.replay", "show a recorded stream as Boss events"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code: 0 fine, 1 it went wrong, 2 the call or the settings are wrong."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="bossbot", description="Steer a coding agent from Telegram and Slack.")
    parser.add_argument("--version", action="version", version=f"bossbot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = arguments[0] if arguments else ""
    for name, (module, text) in _COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == asked:
            import_module(module).arguments(sub)
    parsed = parser.parse_args(arguments)
    return int(import_module(_COMMANDS[parsed.command][0]).main(parsed))
