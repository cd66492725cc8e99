"""The bot under test: the program itself, in a process of its own, as a person would start it."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bossbot.domain.events import Event
from bossbot.store.opening import open_store
from tests.fakes.real_cli import CliSetup, version_told

TELEGRAM_TOKEN = "8700000001:journeys-token-for-the-local-sandbox"
SLACK_BOT_TOKEN, SLACK_APP_TOKEN = "xoxb-870000000001-journeys", "xapp-1-A0BOSS-870000000001-journeys"


@dataclass
class Bot:
    """`folder` holds configuration, log, workspace and what was written to the agent's stdin."""

    folder: Path
    settings: Mapping[str, Any]
    env: Mapping[str, str] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None
    starts: int = 0

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def log(self) -> str:
        return "".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("bot-*.log")))

    async def start(self) -> None:
        """Starts the program. It need not be connected yet: what people write waits for it on the platform."""
        self.workspace.mkdir(exist_ok=True)
        config = self.folder / "bossbot.toml"
        config.write_text(to_toml(self.settings), encoding="utf-8")
        self.starts += 1
        with (self.folder / f"bot-{self.starts}.log").open("wb") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bossbot", "run", "--config", str(config),
                stdout=log, stderr=log, stdin=asyncio.subprocess.DEVNULL, cwd=self.folder,
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), **_paths(), **self.env},
            )  # fmt: skip

    async def kill(self) -> None:
        """kill -9: nothing can be tidied up."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> int:
        """A polite end, waited for; its exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), 90)
            except TimeoutError:
                await self.kill()
                raise AssertionError(f"the bot did not end on SIGTERM:\n{self.log[-3000:]}") from None
        return self.process.returncode or 0

    async def events(self) -> list[Event]:
        """The whole log of all sessions, in order."""
        if not (self.folder / "bossbot.db").exists():
            return []
        store = await open_store(self.folder / "bossbot.db", owner="test")
        try:
            return [event for row in await store.sessions() for event in await store.load(row.id)]
        finally:
            await store.close()

    async def all_sent(self) -> bool:
        """True when nothing waits to be sent and no sending is under way."""
        store = await open_store(self.folder / "bossbot.db", owner="test")
        try:
            return not await store.due()
        finally:
            await store.close()

    def stdin(self) -> list[dict[str, Any]]:
        """Every line that was written to the agent's stdin, over all its processes, byte for byte by a tee.

        Side calls go through the tee as well; their prompts are no JSON lines.
        """
        path = self.folder / "agent-stdin.ndjson"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_bytes().splitlines() if line.startswith(b"{")]


def bot_settings(folder: Path, base_url: str, channel: str, cli: CliSetup, **more: Any) -> dict[str, Any]:
    """Settings for one platform of the sandbox and one real CLI, with a tee between the bot and the CLI's stdin: it
    writes to the file first, so that what the CLI has read stands there. Only what the CLI says to `--version` is said
    for it, as it said it once.
    """
    script = '[ "$3" = --version ] && echo "$1" && exit; shift; tee /dev/fd/3 3>&1 >>"$0" | "$@"'
    version = version_told(cli.command)
    tee = ["/bin/sh", "-c", script, str(folder / "agent-stdin.ndjson"), version, str(cli.command)]
    channels = {
        "telegram": {
            "token": TELEGRAM_TOKEN,
            "api_base": f"{base_url}/telegram",
            "owners": [1001],
            "approvers": [1002],
        },
        "slack": {
            "bot_token": SLACK_BOT_TOKEN,
            "app_token": SLACK_APP_TOKEN,
            "api_base": f"{base_url}/slack/api/",
            "owners": ["U0ADA"],
            "approvers": ["U0BEN"],
        },
    }
    settings: dict[str, Any] = {
        "agent": {
            "command": tee,
            "dialect": cli.dialect,
            "workspace": "workspace",
            "model": cli.model or "",
            "args": list(cli.args),
            "env": cli.env,
        },
        "channels": {channel: channels[channel]},
        "log": {"level": "info"},
        "outbox": {"edit_interval_s": 0.2},
    }
    for table, values in more.items():
        settings[table] = {**settings.get(table, {}), **values}
    return settings


def to_toml(table: Mapping[str, Any]) -> str:
    """TOML of nested tables; JSON strings, numbers, booleans and lists are TOML as well."""
    lines: list[str] = []

    def write(path: tuple[str, ...], values: Mapping[str, Any]) -> None:
        if path:
            lines.append(f"[{'.'.join(path)}]")
        nested = {key: value for key, value in values.items() if isinstance(value, Mapping)}
        lines.extend(f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in values.items() if k not in nested)
        for key, value in nested.items():
            write((*path, key), value)

    write((), table)
    return "\n".join(lines) + "\n"


def _paths() -> dict[str, str]:
    """Lets the program be found when it is not installed, as in a bare checkout."""
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
