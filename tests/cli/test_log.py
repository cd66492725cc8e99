"""`bossbot sessions`, `events`, `export`, `import` and `verify`, on both stores and beside a running bot."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bossbot.cli.main import main
from bossbot.domain import events as ev
from bossbot.ids import TaskId
from bossbot.store.artifacts import ArtifactFiles
from bossbot.store.opening import open_store
from bossbot.store.testing import OTHER, SESSION, TOPIC, event, message, opening
from tests.postgres import Postgres

TASK = TaskId("task_1")
LOG = [
    *opening(),
    message(3, "clean \x1b[31m the \u202ecache"),
    event(ev.TaskCreated(title="Clean it", kind="implementation", status="queued"), 4, task=TASK),
    event(ev.TaskAssigned(assignment_id="wa_1", worker_id="w"), 5, task=TASK),
    event(ev.TaskStarted(), 6, task=TASK),
]


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store with two sessions."""
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        address = asyncio.run(server.fresh())
    else:
        address = str(tmp_path / "bossbot.db")
    asyncio.run(filled(address))
    return address


async def filled(where: str) -> None:
    store = await open_store(where)
    await store.append(SESSION, 0, LOG)
    await store.append(OTHER, 0, opening(OTHER, TOPIC))
    await store.close()


@pytest.fixture
def a_bot_runs(where: str) -> Iterator[Callable[[], None]]:
    """Somebody owns the store, in a loop of his own, as a running bot does; calling it appends another event."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def do(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(30)

    store = do(open_store(where, exclusive=True))
    yield lambda: do(store.append(SESSION, len(LOG), [message(7)]))
    do(store.close())
    loop.call_soon_threadsafe(loop.stop)
    thread.join(30)
    loop.close()


Said = Callable[..., list[str]]


@pytest.fixture
def said(where: str, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command on the store; the lines it prints."""

    def run(*arguments: str, code: int = 0) -> list[str]:
        assert main([*arguments, "--store", where]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return (out if code == 0 or out else err).splitlines()

    return run


def test_sessions_are_listed_beside_a_running_bot(said: Said, a_bot_runs: Callable[[], None]) -> None:
    assert [line.split()[:4] for line in said("sessions")] == [
        ["ps_1", "active", "6", "events"],
        ["ps_2", "active", "2", "events"],
    ]
    assert json.loads(said("sessions", "--json")[0]) == {
        "id": "ps_1",
        "title": "Fix the build",
        "status": "active",
        "events": 6,
        "created_at": "2026-03-23T12:00:01.123Z",
        "updated_at": "2026-03-23T12:00:06.123Z",
    }


def test_events_are_shown_as_envelopes_or_in_words_that_harm_no_terminal(
    said: Said, a_bot_runs: Callable[[], None]
) -> None:
    assert [json.loads(line) for line in said("events", "ps_1", "--json")] == [e.model_dump() for e in LOG]
    words = said("events", "ps_1")
    assert [re.split(r"\s{2,}", line.strip())[2] for line in words] == [e.type for e in LOG]
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", "".join(words))
    assert "task_1" in words[3]


def test_the_state_as_of_an_event(said: Said) -> None:
    assert json.loads("\n".join(said("events", "ps_1", "--at", "4", "--json")))["tasks"]["task_1"]["status"] == "queued"
    assert said("events", "ps_1", "--at", "6")[-1] == "task task_1: running · Clean it"
    assert not [line for line in said("events", "ps_1", "--at", "3") if line.startswith("task")]
    for wrong in ("0", "-1", "7", "99999999999999999999"):
        assert said("events", "ps_1", "--at", wrong, code=1) == [
            f"bossbot: session ps_1 has no event {wrong}; it has 1 to 6"
        ]
    assert "choose one" in said("events", "ps_1", "--at", "1", "--follow", code=2)[0]


def test_a_session_is_found_by_how_its_id_begins_if_that_is_clear(said: Said) -> None:
    assert "begins the ids of 2 sessions: ps_1, ps_2" in said("events", "ps", code=1)[0]
    assert "did you mean ps_1?" in said("events", "ps1", code=1)[0]
    assert "`bossbot sessions` lists them" in said("events", "x", code=1)[0]


def test_a_session_goes_out_and_comes_back_with_its_hashes(said: Said, where: str, tmp_path: Path) -> None:
    file = tmp_path / "out.ndjson"
    assert said("export", "ps_1", "-o", str(file)) == []
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="utf-8").splitlines() == said("export", "ps_1")
    assert "exists; name another file" in said("export", "ps_1", "-o", str(file), code=1)[0]
    assert "is here already, with 6 events; nothing was written" in said("import", str(file), code=1)[0]
    asyncio.run(forgotten(where))
    assert said("import", str(file)) == ["ps_1: 6 events, and one that closes it: what a file says starts nothing"]
    assert said("verify", "ps_1")[0].startswith("ps_1: whole, 7 events")
    _header, *events = said("export", "ps_1")
    assert events[:-1] == file.read_text(encoding="utf-8").splitlines()[1:]
    assert json.loads(events[-1])["event"]["type"] == "session.closed"


async def forgotten(where: str) -> None:
    store = await open_store(where)
    await store.forget(SESSION)
    await store.close()


def test_nothing_is_imported_while_a_bot_runs(said: Said, a_bot_runs: Callable[[], None], tmp_path: Path) -> None:
    file = tmp_path / "out.ndjson"
    said("export", "ps_1", "-o", str(file))
    assert "another bossbot uses" in said("import", str(file), code=1)[0]


def test_verify_tells_every_session_and_where_one_was_changed(said: Said, where: str, tmp_path: Path) -> None:
    lines = said("verify")
    assert [re.sub("hash .*", "hash", line) for line in lines] == [
        "ps_1: whole, 6 events up to hash",
        "ps_2: whole, 2 events up to hash",
        "2 sessions, 0 of them not whole",
    ]
    if "://" in where:
        return
    with sqlite3.connect(where) as editor:
        editor.execute("UPDATE events SET envelope = replace(envelope, 'Clean', 'Wipe') WHERE version = 4")
        editor.execute("DELETE FROM events WHERE session_id = 'ps_2' AND version = 2")
    assert said("verify", code=1) == [
        "ps_1: event 4: changed: the event, its hash or its predecessor's was changed",
        "ps_2: event 2: missing: 1 event is missing at the end",
        "2 sessions, 2 of them not whole",
    ]
    assert "ps_1 is not whole" in said("export", "ps_1", code=1)[0]
    with sqlite3.connect(where) as editor:
        editor.execute("DELETE FROM sessions WHERE id = 'ps_2'")
    assert "ps_2: event 1: inserted: 1 event is behind the recorded end at version 0" in said("verify", code=1)


@pytest.mark.parametrize(
    "envelope", ["no JSON", "[1]", '{"payload":[1]}', "[" * 100_000], ids=["text", "list", "odd", "deep"]
)
def test_an_event_that_cannot_be_read_keeps_the_others_from_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], envelope: str
) -> None:
    store = str(tmp_path / "bossbot.db")
    asyncio.run(filled(store))
    with sqlite3.connect(store) as editor:
        editor.execute("UPDATE events SET envelope = ? WHERE session_id = 'ps_1' AND version = 3", (envelope,))
    for arguments in (["events", "ps_1"], ["events", "ps_1", "--json"]):
        assert main([*arguments, "--store", store]) == 1
        out, err = capsys.readouterr()
        assert err == "bossbot: event 3 cannot be read; `bossbot verify ps_1` says why\n"
        assert len(out.splitlines()) == len(LOG) - 1
    assert main(["events", "ps_1", "--at", "6", "--store", store]) == 1
    assert "an event up to 6 cannot be read; `bossbot verify ps_1` says which" in capsys.readouterr().err
    assert main(["events", "ps_1", "--at", "2", "--store", store]) == 0


def test_a_state_with_half_a_character_is_shown_as_json(where: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    async def halved() -> None:
        store = await open_store(where)
        await store.append(SESSION, len(LOG), [event(ev.SessionObjectiveUpdated(active_objective="a\ud800b"), 7)])
        await store.close()

    asyncio.run(halved())
    assert main(["events", "ps_1", "--at", "7", "--json", "--store", where]) == 0
    assert json.loads(capfdbinary.readouterr().out)["objective"] == "a\ud800b"


@pytest.mark.parametrize("command", ["sessions", "events ps_1", "export ps_1", "verify", "artifact"])
def test_output_that_nothing_takes_is_one_clear_error(tmp_path: Path, command: str) -> None:
    store = str(tmp_path / "bossbot.db")
    asyncio.run(filled(store))
    files = ArtifactFiles(Path(f"{store}.artifacts"), max_file_bytes=100, max_total_bytes=100, retention_days=1)
    files.open()
    kept = files.keep_text("the whole output")
    assert kept is not None
    command = command.replace("artifact", f"artifact {kept.id}")
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "bossbot", *command.split(), "--store", store],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (1, b"bossbot: the output cannot be written: No space left on device\n")


CHANGES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "a changed word": (
        lambda lines: [line.replace("Clean it", "Wipe it") for line in lines],
        "line 5: event 4 does not",
    ),
    "a missing line": (lambda lines: lines[:3] + lines[4:], "line 4: event 4 stands where event 3 should"),
    "a line twice": (lambda lines: [*lines[:4], *lines[3:]], "line 5: event 3 stands where event 4 should"),
    "no end": (lambda lines: lines[:-1], "line 7: the header speaks of 6 events"),
    "two exchanged": (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "line 4: event 4 stands where"),
    "no header": (lambda lines: lines[1:], "line 1: the header is missing"),
    "nothing": (lambda lines: [], "line 1: the header is missing"),
    "no JSON": (lambda lines: [*lines[:2], "{", *lines[2:]], "line 3: this is no JSON object"),
    "deep JSON": (lambda lines: [*lines[:2], "[" * 100_000, *lines[2:]], "line 3: this is no JSON object"),
    "another session": (
        lambda lines: [line.replace('"ps_1"', '"ps_9"', 1) for line in lines],
        "line 2: event 1 does not",
    ),
    "a path for an id": (
        lambda lines: [lines[0].replace("ps_1", "../../etc"), *lines[1:]],
        "line 1: the header's session_id is no id",
    ),
    "a later form": (lambda lines: [lines[0].replace(":1,", ":9,", 1), *lines[1:]], "line 1: a file of form 9"),
    "a head that moves the cursor": (
        lambda lines: [
            re.sub('"head":"[^"]{9}', r'"head":"\\u001b]0;me\\u0007\\u001b[2J\\u009b', lines[0]),
            *lines[1:],
        ],
        "line 8: the header speaks of 6 events",
    ),
    "a number without an end": (
        lambda lines: [*lines[:2], lines[2].replace('"version":2', '"version":2,"x":1e999', 1), *lines[3:]],
        "line 3: this is no JSON object",
    ),
    "a number as text": (
        lambda lines: [line.replace('"version":1,', '"version":"1",') for line in lines],
        "line 2: version",
    ),
}


@pytest.mark.parametrize(("change", "complaint"), CHANGES.values(), ids=list(CHANGES))
def test_a_file_that_was_changed_is_refused_and_the_line_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[list[str]], list[str]], complaint: str
) -> None:
    store, new, file = (str(tmp_path / name) for name in ("bossbot.db", "new.db", "out.ndjson"))
    asyncio.run(filled(store))
    assert main(["export", "ps_1", "--store", store, "-o", file]) == 0
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    Path(file).write_text("".join(f"{line}\n" for line in change(lines)), encoding="utf-8")
    assert main(["import", file, "--store", new]) == 1
    said = capsys.readouterr().err
    assert f"bossbot: {file}: {complaint}" in said
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", said)
    assert said.endswith("; nothing was written\n")
    assert not Path(new).exists()


def test_events_are_followed_until_ctrl_c(where: str, a_bot_runs: Callable[[], None]) -> None:
    follower = subprocess.Popen(
        [sys.executable, "-m", "bossbot", "events", "ps_1", "--follow", "--json", "--store", where],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # As at a terminal, also where these tests run in the background, with Ctrl-C switched off.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert follower.stdout is not None
        assert follower.stderr is not None
        assert [json.loads(follower.stdout.readline())["id"] for _ in LOG] == [e.id for e in LOG]
        a_bot_runs()
        assert json.loads(follower.stdout.readline())["id"] == "evt_7"
        follower.send_signal(signal.SIGINT)
        assert follower.wait(90) == 0
        assert follower.stderr.read() == b""
    finally:
        follower.kill()
        follower.communicate()


def test_without_a_store_the_fix_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bossbot.toml").write_text('[store]\npath = "log.db"\n')
    for command in (["sessions"], ["verify"], ["events", "ps_1"], ["export", "ps_1"]):
        assert main(command) == 1
        assert f"[store] path = '{tmp_path / 'log.db'}': there is no such file" in capsys.readouterr().err
    assert not (tmp_path / "log.db").exists()
    (tmp_path / "bossbot.toml").write_text("[store]\npth = 'log.db'\n")
    assert main(["sessions"]) == 2
    assert "did you mean path?" in capsys.readouterr().err


def test_reading_the_log_loads_neither_chats_nor_agents() -> None:
    script = (
        "import sys\nfrom bossbot.cli.main import main\nmain(['sessions', '--store', '/nonexistent.db'])\n"
        "print([m for m in ('aiogram', 'slack_bolt', 'aiohttp', 'alembic', 'asyncpg', 'bossbot.app', 'bossbot.agent')"
        " if m in sys.modules])\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout.strip() == "[]"
