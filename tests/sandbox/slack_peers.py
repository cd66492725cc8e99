"""Two local Slacks behind one set of words: the sandbox, and local-slack, which was written by others.

local-slack is a program from npm (local-slack-linux-x64); it speaks the wire and checks little.
"""

import asyncio
import json
import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.sandbox.wires import APP_TOKEN, BOT_TOKEN, free_port, until

Json = dict[str, Any]
PEOPLE = {"U0ADA": ("ada", "Ada Owner"), "U0BEN": ("ben", "Ben Approver"), "U0EVE": ("eve", "Eve Stranger")}
CONFIG: Json = {
    "workspace": {"name": "Sandbox", "domain": "sandbox", "teamId": "T0SANDBOX"},
    "app": {
        "appId": "A0BOSSBOT",
        "botUserId": "U0BOSSBOT",
        "botName": "bossbot",
        "botToken": BOT_TOKEN,
        "appToken": APP_TOKEN,
        "mode": "socket",
    },
    "users": [{"id": key, "name": name, "real_name": real} for key, (name, real) in PEOPLE.items()],
    "channels": [{"id": "C0BOSS", "name": "boss", "members": [*PEOPLE, "U0BOSSBOT"]}],
}


def local_slack_program() -> Path | None:
    """The program of local-slack, when npm has installed it."""
    program = Path(os.environ.get("BOSSBOT_TEST_NODE_MODULES", "")) / "local-slack-linux-x64" / "bin" / "local-slack"
    return program if program.is_file() else None


class Peer(ABC):
    """A local Slack: its Web API, and people who do what a script says."""

    def __init__(self, session: aiohttp.ClientSession, api: str, control: str) -> None:
        self.session = session
        self._api = api
        self._control = control

    async def call(self, method: str, args: Json, token: str = BOT_TOKEN) -> Json:
        form = {name: value if isinstance(value, str) else json.dumps(value) for name, value in args.items()}
        headers = {"Authorization": f"Bearer {token}"}
        async with self.session.post(f"{self._api}{method}", data=form, headers=headers) as response:
            answer: Json = await response.json()
            return answer

    async def control(self, path: str, body: Json) -> Json:
        async with self.session.post(f"{self._control}/{path}", json=body) as response:
            answer: Json = await response.json()
            assert response.status == 200, answer
            return answer

    @abstractmethod
    async def say(self, channel: str, user: str, text: str) -> str: ...

    @abstractmethod
    async def press(self, channel: str, ts: str, user: str, block_id: str, action_id: str, value: str) -> None: ...

    @abstractmethod
    async def react(self, channel: str, ts: str, user: str, emoji: str) -> None: ...

    @abstractmethod
    async def edit(self, channel: str, ts: str, user: str, text: str) -> None: ...

    @abstractmethod
    async def command(self, channel: str, user: str, command: str, text: str) -> None: ...


class Sandbox(Peer):
    async def say(self, channel: str, user: str, text: str) -> str:
        ts: str = (await self.control("say", {"channel": channel, "user": user, "text": text}))["ts"]
        return ts

    async def press(self, channel: str, ts: str, user: str, block_id: str, action_id: str, value: str) -> None:
        await self.control("press", {"channel": channel, "ts": ts, "user": user, "action_id": action_id})

    async def react(self, channel: str, ts: str, user: str, emoji: str) -> None:
        await self.control("react", {"channel": channel, "ts": ts, "user": user, "name": emoji})

    async def edit(self, channel: str, ts: str, user: str, text: str) -> None:
        await self.control("edit", {"channel": channel, "ts": ts, "user": user, "text": text})

    async def command(self, channel: str, user: str, command: str, text: str) -> None:
        await self.control("command", {"channel": channel, "user": user, "command": command, "text": text})


class LocalSlack(Peer):
    async def say(self, channel: str, user: str, text: str) -> str:
        ts: str = (await self.control("message", {"channel": channel, "user": user, "text": text}))["message"]["ts"]
        return ts

    async def press(self, channel: str, ts: str, user: str, block_id: str, action_id: str, value: str) -> None:
        action = {"type": "button", "block_id": block_id, "action_id": action_id, "value": value}
        await self.control("interact", {"channel": channel, "messageTs": ts, "user": user, "action": action})

    async def react(self, channel: str, ts: str, user: str, emoji: str) -> None:
        await self.control("reaction", {"channel": channel, "ts": ts, "user": user, "name": emoji})

    async def edit(self, channel: str, ts: str, user: str, text: str) -> None:
        await self.control("edit-message", {"channel": channel, "ts": ts, "user": user, "text": text})

    async def command(self, channel: str, user: str, command: str, text: str) -> None:
        await self.control("command", {"channel": channel, "user": user, "command": command, "text": text})


@asynccontextmanager
async def local_slack(program: Path, folder: Path) -> AsyncIterator[LocalSlack]:
    """The program, running with the sandbox's people and places, until the test ends."""
    config = folder / "config.json"
    config.write_text(json.dumps(CONFIG), encoding="utf-8")
    port = str(free_port())
    command = [str(program), "--config", str(config), "--port", port, "--base-host", "127.0.0.1"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env={"HOME": str(folder)}, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        async with aiohttp.ClientSession() as session:
            peer = LocalSlack(session, f"http://127.0.0.1:{port}/api/", f"http://127.0.0.1:{port}/_control")
            await until(lambda: _answers(peer, process))
            yield peer
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _answers(peer: Peer, process: asyncio.subprocess.Process) -> bool:
    assert process.returncode is None, "local-slack ended by itself"
    try:
        return bool((await peer.call("auth.test", {}))["ok"])
    except aiohttp.ClientConnectionError:
        return False
