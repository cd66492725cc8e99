"""The real cbc in a house for kill tests, with a scripted model that does numbered jobs."""

import re
import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.real_cli import cbc_setup, find_cbc, version_told
from tests.fakes.scripted_model import Rule, Script, Text, ToolCall, Turn

SAYS_ITS_VERSION = '[ "$2" = --version ] && echo "$0" && exit; exec "$@"'
"""Each of many starts asks for it, and cbc takes two seconds of processor time to say it."""
JOB = re.compile(r"job (\d+): (run|say)")


def real_agent(home: Path, port: int) -> dict[str, Any]:
    """The table `[agent]`; skips the test where cbc is not installed."""
    found = find_cbc()
    if found is None:
        pytest.skip("cbc is not here: install the wheel codebuddy-agent-sdk")
    home.mkdir(parents=True)
    cli = cbc_setup(found, home, port)
    return {
        "command": ["/bin/sh", "-c", SAYS_ITS_VERSION, version_told(found), str(cli.command)],
        "dialect": cli.dialect,
        "model": cli.model or "",
        "args": list(cli.args),
        "env": cli.env,
    }


def job_script() -> Script:
    """The last job that a message names is done: the command asks for permission, the answer is unlike any other."""
    return Script([Rule(lambda turn: JOB.search(turn.text) is not None, [_do, _answer])])


def _do(turn: Turn) -> ToolCall | Text:
    number, kind = JOB.findall(turn.text)[-1]
    if kind == "say":
        return _answer(turn)
    return ToolCall("Bash", {"command": f"echo {number} >> ledger", "description": "Write the ledger"})


def _answer(turn: Turn) -> Text:
    number, _ = JOB.findall(turn.text)[-1]
    return Text(f"Job {number} is done. (answer {uuid.uuid4().hex})")
