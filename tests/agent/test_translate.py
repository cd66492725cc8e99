"""The translator: what a frame means, and that nothing is kept longer than it can be of use."""

import json
from typing import Any

import pytest

from bossbot.agent.background import GRACE_S
from bossbot.agent.permissions import fingerprint
from bossbot.agent.reading import Reading
from bossbot.agent.speech import TEXT_CHARS
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain.policy import Policy
from bossbot.ids import WorkerId
from bossbot.streamjson.decoder import decode

SECRET = "xoxb-870000000001-translated"


class Pipe:
    """A translator that is fed frames as dictionaries."""

    def __init__(self) -> None:
        self._number = 0
        self.translator = Translator(self._mint, Policy(), WorkerId("worker_1"), "cbc", secrets=("hunter2hunter2",))

    def _mint(self, prefix: str) -> str:
        self._number += 1
        return f"{prefix}_{self._number}"

    def read(self, at_s: float = 0.0, **frame: Any) -> Reading:
        return self.translator.read(decode(json.dumps({"session_id": "main", **frame}).encode()), at_s)

    def begins(self, **init: Any) -> None:
        self.read(type="system", subtype="init", tools=["Bash"], **init)
        self.translator.told()

    def fate(self, uuid: str, state: str) -> None:
        self.read(type="command_lifecycle", command_uuid=uuid, state=state)

    def results(self, **result: Any) -> list[c.Command]:
        return self.read(type="result", **{"subtype": "success", **result}).commands

    def calls(self, tool_use_id: str, command: str = "ls", **frame: Any) -> Reading:
        block = {"type": "tool_use", "id": tool_use_id, "name": "Bash", "input": {"command": command}}
        return self.read(type="assistant", message={"role": "assistant", "content": [block]}, **frame)

    def ends(self, tool_use_id: str, *, is_error: bool = False, **frame: Any) -> Reading:
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": "ok", "is_error": is_error}
        return self.read(type="user", message={"role": "user", "content": [block]}, **frame)


@pytest.fixture
def pipe() -> Pipe:
    pipe = Pipe()
    pipe.begins()
    return pipe


@pytest.mark.parametrize(
    ("is_error", "frame"),
    [(False, {}), (True, {}), (False, {"parent_tool_use_id": "t0"}), (True, {"session_id": "of a sub-agent"})],
)
def test_what_a_tool_was_given_is_kept_until_its_end_and_no_longer(
    pipe: Pipe, is_error: bool, frame: dict[str, str]
) -> None:
    pipe.calls("t1", "x" * 100_000, **frame)
    assert pipe.translator.open_calls == {"t1"}
    pipe.ends("t1", is_error=is_error, **frame)
    assert pipe.translator.open_calls == frozenset()


def test_a_call_that_is_told_no_result_is_over_with_its_turn(pipe: Pipe) -> None:
    """cbc tells none of what ran beside a call that was denied. A sub-agent in the background works on."""
    pipe.calls("t1", "x" * 100_000)
    pipe.calls("t2", parent_tool_use_id="t0")
    pipe.results()
    assert pipe.translator.open_calls == {"t2"}
    pipe.ends("t2", parent_tool_use_id="t0")
    assert pipe.translator.open_calls == frozenset()


def test_no_call_outlives_a_stop(pipe: Pipe) -> None:
    pipe.calls("t1")
    pipe.calls("t2", parent_tool_use_id="t1")
    pipe.results(terminal_reason="aborted_tools")
    assert pipe.translator.open_calls == frozenset()


def test_a_call_that_is_told_after_its_request_is_announced_once(pipe: Pipe) -> None:
    asked = pipe.read(
        type="control_request",
        request_id="r1",
        request={"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t1"},
    )
    assert [type(command) for command in asked.commands] == [c.RequestApproval]
    ended = pipe.ends("t1")
    assert [type(command) for command in ended.commands] == [c.RequestToolCall, c.FinishToolCall]
    assert pipe.calls("t1").commands == []


def test_no_secret_leaves_the_translator(pipe: Pipe) -> None:
    said = pipe.calls("t1", f"curl -H 'X: {SECRET}' -d hunter2hunter2")
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": f"echo {SECRET} hunter2hunter2"}}
    asked = pipe.read(type="control_request", request_id="r1", request=request)
    block = {"type": "text", "text": f"The token is {SECRET}."}
    text = pipe.read(type="assistant", message={"role": "assistant", "content": [block]})
    result = pipe.read(type="result", subtype="error", is_error=True, errors=[SECRET], result="hunter2hunter2")
    told = repr([*said.commands, *asked.commands, *text.commands, *result.commands])
    assert "[redacted]" in told
    assert SECRET not in told
    assert "hunter2hunter2" not in told


def test_a_request_taken_back_can_no_longer_be_answered(pipe: Pipe) -> None:
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}}
    pipe.read(type="control_request", request_id="r1", request=request)
    assert set(pipe.translator.pending) == {"r1"}
    taken_back = pipe.read(type="control_cancel_request", request_id="r1")
    assert pipe.translator.pending == {}
    assert [type(command) for command in taken_back.commands] == [c.WithdrawApproval]


@pytest.mark.parametrize(
    "request_body",
    [{"subtype": "unheard_of"}, {"subtype": "mcp_message", "server_name": "x", "message": {}}, {}, 7, None],
)
def test_a_request_that_is_not_served_is_answered_and_asks_nobody(pipe: Pipe, request_body: object) -> None:
    read = pipe.read(type="control_request", request_id="r1", request=request_body)
    assert [type(reply).__name__ for reply in read.replies] == ["NotServed"]
    assert read.commands == []


@pytest.mark.parametrize("given", [{}, {"questions": 7}, {"questions": [{"options": []}]}])
def test_a_question_that_nobody_could_answer_is_sent_back(pipe: Pipe, given: dict[str, object]) -> None:
    request = {"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": given}
    read = pipe.read(type="control_request", request_id="r1", request=request)
    assert [type(reply).__name__ for reply in read.replies] == ["Deny"]
    assert read.commands == []
    assert pipe.translator.pending == {}


def test_late_progress_of_an_ended_task_is_taken_for_a_moment_only(pipe: Pipe) -> None:
    task: dict[str, Any] = {"task_id": "b1", "type": "system"}
    pipe.read(subtype="task_started", task_type="local_workflow", description="W", **task)
    pipe.read(at_s=10.0, subtype="task_notification", status="completed", **task)
    progress = {"subtype": "task_progress", "description": "late", **task}
    assert len(pipe.read(at_s=10.0 + GRACE_S, **progress).commands) == 1
    assert pipe.read(at_s=10.1 + GRACE_S, **progress).commands == []


def test_the_words_about_a_call_do_not_make_it_another_call() -> None:
    one = fingerprint("Bash", {"command": "ls", "description": "look"})
    assert one == fingerprint("Bash", {"description": "look around", "command": "ls"})
    assert one != fingerprint("Bash", {"command": "ls", "timeout": 5})
    assert one != fingerprint("PowerShell", {"command": "ls"})


def test_a_description_that_a_tool_is_given_is_part_of_what_was_allowed() -> None:
    issue = {"title": "Fix", "description": "the retry loop"}
    assert fingerprint("mcp__tracker__create", issue) != fingerprint(
        "mcp__tracker__create", {**issue, "description": "@everyone look here"}
    )


def test_a_text_that_nobody_could_read_is_cut_and_says_so(pipe: Pipe) -> None:
    block = {"type": "text", "text": "x" * (TEXT_CHARS + 5)}
    [said] = pipe.read(type="assistant", message={"role": "assistant", "content": [block]}).commands
    assert isinstance(said, c.AddManagerText)
    end = f"\n\n… (cut here: {TEXT_CHARS + 5} characters in all)"
    assert said.content == "x" * (TEXT_CHARS - len(end)) + end


KNOWN = "hunter2hunter2"
SHOWN_OF_A_SECRET = [part[:size] for part in (KNOWN, SECRET.removeprefix("xoxb-")) for size in (6, 9)]


def half_told(command: c.Command) -> bool:
    return any(part in repr(command) for part in SHOWN_OF_A_SECRET)


@pytest.mark.parametrize("secret", [KNOWN, SECRET])
@pytest.mark.parametrize("before", [*range(280, 300, 3), *range(1_960, 2_000, 3)])
def test_no_secret_is_cut_in_half_where_a_preview_ends(pipe: Pipe, secret: str, before: int) -> None:
    text = "x " * (before // 2) + secret + " and more" * 400
    [called] = pipe.calls("t1", text).commands
    assert isinstance(called, c.RequestToolCall)
    assert len(called.input_preview) <= 300
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    ended = pipe.read(type="user", message={"role": "user", "content": [block]})
    [finished] = ended.commands
    assert isinstance(finished, c.FinishToolCall)
    assert len(finished.output_preview) <= 2_000
    assert not half_told(called)
    assert not half_told(finished)
    assert not any(part in output.name for output in ended.outputs for part in SHOWN_OF_A_SECRET)


def test_no_secret_is_cut_in_half_where_a_text_ends_that_is_full_of_them(pipe: Pipe) -> None:
    """What is taken out makes the rest move up, and with it the end of what was looked at."""
    text = f"{SECRET} {KNOWN} " * 3_000
    [said] = pipe.read(
        type="assistant", message={"role": "assistant", "content": [{"type": "text", "text": text}]}
    ).commands
    assert isinstance(said, c.AddManagerText)
    assert len(said.content) > 10_000
    assert not half_told(said)


@pytest.mark.parametrize("before", range(90, 116, 3))
def test_no_secret_is_cut_in_half_where_a_summary_ends(pipe: Pipe, before: int) -> None:
    command = "echo " + "x " * (before // 2) + f"{SECRET} {KNOWN}" + " and more" * 20
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": command}}
    [asked] = pipe.read(type="control_request", request_id="r1", request=request).commands
    assert isinstance(asked, c.RequestApproval)
    assert asked.summary.startswith("Run echo x")
    assert asked.summary.endswith("…")
    assert not half_told(asked)


def test_a_turn_lasts_until_the_message_that_joined_it_too_late_is_answered() -> None:
    pipe = Pipe()
    pipe.begins(capabilities=["msg_lifecycle_v1"])
    pipe.translator.joined("u1")
    pipe.fate("u1", "queued")
    assert pipe.results() == []
    pipe.fate("u1", "started")
    said = pipe.read(type="assistant", message={"role": "assistant", "content": [{"type": "text", "text": "That too"}]})
    assert [type(command) for command in said.commands] == [c.AddManagerText]
    assert [type(command) for command in pipe.results()] == [c.EndTurn]


@pytest.mark.parametrize("state", ["started", "completed", "cancelled", "discarded", "a word of tomorrow"])
def test_a_turn_ends_with_its_result_when_its_message_was_read_or_is_gone(state: str) -> None:
    pipe = Pipe()
    pipe.begins(capabilities=["msg_lifecycle_v1"])
    pipe.translator.joined("u1")
    pipe.fate("u1", state)
    assert [type(command) for command in pipe.results()] == [c.EndTurn]


@pytest.mark.parametrize(
    ("init", "result"),
    [
        ({}, {}),
        ({"capabilities": 7}, {}),
        ({"capabilities": ["msg_lifecycle_v1"]}, {"subtype": "error_during_execution", "is_error": True}),
        ({"capabilities": ["msg_lifecycle_v1"]}, {"terminal_reason": "aborted_streaming"}),
    ],
)
def test_nobody_waits_for_a_message_whose_fate_is_not_told_or_whose_turn_failed(
    init: dict[str, Any], result: dict[str, Any]
) -> None:
    pipe = Pipe()
    pipe.begins(**init)
    pipe.translator.joined("u1")
    assert [type(command) for command in pipe.results(**result)] == [c.EndTurn]


def test_a_message_that_is_never_taken_up_holds_nobody_up() -> None:
    pipe = Pipe()
    pipe.begins(capabilities=["msg_lifecycle_v1"])
    pipe.translator.joined("u1")
    assert pipe.results() == []
    assert pipe.translator.turn == "due"
    assert [type(command) for command in pipe.translator.give_up_own_turn()] == [c.EndTurn]
    pipe.translator.told()
    assert [type(command) for command in pipe.results()] == [c.EndTurn]
