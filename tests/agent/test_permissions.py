"""What the rules decide is recorded without secrets; a question is shown without them and answered in its own words."""

import json
from itertools import count
from typing import Any

import pytest

from bossbot.agent.answering import decision_lines
from bossbot.agent.reading import Allow, Deny, Reading
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.policy import Policy
from bossbot.ids import WorkerId
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import CBC

TOKEN = "hunter2hunter2"


class Pipe:
    """One agent's pipe: requests in, answers out."""

    def __init__(self, *, allow: tuple[str, ...] = (), deny: tuple[str, ...] = ()) -> None:
        numbers = count(1)
        policy = Policy.parse(allow, deny)
        self.connection = Connection(CBC)
        self.translator = Translator(
            lambda prefix: f"{prefix}_{next(numbers)}", policy, WorkerId("w"), "cbc", secrets=(TOKEN,)
        )

    def asks(self, tool: str, tool_input: dict[str, Any]) -> Reading:
        request = {"subtype": "can_use_tool", "tool_name": tool, "input": tool_input, "tool_use_id": "tu_1"}
        line = json.dumps({"type": "control_request", "request_id": "req_1", "request": request}).encode() + b"\n"
        [frame] = self.connection.feed(line)
        return self.translator.read(frame, 0.0)


@pytest.mark.parametrize(
    ("rules", "ruling", "reply"),
    [({"allow": ("Bash(curl *)",)}, "allow", Allow), ({"deny": ("Bash(curl *)",)}, "deny", Deny)],
)
def test_what_the_rules_decide_is_recorded_without_secrets(
    rules: dict[str, tuple[str, ...]], ruling: str, reply: type[Allow | Deny]
) -> None:
    reading = Pipe(**rules).asks("Bash", {"command": f"curl -H 'X-Key: {TOKEN}' http://127.0.0.1:1/"})
    assert [type(r) for r in reading.replies] == [reply]
    [recorded] = reading.commands
    assert isinstance(recorded, c.RecordRuling)
    assert (recorded.tool, recorded.ruling, recorded.tool_use_id) == ("Bash", ruling, "tu_1")
    assert "curl" in recorded.detail
    assert TOKEN not in recorded.detail + recorded.summary


def test_of_a_large_call_only_the_beginning_is_recorded() -> None:
    reading = Pipe(allow=("Write",)).asks("Write", {"file_path": "x", "content": "y" * 100_000})
    [recorded] = reading.commands
    assert isinstance(recorded, c.RecordRuling)
    assert len(recorded.detail) == 2_000


def test_a_question_shows_no_secret_and_its_answer_is_told_in_the_agents_own_words() -> None:
    pipe = Pipe()
    question = {
        "question": f"Use {TOKEN}?",
        "header": "Key",
        "options": [{"label": f"Yes, {TOKEN}", "description": f"with {TOKEN}"}, {"label": "No", "description": ""}],
    }
    [asked] = pipe.asks("AskUserQuestion", {"questions": [question]}).commands
    assert isinstance(asked, c.RequestApproval)
    assert TOKEN not in repr(asked)
    [shown] = asked.questions
    answers = {shown.question: shown.options[0].label}
    approved = ev.ApprovalApproved(id=asked.approval_id, actor="chat:1", answers=answers)
    [line] = decision_lines(pipe.connection, pipe.translator, pipe.translator.pending["req_1"], approved)
    told = json.loads(line)["response"]["response"]["updatedInput"]["answers"]
    assert told == {f"Use {TOKEN}?": f"Yes, {TOKEN}"}


def test_a_question_without_secrets_is_told_as_it_was_answered() -> None:
    pipe = Pipe()
    question = {"question": "Which?", "header": "", "options": [{"label": "a"}, {"label": "b, c"}], "multiSelect": True}
    [asked] = pipe.asks("AskUserQuestion", {"questions": [question]}).commands
    assert isinstance(asked, c.RequestApproval)
    approved = ev.ApprovalApproved(id=asked.approval_id, actor="chat:1", answers={"Which?": "a, b, c"})
    [line] = decision_lines(pipe.connection, pipe.translator, pipe.translator.pending["req_1"], approved)
    assert json.loads(line)["response"]["response"]["updatedInput"]["answers"] == {"Which?": "a, b, c"}


def through_another(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    """How cbc calls a tool that it did not show the model at once."""
    return {"toolName": tool, "params": given}


@pytest.mark.parametrize(
    ("rules", "reply"),
    [
        ({"deny": ("mcp__hub__delete_repo",)}, Deny),
        ({"deny": ("DeferExecuteTool",), "allow": ("mcp__hub__delete_repo",)}, Deny),
        ({"allow": ("mcp__hub__delete_repo",)}, Allow),
    ],
)
def test_the_rules_read_of_the_tool_that_runs_and_not_of_the_one_it_is_called_through(
    rules: dict[str, tuple[str, ...]], reply: type[Allow | Deny]
) -> None:
    asked = Pipe(**rules).asks("DeferExecuteTool", through_another("mcp__hub__delete_repo", {"name": "x"}))
    assert [type(each) for each in asked.replies] == [reply]
    [recorded] = asked.commands
    assert isinstance(recorded, c.RecordRuling)
    assert recorded.tool == "mcp__hub__delete_repo"


def test_who_is_asked_sees_the_tool_that_runs_and_it_runs_as_it_was_called() -> None:
    pipe = Pipe(allow=("DeferExecuteTool",))  # allows no other tool
    called = through_another("Monitor", {"command": "rm -rf cache", "description": "watch"})
    [asked] = pipe.asks("DeferExecuteTool", called).commands
    assert isinstance(asked, c.RequestApproval)
    assert (asked.tool, asked.kind, asked.detail) == ("Monitor", "dangerous_command", "rm -rf cache")
    assert asked.risks == ("deletes files",)
    approved = ev.ApprovalApproved(id=asked.approval_id, actor="chat:1")
    [line] = decision_lines(pipe.connection, pipe.translator, pipe.translator.pending["req_1"], approved)
    assert json.loads(line)["response"]["response"]["updatedInput"] == called
