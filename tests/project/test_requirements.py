"""requirements/*.txt: made from this pyproject.toml, hashed, without an address."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT

FILES = ["runtime.txt", "dev.txt", "bench.txt"]


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "lock.py"), "--check", "--root", str(root)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def pins(name: str) -> list[str]:
    """The requirements of a file, each with its hashes on one line."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_the_requirements_were_made_from_this_pyproject() -> None:
    result = check(ROOT)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_changed_dependency_makes_them_stale_and_another_change_does_not(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    (tmp_path / "pyproject.toml").write_text(text.replace('description = "', 'description = "Really: '))
    assert check(tmp_path).returncode == 0

    (tmp_path / "pyproject.toml").write_text(text.replace('"msgspec>=', '"msgspec>0,>='))
    result = check(tmp_path)
    assert result.returncode == 1
    assert "requirements/runtime.txt" in result.stderr
    assert "make lock" in result.stderr


@pytest.mark.parametrize("name", FILES)
def test_every_pin_is_exact_and_hashed_and_names_no_address(name: str) -> None:
    assert pins(name)
    for pin in pins(name):
        assert re.match(r"[a-z0-9.-]+==\S+ ", pin)
        assert "--hash=sha256:" in pin
        assert "://" not in pin


def test_each_set_holds_the_smaller_one() -> None:
    runtime, dev, bench = (set(pins(name)) for name in FILES)
    assert runtime < dev < bench
