"""A house for kill tests: one platform, one store, one workspace, and a bot that is started again and again in it."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bossbot.domain.events import Event, SessionMessageAdded
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.sandbox.server import RunningSandbox, start_sandbox
from bossbot.store.opening import open_store
from bossbot.store.outbox import DeliveryState
from bossbot.store.protocol import EventStore
from tests.chaos import nursery
from tests.chaos.nursery import Nursery
from tests.chaos.wire import Wire
from tests.journeys.bot import TELEGRAM_TOKEN, to_toml
from tests.journeys.people import Control, Post, TelegramChat

AGENT = (sys.executable, "-I", "-S", str(Path(__file__).with_name("agent.py")))
PATIENCE_S = 240.0
LOOK_EVERY_S = 0.01
SETTLED = (DeliveryState.SENT, DeliveryState.AMBIGUOUS, DeliveryState.FAILED)


@dataclass
class House:
    """`store` is our own eye on what the bot keeps; it writes nothing."""

    folder: Path
    agent: dict[str, Any]
    address: str
    nursery: Nursery
    sandbox: RunningSandbox
    wire: Wire
    control: Control
    store: EventStore
    pid: int = 0
    starts: int = 0
    said: list[str] = field(default_factory=list)

    @property
    def chat(self) -> TelegramChat:
        return TelegramChat(self.control)

    @property
    def ledger(self) -> list[str]:
        path = self.folder / "workspace" / "ledger"
        return path.read_text().splitlines() if path.exists() else []

    async def start(self) -> None:
        """Starts the bot; it need not be connected yet."""
        config = self.folder / "bossbot.toml"
        if not config.exists():
            config.write_text(to_toml(self._settings()), encoding="utf-8")
        self.starts += 1
        self.pid = self.nursery.start(config, self.folder / "bot.log", {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})

    def kill(self) -> None:
        """kill -9, now. The agent's guard sees it by itself."""
        if self.pid:
            nursery.kill(self.pid)
            self.pid = 0

    async def say(self, text: str) -> None:
        self.said.append(text)
        await self.chat.say(text)

    async def posts(self) -> list[Post]:
        return await self.chat.posts()

    async def press(self, post: Post, label: str) -> None:
        """Presses and does not wait for what the bot says. The button may have gone under the finger."""
        body = {"chat_id": 1001, "user_id": 1001, "message_id": int(post.id), "label": label}
        with suppress(AssertionError):
            await self.control.post("/sandbox/telegram/press", body)

    async def session_id(self) -> SessionId | None:
        rows = await self.store.sessions()
        return rows[0].id if rows else None

    async def events(self) -> list[Event]:
        session_id = await self.session_id()
        return await self.store.load(session_id) if session_id is not None else []

    async def version(self) -> int:
        session_id = await self.session_id()
        return await self.store.version(session_id) if session_id is not None else 0

    async def commands_run(self) -> int:
        return len(self.ledger)

    async def state(self) -> SessionState:
        session_id = await self.session_id() or SessionId("")
        return fold(SessionState(id=session_id), await self.events())

    async def at_rest(self) -> bool:
        """Nothing runs, waits or is on its way."""
        state = await self.state()
        if state.busy or state.queue or state.cut is not None or state.pending_approvals:
            return False
        for thread in state.threads:
            for said in (said for said in state.recent if said.role != "user"):
                delivery = await self.store.delivery(state.id, thread, f"msg:{said.id}")
                if delivery is None or delivery.state not in SETTLED:
                    return False
                if delivery.state is DeliveryState.AMBIGUOUS and said.id not in state.doubted:
                    return False
        return True

    async def until(self, done: Callable[[], Coroutine[Any, Any, bool]], what: str) -> None:
        """Waits; a failure shows the end of the bot's log."""
        deadline = time.monotonic() + PATIENCE_S
        while not await done():
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for: {what}\n{await self.story()}")
            await asyncio.sleep(LOOK_EVERY_S)

    async def story(self) -> str:
        """What one wants to see of a failed run."""
        log = (self.folder / "bot.log").read_text(errors="replace")[-4000:]
        events = "\n".join(_line(event) for event in (await self.events())[-40:])
        posts = "\n".join(f"{post.text[:100]!r} {list(post.buttons)}" for post in (await self.posts())[-12:])
        return f"in {self.folder}\n--- log\n{log}\n--- events\n{events}\n--- posts\n{posts}\n--- ledger\n{self.ledger}"

    def _settings(self) -> dict[str, Any]:
        return {
            "agent": {"workspace": "workspace", **self.agent},
            "channels": {
                "telegram": {
                    "token": TELEGRAM_TOKEN,
                    "api_base": f"{self.wire.base_url}/telegram",
                    "owners": [1001],
                }
            },
            "store": {"path": self.address},
            "planner": {"mode": "off"},
            "outbox": {"edit_interval_s": 0.0},
        }


@asynccontextmanager
async def house(
    folder: Path, nursery: Nursery, address: str, agent: dict[str, Any] | None = None
) -> AsyncIterator[House]:
    """An empty house. `address` is a path or a PostgreSQL address; `agent` the table `[agent]`."""
    (folder / "workspace").mkdir(parents=True)
    sandbox = await start_sandbox(port=0)
    wire = await Wire.open(int(sandbox.base_url.rpartition(":")[2]))
    control = Control(sandbox.base_url)
    await control.post("/sandbox/settings", {"rate_limits": False})
    store = await open_store(address, owner="observer")
    table = agent or {"command": list(AGENT), "dialect": "cbc"}
    found = House(folder, table, address, nursery, sandbox, wire, control, store)
    try:
        yield found
    finally:
        found.kill()
        await wire.close()
        await control.close()
        await store.close()
        await sandbox.close()


def _line(event: Event) -> str:
    said = event.payload.content[:80] if isinstance(event.payload, SessionMessageAdded) else ""
    return f"{event.type} {event.task_id or ''} {said}"
