"""The wheel holds everything and starts by itself; looking at versions and adapters loads nothing heavy."""

import os
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

import bossbot
from tests.project.tree import ROOT, project_files, pyproject

HEAVY = {
    "aiogram", "aiohttp", "alembic", "markdown_it", "msgspec", "pydantic", "pydantic_settings",
    "slack_bolt", "slack_sdk", "sqlalchemy", "asyncio", "ssl", "sqlite3",
}  # fmt: skip
SDKS = {"aiogram", "slack_bolt", "slack_sdk"}
SOURCES = os.pathsep.join([str(ROOT), str(ROOT / "adapters")])


def python(*arguments: str, cwd: Path = ROOT, path: str = SOURCES) -> subprocess.CompletedProcess[str]:
    """Runs Python where `path` comes before what is installed."""
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=cwd, env=environment, check=False, capture_output=True, text=True)


def imported_by(*arguments: str) -> set[str]:
    """The top-level names of all modules that a run of Python imports, told by its own import trace."""
    result = python("-X", "importtime", *arguments)
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    result = python("-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder))
    assert result.returncode == 0, result.stderr
    (file,) = folder.glob("bossbot-*.whl")
    return file


def test_the_version_is_the_same_everywhere() -> None:
    assert pyproject()["project"]["version"] == bossbot.__version__


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    expected = {str(path).removeprefix("adapters/") for path in project_files("bossbot", "adapters")}
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == expected
    assert {"bossbot/py.typed", "bossbot_telegram/__init__.py", "bossbot_slack/__init__.py"} <= inside
    assert any(name.startswith("bossbot/sandbox/page/") for name in inside)
    assert any(name.startswith("bossbot/store/") and "/versions/" in name for name in inside)


def test_bossbot_starts_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    where = "import bossbot, bossbot_telegram; print(bossbot.__file__); print(bossbot_telegram.__file__)"
    for line in python("-P", "-c", where, cwd=tmp_path, path=str(tmp_path)).stdout.splitlines():
        assert Path(line).is_relative_to(tmp_path)

    result = python("-P", "-m", "bossbot", "--version", cwd=tmp_path, path=str(tmp_path))

    assert (result.returncode, result.stderr) == (0, "")
    assert bossbot.__version__ in result.stdout


def test_the_wheel_names_the_command_and_the_adapters(wheel: Path) -> None:
    entries = ConfigParser()
    name = f"bossbot-{bossbot.__version__}.dist-info/entry_points.txt"
    entries.read_string(zipfile.ZipFile(wheel).read(name).decode())
    assert dict(entries["console_scripts"]) == {"bossbot": "bossbot.cli.main:main"}
    assert dict(entries["bossbot.channels"]) == {
        "telegram": "bossbot_telegram:MANIFEST",
        "slack": "bossbot_slack:MANIFEST",
    }


def test_entry_points_load_without_their_sdk() -> None:
    for target in pyproject()["project"]["entry-points"]["bossbot.channels"].values():
        module, _, name = target.partition(":")
        assert not imported_by("-c", f"from {module} import {name}") & SDKS


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_a_look_at_the_command_imports_nothing_heavy(option: str) -> None:
    seen = imported_by("-m", "bossbot", option)
    assert "bossbot" in seen
    assert not seen & HEAVY
