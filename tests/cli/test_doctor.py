"""`bossbot doctor`: one line a check, the fix in it, and an exit code that a script can use."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bossbot.cli.main import main

TOKEN = "8700000001:AAdoctor-token-doctor-token-doctor-00"

AGENT = """#!{python} -S
import json, sys
if "--version" in sys.argv:
    print({version!r})
    sys.exit()
if {dies!r}:
    sys.exit({dies!r})
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user":
        say(type="system", subtype="init", session_id="s", tools={tools!r})
    else:
        inner = {{"account": {account!r}, "models": [{{"id": "small"}}]}}
        say(type="control_response", response={{"subtype": "success", "request_id": "init", "response": inner}})
"""


def agent(folder: Path, **more: object) -> Path:
    told = {"version": "2.163.0", "tools": ["Bash", "Workflow"], "account": {"uid": "u"}, "dies": "", **more}
    path = folder / "cbc"
    path.write_text(AGENT.format(python=sys.executable, **told))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def config(folder: Path, program: Path, more: str = "") -> Path:
    path = folder / "bossbot.toml"
    path.write_text(
        f'[agent]\ncommand = "{program}"\n{more}\n[channels.telegram]\ntoken = "{TOKEN}"\nowners = [1]\n'
        'api_base = "http://127.0.0.1:9"\n'
    )
    return path


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BOSSBOT_")]:
        monkeypatch.delenv(name)


def checks(capsys: pytest.CaptureFixture[str], path: Path, code: int) -> dict[str, tuple[str, str]]:
    assert main(["doctor", "--json", "--config", str(path)]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return {check["check"]: (check["verdict"], check["text"]) for check in json.loads(out)}


def test_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = checks(capsys, config(tmp_path, agent(tmp_path)), 0)
    assert {verdict for verdict, _ in found.values()} == {"ok"}
    assert set(found) == {
        "configuration", "channels", "policy", "store", "planner", "workspace", "agent", "start", "login", "workflows"
    }  # fmt: skip
    assert found["agent"][1] == f"CodeBuddy 2.163.0 at {tmp_path / 'cbc'}, dialect cbc"
    assert not (tmp_path / "bossbot.db").exists()


@pytest.mark.parametrize(
    ("told", "more", "check", "words"),
    [
        ({"tools": ["Bash"]}, "", "workflows", "off: CodeBuddy offers no Workflow tool"),
        ({"account": None}, "", "login", "CodeBuddy has no account: start cbc once and use /login"),
        ({"version": "2.9.0"}, "", "agent", "older than 2.163.0, which bossbot is tested with; update it"),
        ({}, 'model = "large"', "model", '"large" is not among those it offers: small'),
    ],
)
def test_what_may_be_wrong_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: dict[str, object], more: str, check: str, words: str
) -> None:
    verdict, text = checks(capsys, config(tmp_path, agent(tmp_path, **told), more), 0)[check]
    assert verdict == "warning"
    assert words in text


@pytest.mark.parametrize(
    ("told", "more", "check", "words"),
    [
        ({"version": "1.2.3"}, "", "agent", "[agent] command: CodeBuddy 1.2.3"),
        ({}, 'effort = "vast"', "agent", '[agent] effort: CodeBuddy knows no "vast"'),
        ({}, 'workspace = "gone"', "workspace", "gone is no folder; make it or name another"),
        ({"dies": "error: unknown option '--x'"}, "", "start", "correct [agent] args"),
        ({}, '[policy]\nallow = ["Bash("]', "policy", "[policy] allow and deny"),
        ({}, '[store]\npath = "gone/bossbot.db"', "store", "[store] path: "),
        ({}, '[channels.slack]\nowners = ["U1"]\naprovers = "U2"', "channels", "did you mean approvers?"),
    ],
)
def test_what_is_wrong_is_an_error_that_names_the_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: dict[str, object], more: str, check: str, words: str
) -> None:
    verdict, text = checks(capsys, config(tmp_path, agent(tmp_path, **told), more), 1)[check]
    assert verdict == "error"
    assert words in text


def test_each_project_has_its_own_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "web").mkdir()
    project = '[projects.web]\nchats = "telegram:-1"\nworkspace = "web"\ncommand = "./gone"\n'
    assert main(["doctor", "--no-start", "--config", str(config(tmp_path, agent(tmp_path), project))]) == 1
    out = capsys.readouterr().out
    assert f"ok      workspace      web: {tmp_path / 'web'}" in out
    assert f"error   agent          [projects.web] command: {tmp_path / 'gone'} does not exist" in out
    assert TOKEN not in out


def test_settings_that_cannot_be_read_are_the_one_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bossbot.toml"
    path.write_text("[agnet]\n")
    assert checks(capsys, path, 2)["configuration"][0] == "error"
    assert main(["doctor", "--config", str(path)]) == 2
    assert "did you mean agent?" in capsys.readouterr().err


def test_no_channels_sdk_is_imported(tmp_path: Path) -> None:
    path = config(tmp_path, agent(tmp_path))
    script = (
        "import sys; from bossbot.cli.main import main\n"
        f"main(['doctor', '--no-start', '--config', {str(path)!r}])\n"
        "print([name for name in ('aiogram', 'slack_bolt', 'slack_sdk') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert printed.splitlines()[-1] == "[]"
