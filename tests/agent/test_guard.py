"""The guard leaves nobody alive: not when the program ends, not when it is told to, not when the bot is killed."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from bossbot.agent.guarded import Guarded
from tests.agent.stage import Stage
from tests.fakes.scripted_model import Rule, Script, ScriptedModel, Text, ToolCall

ENV = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
ROOT = Path(__file__).parents[2]
PATIENCE_S = 90.0

BUSH = """
sleep 301 &
setsid sleep 302 &
(setsid sh -c 'sleep 303 & sleep 304' &)
sh -c 'trap "" TERM HUP INT; sleep 305 & wait' &
sleep 0.3
touch grown
"""
"""A shell's children: one beside it, one in a session of its own, two without a living parent, one that is stubborn."""


def below(pid: int) -> list[psutil.Process]:
    children: list[psutil.Process] = psutil.Process(pid).children(recursive=True)
    return children


def sleepers(folder: Path) -> list[psutil.Process]:
    """Every living process that works in the test's folder: nothing else on this machine does."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()).is_relative_to(folder):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


async def nobody_left(folder: Path, within_s: float = PATIENCE_S) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if not sleepers(folder):
            return True
        await asyncio.sleep(0.05)
    return False


@asynccontextmanager
async def guarded(command: Sequence[str], cwd: Path, env: Mapping[str, str] = ENV) -> AsyncIterator[Guarded]:
    process = await Guarded.spawn(command, cwd=cwd, env=env)
    try:
        yield process
    finally:
        process.kill()
        await process.wait()


async def grown(pid: int, at_least: int, within_s: float = PATIENCE_S) -> list[psutil.Process]:
    """The tree below a process once it has that many: a shell has touched a file before it starts its next child."""
    deadline = time.monotonic() + within_s
    while len(tree := below(pid)) < at_least:
        assert time.monotonic() < deadline, f"{len(tree)} processes, not {at_least}"
        await asyncio.sleep(0.02)
    return tree


async def at_work(folder: Path, at_least: int) -> None:
    """Waits until so many processes work in the folder."""
    deadline = time.monotonic() + PATIENCE_S
    while (number := len(sleepers(folder))) < at_least:
        assert time.monotonic() < deadline, f"{number} processes, not {at_least}"
        await asyncio.sleep(0.02)


async def appears(path: Path, within_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + within_s
    while not os.path.exists(path):  # noqa: ASYNC240 - a stat of a local file
        assert time.monotonic() < deadline, f"{path.name} did not appear"
        await asyncio.sleep(0.02)


def shell(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


# --- as any process ---


async def test_a_guarded_program_reads_and_writes_as_if_alone(tmp_path: Path) -> None:
    async with guarded(shell("read line; echo got $line; echo oops >&2; exit 7"), tmp_path) as process:
        await process.write(b"hello\n")
        assert await process.read() == b"got hello\n"
        assert await process.read() == b""
        code = await process.wait()
    assert code == 7
    assert process.last_words(code) == "the agent ended with code 7: oops"


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1024**2, 12 * 1024**2])
async def test_a_long_line_comes_through_the_pipe(tmp_path: Path, size: int) -> None:
    printing = f"import sys; sys.stdout.write('x' * {size} + '\\n')"
    async with guarded([sys.executable, "-c", printing], tmp_path) as process:
        received = b""
        while chunk := await process.read():
            received += chunk
    assert received == b"x" * size + b"\n"


async def test_the_program_leads_a_group_of_its_own_and_dies_of_a_broken_pipe(tmp_path: Path) -> None:
    """Python ignores SIGPIPE and would hand that down; a shell's `head` in a pipeline relies on it."""
    show = "ps -o pgid= -p $$ | tr -d ' '; echo $$; yes | head -c 1 >/dev/null; trap '' PIPE; echo done"
    async with guarded(shell(show), tmp_path) as process:
        printed = b""
        while chunk := await process.read():
            printed += chunk
    group, pid, done = printed.split()
    assert group == pid
    assert done == b"done"


async def test_a_program_that_ends_by_a_signal_says_so(tmp_path: Path) -> None:
    async with guarded(shell("kill -9 $$"), tmp_path) as process:
        assert await process.wait() == 128 + signal.SIGKILL
        assert process.last_words(137) == "the agent was killed by signal 9"


async def test_a_program_that_cannot_be_started_is_an_error_at_once(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("no program")
    for path in (tmp_path / "missing", plain):
        with pytest.raises(OSError, match="not executable"):
            await Guarded.spawn([str(path)], cwd=tmp_path, env=ENV)


async def test_writing_to_a_program_that_has_ended_is_a_connection_error(tmp_path: Path) -> None:
    async with guarded(shell("exit 0"), tmp_path) as process:
        await process.wait()
        with pytest.raises(ConnectionError):
            await write_much(process)


async def write_much(process: Guarded) -> None:
    for _ in range(10):
        await process.write(b"x" * 65_536)


async def test_the_guard_costs_little_time(tmp_path: Path) -> None:
    """Goal: under 50 ms on an idle machine. Measured is processor time, which the other programs of a busy one add
    little to; the bound only catches an import that does not belong there.
    """
    costs = []
    for _ in range(5):
        before = os.times()
        async with guarded(shell("echo x"), tmp_path) as process:
            await process.wait()
        after = os.times()
        costs.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(costs) < 0.5


# --- nobody is left ---


async def test_what_the_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    async with guarded(shell(BUSH), tmp_path) as process:
        await appears(tmp_path / "grown")
        assert await process.wait() == 0
    assert await nobody_left(tmp_path)


async def test_letting_go_kills_the_whole_tree(tmp_path: Path) -> None:
    async with guarded(shell(BUSH + "wait"), tmp_path) as process:
        await appears(tmp_path / "grown")
        await at_work(tmp_path, at_least=6)
        process.kill()
        assert await process.wait() == 128 + signal.SIGKILL
    assert await nobody_left(tmp_path)


@pytest.mark.parametrize(
    ("script", "code", "grace_s"),
    [
        ("touch ready; cat > /dev/null; echo polite > how; exit 3", 3, 60.0),
        ("trap 'echo told > how; exit 4' TERM; touch ready; while :; do sleep 0.05; done", 4, 3.0),
        ("trap '' TERM; echo forced > how; touch ready; while :; do sleep 0.05; done", 137, 0.5),
    ],
    ids=["polite", "told", "forced"],
)
async def test_the_closing_ladder_is_as_hard_as_it_must_be(
    tmp_path: Path, script: str, code: int, grace_s: float
) -> None:
    """A busy machine must not be taken for a program that does not listen: hence the long graces."""
    async with guarded(shell(script), tmp_path) as process:
        await appears(tmp_path / "ready")
        assert await process.close(grace_s) == code
    assert (tmp_path / "how").exists()
    assert await nobody_left(tmp_path)


async def test_a_close_that_is_cancelled_kills(tmp_path: Path) -> None:
    async with guarded(shell("trap '' TERM; touch ready; while :; do sleep 0.05; done"), tmp_path) as process:
        await appears(tmp_path / "ready")
        closing = asyncio.create_task(process.close(30.0))
        await asyncio.sleep(0.1)
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
        assert await nobody_left(tmp_path)


def zombies() -> list[psutil.Process]:
    found = []
    for process in below(os.getpid()):
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.status() == psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@pytest.mark.parametrize("ticks", range(1, 12))
@pytest.mark.parametrize("times", [1, 3])
async def test_a_start_that_is_cancelled_ends_and_leaves_nobody(tmp_path: Path, ticks: int, times: int) -> None:
    """CPython kills the guard and waits for pipes that it had not connected."""
    starting = asyncio.create_task(Guarded.spawn(["sleep", "306"], cwd=tmp_path, env=ENV))
    for _ in range(ticks):
        await asyncio.sleep(0)
    for _ in range(times):
        starting.cancel()
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.wait({starting})
    if not starting.cancelled():  # it had started before
        process = starting.result()
        process.kill()
        await process.wait()
    assert await nobody_left(tmp_path)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_no_zombie_is_left(tmp_path: Path) -> None:
    for _ in range(3):
        async with guarded(shell("sleep 0.01 & exit 0"), tmp_path) as process:
            await process.wait()
    deadline = time.monotonic() + PATIENCE_S
    while zombies():  # those of another test may be waited for at this moment
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


# --- not even when the bot is killed ---


@asynccontextmanager
async def stand_in(play: dict[str, Any]) -> AsyncIterator[asyncio.subprocess.Process]:
    env = {**ENV, "PYTHONPATH": str(ROOT)}
    arguments = ("-m", "tests.agent.bot_stand_in", json.dumps(play))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env=env, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        for left in sleepers(Path(play["workspace"])):
            left.kill()


async def told(process: asyncio.subprocess.Process, word: bytes) -> None:
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        line = await process.stdout.readline()
    assert line.startswith(word), line


async def test_when_the_bot_is_killed_the_whole_tree_dies_with_it(tmp_path: Path) -> None:
    play = {"command": shell(BUSH + "wait"), "workspace": str(tmp_path), "env": ENV}
    async with stand_in(play) as bot:
        await told(bot, b"guarding")
        await appears(tmp_path / "grown")
        tree = await grown(bot.pid, at_least=6)
        bot.send_signal(signal.SIGKILL)
        await bot.wait()
        _, alive = await asyncio.to_thread(psutil.wait_procs, tree, PATIENCE_S)
        assert alive == []
        assert await nobody_left(tmp_path)


async def test_when_the_bot_is_killed_a_command_of_the_real_cli_dies_with_it(stage: Stage) -> None:
    slow = ToolCall("Bash", {"command": "touch started; setsid sleep 300 & sleep 300", "description": "Wait"})
    async with (
        ScriptedModel(Script([Rule("wait", [slow, Text("Waited.")])])) as model,
        stand_in(playing(stage, model, say="wait long", allow=True)) as bot,
    ):
        await appears(stage.workspace / "started")
        await all_dead_after_kill_9(bot, stage, at_least=4)


async def test_when_the_bot_is_killed_a_real_cli_that_waits_for_a_yes_dies_with_it(stage: Stage) -> None:
    remove = ToolCall("Bash", {"command": "rm -rf started-not", "description": "Remove"})
    async with (
        ScriptedModel(Script([Rule("clean", [remove, Text("Cleaned.")])])) as model,
        stand_in(playing(stage, model, say="clean up", allow=False)) as bot,
    ):
        await told(bot, b"asked")
        await all_dead_after_kill_9(bot, stage, at_least=2)


def playing(stage: Stage, model: ScriptedModel, **more: object) -> dict[str, Any]:
    settings = stage.settings(model)
    return {
        "command": list(settings.command),
        "dialect": stage.dialect.name,
        "workspace": str(stage.workspace),
        "model": settings.model,
        "env": settings.env,
        **more,
    }


async def all_dead_after_kill_9(bot: asyncio.subprocess.Process, stage: Stage, at_least: int) -> None:
    tree = await grown(bot.pid, at_least)
    bot.send_signal(signal.SIGKILL)
    await bot.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, tree, PATIENCE_S)
    assert alive == []
    assert await nobody_left(stage.workspace)
