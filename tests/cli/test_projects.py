"""A project's chat is judged as it is worked for, with the project's account; its keys are known as secrets."""

import sys
from pathlib import Path

from bossbot.bootstrap import find_programs, known_secrets, planner_of
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId, ThreadRef
from bossbot.intent.types import Board, BoardTask
from bossbot.settings import Settings, load_settings

AGENT = """#!{python} -S
import json, os, sys
if "--version" in sys.argv:
    sys.exit(print("2.163.0"))
open({asked!r}, "w").write(os.environ.get("CODEBUDDY_API_KEY", ""))
print(json.dumps([{{"type": "result", "structured_output": {{}}}}]))
"""
BOARD = Board("a green build", (BoardTask("task_1", "Survey the files", "running", "workflow"),), None, "")


def agent(folder: Path, name: str) -> Path:
    """A program that notes with which key it was asked."""
    program = folder / name
    program.write_text(AGENT.format(python=sys.executable, asked=str(folder / f"{name}.asked")))
    program.chmod(0o700)
    return program


def asked(folder: Path) -> dict[str, str]:
    """Which programs were asked, and with which key."""
    return {file.stem: file.read_text() for file in folder.glob("*.asked")}


async def test_what_is_said_in_a_projects_chat_goes_to_no_other_account(tmp_path: Path) -> None:
    path = tmp_path / "bossbot.toml"
    path.write_text(
        f'[agent]\ncommand = "{agent(tmp_path, "usual")}"\n[agent.env]\nCODEBUDDY_API_KEY = "the usual"\n'
        f'[projects.secret]\nchats = ["telegram:-7"]\nworkspace = "."\ncommand = "{agent(tmp_path, "own")}"\n'
        '[projects.secret.env]\nCODEBUDDY_API_KEY = "its own"\n'
        '[channels.telegram]\ntoken = "8700000001:AAproject-token-project-token-000"\nowners = [1]\n'
    )
    settings = load_settings(path)
    planner = planner_of(settings, await find_programs(settings), ())
    assert planner is not None
    for chat in ("-7", "-8"):
        state = SessionState(id=SessionId("ps_1"), threads=(ThreadRef("telegram", chat),))
        await planner(state).judge("drop the survey and fix the login first", BOARD)
        assert asked(tmp_path) == ({"own": "its own"} if chat == "-7" else {"own": "its own", "usual": "the usual"})


def test_what_is_a_key_by_its_name_is_a_secret_and_a_path_is_none() -> None:
    env = {
        "MODEL_API_KEY": "ck-0123456789",
        "SSH_KEY": "/home/boss/.ssh/id",
        "MAX_TOKENS": "128000",
        "A_TOKEN": "short",
    }
    settings = Settings(projects={"web": {"chats": ["slack:C1"], "workspace": ".", "env": env}})  # type: ignore[dict-item]
    assert known_secrets(settings) == ("ck-0123456789",)
