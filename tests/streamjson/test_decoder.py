"""Every line becomes a frame: recorded ones without loss, new kinds as unknown, broken ones as malformed."""

import hashlib
import json
import typing
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode, oversize
from bossbot.streamjson.framing import Oversize
from tests.streamjson.recorded import ALL, LINES, Recording, cbc, claude, compact

KINDS = typing.get_args(f.AnyFrame)
F = TypeVar("F", bound=f.Frame)


def of_type(kind: type[F], recording: Recording) -> list[F]:
    return [frame for frame in map(decode, recording.lines) if isinstance(frame, kind)]


def only(kind: type[F], line: bytes) -> F:
    frame = decode(line)
    assert isinstance(frame, kind), frame
    return frame


# --- what was recorded ---


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: recording.name)
def test_every_recorded_line_is_read_and_nothing_of_it_is_lost(recording: Recording) -> None:
    for line in recording.lines:
        frame = decode(line)
        assert not isinstance(frame, f.Malformed)
        if isinstance(frame, f.ControlResponse):
            assert frame.raw == compact(without_account(json.loads(line)))
        else:
            assert frame.raw == line
            assert frame.document() == json.loads(line)


def without_account(document: dict[str, Any]) -> dict[str, Any]:
    answer = document["response"].get("response", {})
    if "account" in answer:
        answer["account"] = {}
    return document


def test_the_order_of_keys_makes_no_difference() -> None:
    for line in LINES:
        straight, turned = decode(line), decode(compact(dict(reversed(json.loads(line).items()))))
        assert type(turned) is type(straight)
        assert turned.document() == straight.document()


def test_only_kinds_that_mean_nothing_to_us_are_unknown() -> None:
    unknown = {(frame.type, frame.subtype) for frame in map(decode, LINES) if isinstance(frame, f.Unknown)}
    assert unknown == {("file-history-snapshot", None), ("system", "thinking_tokens")}


def test_named_fields_are_typed_and_the_others_retrievable() -> None:
    init = of_type(f.SystemInit, claude("hello"))[0]
    assert init.cwd == "/srv/demo"
    assert init.claude_code_version == "2.1.220"
    assert "Bash" in init.tools
    assert init.extra()["memory_paths"]["auto"]
    assert "cwd" not in init.extra()


def test_a_permission_request_carries_its_input_and_suggestions() -> None:
    (request,) = of_type(f.ControlRequest, claude("danger"))
    assert isinstance(request.request, f.CanUseTool)
    assert request.request.tool_name == "Bash"
    assert request.request.input["command"] == "rm -rf build-cache"
    assert request.request.permission_suggestions is not None
    assert request.request.permission_suggestions[0]["type"] == "addRules"
    (cbcs,) = of_type(f.ControlRequest, cbc("danger"))
    assert isinstance(cbcs.request, f.CanUseTool)
    assert cbcs.request.permission_suggestions is None


def test_a_tool_result_reads_the_same_in_both_dialects() -> None:
    (ours,) = of_type(f.User, cbc("danger"))
    (theirs,) = of_type(f.User, claude("danger"))
    (our_block,) = ours.message.blocks
    (their_block,) = theirs.message.blocks
    assert isinstance(our_block, f.ToolResultBlock)
    assert isinstance(their_block, f.ToolResultBlock)
    assert our_block.text.startswith("Command: rm -rf build-cache")
    assert our_block.raw_response["exitCode"] == 0
    assert their_block.text == "(Bash completed with no output)"
    assert theirs.tool_use_result["interrupted"] is False
    assert their_block.raw_response is None
    assert ours.tool_use_result is None


def test_a_workflow_snapshot_is_a_timeline_of_phases_and_agents() -> None:
    last = of_type(f.TaskProgress, cbc("interrupt"))[-1]
    assert last.workflow_progress is not None
    phase, alpha, *_ = last.workflow_progress
    assert phase == f.WorkflowPhase(1, "Gather")
    assert isinstance(alpha, f.WorkflowAgent)
    assert (alpha.label, alpha.state, alpha.phase_index) == ("alpha", "error", 1)


def test_a_result_tells_how_the_turn_ended() -> None:
    (interrupted,) = of_type(f.Result, claude("interrupt"))
    assert interrupted.is_error
    assert interrupted.terminal_reason == "aborted_streaming"
    assert interrupted.errors is not None
    own = of_type(f.Result, claude("workflow"))[-1]
    assert own.origin == f.Origin("task-notification")
    assert own.usage is not None
    assert own.usage.input_tokens


def test_an_answer_being_written_comes_in_parts() -> None:
    text = "".join(part.text for part in of_type(f.StreamEvent, claude("partial")))
    (whole,) = of_type(f.Assistant, claude("partial"))
    assert text == whole.message.text


# --- what is new ---


@pytest.mark.parametrize(
    ("line", "kind", "subtype"),
    [
        (b'{"type":"brand_new","x":1}', "brand_new", None),
        (b'{"type":"system","subtype":"brand_new","x":1}', "system", "brand_new"),
        (b'{"type":"system","x":1}', "system", None),
        (b'{"x":1,"type":"keep_alive"}', "keep_alive", None),
    ],
)
def test_new_kinds_of_lines_are_unknown_not_wrong(line: bytes, kind: str, subtype: str | None) -> None:
    frame = only(f.Unknown, line)
    assert (frame.type, frame.subtype, frame.raw) == (kind, subtype, line)


def test_a_new_status_or_state_is_only_a_word() -> None:
    ended = b'{"type":"system","subtype":"task_notification","task_id":"t","status":"evaporated"}'
    assert only(f.TaskNotification, ended).status == "evaporated"
    assert (
        only(f.TaskUpdated, b'{"type":"system","subtype":"task_updated","task_id":"t","patch":{}}').patch.status is None
    )


def test_a_new_timeline_entry_costs_no_other_entry() -> None:
    entries = [
        {"type": "workflow_phase", "index": 1, "title": "Gather"},
        {"type": "workflow_gate", "index": 1, "needs": ["a"]},
        {"type": "workflow_agent", "index": "one", "state": "start"},
        {"type": "workflow_agent", "index": 2, "state": "cached", "label": "beta"},
    ]
    progress = {"type": "system", "subtype": "task_progress", "task_id": "t", "workflow_progress": entries}
    frame = only(f.TaskProgress, compact(progress))
    assert frame.workflow_progress == (
        f.WorkflowPhase(1, "Gather"),
        f.UnknownEntry("workflow_gate", compact(entries[1])),
        f.UnknownEntry("workflow_agent", compact(entries[2])),
        f.WorkflowAgent(2, state="cached", label="beta"),
    )
    assert frame.raw == compact(progress)


def test_a_new_content_block_costs_no_other_block() -> None:
    hologram = {"type": "hologram", "data": [1]}
    content = [{"type": "text", "text": "see"}, hologram, {"type": "tool_use", "id": "c", "name": "Bash", "input": {}}]
    line = compact({"type": "assistant", "message": {"id": "m", "content": content}, "parent_tool_use_id": "p"})
    frame = only(f.Assistant, line)
    assert frame.message.id == "m"
    assert frame.parent_tool_use_id == "p"
    assert frame.message.content == (
        f.TextBlock("see"),
        f.UnknownBlock("hologram", compact(hologram)),
        f.ToolUseBlock("c", "Bash", {}),
    )


def test_a_message_may_be_a_plain_text() -> None:
    frame = only(f.User, b'{"type":"user","message":{"role":"user","content":"hello"}}')
    assert frame.message.blocks == (f.TextBlock("hello"),)


def test_a_request_of_a_new_kind_can_be_refused_by_its_id() -> None:
    frame = only(f.ControlRequest, b'{"type":"control_request","request_id":"r","request":{"subtype":"hook","x":1}}')
    assert frame.request_id == "r"
    assert frame.request == f.UnknownRequest("hook", b'{"subtype":"hook","x":1}')


def test_a_misshapen_permission_request_is_malformed_but_can_be_refused_by_its_id() -> None:
    """Read as far as it goes, it might be approved without anybody knowing what it asks."""
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": "rm -rf /"}
    frame = only(f.Malformed, compact({"type": "control_request", "request_id": "r", "request": request}))
    assert (frame.type, frame.request_id) == ("control_request", "r")
    assert "input" in frame.reason


# --- what is nearly right ---


def test_half_an_emoji_costs_one_character_and_not_the_frame() -> None:
    """JavaScript cuts previews between the halves of a surrogate pair, and escapes what is left."""
    line = (
        b'{"type":"assistant","message":{"content":[{"type":"text","text":"ok \\ud83d end \\ud83d\\ude00 \\\\ud83d"}]}}'
    )
    frame = only(f.Assistant, line)
    assert frame.message.text == "ok \ufffd end \U0001f600 \\ud83d"
    assert frame.raw == line
    assert frame.document()["message"]["content"][0]["text"] == frame.message.text


def test_half_an_emoji_beside_an_unknown_block_costs_neither() -> None:
    line = b'{"type":"assistant","message":{"content":[{"type":"new"},{"type":"text","text":"a\\udc00"}]}}'
    assert only(f.Assistant, line).message.text == "a\ufffd"


# --- what is wrong ---


def test_a_line_that_is_no_utf8_is_named_and_keeps_its_length_hash_and_head() -> None:
    line = b'{"type":"assistant","message":{"content":[{"type":"text","text":"caf\xe9"}]}}'
    frame = only(f.Malformed, line)
    assert (frame.reason, frame.type) == (f"not UTF-8: byte {line.index(0xE9)}", "assistant")
    assert (frame.length, frame.sha256) == (len(line), hashlib.sha256(line).hexdigest())
    assert frame.head.startswith('{"type":"assistant"')


def test_a_request_that_is_no_utf8_can_still_be_refused() -> None:
    """What a person would approve is not what was written."""
    line = b'{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"\xff"}}'
    frame = only(f.Malformed, line)
    assert (frame.type, frame.request_id) == ("control_request", "r")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"Segmentation fault", "not JSON"),
        (b'{"type":"assistant","message":{"content":[{"type":"text","text":"cut of', "not JSON"),
        (b'{"type":"result","subtype":"success"} {"type":"result"}', "not JSON"),
        (b"[1,2]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"{}", "missing required field `type`"),
        (b'{"type":5}', "Expected `str`"),
        (b'{"type":"assistant"}', "missing required field `message`"),
        (b'{"type":"result","subtype":"success","is_error":"no"}', "Expected `bool`"),
        (b'{"type":"system","subtype":"init"}', "missing required field `session_id`"),
        (b'{"type":"system","subtype":"task_updated","task_id":"t","patch":[]}', "Expected `object`"),
        (b"[" * 100_000, "Expected `object`"),
        (b'{"type":"user","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"type":"result","subtype":"s","duration_ms":1e999}', "out of range"),
    ],
)
def test_a_line_that_cannot_be_read_is_malformed_and_says_why(line: bytes, reason: str) -> None:
    frame = only(f.Malformed, line)
    assert reason in frame.reason
    assert frame.length == len(line)
    assert frame.sha256 == hashlib.sha256(line).hexdigest()
    assert frame.raw == b""
    assert len(frame.head) <= 160


def test_a_line_above_the_bound_is_malformed_and_tells_its_size() -> None:
    frame = oversize(Oversize(70_000_000, "ab" * 32, b'{"type":"user","message":{', 67_108_864))
    assert (frame.length, frame.sha256) == (70_000_000, "ab" * 32)
    assert "70000000" in frame.reason
    assert frame.head == '{"type":"user","message":{'


def test_a_crash_message_on_stdout_stays_readable() -> None:
    assert only(f.Malformed, b"Error: Cannot find module").head == "Error: Cannot find module"


# --- whatever comes ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        "type", "subtype", "message", "content", "request", "request_id", "response", "workflow_progress", "task_id",
        "event", "patch", "input", "tool_name", "session_id", "error", "is_error", "usage", "(raw)", "account", "id",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    [
        "system", "assistant", "user", "result", "control_request", "control_response", "control_cancel_request",
        "stream_event", "init", "error", "status", "task_progress", "task_updated", "can_use_tool", "mcp_message",
        "text", "tool_use", "tool_result", "workflow_phase", "workflow_agent", "success", "(unknown)",
    ]
)  # fmt: skip
SHAPED = st.recursive(
    WORDS | JSON,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=15,
)


@given(st.dictionaries(NAMES, SHAPED, min_size=1))
def test_any_json_object_is_some_frame(document: dict[str, Any]) -> None:
    frame = decode(json.dumps(document).encode())
    assert isinstance(frame, KINDS)
    assert isinstance(frame.extra(), dict)


@given(st.binary(max_size=200))
def test_any_bytes_are_some_frame(line: bytes) -> None:
    assert isinstance(decode(line), KINDS)


@given(st.sampled_from(LINES), st.integers(0, 5000), st.integers(0, 5000), st.binary(max_size=3))
def test_a_damaged_recorded_line_is_some_frame(line: bytes, start: int, length: int, instead: bytes) -> None:
    start %= len(line)
    assert isinstance(decode(line[:start] + instead + line[start + length % 50 :]), KINDS)
