"""Where a real program is required, neither a skip nor an absent test passes; tests stay on this machine."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT

SKIPPED = "import pytest\n@pytest.mark.claude\ndef test_it(): pytest.skip('no program')\n"
RAN = "import pytest\n@pytest.mark.claude\ndef test_it(): pass\n"
ABSENT = "def test_other(): pass\n"


def run(folder: Path, text: str, *options: str, required: bool) -> subprocess.CompletedProcess[str]:
    """Runs one test file under the project's own conftest.py and pytest settings."""
    for name in ("pyproject.toml", "tests/conftest.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "tests" / "test_one.py").write_text(text)
    others = {"BOSSBOT_REQUIRE_CHROMIUM": "", "BOSSBOT_REQUIRE_NODE": ""}
    environment = {**os.environ, **others, "BOSSBOT_REQUIRE_CLAUDE": "1" if required else ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("text", "required", "code"),
    [(SKIPPED, False, 0), (SKIPPED, True, 1), (ABSENT, False, 0)],
    ids=["skip", "skip-required", "absent"],
)
def test_a_required_program_must_have_been_tested(tmp_path: Path, text: str, required: bool, code: int) -> None:
    assert run(tmp_path, text, required=required).returncode == code


@pytest.mark.parametrize(("text", "code"), [(ABSENT, 1), (RAN, 0)], ids=["absent", "ran"])
def test_workers_report_what_ran_to_the_one_who_decides(tmp_path: Path, text: str, code: int) -> None:
    assert run(tmp_path, text, "-n", "1", required=True).returncode == code


@pytest.mark.parametrize("host", ["203.0.113.7", "example.org", "::ffff:203.0.113.7"])
def test_a_test_cannot_reach_another_machine(host: str) -> None:
    with pytest.raises(RuntimeError, match="tests stay on"):
        socket.create_connection((host, 9), timeout=1)


def test_a_test_can_reach_its_own_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
