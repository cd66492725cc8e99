"""Whole outputs go to files while the session goes on, and the log is told which."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bossbot.agent.keeping import WAITING_CHARS, Keeping, Output
from bossbot.agent.long_frames import read_long
from bossbot.agent.reading import Reading
from bossbot.agent.summaries import OUTPUT_CHARS
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain.policy import Policy
from bossbot.ids import SessionId, WorkerId
from bossbot.store.artifacts import ArtifactFiles
from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode
from tests.app.desk import Counter

SECRET = "xoxb-870000000001-journeys-token"
SESSION = SessionId("ps_1")


class Office:
    """Keeping over a real folder; `told` is what the session heard."""

    def __init__(self, folder: Path, max_file_bytes: int = 100_000) -> None:
        self.files = ArtifactFiles(
            folder / "artifacts", max_file_bytes=max_file_bytes, max_total_bytes=1_000_000, retention_days=1
        )
        self.files.open()
        self.told: list[c.AddArtifact] = []
        self.keeping = Keeping(self.files, self._hear)

    async def _hear(self, session_id: SessionId, commands: Sequence[c.Command]) -> None:
        assert session_id == SESSION
        self.told += [command for command in commands if isinstance(command, c.AddArtifact)]

    async def keep(self, *outputs: Output, folders: Sequence[Path] = ()) -> list[c.AddArtifact]:
        for output in outputs:
            self.keeping.keep(SESSION, output, folders)
        await self.keeping.settled()
        return self.told


def reads(text: str, name: str = "Bash") -> Reading:
    """A tool was called, and gave back this text."""
    translator = Translator(Counter(), Policy(), WorkerId("worker_1"), "cbc")
    call = {"type": "tool_use", "id": "t1", "name": name, "input": {"command": "cat log"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    reading = Reading()
    for kind, block in (("assistant", call), ("user", result)):
        line = json.dumps({"type": kind, "session_id": "s", "message": {"role": kind, "content": [block]}})
        reading = translator.read(decode(line.encode()), 0.0)
    return reading


def test_only_an_output_that_the_log_does_not_hold_whole_is_kept() -> None:
    assert reads("x" * OUTPUT_CHARS).outputs == []
    [output] = reads("x" * (OUTPUT_CHARS + 1)).outputs
    assert (output.kind, output.name, output.tool_use_id) == ("tool_output", "Bash cat log", "t1")
    assert len(output.text) == OUTPUT_CHARS + 1


async def test_an_output_is_kept_whole_without_secrets_and_the_session_is_told(tmp_path: Path) -> None:
    office = Office(tmp_path)
    [output] = reads(f"begin {SECRET}\n" + "line\n" * 5_000 + "end").outputs
    [told] = await office.keep(output)
    data = office.files.read(told.artifact_id).decode()
    assert data.startswith("begin xoxb-[redacted]")
    assert data.endswith("end")
    assert SECRET not in data
    assert (told.size_bytes, told.tool_use_id, told.truncated) == (len(data), "t1", False)


async def test_an_output_above_the_bound_is_kept_up_to_it(tmp_path: Path) -> None:
    office = Office(tmp_path, max_file_bytes=5_000)
    [told] = await office.keep(Output("tool_output", "Bash", "t1", text="line\n" * 5_000))
    assert told.truncated
    assert told.size_bytes == len(office.files.read(told.artifact_id)) == 5_000


async def test_the_whole_of_a_long_line_is_taken_over_from_its_file(tmp_path: Path) -> None:
    office = Office(tmp_path)
    waiting = office.files.incoming / "long-1"
    waiting.write_text("the whole of it")
    call: dict[str, Any] = {"type": "tool_result", "tool_use_id": "t1", "content": "cut " * OUTPUT_CHARS}
    line = json.dumps({"type": "user", "session_id": "s", "message": {"role": "user", "content": [call]}})
    inner = decode(line.encode())
    texts = (f.LongText("t1", 70_000_000, "ab" * 32, str(waiting)),)
    long = f.Long(frame=inner, length=70_000_100, sha256="cd" * 32, texts=texts)
    reading = read_long(Translator(Counter(), Policy(), WorkerId("worker_1"), "cbc"), long, 0.0)
    [told] = await office.keep(*reading.outputs)
    assert office.files.read(told.artifact_id) == b"the whole of it"
    assert not waiting.exists()


NO_RESULTS: dict[str, dict[str, Any]] = {
    "a request with a message": {"type": "control_request", "request_id": "r1", "request": {"subtype": "can_use_tool"}},
    "a frame that cannot be read": {"type": "user", "message": 7},
    "one of a kind nobody knows": {"type": "novel"},
    "a result that was cut to a few words": {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "cut…"}]},
    },
}


@pytest.mark.parametrize("said", NO_RESULTS.values(), ids=list(NO_RESULTS))
async def test_every_file_that_a_long_line_left_is_taken_over(tmp_path: Path, said: dict[str, Any]) -> None:
    office = Office(tmp_path)
    files = [office.files.incoming / name for name in ("long-1", "long-2")]
    for file in files:
        file.write_text(f"the whole of {file.name}")
    texts = tuple(f.LongText("t1", 70_000_000, "ab" * 32, str(file)) for file in files)
    long = f.Long(frame=decode(json.dumps(said).encode()), length=140_000_100, sha256="cd" * 32, texts=texts)
    reading = read_long(Translator(Counter(), Policy(), WorkerId("worker_1"), "cbc"), long, 0.0)
    told = await office.keep(*reading.outputs)
    assert {office.files.read(each.artifact_id) for each in told} == {b"the whole of long-1", b"the whole of long-2"}
    assert list(office.files.incoming.iterdir()) == []


async def test_a_tasks_output_file_is_read_where_such_files_lie_and_nowhere_else(tmp_path: Path) -> None:
    office = Office(tmp_path)
    tasks = tmp_path / "codebuddy-0"
    tasks.mkdir()
    (tasks / "w1.output").write_text("the result")
    (tmp_path / "passwd").write_text("secret")
    (tasks / "w2.output").symlink_to(tmp_path / "passwd")
    (tasks / "w3.output").write_text("")
    names = [str(tasks / "w1.output"), str(tasks / "w2.output"), str(tmp_path / "passwd"), str(tasks / "w3.output")]
    outputs = [Output("task_output", "W", ref=f"w{n}", output_file=name) for n, name in enumerate(names, 1)]
    [told] = await office.keep(*outputs, folders=[tasks])
    assert (told.kind, told.ref) == ("task_output", "w1")
    assert office.files.read(told.artifact_id) == b"the result"


async def test_what_cannot_be_kept_hinders_nothing_else(tmp_path: Path) -> None:
    office = Office(tmp_path)
    gone = Output("tool_output", "gone", "t1", path=office.files.incoming / "never-there")
    [told] = await office.keep(gone, Output("tool_output", "next", "t2", text="line\n" * 1_000))
    assert told.tool_use_id == "t2"


async def test_an_agent_that_writes_faster_than_the_disk_does_not_fill_the_memory(tmp_path: Path) -> None:
    office = Office(tmp_path, max_file_bytes=10)
    half = "x" * (WAITING_CHARS // 2)
    outputs = [Output("tool_output", str(number), f"t{number}", text=half) for number in range(5)]
    told = await office.keep(*outputs)
    assert [artifact.tool_use_id for artifact in told] == ["t0", "t1"]


async def test_nothing_more_is_kept_after_the_end(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.keeping.keep(SESSION, Output("tool_output", "a", "t1", text="line\n" * 1_000), ())
    office.keeping.close()
    await asyncio.sleep(0)
    assert office.told == []
