"""Calls of our own tools in the translator: they become commands, their answers go back, and nothing is asked twice."""

import json
from typing import Any

import pytest

from bossbot.agent.answering import decision_lines
from bossbot.agent.reading import Allow, Deny, McpReply, NotServed, Reading
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.policy import Policy
from bossbot.ids import WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import CBC, CLAUDE, Dialect

SECRET = "xoxb-870000000001-translated"


class Pipe:
    """A connection and a translator, fed as the driver feeds them."""

    def __init__(self, dialect: Dialect = CBC, *, deny: tuple[str, ...] = ()) -> None:
        self._number = 0
        self.connection = Connection(dialect)
        self.translator = Translator(self._mint, Policy.parse((), deny), WorkerId("worker_1"), dialect.name)

    def _mint(self, prefix: str) -> str:
        self._number += 1
        return f"{prefix}_{self._number}"

    def request(self, request_id: str, request: dict[str, Any]) -> Reading:
        line = json.dumps({"type": "control_request", "request_id": request_id, "request": request})
        out = Reading()
        for frame in self.connection.feed(line.encode() + b"\n"):
            reading = self.translator.read(frame, 0.0)
            out.commands += reading.commands
            out.replies += reading.replies
        return out

    def call(self, name: str, arguments: Any, number: int = 1, request_id: str = "") -> Reading:
        params = {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        return self.message(message, request_id or f"m{number}")

    def message(self, message: dict[str, Any], request_id: str, server: str = "boss") -> Reading:
        return self.request(request_id, {"subtype": "mcp_message", "server_name": server, "message": message})

    def decide(self, request_id: str, decided: ev.ApprovalApproved | ev.ApprovalRejected | ev.ApprovalWithdrawn) -> Any:
        """The one line that the decision writes."""
        request = self.translator.pending.pop(request_id)
        [line] = decision_lines(self.connection, self.translator, request, decided)
        response = json.loads(line)["response"]
        assert response["request_id"] == request_id
        return response["response"]["mcp_response"]["result"]


def test_a_plan_becomes_one_command_with_fresh_ids_and_without_secrets() -> None:
    tasks = [{"title": f"Use {SECRET}", "kind": "test", "priority": "high"}, {"title": "B", "depends_on": ["A"]}]
    read = Pipe().call("plan_create", {"objective": "Ship", "tasks": tasks})
    [plan] = read.commands
    assert isinstance(plan, c.CreatePlan)
    assert read.replies == []
    assert plan.request_id == "m1"
    assert plan.objective == "Ship"
    assert SECRET not in repr(plan)
    assert [entry.depends_on for entry in plan.entries] == [(), ("A",)]
    assert len({entry.task_id for entry in plan.entries}) == 2


def test_a_question_waits_with_its_options_and_is_answered_in_words() -> None:
    pipe = Pipe()
    options = [{"label": "SQLite"}, {"label": "PostgreSQL", "description": "a server"}]
    read = pipe.call("ask_user", {"question": "Which?", "options": options, "multi_select": True})
    [asked] = read.commands
    assert isinstance(asked, c.RequestApproval)
    assert asked.kind == "question"
    assert asked.questions[0].multi_select
    assert [o.label for o in asked.questions[0].options] == ["SQLite", "PostgreSQL"]
    answers = {"Which?": "SQLite, PostgreSQL"}
    result = pipe.decide("m1", ev.ApprovalApproved(id="apr_1", actor="x:1", actor_name="Ada", answers=answers))
    assert result == {"content": [{"type": "text", "text": "Ada answered: SQLite, PostgreSQL"}], "isError": False}
    assert pipe.connection.pending == {}


def test_a_question_that_is_withdrawn_or_turned_down_is_an_error_that_says_why() -> None:
    pipe = Pipe()
    pipe.call("ask_user", {"question": "Which?"}, 1)
    pipe.call("ask_user", {"question": "How?"}, 2)
    withdrawn = pipe.decide("m1", ev.ApprovalWithdrawn(id="apr_1", reason="the run was stopped"))
    assert withdrawn["isError"] is True
    assert "the run was stopped" in withdrawn["content"][0]["text"]
    refused = pipe.decide("m2", ev.ApprovalRejected(id="apr_2", actor="x:1", reason="not now"))
    assert refused["isError"] is True
    assert "not now" in refused["content"][0]["text"]


def test_a_question_that_the_agent_takes_back_is_withdrawn_and_its_call_answered() -> None:
    pipe = Pipe()
    pipe.call("ask_user", {"question": "Which?"}, 4)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}
    read = pipe.message(cancel, "m5")
    assert read.commands == [c.WithdrawApproval("m4", "the agent took the question back")]
    replies = {reply.request_id: reply.response for reply in read.replies if isinstance(reply, McpReply)}
    assert set(replies) == {"m4", "m5"}
    assert replies["m4"]["result"]["isError"] is True
    assert pipe.translator.pending == {}


def test_a_call_sent_twice_is_one_command_and_both_are_answered() -> None:
    pipe = Pipe()
    first = pipe.call("report_progress", {"summary": "half"}, 3, "a")
    again = pipe.call("report_progress", {"summary": "half"}, 3, "b")
    same_request = pipe.call("report_progress", {"summary": "half"}, 3, "a")
    assert [type(command) for command in first.commands] == [c.ReportProgress]
    assert again.commands == same_request.commands == []
    answers = pipe.translator.answer_call("a", "Shown.")
    assert [answer.request_id for answer in answers] == ["a", "b"]
    assert pipe.translator.answer_call("a", "Shown.") == []


def test_a_server_that_we_do_not_play_is_not_served() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    [reply] = Pipe().message(message, "m1", server="other").replies
    assert isinstance(reply, NotServed)
    assert "other" in reply.reason


@pytest.mark.parametrize("dialect", [CBC, CLAUDE], ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("tool", ["plan_create", "task_update", "report_progress", "ask_user"])
def test_our_own_tools_ask_nobody_unless_a_rule_denies_them(dialect: Dialect, tool: str) -> None:
    name = f"mcp__boss__{tool}"
    request = {"subtype": "can_use_tool", "tool_name": name, "input": {"x": 1}, "tool_use_id": "t1"}
    [allowed] = Pipe(dialect).request("p1", request).replies
    assert isinstance(allowed, Allow)
    [denied] = Pipe(dialect, deny=(name,)).request("p1", request).replies
    assert isinstance(denied, Deny)


@pytest.mark.parametrize("name", ["mcp__boss__delete_all", "mcp__bosss__plan_create", "plan_create", "mcp__boss__"])
def test_a_tool_that_only_looks_like_ours_asks_a_person(name: str) -> None:
    read = Pipe().request("p1", {"subtype": "can_use_tool", "tool_name": name, "input": {}})
    assert read.replies == []
    assert [type(command) for command in read.commands] == [c.RequestApproval]


def test_a_permission_that_is_withdrawn_is_not_answered() -> None:
    pipe = Pipe()
    pipe.request("p1", {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}})
    request = pipe.translator.pending["p1"]
    assert isinstance(request.request, f.CanUseTool)
    withdrawn = ev.ApprovalWithdrawn(id="apr_1", reason="stopped")
    assert decision_lines(pipe.connection, pipe.translator, request, withdrawn) == []
