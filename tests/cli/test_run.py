"""`bossbot run`, `sandbox` and `demo` that cannot start: one clear line on stderr, a code, and no traceback."""

import asyncio
import fcntl
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bossbot.bootstrap import StartError, run_bot
from bossbot.cli.main import main
from bossbot.cli.running import run_until_stopped, set_up_log
from bossbot.sandbox.server import RunningSandbox, start_sandbox
from bossbot.settings import load_settings
from bossbot.store.opening import open_store
from tests.journeys.bot import to_toml
from tests.postgres import Postgres

BOT_TOKEN, APP_TOKEN = "xoxb-870000000001-commandline", "xapp-1-A0BOSS-870000000001-commandline"

PATIENCE_S = 120.0


@pytest.fixture(autouse=True)
def _own_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command sets the log up for the whole process: afterwards it is as it was. No setting comes from outside."""
    for name in [name for name in os.environ if name.startswith("BOSSBOT_")]:
        monkeypatch.delenv(name)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


@pytest.fixture(scope="module")
def sandbox() -> Iterator[RunningSandbox]:
    """A sandbox in a thread of its own: a command brings its own loop."""
    ready, found = threading.Event(), list[Any]()

    async def serve() -> None:
        end = asyncio.Event()
        running = await start_sandbox(port=0)
        found.extend((running, asyncio.get_running_loop(), end))
        ready.set()
        await end.wait()
        await running.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(PATIENCE_S)
    yield found[0]
    found[1].call_soon_threadsafe(found[2].set)
    thread.join(PATIENCE_S)


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """A program that answers like an agent CLI when it is asked for its version."""
    program = tmp_path / "cbc"
    program.write_text("#!/bin/sh\necho 2.163.0\n")
    program.chmod(0o755)
    return program


def config(tmp_path: Path, program: Path, **tables: Mapping[str, Any]) -> Path:
    """A configuration that is right but for what `tables` say otherwise."""
    settings: dict[str, Any] = {
        "agent": {"command": str(program)},
        "channels": slack(),
    }
    for table, values in tables.items():
        settings[table] = {**settings.get(table, {}), **values}
    path = tmp_path / "bossbot.toml"
    path.write_text(to_toml(settings))
    return path


def slack(api_base: str = "http://127.0.0.1:9/", **changes: Any) -> dict[str, Any]:
    known = {"bot_token": BOT_TOKEN, "app_token": APP_TOKEN, "api_base": api_base, "owners": ["U0ADA"]}
    return {"slack": {**known, **changes}}


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    """The one line that the command says before it ends with `code`."""
    assert main(arguments) == code
    out, err = capsys.readouterr()
    said = [line for line in err.splitlines() if line.startswith("bossbot: ")]
    assert len(said) == 1, err
    assert "Traceback" not in err
    assert BOT_TOKEN not in out + err
    assert APP_TOKEN not in out + err
    return said[0]


def test_a_mistake_in_the_settings_is_one_line_and_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bossbot.toml"
    path.write_text("[agent]\nmodle = 'x'\n")
    said = complaint(capsys, "run", "--config", str(path), code=2)
    assert said == f"bossbot: {path}: [agent] modle: there is no such key; did you mean model?"


def test_a_configuration_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in complaint(capsys, "run", "--config", str(tmp_path / "no.toml"), code=2)


def test_without_a_channel(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, agent, channels=slack(enabled=False))
    assert "no chat platform is configured" in complaint(capsys, "run", "--config", str(path))


def test_what_a_bot_does_not_need_is_not_loaded(tmp_path: Path, agent: Path) -> None:
    path = config(tmp_path, agent, channels=slack(bot_token=""))
    script = (
        "import sys; from bossbot.cli.main import main\n"
        f"main(['run', '--config', {str(path)!r}])\n"
        "print([name for name in ('bossbot.sandbox.server', 'alembic', 'asyncpg', 'aiogram') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "[channels.slack] bot_token" in done.stderr
    assert done.stdout.splitlines() == ["[]"]


def test_without_owners_nobody_could_use_it(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, agent, channels=slack(owners=[]))
    said = complaint(capsys, "run", "--config", str(path))
    assert "[channels.slack] owners is empty" in said
    assert "put your user id there" in said


def test_a_misspelt_key_of_a_channel(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would silently allow nobody."""
    path = config(tmp_path, agent, channels=slack(aprovers=["U0BEN"]))
    said = complaint(capsys, "run", "--config", str(path))
    assert "[channels.slack] aprovers: there is no such key; did you mean approvers?" in said


def test_a_channel_that_nobody_provides(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, agent, channels={"carrier-pigeon": {"owners": [1]}})
    assert "carrier-pigeon" in complaint(capsys, "run", "--config", str(path))


@pytest.mark.parametrize(("key", "value"), [("bot_token", ""), ("app_token", "xoxb-wrong-kind"), ("api_base", "ftp:/")])
def test_an_option_of_a_channel_that_cannot_be_right(
    tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], key: str, value: str
) -> None:
    path = config(tmp_path, agent, channels=slack(**{key: value}))
    assert f"[channels.slack] {key}" in complaint(capsys, "run", "--config", str(path))


def test_an_error_at_the_start_leaves_no_half_asked_agent_behind(tmp_path: Path, agent: Path) -> None:
    """What is left to the loop's end is cancelled there without a plan: that took for ever when it was just started."""
    agent.write_text("#!/bin/sh\nsleep 307\n")
    settings = load_settings(config(tmp_path, agent, channels=slack(api_base="ftp:/")))

    async def start() -> set[asyncio.Task[Any]]:
        with pytest.raises(StartError, match="api_base"):
            await run_bot(settings)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(start()) == set()


def test_a_token_that_the_platform_refuses(
    tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], sandbox: RunningSandbox
) -> None:
    path = config(tmp_path, agent, channels=slack(sandbox.slack_api_base, bot_token="xoxb-none"))
    said = complaint(capsys, "run", "--config", str(path))
    assert "[channels.slack] bot_token" in said
    assert "xoxb-none" not in said


def test_an_agent_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, tmp_path / "nowhere" / "cbc")
    said = complaint(capsys, "run", "--config", str(path))
    assert "[agent] command" in said
    assert "does not exist" in said


@pytest.mark.parametrize("script", ["#!/bin/sh\necho boom >&2\nexit 3\n", "#!/bin/sh\necho hello\n", "#!/no/such/sh\n"])
def test_an_agent_that_does_not_work(
    tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], script: str
) -> None:
    agent.write_text(script)
    said = complaint(capsys, "run", "--config", str(config(tmp_path, agent)))
    assert "[agent] command" in said


def test_a_workspace_that_is_no_folder(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, agent, agent={"workspace": "nowhere"})
    assert "[agent] workspace" in complaint(capsys, "run", "--config", str(path))


def test_a_rule_that_cannot_be_read(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, agent, policy={"allow": ["Bash(git"]})
    assert "'Bash(git' is not a rule" in complaint(capsys, "run", "--config", str(path))


def test_a_second_bot_on_the_same_database(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, agent)
    with (tmp_path / "bossbot.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another bossbot uses" in complaint(capsys, "run", "--config", str(path))


def test_a_second_bot_on_the_same_postgresql(
    tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], postgres: Postgres
) -> None:
    address = asyncio.run(postgres.fresh())
    path = config(tmp_path, agent, store={"path": address})

    with asyncio.Runner() as another:
        first = another.run(open_store(address, exclusive=True))
        said = complaint(capsys, "run", "--config", str(path))
        another.run(first.close())
    assert "another bossbot uses this database" in said


@pytest.mark.parametrize("options", ["", "?password=hunter2"])
def test_a_database_that_cannot_be_reached_shows_no_password(
    tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], options: str
) -> None:
    address = f"postgresql://boss:hunter2@127.0.0.1:9/boss{options}"
    said = complaint(capsys, "run", "--config", str(config(tmp_path, agent, store={"path": address})))
    assert "[store] path" in said
    assert "see that the server runs" in said
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("http", "said"),
    [
        ({"enabled": True}, "[http] token: the feeds need one of at least 16"),
        ({"enabled": True, "token": "short"}, "[http] token: the feeds need one of at least 16"),
        ({"enabled": True, "host": "192.0.2.1"}, "[http] token: the feeds need one of at least 16"),
        ({"enabled": True, "host": "192.0.2.1", "token": "a" * 32}, "[http] host and port: cannot listen on 192.0.2."),
    ],
)
def test_feeds_that_cannot_be_served(
    tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], http: dict[str, Any], said: str
) -> None:
    assert said in complaint(capsys, "run", "--config", str(config(tmp_path, agent, http=http)))


@pytest.mark.parametrize("where", ["nowhere/bossbot.db", "mysql://me@db/boss"])
def test_a_store_that_cannot_be(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str], where: str) -> None:
    path = config(tmp_path, agent, store={"path": where})
    assert "[store] path" in complaint(capsys, "run", "--config", str(path))


def test_a_database_that_is_none(tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bossbot.db").write_text("this is no database, it is a letter to a friend " * 40)
    assert "[store] path" in complaint(capsys, "run", "--config", str(config(tmp_path, agent)))


@pytest.mark.parametrize("command", ["sandbox", "demo"])
@pytest.mark.parametrize("port", ["65536", "-1", "1e3", "٣", "9" * 5_000])
def test_what_is_no_port_is_refused(capsys: pytest.CaptureFixture[str], command: str, port: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, f"--port={port}"])
    assert ended.value.code == 2
    assert "is no port; they go from 0 to 65535" in capsys.readouterr().err


def test_a_demo_that_can_have_no_folder_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["demo", "--port", "0", "--no-browser", "--data", str(file)]) == 1
    err = capsys.readouterr().err
    assert err == f"bossbot: --data {file}: no folder can be made there: Not a directory; name another\n"


@pytest.mark.parametrize("command", ["sandbox", "demo"])
def test_a_port_that_is_in_use(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        more = ("--no-browser", "--data", str(tmp_path / "data")) if command == "demo" else ()
        said = complaint(capsys, command, "--port", port, *more)
    assert f"port {port} is in use" in said


def test_a_mistake_of_our_own_is_logged_without_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    async def broken() -> None:
        raise ValueError(f"https://api.example/bot{telegram}/getMe with {BOT_TOKEN}")

    telegram = "123456789:" + "A" * 35
    set_up_log("info", [telegram])
    assert run_until_stopped(broken()) == 1
    err = capsys.readouterr().err
    assert "bossbot ended by a mistake of its own" in err
    assert telegram not in err
    assert BOT_TOKEN not in err


def test_words_from_outside_move_no_cursor_and_make_no_line_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("info", [])
    logging.getLogger("bossbot").info(
        "session %s ended", "\x1b[2J\u202ex\n2026-01-01 00:00:00,000 INFO    bossbot: fine"
    )
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("INFO    bossbot: session ⟨U+202E⟩x")
    assert second == "  2026-01-01 00:00:00,000 INFO    bossbot: fine ended"


def test_a_call_that_is_wrong_says_how_it_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["fly"], ["run", "--fast"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert "usage: bossbot" in capsys.readouterr().err


def test_a_running_bot_ends_within_seconds_of_a_signal_and_its_agent_with_it(
    tmp_path: Path, sandbox: RunningSandbox
) -> None:
    """The agent here never reads and ignores SIGTERM; it writes its pid where the test finds it."""
    agent = tmp_path / "cbc"
    agent.write_text(
        f"#!/bin/sh\n[ \"$1\" = --version ] && echo 2.163.0 && exit\ntrap '' TERM\necho $$ >{tmp_path}/pid\n"
        "while :; do sleep 1; done\n"
    )
    agent.chmod(0o755)
    path = config(
        tmp_path, agent, agent={"command": str(agent), "close_grace_s": 0.3}, channels=slack(sandbox.slack_api_base)
    )
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    with (tmp_path / "log").open("wb") as log:
        bot = subprocess.Popen(
            [sys.executable, "-m", "bossbot", "run", "--config", str(path)], env=environment, stdout=log, stderr=log
        )
    try:
        say(sandbox, "hello")
        pid = wait_for(tmp_path / "pid")
        begun = time.monotonic()
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(PATIENCE_S) == 0
        assert time.monotonic() - begun < PATIENCE_S / 2
        wait_until(lambda: not Path(f"/proc/{pid}").exists(), "the agent's end")
        said = (tmp_path / "log").read_text()
        assert "Traceback" not in said
        assert BOT_TOKEN not in said
    finally:
        bot.kill()
        bot.wait()


def say(sandbox: RunningSandbox, text: str) -> None:
    """Ada writes to the bot; the platform keeps it until the bot is connected."""
    body = json.dumps({"channel": "D0ADA", "user": "U0ADA", "text": text}).encode()
    url = f"{sandbox.base_url}/sandbox/slack/say"
    urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"})).close()


def wait_for(path: Path) -> int:
    wait_until(lambda: path.exists() and path.read_text().strip() != "", path.name)
    return int(path.read_text())


def wait_until(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)
