"""Journeys: the sandbox, a real agent CLI turned to a scripted model, and the bot between them."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bossbot.sandbox.server import RunningSandbox, start_sandbox
from tests.fakes.real_cli import CliSetup, cbc_setup, claude_setup, find_cbc, find_claude
from tests.fakes.scripted_model import Script, ScriptedModel
from tests.journeys.bot import Bot, bot_settings
from tests.journeys.people import Chat, Control, SlackChat, TelegramChat

CLIS = [pytest.param("cbc", marks=pytest.mark.cbc), pytest.param("claude", marks=pytest.mark.claude)]
CHANNELS = ["telegram", "slack"]
PAIRS = [
    pytest.param("telegram", "cbc", marks=pytest.mark.cbc),
    pytest.param("slack", "claude", marks=pytest.mark.claude),
]
"""Each platform and each CLI once: J1 takes them in every combination, and a start of cbc costs seconds."""


@dataclass
class Stage:
    """Everything of one journey."""

    sandbox: RunningSandbox
    control: Control
    model: ScriptedModel
    script: Script
    bot: Bot
    chat: Chat
    dialect: str
    acting: list[Any] = field(default_factory=list)
    """What acted in the bot's messages on Slack, seen at the end: mentions, and links that lie."""

    @property
    def workspace(self) -> Path:
        return self.bot.workspace

    async def types(self) -> list[str]:
        """The event types of the log, in order."""
        return [event.type for event in await self.bot.events()]


def cli_for(dialect: str, home: Path, port: int) -> CliSetup:
    """The real CLI in a clean environment; skips the test, with the reason, where it is not installed."""
    home.mkdir(parents=True, exist_ok=True)
    if dialect == "scripted":
        return scripted_setup(home)
    if dialect == "cbc":
        found = find_cbc()
        if found is None:
            pytest.skip("cbc is not here: install the wheel codebuddy-agent-sdk")
        return cbc_setup(found, home, port)
    found = find_claude()
    if found is None:
        pytest.skip("Claude Code is not here: name it in BOSSBOT_TEST_CLAUDE")
    return claude_setup(found, home, port)


def scripted_setup(home: Path) -> CliSetup:
    """The demo's agent: it speaks as cbc does and plays stories by itself."""
    program = home / "scripted-agent"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bossbot.sandbox.scripted_agent "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    root = str(Path(__file__).parents[2])
    return CliSetup("cbc", program, None, (), {"HOME": str(home), "PYTHONPATH": root})


SetStage = Callable[..., Any]


@pytest.fixture
async def set_stage(tmp_path: Path) -> AsyncIterator[SetStage]:
    """`await set_stage(channel, dialect, script, **settings)` starts everything; the fixture ends it."""
    stages: list[Stage] = []

    async def build(channel: str, dialect: str, script: Script, **more: Any) -> Stage:
        folder = tmp_path / f"stage{len(stages)}"
        folder.mkdir()
        model = await ScriptedModel(script).__aenter__()
        sandbox = await start_sandbox(port=0)
        control = Control(sandbox.base_url)
        cli = cli_for(dialect, folder / "home", model.port)
        bot = Bot(folder, bot_settings(folder, sandbox.base_url, channel, cli, **more))
        chat: Chat = TelegramChat(control) if channel == "telegram" else SlackChat(control)
        stage = Stage(sandbox, control, model, script, bot, chat, dialect)
        stages.append(stage)
        bot.workspace.mkdir(exist_ok=True)
        await bot.start()
        return stage

    yield build
    for stage in stages:
        await _end(stage)
        assert stage.acting == []


async def _end(stage: Stage) -> None:
    try:
        await stage.bot.stop()
        print(stage.bot.log[-3000:])  # shown with a failure
        places = (await stage.control.get("/sandbox/state"))["slack"]["channels"]
        said = [message for place in places for message in (*place["messages"], *place["ephemerals"])]
        stage.acting = [found for message in said if "bot_id" in message for found in message["live"]]
    finally:
        await stage.control.close()
        await stage.sandbox.close()
        await asyncio.wait_for(stage.model.__aexit__(None, None, None), 90)
