"""Lines of any sane length are read in another process, in order, and their memory comes back with its end."""

import asyncio
import hashlib
import json
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from bossbot.agent.guarded import Guarded
from bossbot.agent.long_frames import read_long
from bossbot.agent.longlines import FrameReader, LongLines
from bossbot.agent.reading import Deny
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain.policy import Policy
from bossbot.ids import WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode
from bossbot.streamjson.framing import DEFAULT_MAX_LINE_BYTES

MIB = 1024 * 1024
PATIENCE_S = 60.0
RESULT = b'{"type":"result","subtype":"success"}\n'
ASK = b'{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Write","input":'


def output(text: str) -> bytes:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    said = {"type": "user", "message": {"role": "user", "content": [block]}, "session_id": "s"}
    return json.dumps(said, ensure_ascii=False).encode()


def small_objects(size: int) -> bytes:
    """As a tool's structured outcome may be."""
    return output("ok")[:-1] + b',"tool_use_result":[' + b'{"a":1},' * (size // 8) + b"{}]}"


def read_of(lines: bytes, max_line_bytes: int = DEFAULT_MAX_LINE_BYTES) -> list[f.AnyFrame]:
    return asyncio.run(_read_of(lines, max_line_bytes))


async def _read_of(lines: bytes, max_line_bytes: int, long_lines: LongLines | None = None) -> list[f.AnyFrame]:
    """The frames of a program that writes these lines."""
    used = long_lines or LongLines()
    script = "import sys\nwhile data := sys.stdin.buffer.read(1 << 16): sys.stdout.buffer.write(data)"
    process = await Guarded.spawn([sys.executable, "-S", "-c", script], cwd=Path("/"), env={})
    writing = asyncio.create_task(_write(process, lines))
    try:
        async with asyncio.timeout(PATIENCE_S):
            batches = FrameReader(process, used, max_line_bytes).batches()
            return [frame async for batch in batches for frame in batch]
    finally:
        await writing
        process.kill()
        await process.wait()
        if long_lines is None:
            await used.close()


async def _write(process: Guarded, lines: bytes) -> None:
    await process.write(lines)
    process.end_input()


@pytest.mark.parametrize("size", [64 * 1024 + 1, 2 * MIB, 12 * MIB, 64 * MIB])
def test_a_long_text_is_read_between_its_neighbours_with_its_size_and_hash(size: int) -> None:
    text = "a, b: “c”\n" * (size // 16) + "the end"
    before, long, after = read_of(RESULT + output(text) + b"\n" + RESULT)
    assert isinstance(before, f.Result)
    assert isinstance(after, f.Result)
    if len(output(text)) <= MIB:
        assert isinstance(long, f.User)
        return
    assert isinstance(long, f.Long)
    assert isinstance(long.frame, f.User)
    [block] = long.frame.message.blocks
    assert isinstance(block, f.ToolResultBlock)
    assert block.text.startswith("a, b: “c”\na, b")
    assert block.text.endswith(f"… ({len(text)} characters in all)")
    whole = text.encode()
    assert long.texts == (f.LongText("t1", len(whole), hashlib.sha256(whole).hexdigest()),)
    assert long.sha256 == hashlib.sha256(output(text)).hexdigest()


@pytest.mark.parametrize("size", [MIB, 12 * MIB])
def test_many_small_objects_cost_no_other_field(size: int) -> None:
    long, after = read_of(small_objects(size) + b"\n" + RESULT)
    assert isinstance(long, f.Long)
    assert isinstance(long.frame, f.User)
    assert long.frame.message.text == ""
    [block] = long.frame.message.blocks
    assert isinstance(block, f.ToolResultBlock)
    assert block.text == "ok"
    assert long.frame.session_id == "s"
    assert isinstance(long.frame.tool_use_result, list)
    assert isinstance(after, f.Result)


def test_a_snapshot_of_a_thousand_agents_keeps_every_one() -> None:
    entries = [
        {"type": "workflow_agent", "index": n, "state": "done" if n % 2 else "start", "resultPreview": "r" * 2000}
        for n in range(1000)
    ]
    line = {"workflow_progress": entries, "type": "system", "subtype": "task_progress", "task_id": "w", "uuid": "u"}
    [long] = read_of(json.dumps(line).encode())
    assert isinstance(long, f.Long)
    assert isinstance(long.frame, f.TaskProgress)
    assert long.frame.workflow_progress is not None
    found = [(e.index, e.state) for e in long.frame.workflow_progress if isinstance(e, f.WorkflowAgent)]
    assert found == [(n, "done" if n % 2 else "start") for n in range(1000)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type":"user","x":"' + b"x" * MIB * 2, "not JSON"),
        (b'{"type":"\xff","x":"' + b"x" * MIB * 2 + b'"}', "not UTF-8"),
        (b'["' + b"x" * MIB * 2 + b'"]', "not a JSON object"),
        (b'{"type":"user","x":' + b"[" * MIB * 2 + b"]" * MIB * 2 + b"}", "nested too deeply"),
        (b'{"type":"assistant","x":"' + b"x" * MIB * 2 + b'"}', "missing required field `message`"),
    ],
)
def test_a_long_line_that_makes_no_sense_is_named_and_the_next_one_read(line: bytes, reason: str) -> None:
    wrong, after = read_of(line + b"\n" + RESULT)
    assert isinstance(wrong, f.Malformed)
    assert reason in wrong.reason
    assert (wrong.length, wrong.sha256) == (len(line), hashlib.sha256(line).hexdigest())
    assert "xxx" not in wrong.head
    assert isinstance(after, f.Result)


def test_a_line_that_grows_above_the_bound_is_dropped_and_the_reader_used_again() -> None:
    too_long, long, after = read_of(
        output("x" * 5 * MIB) + b"\n" + output("y" * 2 * MIB) + b"\n" + RESULT, max_line_bytes=3 * MIB
    )
    assert isinstance(too_long, f.Malformed)
    assert "more than the 3145728 allowed" in too_long.reason
    assert isinstance(long, f.Long)
    assert isinstance(after, f.Result)


def test_whole_outputs_are_kept_as_files_for_their_owner_alone(tmp_path: Path) -> None:
    [long] = asyncio.run(_read_of(output("z" * 2 * MIB), DEFAULT_MAX_LINE_BYTES, LongLines(tmp_path)))
    assert isinstance(long, f.Long)
    [text] = long.texts
    assert text.path is not None
    assert Path(text.path).read_text() == "z" * 2 * MIB
    assert Path(text.path).parent == tmp_path
    assert Path(text.path).stat().st_mode & 0o777 == 0o600


def test_a_large_picture_is_no_text_to_keep(tmp_path: Path) -> None:
    """As the tool `Read` gives it."""
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 2 * MIB}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "a plan of the house"}]
    block = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    line = json.dumps({"type": "user", "message": {"role": "user", "content": [block]}, "session_id": "s"}).encode()
    [long] = asyncio.run(_read_of(line, DEFAULT_MAX_LINE_BYTES, LongLines(tmp_path)))
    assert isinstance(long, f.Long)
    reading = read_long(translator(), long, 0.0)
    [finished] = reading.commands
    assert isinstance(finished, c.FinishToolCall)
    assert finished.output_preview == "a plan of the house"
    assert reading.outputs == []
    assert list(tmp_path.iterdir()) == []


def test_an_output_of_one_endless_word_is_called_as_what_it_is_of(tmp_path: Path) -> None:
    """cbc tells of a picture in words that end with all of it."""
    told = '[{"url":"data:image/png;base64,' + "A" * 2 * MIB
    [long] = asyncio.run(_read_of(output(told), DEFAULT_MAX_LINE_BYTES, LongLines(tmp_path)))
    assert isinstance(long, f.Long)
    heard = translator()
    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "plan.png"}}
    heard.read(decode(json.dumps({"type": "assistant", "message": {"content": [call]}}).encode()), 0.0)
    [kept] = read_long(heard, long, 0.0).outputs
    assert kept.name == "Read plan.png"
    assert kept.path is not None
    assert kept.path.read_text() == told


async def test_a_hundred_thousand_lines_at_once_hold_nobody_up() -> None:
    """Of garbage, in one reading: the loop goes on beside it, and the work grows with the lines and no faster."""
    most = 100_000
    reader = FrameReader(Chunk(b"1\n" * most), LongLines(), DEFAULT_MAX_LINE_BYTES)  # type: ignore[arg-type]
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    sizes = [len(batch) async for batch in reader.batches()]
    beside.cancel()
    assert sum(sizes) == most
    assert max(sizes) <= 1_000
    assert turns >= len(sizes) - 1


class Chunk:
    """What a pipe gives at once."""

    def __init__(self, data: bytes) -> None:
        self._left = [data]

    async def read(self) -> bytes:
        return self._left.pop() if self._left else b""


async def test_a_reader_serves_many_lines_and_ends_when_nobody_needs_it() -> None:
    long_lines = LongLines(idle_s=3.0)
    lines = b"".join(output(letter * 2 * MIB) + b"\n" for letter in "abc")
    assert len(await _read_of(lines, DEFAULT_MAX_LINE_BYTES, long_lines)) == 3
    [pid] = long_lines.pids
    await _gone(pid)
    async with asyncio.timeout(PATIENCE_S):
        while long_lines.pids:  # noqa: ASYNC110 - its end is noticed a moment later
            await asyncio.sleep(0.02)
    await long_lines.close()


async def test_a_reader_that_is_killed_costs_its_line_and_no_other() -> None:
    long_lines = LongLines(idle_s=60)
    await _read_of(output("a" * 2 * MIB), DEFAULT_MAX_LINE_BYTES, long_lines)
    [pid] = long_lines.pids
    [reader] = psutil.Process(pid).children()
    os.kill(reader.pid, signal.SIGKILL)
    lines = output("b" * 2 * MIB) + b"\n" + output("c" * 2 * MIB) + b"\n"
    lost, long = await _read_of(lines, DEFAULT_MAX_LINE_BYTES, long_lines)
    await long_lines.close()
    assert isinstance(lost, f.Malformed)
    assert "its reader failed" in lost.reason
    assert lost.sha256 == hashlib.sha256(output("b" * 2 * MIB)).hexdigest()
    assert isinstance(long, f.Long)


async def test_readers_do_not_outlive_a_bot_that_is_killed() -> None:
    script = (
        "import asyncio\nfrom bossbot.agent.longlines import LongLines\n"
        "async def main():\n    async with LongLines().reader() as reader:\n"
        "        print(reader.process.pid, flush=True)\n        await asyncio.sleep(600)\nasyncio.run(main())"
    )
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    assert bot.stdout is not None
    pid = int(await bot.stdout.readline())
    bot.kill()
    await bot.wait()
    await _gone(pid)


async def _gone(pid: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while psutil.pid_exists(pid):  # noqa: ASYNC110 - another process has no event to wait for
            await asyncio.sleep(0.02)


# --- what it means ---


def translator() -> Translator:
    return Translator(lambda prefix: f"{prefix}_1", Policy.parse(("Write",), ()), WorkerId("w"), "cbc")


def test_the_event_has_the_size_and_the_hash_of_the_whole() -> None:
    [long] = read_of(output("d" * 2 * MIB))
    assert isinstance(long, f.Long)
    [finished] = read_long(translator(), long, 0.0).commands
    assert isinstance(finished, c.FinishToolCall)
    assert finished.output_bytes == 2 * MIB
    assert finished.output_sha256 == hashlib.sha256(b"d" * 2 * MIB).hexdigest()
    assert len(finished.output_preview) <= 2_000


def test_a_request_that_nobody_can_read_is_refused_whatever_the_rules_say() -> None:
    [long] = read_of(ASK + b'{"content":"' + b"e" * 2 * MIB + b'"}}}')
    assert isinstance(long, f.Long)
    reading = read_long(translator(), long, 0.0)
    assert reading.commands == []
    [denied] = reading.replies
    assert isinstance(denied, Deny)
    assert denied.request.request_id == "r1"
    assert "more than anybody can read" in denied.reason
