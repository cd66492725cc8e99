"""`bossbot sandbox`: a local Telegram and Slack, and the page where a person plays the human in both."""

import argparse
import asyncio

from bossbot.cli.running import run_until_stopped

DEFAULT_PORT = 8700


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `sandbox` takes."""
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"0 takes a free one (default {DEFAULT_PORT})")


def main(parsed: argparse.Namespace) -> int:
    """Runs the sandbox until it is stopped."""
    return run_until_stopped(_serve(parsed.port))


async def _serve(port: int) -> None:
    from bossbot.sandbox.server import start_sandbox

    sandbox = await start_sandbox(port=port)
    print(f"bossbot sandbox: {sandbox.base_url}", flush=True)
    print(f"  Telegram: [channels.telegram] api_base = {sandbox.telegram_api_base!r}")
    print(f"  Slack:    [channels.slack] api_base = {sandbox.slack_api_base!r}", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await sandbox.close()
