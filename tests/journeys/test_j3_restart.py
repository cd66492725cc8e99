"""J3: kill -9 while an approval waits: nothing of the agent survives, and the start loses and doubles nothing."""

import os
from pathlib import Path

import psutil
import pytest

from tests.fakes.scripted_model import Rule, Script, Text, ToolCall, Turn
from tests.journeys.conftest import CLIS, PAIRS, SetStage, Stage
from tests.journeys.people import see, until

COMMAND = "rm -rf build-cache && echo ran >> marker"


def asks_again(turn: Turn) -> ToolCall | Text:
    """The model takes up its work when told so, once it has not been told the outcome."""
    return ToolCall("Bash", {"command": COMMAND, "description": "Remove the build cache"})


def stubborn() -> Script:
    call = ToolCall("Bash", {"command": COMMAND, "description": "Remove the build cache"}, say="I will clean it.")
    done = Text("The build cache is clean.")
    return Script(
        [
            Rule("your process ended", [asks_again, done]),
            Rule("clean the build cache", [call, done]),
        ]
    )


def family(pid: int) -> list[psutil.Process]:
    found: list[psutil.Process] = psutil.Process(pid).children(recursive=True)
    return found


def marker(stage: Stage) -> str:
    path = stage.workspace / "marker"
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize(("channel", "dialect"), PAIRS)
async def test_an_approval_outlives_kill_9_and_the_command_runs_once(
    set_stage: SetStage, channel: str, dialect: str
) -> None:
    stage: Stage = await set_stage(channel, dialect, stubborn())
    (stage.workspace / "build-cache").mkdir()
    await stage.chat.say("clean the build cache")
    old = await see(stage.chat, lambda post: "Approve" in post.buttons)
    assert stage.bot.process is not None
    children = family(stage.bot.process.pid)
    assert children, "the agent runs below the bot"

    await until(stage.bot.all_sent, "the card's place is known")
    await stage.bot.kill()
    await until(lambda: _all_gone(children), "no process of the agent survives")
    assert marker(stage) == ""

    await stage.bot.start()
    record = await see(stage.chat, lambda post: post.id == old.id and not post.buttons)
    assert "No longer open" in record.text
    assert COMMAND in record.text
    new = await see(stage.chat, lambda post: "Approve" in post.buttons and post.id != old.id)
    assert COMMAND in new.text
    assert marker(stage) == ""
    await stage.chat.press(new, "Approve")
    await see(stage.chat, lambda post: "The build cache is clean." in post.text)
    assert marker(stage) == "ran\n"
    types = await stage.types()
    assert types.count("approval.approved") == 1
    assert types.count("approval.withdrawn") == 1
    answers = [post for post in await stage.chat.posts() if "The build cache is clean." in post.text]
    assert len(answers) == 1


@pytest.mark.parametrize("dialect", CLIS)
async def test_an_agent_that_cannot_resume_begins_anew_from_a_recap(set_stage: SetStage, dialect: str) -> None:
    stage: Stage = await set_stage("telegram", dialect, stubborn())
    (stage.workspace / "build-cache").mkdir()
    await stage.chat.say("clean the build cache")
    old = await see(stage.chat, lambda post: "Approve" in post.buttons)
    await until(stage.bot.all_sent, "the card's place is known")
    await stage.bot.kill()
    forget_sessions(stage.bot.folder / "home")

    await stage.bot.start()
    new = await see(stage.chat, lambda post: "Approve" in post.buttons and post.id != old.id)
    assert COMMAND in new.text
    await stage.chat.press(new, "Approve")
    await see(stage.chat, lambda post: "The build cache is clean." in post.text)
    assert marker(stage) == "ran\n"
    told = [line["message"]["content"] for line in stage.bot.stdin() if line["type"] == "user"]
    recap = told[-1]
    assert "[recap]" in recap
    assert "clean the build cache" in recap
    assert COMMAND in recap
    sessions = {e.payload.agent_session_id for e in await stage.bot.events() if e.type == "worker.capabilities.updated"}  # type: ignore[attr-defined]
    assert len(sessions) == 2


def forget_sessions(home: Path) -> None:
    """What the CLI would resume from is gone, as after a crash before it was written."""
    for path in home.rglob("*.jsonl"):
        os.unlink(path)


async def _all_gone(processes: list[psutil.Process]) -> bool:
    return not any(map(lives, processes))


def lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
