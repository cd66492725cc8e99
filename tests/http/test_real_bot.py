"""The feed of `bossbot run` itself, with its scripted agent and a local Slack, read across kill -9 and a new start."""

import asyncio
import re
import sys
import time
from pathlib import Path

import aiohttp

from bossbot.sandbox.server import start_sandbox
from tests.fakes.real_cli import CliSetup
from tests.http.reader import TOKEN, Reader
from tests.journeys.bot import Bot, bot_settings
from tests.journeys.people import Control, SlackChat
from tests.project.tree import ROOT

PATIENCE_S = 120.0
AGENT = [sys.executable, "-m", "bossbot.sandbox.scripted_agent"]


def bot_with_feeds(folder: Path, base_url: str) -> Bot:
    cli = CliSetup("cbc", Path(sys.executable), None, (), {})
    settings = bot_settings(folder, base_url, "slack", cli, http={"enabled": True, "port": 0})
    settings["agent"] |= {"command": AGENT, "env": {"PYTHONPATH": str(ROOT)}}
    return Bot(folder, settings, env={"BOSSBOT_HTTP__TOKEN": TOKEN})


async def address_of(bot: Bot) -> str:
    """Where the newest process serves its feeds, as its log says."""
    log = bot.folder / f"bot-{bot.starts}.log"
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = re.search(r"feeds: (http://\S+)", await asyncio.to_thread(log.read_text))
        if found:
            return found[1]
        await asyncio.sleep(0.05)
    raise AssertionError(f"no feeds are served:\n{bot.log}")


async def follow(reader: Reader, address: str) -> None:
    try:
        await reader.read(address)
    except (aiohttp.ClientError, ConnectionError):
        return


async def told(reader: Reader, kind: str, times: int) -> None:
    """Returns when the reader has seen so many events of this type."""
    async with asyncio.timeout(PATIENCE_S):
        while [event["type"] for event in reader.events].count(kind) < times:
            reader.grown.clear()
            await reader.grown.wait()


async def test_a_reader_of_the_real_bot_misses_nothing_across_a_kill(tmp_path: Path) -> None:
    sandbox = await start_sandbox(port=0)
    control = Control(sandbox.base_url)
    bot, reader = bot_with_feeds(tmp_path, sandbox.base_url), Reader()
    chat = SlackChat(control, "D0ADA")
    try:
        for run in (1, 2):
            await bot.start()
            following = asyncio.create_task(follow(reader, await address_of(bot)))
            await chat.say("clean the build cache" if run == 1 else "and the other cache")
            await told(reader, "approval.requested", run)
            if run == 1:
                await bot.kill()
                await asyncio.wait_for(following, PATIENCE_S)
        events = await bot.events()
        await told(reader, events[-1].type, [event.type for event in events].count(events[-1].type))
        assert await bot.stop() == 0
        await asyncio.wait_for(following, PATIENCE_S)
    finally:
        if bot.process is not None and bot.process.returncode is None:
            await bot.kill()
        await control.close()
        await sandbox.close()
    assert reader.events == [event.model_dump() for event in await bot.events()][: len(reader.events)]
    assert len(reader.events) >= len(events)
    assert reader.ids == list(range(1, len(reader.ids) + 1))
    assert TOKEN not in bot.log
