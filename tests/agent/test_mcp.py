"""Our tool server on the wire: the protocol's own messages, and every wrong one answered as what it is."""

from typing import Any

import pytest

from bossbot.agent.mcp import NOTED, REMEMBERED_CALLS, VERSIONS, Answer, BossServer, Call, Cancelled
from bossbot.agent.own_tools import AskUser, PlanCreate

ASK = {"name": "ask_user", "arguments": {"question": "Which one?"}}


def rpc(method: str, params: Any = None, rpc_id: Any = 1) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "id": rpc_id}
    return message if params is None else {**message, "params": params}


def answered(server: BossServer, message: dict[str, Any], request_id: str = "r1") -> dict[str, Any]:
    answer = server.read(request_id, message)
    assert isinstance(answer, Answer)
    assert answer.request_id == request_id
    return answer.response


@pytest.mark.parametrize(
    ("asked", "given"), [(VERSIONS[1], VERSIONS[1]), ("1999-01-01", VERSIONS[0]), (7, VERSIONS[0])]
)
def test_the_server_says_who_it_is_in_a_version_that_it_knows(asked: object, given: str) -> None:
    result = answered(BossServer(), rpc("initialize", {"protocolVersion": asked}, 0))["result"]
    assert result["protocolVersion"] == given
    assert result["serverInfo"]["name"] == "boss"
    assert "tools" in result["capabilities"]


def test_four_tools_are_offered_with_schemas_that_need_no_reference() -> None:
    tools = answered(BossServer(), rpc("tools/list"))["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["plan_create", "task_update", "report_progress", "ask_user"]
    plan = tools[0]["inputSchema"]
    assert plan["properties"]["tasks"]["items"]["properties"]["title"]["type"] == "string"
    assert plan["required"] == ["tasks"]
    assert "$ref" not in repr(tools)
    assert all(len(tool["description"]) > 80 for tool in tools)


def test_a_ping_is_answered_and_a_notification_is_acknowledged_without_an_id() -> None:
    assert answered(BossServer(), rpc("ping"))["result"] == {}
    assert answered(BossServer(), {"jsonrpc": "2.0", "method": "notifications/initialized"}) == NOTED


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (rpc("tools/forget"), -32601),
        (rpc("tools/call", {"name": "rm", "arguments": {}}), -32602),
        (rpc("tools/call", {"name": ["plan_create"]}), -32602),
        (rpc("tools/call", {}), -32602),
        (rpc("tools/call", [1]), -32602),
        (rpc("ping", rpc_id=True), -32600),
        (rpc("ping", rpc_id={}), -32600),
        ({"method": "ping", "id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, -32600),
        ({}, -32600),
    ],
)
def test_what_is_no_request_of_ours_is_an_error_with_its_code(message: dict[str, Any], code: int) -> None:
    response = answered(BossServer(), message)
    assert response["error"]["code"] == code
    assert response["jsonrpc"] == "2.0"
    assert "id" in response


@pytest.mark.parametrize(
    ("name", "arguments", "place"),
    [
        ("plan_create", {}, "tasks"),
        ("plan_create", {"tasks": []}, "tasks"),
        ("plan_create", {"tasks": [{"title": "  "}]}, "tasks[0].title"),
        ("plan_create", {"tasks": [{"title": "a", "priority": "urgent"}]}, "tasks[0].priority"),
        ("plan_create", {"tasks": [{"title": "a"}] * 51}, "tasks"),
        ("plan_create", {"tasks": [{"title": "x" * 201}]}, "tasks[0].title"),
        ("task_update", {"task": "a", "status": "done"}, "status"),
        ("task_update", {"task": "a", "progress_percent": 101}, "progress_percent"),
        ("report_progress", {"summary": "x", "mood": "fine"}, "mood"),
        ("ask_user", {"question": ""}, "question"),
        ("ask_user", "which?", "arguments"),
        ("ask_user", None, "arguments"),
    ],
)
def test_arguments_that_do_not_fit_are_told_to_the_model_with_their_place(
    name: str, arguments: object, place: str
) -> None:
    result = answered(BossServer(), rpc("tools/call", {"name": name, "arguments": arguments}))["result"]
    assert result["isError"] is True
    assert f"{place}:" in result["content"][0]["text"]


def test_a_call_waits_for_its_answer_and_has_one() -> None:
    server = BossServer()
    call = server.read("r1", rpc("tools/call", {"name": "plan_create", "arguments": {"tasks": [{"title": "Look"}]}}))
    assert isinstance(call, Call)
    assert isinstance(call.arguments, PlanCreate)
    assert call.arguments.tasks[0].title == "Look"
    [answer] = server.answer("r1", "It stands.")
    assert answer.request_id == "r1"
    assert answer.response["result"]["content"] == [{"type": "text", "text": "It stands."}]
    assert answer.response["result"]["isError"] is False
    assert server.answer("r1", "Again.") == []


def test_a_call_that_is_sent_again_happens_once_and_is_answered_alike() -> None:
    server = BossServer()
    assert isinstance(server.read("r1", rpc("tools/call", ASK, 7)), Call)
    assert server.read("r2", rpc("tools/call", ASK, 7)) is None
    first, second = server.answer("r1", "The red one.")
    assert (first.request_id, second.request_id) == ("r1", "r2")
    assert first.response == second.response
    assert answered(server, rpc("tools/call", ASK, 7), "r3") == first.response


def test_another_call_under_an_id_that_waits_is_refused_and_hurts_no_one() -> None:
    server = BossServer()
    server.read("r1", rpc("tools/call", ASK, 7))
    other = answered(server, rpc("tools/call", {"name": "ask_user", "arguments": {"question": "How?"}}, 7), "r2")
    assert other["error"]["code"] == -32600
    assert [answer.request_id for answer in server.answer("r1", "So.")] == ["r1"]


def test_a_number_and_the_same_number_as_a_text_are_two_ids() -> None:
    server = BossServer()
    assert isinstance(server.read("r1", rpc("tools/call", ASK, 7)), Call)
    assert isinstance(server.read("r2", rpc("tools/call", ASK, "7")), Call)


def test_a_call_taken_back_is_named_and_the_notification_is_acknowledged() -> None:
    server = BossServer()
    server.read("r1", rpc("tools/call", ASK, 7))
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7, "reason": "abort"}}
    assert server.read("r2", cancel) == Cancelled("r1", Answer("r2", NOTED))
    server.answer("r1", "cancelled", is_error=True)
    assert answered(server, cancel, "r3") == NOTED
    unknowns: list[dict[str, Any] | None] = [{"requestId": 99}, {"requestId": []}, {}, None]
    for unknown in unknowns:
        assert answered(server, {**cancel, "params": unknown}, "r4") == NOTED


def test_answers_are_remembered_within_a_bound_and_what_waits_is_never_forgotten() -> None:
    server = BossServer()
    server.read("first", rpc("tools/call", ASK, "first"))
    for number in range(REMEMBERED_CALLS * 2):
        call = server.read(f"r{number}", rpc("tools/call", ASK, number))
        assert isinstance(call, Call)
        assert isinstance(call.arguments, AskUser)
        server.answer(f"r{number}", "so")
    assert isinstance(server.read("again", rpc("tools/call", ASK, 0)), Call)
    assert isinstance(server.read("again2", rpc("tools/call", ASK, REMEMBERED_CALLS * 2 - 1)), Answer)
    assert [answer.request_id for answer in server.answer("first", "at last")] == ["first"]
