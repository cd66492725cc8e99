"""`bossbot replay`: a recording becomes the same events every time, whatever stands in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from bossbot.cli.main import main
from bossbot.domain.task import TRANSITIONS, TaskStatus

CAPTURES = sorted((Path(__file__).parents[1] / "captures").glob("*/*.ndjson"))
ENVELOPE = ["id", "session_id", "task_id", "source", "type", "timestamp", "payload"]
STATUS = {
    "task.created": TaskStatus.PLANNING,
    "task.queued": TaskStatus.QUEUED,
    "task.assigned": TaskStatus.ASSIGNED,
    "task.started": TaskStatus.RUNNING,
    "task.completed": TaskStatus.COMPLETED,
    "task.failed": TaskStatus.FAILED,
    "task.cancelled": TaskStatus.CANCELLED,
    "task.paused": TaskStatus.PAUSED,
    "task.blocked": TaskStatus.BLOCKED,
}


def replay(capsys: pytest.CaptureFixture[str], path: Path, *more: str) -> list[dict[str, Any]]:
    assert main(["replay", str(path), *more]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: f"{path.parent.name[:6]}-{path.stem}")
def test_a_recorded_stream_gives_the_protocols_envelopes_and_the_same_ones_again(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = replay(capsys, path)
    assert replay(capsys, path) == events
    assert len(events) > 2
    assert [list(event) for event in events] == [ENVELOPE] * len(events)
    assert len({event["id"] for event in events}) == len(events)
    assert {event["session_id"] for event in events} == {"ps_replay"}
    assert [event["type"] for event in events[:2]] == ["session.created", "session.thread.bound"]
    times = [event["timestamp"] for event in events]
    assert times == sorted(times)
    assert all(time.startswith("1970-01-01T00:") for time in times)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: f"{path.parent.name[:6]}-{path.stem}")
def test_what_a_recording_decides_is_asked_first_and_decided_once(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = replay(capsys, path)
    asked = [event["payload"]["id"] for event in events if event["type"] == "approval.requested"]
    ended = [
        event["payload"]["id"]
        for event in events
        if event["type"] in ("approval.approved", "approval.rejected", "approval.withdrawn")
    ]
    assert len(set(asked)) == len(asked)
    assert len(set(ended)) == len(ended)
    assert set(ended) <= set(asked)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: f"{path.parent.name[:6]}-{path.stem}")
def test_tasks_move_only_along_the_arrows_of_the_table(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known: dict[str, TaskStatus] = {}
    for event in replay(capsys, path):
        wanted = STATUS.get(event["type"])
        if wanted is None:
            continue
        before = known.get(event["task_id"])
        assert before is None or before is wanted or (before, wanted) in TRANSITIONS, event
        known[event["task_id"]] = wanted


def test_there_are_recordings_of_both_programs() -> None:
    assert len(CAPTURES) >= 30
    assert {path.parent.name.split("-")[0] for path in CAPTURES} == {"cbc", "claude"}


def test_an_approval_of_a_recording_is_asked_and_answered(capsys: pytest.CaptureFixture[str]) -> None:
    [path] = [path for path in CAPTURES if path.parent.name.startswith("cbc") and path.stem == "danger"]
    types = [event["type"] for event in replay(capsys, path)]
    assert types.index("session.message.added") < types.index("approval.requested")
    assert types.index("approval.requested") < types.index("approval.approved")
    assert types[-1] in ("session.turn.finished", "worker.heartbeat")


def test_raw_frames_replay_without_a_clock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [path] = [path for path in CAPTURES if path.parent.name.startswith("claude") and path.stem == "hello"]
    records = [json.loads(line) for line in path.read_text().splitlines()]
    raw = tmp_path / "raw.ndjson"
    raw.write_text("".join(json.dumps(r["msg"]) + "\n" for r in records if r["dir"] == "out"))
    events = replay(capsys, raw)
    assert "session.message.added" in [event["type"] for event in events]
    assert events[-1]["timestamp"] < "1970-01-01T00:00:01"


HELLO = {
    "type": "assistant",
    "session_id": "s",
    "message": {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"not json",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"dir": 5}',
        b'{"dir": "out"}',
        b'{"dir": "sideways", "msg": {}}',
        b'{"dir": "in", "msg": {"type": "user"}}',
        b'{"dir": "in", "msg": {"type": "user", "message": {"content": [1, {"text": 5}]}}}',
        b'{"dir": "in", "msg": {"type": "control_response", "response": 7}}',
        b'{"dir": "out", "t": "soon", "msg": {"type": "result"}}',
        b'{"dir": "out", "t": [1], "msg": {"type": "result"}}',
        b'{"dir": "out", "t": 1e300, "msg": {"type": "result"}}',
        b'{"dir": "out", "t": -5, "msg": {"type": "result"}}',
        b'{"dir": "out", "t": NaN, "msg": {"type": "result"}}',
        b'{"dir": "exit", "t": 1}',
        b'{"t": 1, "dir": "out", "msg": {"type": "assistant", "session_id": "s", "message":'
        b' {"role": "assistant", "content": [{"type": "text", "text": "half an emoji \\ud83d"}]}}}',
        b"{" * 5_000,
        b'{"dir": "out", "msg": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    ],
)
def test_a_line_that_makes_no_sense_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes
) -> None:
    path = tmp_path / "strange.ndjson"
    path.write_bytes(line + b"\n" + json.dumps({"t": 2, "dir": "out", "msg": HELLO}).encode() + b"\n")
    events = replay(capsys, path)
    assert "hi" in [event["payload"].get("content") for event in events]


@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 500, b'{"bossbot_export":1}\n'])
def test_a_file_that_is_no_recording_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "other.ndjson"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 1
    assert f"bossbot: {path}: nothing in it is a recording" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, reason in ((tmp_path / "no.ndjson", "No such file"), (tmp_path, "Is a directory")):
        assert main(["replay", str(path)]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"bossbot: {path}: cannot be read: {reason}")
        assert err.count("\n") == 1


def test_secrets_of_a_recording_stand_in_no_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "xoxb-870000000001-replayed"
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"curl -H 'Token: {secret}'"}}
    frame = {"type": "assistant", "session_id": "s", "message": {"role": "assistant", "content": [call]}}
    path = tmp_path / "secret.ndjson"
    path.write_text(json.dumps(frame) + "\n")
    assert main(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert "tool.call.requested" in out
    assert secret not in out


def test_a_tool_that_is_called_through_another_is_told_as_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in CAPTURES if path.stem == "deferred")
    events = replay(capsys, path)
    [asked] = [event["payload"] for event in events if event["type"] == "approval.requested"]
    assert (asked["kind"], asked["tool"]) == ("workflow", "Workflow")
    [called] = [event["payload"] for event in events if event["type"] == "tool.call.requested"]
    assert (called["tool"], called["input_preview"]) == ("Workflow", "survey")
    [created] = [event["payload"] for event in events if event["type"] == "task.created"]
    assert created["title"] == "survey"


def test_a_provider_that_does_not_answer_is_told_try_by_try(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in CAPTURES if path.stem == "retried")
    told = [event["payload"] for event in replay(capsys, path) if event["type"] == "session.turn.delayed"]
    assert [(each["attempt"], each["error_status"], each["error"]) for each in told] == [
        (number, 529, "overloaded") for number in (1, 2, 3)
    ]
