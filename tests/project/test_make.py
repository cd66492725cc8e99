"""The Makefile on a machine that lacks something says so in one line."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.project.tree import ROOT

MISSING_PYTHON = "bossbot needs Python 3.11 to 3.14"


def make(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment["PATH"] = f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]
    return subprocess.run(["make", *arguments], cwd=ROOT, env=environment, check=False, capture_output=True, text=True)


def program(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("target", ["demo", "test", "check", "bench", "fmt", "lock", "clean"])
def test_help_explains_every_target(target: str) -> None:
    assert f"make {target} " in make("help").stdout


@pytest.mark.parametrize("says", ["exit 1", "exit 127"])
def test_a_python_that_is_too_old_or_broken_is_one_clear_line(tmp_path: Path, says: str) -> None:
    old = program(tmp_path, "python3", says)
    program(tmp_path, "uv", "echo uv 99.0")
    result = make("demo", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}", path=tmp_path)
    assert result.returncode != 0
    lines = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert [line for line in lines if not line.startswith(MISSING_PYTHON)] == []
    assert len(lines) == 1


def test_a_python_without_venv_is_one_clear_line(tmp_path: Path) -> None:
    bare = program(tmp_path, "python3", 'case "$2" in *ensurepip*) exit 1 ;; esac')
    program(tmp_path, "uv", "echo 'uv: command not found' >&2; exit 127")
    result = make("demo", f"PYTHON={bare}", f"VENV={tmp_path / 'venv'}", f"TOOLS={tmp_path / 'tools'}", path=tmp_path)
    lines = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert result.returncode != 0
    assert len(lines) == 1
    assert "has no venv module" in lines[0]
