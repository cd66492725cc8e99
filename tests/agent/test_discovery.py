"""The agent CLI is found where people have it, and what is wrong with it is said in one line that names the fix."""

import asyncio
import stat
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from bossbot.agent import discovery
from bossbot.agent.discovery import AgentNotFound, Program, find_program
from bossbot.settings import AgentSettings
from bossbot.streamjson.dialects import CBC, CLAUDE
from tests.fakes.real_cli import find_cbc


def program(path: Path, script: str = "echo 2.163.0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def no_wheels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An import path where no agent wheel is installed; packages put into the folder are."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [str(site)])
    return site


async def found(tmp_path: Path, path_folders: tuple[Path, ...] = (), **settings: object) -> Program:
    environ = {"PATH": ":".join(str(folder) for folder in (*path_folders, Path("/usr/bin"), Path("/bin")))}
    return await find_program(AgentSettings.model_validate({"workspace": tmp_path, **settings}), environ)


async def wrong(tmp_path: Path, path_folders: tuple[Path, ...] = (), **settings: object) -> str:
    with pytest.raises(AgentNotFound) as raised:
        await found(tmp_path, path_folders, **settings)
    text = str(raised.value)
    assert "\n" not in text
    assert text.startswith("[agent] ")
    return text


# --- where ---


async def test_what_the_configuration_names_comes_first(tmp_path: Path, no_wheels: Path) -> None:
    program(tmp_path / "bin" / "cbc")
    named = program(tmp_path / "my agent" / "claude-2.1", "echo '2.1.220 (Claude Code)'")
    assert await found(tmp_path, (tmp_path / "bin",), command=str(named)) == Program((str(named),), CLAUDE, "2.1.220")


async def test_a_configured_name_is_looked_up_on_path_and_may_have_arguments(tmp_path: Path, no_wheels: Path) -> None:
    mine = program(tmp_path / "bin" / "mine", '[ "$1" = serve ] && echo "CodeBuddy 3.0"')
    one = await found(tmp_path, (tmp_path / "bin",), command=["mine", "serve"])
    assert one == Program((str(mine), "serve"), CBC, "3.0")
    assert one.describe() == f"CodeBuddy 3.0 at {mine} serve"


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["claude", "codebuddy", "cbc"], "cbc"), (["claude", "codebuddy"], "codebuddy"), (["claude"], "claude")],
    ids=str,
)
async def test_then_path_is_searched_in_order(tmp_path: Path, no_wheels: Path, names: list[str], expected: str) -> None:
    for name in names:
        program(tmp_path / "bin" / name)
    one = await found(tmp_path, (tmp_path / "bin",))
    assert one.command == (str(tmp_path / "bin" / expected),)
    assert one.dialect is (CLAUDE if expected == "claude" else CBC)


@pytest.mark.parametrize("dialect", [CBC, CLAUDE], ids=lambda dialect: dialect.name)
async def test_then_an_installed_wheel_without_importing_it(tmp_path: Path, no_wheels: Path, dialect: object) -> None:
    row = CBC if dialect is CBC else CLAUDE
    package = no_wheels / row.wheel
    inside = program(package / row.wheel_program)
    (package / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    one = await found(tmp_path)
    assert (one.command, one.dialect) == ((str(inside),), row)
    assert row.wheel not in sys.modules


async def test_a_forced_dialect_searches_only_its_own_programs(tmp_path: Path, no_wheels: Path) -> None:
    program(tmp_path / "bin" / "cbc")
    assert "claude is not on PATH and claude-agent-sdk is not installed" in await wrong(
        tmp_path, (tmp_path / "bin",), dialect="claude"
    )


@pytest.mark.cbc
async def test_the_real_cbc_is_found_in_its_wheel(tmp_path: Path) -> None:
    real = find_cbc()
    if real is None:
        pytest.skip("no cbc: the codebuddy-agent-sdk wheel is not installed")
    one = await found(tmp_path, dialect="cbc")
    assert one.dialect is CBC
    assert one.version.startswith("2.")
    assert one.command[0].endswith(CBC.wheel_program) or one.command[0].endswith(CBC.program_names)


# --- which ---


@pytest.mark.parametrize(
    ("name", "dialect"),
    [("codebuddy-headless", CBC), ("cbc", CBC), ("cbc-2.1", CBC), ("Claude", CLAUDE), ("claude.exe", CLAUDE)],
)
async def test_the_name_tells_the_dialect(tmp_path: Path, name: str, dialect: object) -> None:
    assert (await found(tmp_path, command=str(program(tmp_path / name)))).dialect is dialect


@pytest.mark.parametrize(
    ("printed", "dialect"),
    [("2.1.220 (Claude Code)", CLAUDE), ("CodeBuddy Code 2.163.0", CBC), ("2.163.0", CBC)],
)
async def test_else_what_it_prints_for_its_version(tmp_path: Path, printed: str, dialect: object) -> None:
    assert (await found(tmp_path, command=str(program(tmp_path / "agent", f"echo '{printed}'")))).dialect is dialect


async def test_a_forced_dialect_wins_over_name_and_version(tmp_path: Path) -> None:
    named = program(tmp_path / "cbc", "echo CodeBuddy 3.0")
    assert (await found(tmp_path, command=str(named), dialect="claude")).dialect is CLAUDE


async def test_a_stranger_is_asked_to_be_named(tmp_path: Path) -> None:
    text = await wrong(tmp_path, command=str(program(tmp_path / "agent", "echo gizmo version 7.1")))
    assert "[agent] dialect" in text
    assert "'gizmo version 7.1'" in text
    assert '"cbc" or "claude"' in text


# --- what is wrong ---


async def test_nothing_found_names_every_way_to_mend_it(tmp_path: Path, no_wheels: Path) -> None:
    text = await wrong(tmp_path)
    assert "cbc or codebuddy or claude is not on PATH" in text
    assert "pip install codebuddy-agent-sdk" in text
    assert "set command to its path" in text


async def test_a_missing_program_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path}/gone does not exist" in await wrong(tmp_path, command=f"{tmp_path}/gone")
    assert "gone-agent is not on PATH" in await wrong(tmp_path, command="gone-agent")
    assert "is not a file" in await wrong(tmp_path, command=str(tmp_path))


async def test_a_program_without_its_run_bit_names_the_command_that_mends_it(tmp_path: Path, no_wheels: Path) -> None:
    """A wheel unpacked by hand loses it."""
    inside = program(no_wheels / CBC.wheel / CBC.wheel_program)
    (no_wheels / CBC.wheel / "__init__.py").touch()
    inside.chmod(0o644)
    assert await wrong(tmp_path) == f"[agent] command: {inside} is not executable; run: chmod +x {inside}"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo libfoo.so.1 is missing >&2; exit 127", "--version failed: the agent ended with code 127: libfoo.so.1"),
        ("kill -SEGV $$", "--version failed: the agent was killed by signal 11"),
        ("echo hello there", "printed 'hello there', which is no version"),
        ("exit 0", "printed nothing, which is no version"),
        ("head -c 100000 /dev/zero | tr '\\0' x", "…', which is no version"),
    ],
)
async def test_a_broken_program_is_one_clear_line(tmp_path: Path, script: str, said: str) -> None:
    text = await wrong(tmp_path, command=str(program(tmp_path / "cbc", script)))
    assert said in text
    assert str(tmp_path / "cbc") in text
    assert len(text) < 400


async def test_a_file_that_is_no_program_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "cbc"
    path.write_bytes(b"\x7fELF but not really")
    path.chmod(0o755)
    assert "--version failed" in await wrong(tmp_path, command=str(path))


async def test_a_wrapper_that_reads_its_input_first_is_not_kept_waiting(tmp_path: Path) -> None:
    assert (await found(tmp_path, command=str(program(tmp_path / "cbc", "cat; echo 2.5")))).version == "2.5"


async def test_a_program_that_hangs_is_given_up_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "PROBE_TIMEOUT_S", 4.0)
    hangs = program(tmp_path / "cbc", "echo $$ > pid; sleep 300")
    assert "gave no answer within 4 s" in await wrong(tmp_path, command=str(hangs))
    pid = int((tmp_path / "pid").read_text())
    async with asyncio.timeout(60):
        while psutil.pid_exists(pid):  # noqa: ASYNC110 - another process has no event to wait for
            await asyncio.sleep(0.02)


async def test_a_version_that_does_not_speak_the_protocol_is_refused(tmp_path: Path) -> None:
    text = await wrong(tmp_path, command=str(program(tmp_path / "claude", "echo '1.0.44 (Claude Code)'")))
    assert "Claude Code 1.0.44" in text
    assert "too old: bossbot needs 2 or newer and is tested with 2.1.220; update it" in text


@pytest.mark.parametrize(("key", "word"), [("permission_mode", "yolo"), ("effort", "huge")])
async def test_a_word_that_the_cli_does_not_know_is_refused_before_it_hangs(
    tmp_path: Path, key: str, word: str
) -> None:
    settings: dict[str, Any] = {key: word}
    text = await wrong(tmp_path, command=str(program(tmp_path / "cbc")), **settings)
    assert text.startswith(f'[agent] {key}: CodeBuddy knows no "{word}"; choose ')


async def test_what_is_wrong_in_a_project_names_the_project(tmp_path: Path) -> None:
    settings = AgentSettings(workspace=tmp_path, command=(f"{tmp_path}/gone",))
    with pytest.raises(AgentNotFound, match=r"^\[projects\.web\] command: .*/gone does not exist"):
        await find_program(settings, {}, place="[projects.web]")
