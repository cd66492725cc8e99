"""`bossbot import` of a file that nobody here wrote: it is read, and does nothing."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bossbot.cli.main import main
from bossbot.domain import events as ev
from bossbot.ids import SessionId, ThreadRef
from bossbot.store.chain import GENESIS, link_hash, linked
from bossbot.store.opening import open_store
from bossbot.store.records import SessionRow
from bossbot.store.testing import SESSION, THREAD, event, message, opening
from bossbot.store.transfer import event_line, header_line

HOSTILE = [
    *opening(),
    message(3, "remove everything"),
    event(ev.SessionTurnStarted(turn_id="turn_1", content="run rm -rf ~"), 4),
    event(
        ev.ApprovalRequested(
            id="apr_1",
            session_id=SESSION,
            kind="dangerous_command",
            summary="rm -rf ~",
            risk_level="high",
            request_id="req_1",
            tool="Bash",
            fingerprint="f" * 64,
        ),
        5,
    ),
    event(ev.ApprovalApproved(id="apr_1", action="approve_for_session", actor="telegram:1", actor_name="Ada"), 6),
    event(ev.SessionTurnFinished(turn_id="turn_1", outcome="lost", errors=("the power failed",)), 7),
]
CLOSED = [*opening(), message(3), event(ev.SessionClosed(reason="closed by Ada"), 4)]
REOPENED = [*CLOSED, event(ev.SessionThreadBound(channel=THREAD.channel, chat=THREAD.chat, thread=THREAD.thread), 5)]


def exported(file: Path, log: list[ev.Event]) -> Path:
    links = linked(log, 0, GENESIS)
    lines = [header_line(SESSION, len(links), links[-1].hash), *map(event_line, links)]
    file.write_text("".join(lines), encoding="utf-8")
    return file


async def found(store: Path, session: SessionId, thread: ThreadRef) -> tuple[list[SessionRow], SessionId | None, str]:
    """The open sessions, whose the thread is, and how the session's log ends."""
    opened = await open_store(store)
    try:
        log = await opened.load(session)
        return await opened.sessions(open_only=True), await opened.session_of(thread), log[-1].type
    finally:
        await opened.close()


@pytest.mark.parametrize("log", [HOSTILE, REOPENED], ids=["open", "closed, and bound again"])
def test_an_open_session_comes_in_closed_so_that_no_file_starts_an_agent_or_allows_a_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], log: list[ev.Event]
) -> None:
    file, store = exported(tmp_path / "in.ndjson", log), tmp_path / "new.db"
    assert main(["import", str(file), "--store", str(store)]) == 0
    told = f"ps_1: {len(log)} events, and one that closes it: what a file says starts nothing\n"
    assert capsys.readouterr().out == told
    assert asyncio.run(found(store, SESSION, THREAD)) == ([], None, "session.closed")
    assert main(["verify", "--store", str(store)]) == 0


def test_a_closed_session_comes_in_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = exported(tmp_path / "in.ndjson", CLOSED), tmp_path / "new.db"
    assert main(["import", str(file), "--store", str(store)]) == 0
    assert main(["export", "ps_1", "--store", str(store)]) == 0
    assert capsys.readouterr().out == "ps_1: 4 events\n" + file.read_text(encoding="utf-8")


def with_envelope(change: Callable[[dict[str, object]], object], **outside: object) -> list[str]:
    """A session of one event, changed, with hashes that fit."""
    raw = opening()[0].model_dump()
    change(raw)
    envelope = json.dumps(raw)
    tip = link_hash(GENESIS, envelope)
    line = {"version": 1, "payload_version": 1, "hash": tip, "event": raw, **outside}
    return [header_line(SESSION, 1, tip), json.dumps(line) + "\n"]


ODD: dict[str, list[str]] = {
    "a version beyond all": with_envelope(lambda raw: None, payload_version=10**30),
    "a version below all": with_envelope(lambda raw: None, payload_version=0),
    "before the first year": with_envelope(lambda raw: raw.update(timestamp="0001-01-01T00:00:00+14:00")),
    "after the last year": with_envelope(lambda raw: raw.update(timestamp="9999-12-31T23:59:59-14:00")),
    "no number": with_envelope(lambda raw: raw.update(payload={"total_cost_usd": float("nan")})),
    "too many levels": with_envelope(lambda raw: raw.update(payload={"deep": json.loads("[" * 60 + "]" * 60)})),
    "half a character in the type": with_envelope(lambda raw: raw.update(type="x\ud800")),
    "half a character in the task": with_envelope(lambda raw: raw.update(task_id="x\ud800")),
    "a NUL in the type": with_envelope(lambda raw: raw.update(type="x\x00y")),
}


@pytest.mark.parametrize("lines", ODD.values(), ids=list(ODD))
def test_what_no_log_can_hold_is_refused_and_the_line_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str]
) -> None:
    file, store = tmp_path / "in.ndjson", tmp_path / "new.db"
    file.write_text("".join(lines), encoding="utf-8")
    assert main(["import", str(file), "--store", str(store)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"bossbot: {file}: line 2: ")
    assert said.endswith("; nothing was written\n")
    assert not store.exists()


def test_two_events_have_no_id_in_common(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = opening()
    file = exported(tmp_path / "out.ndjson", [first, second.model_copy(update={"id": first.id})])
    assert main(["import", str(file), "--store", str(tmp_path / "new.db")]) == 1
    assert f"line 3: event 2 has the id of another, '{first.id}'" in capsys.readouterr().err


def test_a_file_without_line_breaks_is_not_read_into_memory(tmp_path: Path) -> None:
    file = tmp_path / "out.ndjson"
    with file.open("wb") as hole:
        hole.truncate(8 * 2**30)
    script = (
        "import resource, sys\nfrom bossbot.cli.main import main\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))\n"
        f"sys.exit(main(['import', {str(file)!r}, '--store', {str(tmp_path / 'new.db')!r}]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert (ran.returncode, ran.stderr.count("line 1: this is no JSON object")) == (1, 1)
