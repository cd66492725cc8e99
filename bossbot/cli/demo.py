"""`bossbot demo`: a local Telegram and Slack and the bot in one command, with no token and no account."""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bossbot
from bossbot.cli.running import FAILED, SETTINGS_WRONG, complain, run_until_stopped, set_up_log
from bossbot.cli.sandbox import DEFAULT_PORT, port

if TYPE_CHECKING:
    from bossbot.sandbox.server import RunningSandbox
    from bossbot.settings import Settings

TELEGRAM_TOKEN = "8700000001:demo-token-for-the-local-sandbox-000"
SLACK_BOT_TOKEN = "xoxb-870000000001-demo"
SLACK_APP_TOKEN = "xapp-1-A0BOSS-870000000001-demo"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `demo` takes."""
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help=f"0 takes a free one (default {DEFAULT_PORT})")
    parser.add_argument(
        "--agent",
        choices=("scripted", "cbc", "claude"),
        default="scripted",
        help="scripted: plays the stories, needs nothing (default); cbc, claude: the real one, with your account",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="keep log and workspace here (default: a new temporary folder)"
    )


def main(parsed: argparse.Namespace) -> int:
    """Runs sandbox and bot until stopped."""
    from bossbot.settings import SettingsError

    data: Path = parsed.data or Path(tempfile.mkdtemp(prefix="bossbot-demo-"))
    try:
        (data / "workspace").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return complain(f"--data {data}: no folder can be made there: {error.strerror}; name another", FAILED)
    try:
        return run_until_stopped(_demo(parsed, data))
    except SettingsError as error:
        return complain(str(error), SETTINGS_WRONG)


async def _demo(parsed: argparse.Namespace, data: Path) -> None:
    from bossbot.sandbox.server import start_sandbox

    sandbox = await start_sandbox(port=parsed.port)  # first of all: the page answers while the SDKs are still loading
    try:
        from bossbot.bootstrap import known_secrets, run_bot

        settings = _settings(sandbox, data, parsed.agent)
        set_up_log(settings.log.level, known_secrets(settings))

        def ready(feeds: str) -> None:
            sandbox.show_feed(f"{feeds}/feed", settings.http.token)
            _ready(sandbox.base_url, parsed, data)

        await run_bot(settings, on_ready=ready)
    finally:
        await sandbox.close()


def _has_screen() -> bool:
    """Without one, the only browser to be found may be one that takes over the terminal."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _settings(sandbox: "RunningSandbox", data: Path, agent: str) -> "Settings":
    from bossbot.sandbox.people import SLACK_TEAM, TELEGRAM_PEOPLE
    from bossbot.settings import load_settings

    def by_role(people: Any) -> dict[str, list[str]]:
        return {
            "owners": [str(p.id) for p in people if p.role == "owner"],
            "approvers": [str(p.id) for p in people if p.role == "approver"],
        }

    scripted = {
        "command": [sys.executable, "-m", "bossbot.sandbox.scripted_agent"],
        "dialect": "cbc",
        "env": {"PYTHONPATH": str(Path(bossbot.__file__).parents[1])},  # also when started from a bare checkout
    }
    values: dict[str, Any] = {
        "agent": {
            "workspace": str(data / "workspace"),
            "partial_messages": True,
            **(scripted if agent == "scripted" else {"dialect": agent}),
        },
        "store": {"path": str(data / "bossbot.db")},
        "planner": {"mode": "rules" if agent == "scripted" else "auto"},
        "http": {"enabled": True, "port": 0, "token": secrets.token_urlsafe(24)},
        "log": {"level": "warning"},
        "channels": {
            "telegram": {"token": TELEGRAM_TOKEN, "api_base": sandbox.telegram_api_base, **by_role(TELEGRAM_PEOPLE)},
            "slack": {
                "bot_token": SLACK_BOT_TOKEN,
                "app_token": SLACK_APP_TOKEN,
                "api_base": sandbox.slack_api_base,
                "listen": ["C0BOSS"],
                **by_role(SLACK_TEAM.people),
            },
        },
    }
    return load_settings(None, values)


def _ready(address: str, parsed: argparse.Namespace, data: Path) -> None:
    print(f"bossbot demo: {address}", flush=True)
    print(f"  agent: {parsed.agent} · its folder: {data / 'workspace'} · log: {data / 'bossbot.db'}")
    print("  Write to the bot in either chat, for example: clean the build cache. Ctrl-C ends it.", flush=True)
    if not parsed.no_browser and _has_screen():
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
