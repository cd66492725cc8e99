"""The scripted agent's lines against recorded ones of the real cbc: the same kinds in the same order, the same keys."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode
from tests.fakes.raw_stdio import Frame, RawCli, is_permission, is_result, kind_of, of_kind
from tests.sandbox.scripted_agent_process import scripted_agent

CAPTURES = Path(__file__).parents[1] / "captures" / "cbc-2.163.0"

NATIVE = ("TaskCreate", "TaskUpdate", "TaskList")


def recorded(name: str) -> list[Frame]:
    lines = (json.loads(line) for line in (CAPTURES / f"{name}.ndjson").read_text(encoding="utf-8").splitlines())
    return [line["msg"] for line in lines if line["dir"] == "out"]


def keys(frame: Frame) -> set[str]:
    """Every path of keys in a frame, but for what belongs to the story told and not to the line's shape."""
    return set(_paths(frame, ""))


STORY = {"input", "tool_input", "trackedFileBackups", "workflow_progress", "modelUsage", "rawResponse"}


def _paths(value: object, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}"
            if key not in STORY:
                yield from _paths(inner, f"{path}.{key}")
    elif isinstance(value, list) and value:
        yield from _paths(value[0], f"{path}[]")


def assert_same_shapes(ours: list[Frame], theirs: list[Frame]) -> None:
    assert [kind_of(frame) for frame in ours] == [kind_of(frame) for frame in theirs]
    for our, their in zip(ours, theirs, strict=True):
        assert keys(our) == keys(their), kind_of(our)


async def play(agent: RawCli, text: str, *, deny: str = "", results: int = 1) -> list[Frame]:
    """Tells a story to its last result, everything approved (or refused with `deny`)."""
    await agent.initialize()
    await agent.say(text)
    while results:
        frame = await agent.read_until(lambda frame: is_permission(frame) or is_result(frame))
        if is_result(frame):
            results -= 1
        elif frame["request"]["tool_name"] == "AskUserQuestion":
            questions = frame["request"]["input"]["questions"]
            await agent.allow(frame, {"questions": questions, "answers": {questions[0]["question"]: "SQLite"}})
        elif deny:
            await agent.deny(frame, deny)
        else:
            await agent.allow(frame)
    return agent.frames


@pytest.mark.parametrize(
    ("capture", "text", "deny", "results"),
    [
        ("hello", "hello", "", 1),
        ("danger", "clean the build cache", "", 1),
        ("denymsg", "clean the build cache", "Not today, use make clean", 1),
        ("question", "ask a question", "", 1),
        ("workflow-held", "run a workflow please", "", 1),
        ("workflow", "background workflow please", "", 2),
    ],
)
async def test_a_story_looks_like_the_recorded_one(
    tmp_path: Path, capture: str, text: str, deny: str, results: int
) -> None:
    async with scripted_agent(tmp_path) as agent:
        ours = await play(agent, text, deny=deny, results=results)
    assert_same_shapes(ours, recorded(capture))


async def test_an_edit_looks_like_the_recorded_one(tmp_path: Path) -> None:
    """But for the tool's own metadata: the recorded edit failed."""
    async with scripted_agent(tmp_path) as agent:
        ours = await play(agent, "edit file please")
    theirs = recorded("edit")
    for frame in theirs:
        if kind_of(frame) == "user/tool_result":
            del frame["message"]["content"][0]["_meta"]
    assert_same_shapes(ours, theirs)


async def test_partial_messages_look_like_the_recorded_ones(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path, "--include-partial-messages") as agent:
        ours = await play(agent, "hello")
    assert_same_shapes(ours, recorded("partial"))


async def test_native_tasks_look_like_the_recorded_ones(tmp_path: Path) -> None:
    """The recorded story makes other calls: each kind of call is compared with its like."""
    async with scripted_agent(tmp_path) as agent:
        await play(agent, "make a plan")
        change = "[计划变更]\n取消：#2 “Rebuild the cache layer”"
        await agent.say(change)
        await agent.read_until(is_result)
        await agent.say("show the plan")
        await agent.read_until(is_result)
    ours, theirs = by_call(agent.frames), by_call(recorded("nativetask"))
    assert set(ours) == {
        ("TaskCreate", None),
        ("TaskUpdate", "in_progress"),
        ("TaskUpdate", "deleted"),
        ("TaskList", None),
    }
    for call, frames in ours.items():
        assert [keys(frame) for frame in frames] == [keys(frame) for frame in theirs[call]], call
        assert [raw_response(f) for f in frames] == [raw_response(f) for f in theirs[call]], call


ERROR_RESULT = {
    *("type", "subtype", "is_error", "uuid", "session_id", "duration_ms", "duration_api_ms", "num_turns"),
    *("total_cost_usd", "usage", "permission_denials", "errors", "errors_info", "modelUsage"),
    *("_requestId", "_meta", "__timestamp"),
}
"""The keys of cbc 2.163.0's result after its provider had refused the request with status 400."""


async def test_an_error_has_the_keys_of_a_real_one(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        *_, said, result = await play(agent, "error")
    assert set(result) == ERROR_RESULT
    assert set(result["errors_info"][0]) == {"status", "code", "details"}
    assert "_messageId" not in said


def by_call(frames: list[Frame]) -> dict[tuple[str, object], list[Frame]]:
    """The last call of each kind with its result."""
    found: dict[tuple[str, object], list[Frame]] = {}
    for use, result in pairwise(frames):
        if kind_of(use) == "assistant/tool_use":
            block = use["message"]["content"][0]
            found[block["name"], block["input"].get("status")] = [use, result]
    return found


def raw_response(frame: Frame) -> set[str]:
    meta = frame["message"]["content"][0].get("_meta", {})
    return set(meta.get("rawResponse", {}))


async def test_interrupting_an_answer_looks_like_the_recorded_one(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.initialize()
        await agent.say("be slow")
        await agent.read_until(of_kind("system/status"))
        await agent.interrupt()
        await agent.read_until(is_result)
    assert_same_shapes(agent.frames, recorded("slowint"))


async def test_interrupting_a_workflow_ends_it_as_recorded(tmp_path: Path) -> None:
    """Compared from the interrupt on: before it the recorded order was a race."""
    async with scripted_agent(tmp_path) as agent:
        await agent.initialize()
        await agent.say("run a workflow")
        await agent.allow(await agent.read_until(is_permission))
        for _ in range(3):
            await agent.read_until(of_kind("system/task_progress"))
        await agent.interrupt()
        await agent.read_until(is_result)
    assert_same_shapes(after_interrupt(agent.frames), after_interrupt(recorded("interrupt")))
    states = [
        (entry["label"], entry["state"])
        for entry in [f for f in agent.frames if f.get("subtype") == "task_progress"][-1]["workflow_progress"]
        if entry["type"] == "workflow_agent"
    ]
    assert states == [("alpha", "error"), ("beta", "error"), ("parallel#0", "error"), ("parallel#1", "error")]


def after_interrupt(frames: list[Frame]) -> list[Frame]:
    acknowledged = [place for place, frame in enumerate(frames) if frame["type"] == "control_response"][-1]
    return frames[acknowledged - 1 :]


async def test_every_line_is_one_that_the_decoder_knows(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await play(agent, "clean the build cache")
        for text in ("make a plan", "error", "run a workflow"):
            await agent.say(text)
            frame = await agent.read_until(lambda frame: is_permission(frame) or is_result(frame))
            if is_permission(frame):
                await agent.allow(frame)
                await agent.read_until(is_result)
    decoded = [decode(json.dumps(frame).encode()) for frame in agent.frames]
    strange = [frame for frame in decoded if isinstance(frame, f.Unknown | f.Malformed)]
    # the real cbc sends this one too, and it means nothing to a bot
    assert {frame.type if isinstance(frame, f.Unknown) else "malformed" for frame in strange} == {
        "file-history-snapshot"
    }
