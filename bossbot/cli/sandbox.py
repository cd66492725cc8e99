"""`bossbot sandbox`: a local Telegram and Slack, and the page where a person plays the human in both."""

import argparse
import asyncio

from bossbot.cli.running import run_until_stopped

DEFAULT_PORT = 8700
HIGHEST_PORT = 65_535

_CONFIG = """\
[channels.telegram]
token = "8700000001:any-token-that-looks-like-one-will-do"
api_base = "{telegram}"
owners = [1001]       # Ada
approvers = [1002]    # Ben

[channels.slack]
bot_token = "xoxb-870000000001-sandbox"
app_token = "xapp-1-A0BOSS-870000000001-sandbox"
api_base = "{slack}"
owners = ["U0ADA"]
approvers = ["U0BEN"]
listen = ["C0BOSS"]
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `sandbox` takes."""
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help=f"0 takes a free one (default {DEFAULT_PORT})")


def port(text: str) -> int:
    """A port as a person names it. Raises `ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= HIGHEST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; they go from 0 to {HIGHEST_PORT}")
    return int(text)


def main(parsed: argparse.Namespace) -> int:
    """Runs the sandbox until it is stopped."""
    return run_until_stopped(_serve(parsed.port))


async def _serve(port: int) -> None:
    from bossbot.sandbox.server import start_sandbox

    sandbox = await start_sandbox(port=port)
    print(f"bossbot sandbox: {sandbox.base_url}\n\nFor the bot's configuration (any well-formed token will do):\n")
    print(_CONFIG.format(telegram=sandbox.telegram_api_base, slack=sandbox.slack_api_base), flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await sandbox.close()
