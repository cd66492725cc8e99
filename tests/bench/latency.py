"""The way to the card and back: a permission request on the agent's stdout → the message on the platform's wire, and a
press on the platform → the answer on the agent's stdin. Real bot process, real SDKs, real SQLite, local sandbox.
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bossbot.sandbox.server import start_sandbox
from tests.fakes.real_cli import CliSetup
from tests.journeys.bot import Bot, bot_settings
from tests.journeys.people import Chat, Control, SlackChat, TelegramChat, see

ROUNDS = 60
WARM_UP = 5
GOAL_CARD_MS, GOAL_STDIN_MS = 15.0, 10.0
SENDS = {"telegram": "sendMessage", "slack": "chat.postMessage"}


def main() -> None:
    """Prints one line for each platform and direction."""
    for channel in ("telegram", "slack"):
        card_ms, stdin_ms = asyncio.run(_measure(channel))
        print(_line(f"{channel}: can_use_tool line → {SENDS[channel]} on the wire", card_ms, GOAL_CARD_MS))
        print(_line(f"{channel}: press → the agent's stdin", stdin_ms, GOAL_STDIN_MS))


def _line(name: str, values_ms: list[float], goal_ms: float) -> str:
    values = sorted(values_ms)
    p50, p95 = values[len(values) // 2], values[int(len(values) * 0.95)]
    return f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms ({len(values)} times; goal p50 ≤ {goal_ms:g} ms)"


async def _measure(channel: str) -> tuple[list[float], list[float]]:
    sandbox = await start_sandbox(port=0)
    control = Control(sandbox.base_url)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            bot = Bot(folder, _settings(folder, sandbox.base_url, channel))
            await control.post("/sandbox/settings", {"rate_limits": False})
            await bot.start()
            try:
                chat: Chat = TelegramChat(control) if channel == "telegram" else SlackChat(control, "D0ADA")
                pressed = [await _round(chat, n) for n in range(1, ROUNDS + WARM_UP + 1)]
                calls = await control.get(f"/sandbox/calls?platform={channel}")
            finally:
                await bot.stop()
            times = [json.loads(line) for line in (folder / "times.ndjson").read_text().splitlines()]
    finally:
        await control.close()
        await sandbox.close()
    return _card_ms(times, calls, SENDS[channel]), _stdin_ms(times, pressed)


async def _round(chat: Chat, n: int) -> float:
    """One request and one press; returns when the press was sent."""
    await chat.say(f"round {n}")
    card = await see(chat, lambda post: "Approve" in post.buttons and f"build-cache-{n}" in post.text)
    at = time.time()
    await chat.press(card, "Approve")
    await see(chat, lambda post: post.id == card.id and not post.buttons)
    return at


def _card_ms(times: list[dict[str, Any]], calls: list[dict[str, Any]], method: str) -> list[float]:
    found = []
    for asked in (t for t in times if t["what"] == "asked" and t["n"] > WARM_UP):
        words = f"build-cache-{asked['n']}"
        hit = next(c for c in calls if c["method"] == method and words in json.dumps(c["payload"]))
        found.append((hit["t"] - asked["t"]) * 1000)
    return found


def _stdin_ms(times: list[dict[str, Any]], pressed: list[float]) -> list[float]:
    answered = {t["n"]: t["t"] for t in times if t["what"] == "answered"}
    return [(answered[n] - at) * 1000 for n, at in enumerate(pressed, 1) if n > WARM_UP]


def _settings(folder: Path, base_url: str, channel: str) -> dict[str, Any]:
    settings = bot_settings(folder, base_url, channel, CliSetup("cbc", Path(sys.executable), None, (), {}))
    settings["agent"]["command"] = [sys.executable, "-S", str(_AGENT), str(folder / "times.ndjson")]
    settings["log"] = {"level": "warning"}
    return settings


_AGENT = Path(__file__).resolve().parents[1] / "fakes" / "clock_agent.py"

if __name__ == "__main__":
    main()
