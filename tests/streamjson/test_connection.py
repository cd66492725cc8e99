"""What the two sides of the pipe owe each other: requests and answers, turns, and which session is the main one."""

import json
from typing import Any

import pytest

from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import CBC, CLAUDE, DIALECTS, Dialect, MidTurn, SessionAllow
from bossbot.streamjson.errors import NotPendingError, ProtocolError
from bossbot.streamjson.states import Turn
from tests.streamjson.recorded import ALL, Recording, cbc, claude, compact

BOTH = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)

INIT = b'{"type":"system","subtype":"init","session_id":"main"}\n'
SUB_INIT = b'{"type":"system","subtype":"init","session_id":"sub"}\n'
ASKS: dict[str, Any] = {
    "type": "control_request",
    "request_id": "r1",
    "request": {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "rm -rf x"}},
}
RESULT = b'{"type":"result","subtype":"success","session_id":"main"}\n'


def said(line: bytes) -> dict[str, Any]:
    """What a line that we write says; it is one line."""
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    document: dict[str, Any] = json.loads(line)
    return document


def answer_of(line: bytes) -> dict[str, Any]:
    response: dict[str, Any] = said(line)["response"]
    assert (response["subtype"], response["request_id"]) == ("success", "r1")
    inner: dict[str, Any] = response["response"]
    return inner


def asked(dialect: Dialect, **more: object) -> tuple[Connection, f.ControlRequest]:
    """A connection on which the CLI has asked whether it may use a tool."""
    connection = Connection(dialect)
    (frame,) = connection.feed(compact({**ASKS, "request": {**ASKS["request"], **more}}) + b"\n")
    assert isinstance(frame, f.ControlRequest)
    return connection, frame


# --- what we write ---


@BOTH
def test_the_recorded_conversations_begin_as_ours_do(dialect: Dialect) -> None:
    recorded = (cbc if dialect is CBC else claude)("mcptool").told[0]
    if dialect is CLAUDE:
        recorded["request"]["capabilities"] = {"askUserQuestion": True}  # it needs none, and takes this one
    assert said(Connection(dialect).initialize(["boss"])) == recorded


@BOTH
def test_questions_are_announced_and_no_tool_server_unless_we_play_one(dialect: Dialect) -> None:
    request = said(Connection(dialect).initialize())["request"]
    assert request["capabilities"] == {"askUserQuestion": True}
    assert "sdkMcpServers" not in request


@BOTH
def test_a_message_is_one_line_whatever_it_holds(dialect: Dialect) -> None:
    text = 'two\nlines\u2028 and "quotes" 你好 \\'
    message = said(Connection(dialect).user_message(text))
    assert message == {"type": "user", "message": {"role": "user", "content": text}}


@BOTH
def test_half_a_character_keeps_nothing_back_of_a_message(dialect: Dialect) -> None:
    message = said(Connection(dialect).user_message("half \ud83d of 你好 \\ud83d"))
    assert message["message"]["content"] == "half \ufffd of 你好 \\ud83d"


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (CBC, {"allowed": True, "updatedInput": {"command": "rm -rf x"}}),
        (CLAUDE, {"behavior": "allow", "updatedInput": {"command": "rm -rf x"}}),
    ],
    ids=["cbc", "claude"],
)
def test_yes_is_said_in_the_dialects_own_words(dialect: Dialect, expected: dict[str, Any]) -> None:
    connection, request = asked(dialect)
    assert answer_of(connection.allow(request)) == expected


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (CBC, {"allowed": False, "reason": "use make clean", "interrupt": False}),
        (CLAUDE, {"behavior": "deny", "message": "use make clean", "interrupt": False}),
    ],
    ids=["cbc", "claude"],
)
def test_no_is_said_with_its_reason_in_the_dialects_own_words(dialect: Dialect, expected: dict[str, Any]) -> None:
    connection, request = asked(dialect)
    assert answer_of(connection.deny(request, "use make clean")) == expected


SUGGESTIONS: list[dict[str, Any]] = [
    {"type": "addDirectories", "directories": ["/srv"], "destination": "session"},
    {"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "deny", "destination": "session"},
    {
        "type": "addRules",
        "rules": [{"toolName": "Bash", "ruleContent": "rm -rf build-cache"}],
        "behavior": "allow",
        "destination": "localSettings",
    },
    {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
]


def test_for_this_session_sends_the_suggested_rule_back_and_never_writes_it_to_disk() -> None:
    connection, request = asked(CLAUDE, permission_suggestions=SUGGESTIONS)
    permissions = answer_of(connection.allow(request, for_session=True))["updatedPermissions"]
    assert permissions == [{**SUGGESTIONS[2], "destination": "session"}]


def allow_rule(**rule: str) -> list[dict[str, Any]]:
    return [{"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}]


TOO_WIDE = [
    allow_rule(toolName="Bash"),
    allow_rule(toolName="Bash", ruleContent="rm:*"),
    allow_rule(toolName="Write", ruleContent="x"),
]


@pytest.mark.parametrize("suggestions", [None, [], SUGGESTIONS[:2], SUGGESTIONS[3:], *TOO_WIDE], ids=str)
def test_for_this_session_opens_nothing_that_was_not_asked_about(suggestions: list[dict[str, Any]] | None) -> None:
    connection, request = asked(CLAUDE, permission_suggestions=suggestions)
    assert "updatedPermissions" not in answer_of(connection.allow(request, for_session=True))


def test_once_means_once_whatever_is_suggested() -> None:
    connection, request = asked(CLAUDE, permission_suggestions=SUGGESTIONS)
    assert "updatedPermissions" not in answer_of(connection.allow(request))


def test_a_dialect_without_suggestions_is_remembered_on_our_side() -> None:
    assert CBC.session_allow is SessionAllow.OURS
    connection, request = asked(CBC, permission_suggestions=SUGGESTIONS)
    assert answer_of(connection.allow(request, for_session=True)) == answer_of(asked(CBC)[0].allow(request))


@BOTH
def test_answers_to_a_question_go_back_with_the_question(dialect: Dialect) -> None:
    questions = [{"question": "Which?", "options": [{"label": "A"}]}]
    connection, request = asked(dialect, tool_name="AskUserQuestion", input={"questions": questions})
    updated = answer_of(connection.answer(request, {"Which?": "A"}))["updatedInput"]
    assert updated == {"questions": questions, "answers": {"Which?": "A"}}


@pytest.mark.parametrize("recording", [cbc("question"), claude("question")], ids=["cbc", "claude"])
def test_the_recorded_question_is_answered_as_it_was(recording: Recording) -> None:
    connection = Connection(recording.dialect)
    frames = [frame for line in recording.lines for frame in connection.feed(line + b"\n")]
    (request,) = (frame for frame in frames if isinstance(frame, f.ControlRequest))
    recorded = recording.told[-1]
    if recording.dialect is CBC:
        del recorded["response"]["response"]["behavior"]  # the recorder spoke both dialects at once
    assert said(connection.answer(request, {"Which database?": "Postgres"})) == recorded


@BOTH
def test_an_interrupt_names_the_main_session_and_counts_its_ids(dialect: Dialect) -> None:
    connection = Connection(dialect)
    connection.feed(INIT + SUB_INIT)
    first, second = said(connection.interrupt(reason="enough")), said(connection.interrupt())
    wanted = {"subtype": "interrupt", "session_id": "main", "reason": "enough"}
    assert first["request"] == wanted | dialect.interrupt_also
    assert first["request_id"] != second["request_id"]


def test_our_tool_server_answers_over_the_pipe() -> None:
    recording = cbc("mcptool")
    connection = Connection(CBC)
    connection.feed(b"".join(line + b"\n" for line in recording.lines[:2]))
    (request_id,) = connection.pending
    answer = recording.told[2]["response"]["response"]["mcp_response"]
    assert said(connection.mcp_response(request_id, answer)) == recording.told[2]


# --- requests ---


@BOTH
def test_a_request_is_answered_once(dialect: Dialect) -> None:
    connection, request = asked(dialect)
    connection.allow(request)
    with pytest.raises(NotPendingError, match="'r1' is not pending") as raised:
        connection.deny(request, "changed my mind")
    assert isinstance(raised.value, ProtocolError)


@BOTH
def test_a_request_that_was_taken_back_cannot_be_answered(dialect: Dialect) -> None:
    connection, request = asked(dialect)
    connection.feed(b'{"type":"control_cancel_request","request_id":"r1"}\n')
    with pytest.raises(NotPendingError):
        connection.allow(request)


@BOTH
def test_a_request_that_is_sent_twice_is_reported_once(dialect: Dialect) -> None:
    connection, request = asked(dialect)
    assert connection.feed(compact(ASKS) + b"\n") == []
    connection.allow(request)
    assert connection.feed(compact(ASKS) + b"\n") == []
    assert connection.feed(compact({**ASKS, "request_id": "r2"}) + b"\n") != []
    assert list(connection.pending) == ["r2"]


def test_a_request_that_we_do_not_serve_is_refused_and_no_longer_pending() -> None:
    connection, _ = asked(CBC)
    response = said(connection.refuse("r1", "not served"))["response"]
    assert response == {"subtype": "error", "request_id": "r1", "error": "not served"}
    assert connection.pending == {}


def test_a_tool_cannot_be_allowed_that_was_not_asked_for() -> None:
    connection = Connection(CBC)
    mcp = {"subtype": "mcp_message", "server_name": "boss", "message": {}}
    (frame,) = connection.feed(compact({**ASKS, "request": mcp}) + b"\n")
    assert isinstance(frame, f.ControlRequest)
    with pytest.raises(TypeError, match="no tool"):
        connection.allow(frame)


# --- sessions ---


@BOTH
def test_a_sub_agents_session_does_not_replace_the_main_one(dialect: Dialect) -> None:
    connection = Connection(dialect)
    assert connection.session_id is None
    speaks: dict[str, Any] = {
        "type": "assistant",
        "session_id": "sub",
        "message": {"content": []},
        "parent_tool_use_id": None,
    }
    connection.feed(INIT + SUB_INIT + compact(speaks) + b"\n")
    assert connection.session_id == "main"


@pytest.mark.parametrize("recording", [r for r in ALL if "midturn" not in r.name], ids=lambda r: r.name)
def test_every_recorded_conversation_has_one_main_session(recording: Recording) -> None:
    named = [line for line in map(json.loads, recording.lines) if line.get("subtype") == "init"]
    connection = recording.replayed().connection
    assert connection.session_id == (named[0]["session_id"] if named else None)


def test_cbc_answers_a_message_in_mid_turn_in_another_session_which_is_then_the_main_one() -> None:
    assert CBC.mid_turn is MidTurn.BREAKS
    connection = Connection(CBC)
    seen = []
    for line in cbc("midturn").lines:
        connection.feed(line + b"\n")
        seen.append(connection.session_id)
    inits = [line["session_id"] for line in map(json.loads, cbc("midturn").lines) if line.get("subtype") == "init"]
    first, second = dict.fromkeys(inits)
    assert [session for session in dict.fromkeys(seen) if session] == [first, second]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"error","error":"No conversation found with session ID: 42"}',
        b'{"type":"error","error":{"message":"No conversation found with session ID: 42"}}',
        b'{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"42",'
        b'"errors":["No conversation found with session ID: 42"]}',
    ],
    ids=["cbc", "as an object", "claude"],
)
def test_a_session_that_cannot_be_resumed_is_noticed(line: bytes) -> None:
    connection = Connection(CBC)
    connection.feed(line + b"\n")
    assert connection.resume_failed
    assert connection.session_id is None


def test_other_errors_are_no_failed_resume() -> None:
    connection = Connection(CLAUDE)
    connection.feed(INIT + b'{"type":"error","error":"rate limited"}\n')
    connection.feed(
        b'{"type":"result","subtype":"error_during_execution","errors":["No conversation found with session ID"]}\n'
    )
    assert not connection.resume_failed


# --- turns ---


@pytest.mark.parametrize(
    ("recording", "story"),
    [
        (cbc("danger"), "IDLE RUNNING IDLE"),
        (claude("danger"), "IDLE RUNNING IDLE"),
        (claude("two"), "IDLE RUNNING IDLE RUNNING IDLE"),
        (cbc("two"), "IDLE RUNNING IDLE RUNNING"),  # it came too soon after the result, and was never answered
        (cbc("workflow"), "IDLE RUNNING IDLE RUNNING IDLE"),  # the second turn is the CLI's own
        (claude("workflow"), "IDLE RUNNING IDLE RUNNING IDLE"),
        (claude("interrupt"), "IDLE RUNNING STOPPING IDLE"),
        (cbc("slowint"), "IDLE RUNNING STOPPING IDLE"),
        (cbc("interrupt"), "IDLE RUNNING STOPPING IDLE RUNNING IDLE"),
    ],
    ids=lambda value: value.name if isinstance(value, Recording) else "",
)
def test_turns_begin_and_end_as_recorded(recording: Recording, story: str) -> None:
    assert recording.replayed().story == story.split()


def interrupted_tool(dialect: Dialect) -> Connection:
    """cbc's last words after an interrupt while a tool ran: the tool's result, and no `result`."""
    connection = Connection(dialect)
    connection.feed(INIT)
    connection.user_message("do it")
    connection.interrupt()
    result = {"type": "tool_result", "tool_use_id": "c", "content": "Interrupted by user", "is_error": True}
    connection.feed(compact({"type": "user", "session_id": "main", "message": {"content": [result]}}) + b"\n")
    return connection


def test_an_interrupted_tool_ends_cbcs_turn_without_a_result() -> None:
    assert interrupted_tool(CBC).turn is Turn.IDLE


def test_claudes_turn_goes_on_to_its_result() -> None:
    connection = interrupted_tool(CLAUDE)
    before = connection.turn
    connection.feed(RESULT)
    assert (before, connection.turn) == (Turn.STOPPING, Turn.IDLE)


def test_an_interrupt_between_turns_begins_none() -> None:
    connection = Connection(CBC)
    connection.feed(INIT)
    connection.interrupt()
    assert connection.turn is Turn.IDLE


def test_a_model_that_says_the_words_of_an_interrupt_is_not_interrupted() -> None:
    connection = Connection(CBC)
    connection.feed(INIT)
    connection.user_message("say it")
    speaks = {"type": "assistant", "session_id": "main", "message": {"content": "Interrupted by user"}}
    connection.feed(compact(speaks) + b"\n")
    assert connection.turn is Turn.RUNNING


def test_the_end_of_the_pipe_gives_what_was_left() -> None:
    connection = Connection(CBC)
    assert connection.feed(RESULT.rstrip()) == []
    (frame,) = connection.close()
    assert isinstance(frame, f.Result)


def test_a_line_above_the_bound_is_reported_and_the_next_one_read() -> None:
    connection = Connection(CBC, max_line_bytes=200)
    frames = connection.feed(b'{"type":"user","x":"' + b"x" * 300 + b'"}\n' + RESULT)
    assert [type(frame) for frame in frames] == [f.Malformed, f.Result]


@pytest.mark.parametrize(
    ("dialect", "line", "begun"),
    [
        (CBC, INIT, False),  # it sends one at any time
        (CBC, b'{"type":"system","subtype":"status","status":null,"session_id":"main"}\n', True),
        (CLAUDE, INIT, True),
        (CLAUDE, b'{"type":"assistant","session_id":"main","message":{"content":[]}}\n', True),
        (CBC, b'{"type":"assistant","session_id":"main","message":{"content":[]}}\n', True),
        (CBC, compact(ASKS) + b"\n", True),
    ],
)
def test_a_turn_has_begun_when_the_cli_shows_it(dialect: Dialect, line: bytes, begun: bool) -> None:
    connection = Connection(dialect)
    connection.feed(INIT)
    connection.user_message("one")
    connection.feed(b'{"type":"system","subtype":"status","session_id":"main"}\n' + INIT + RESULT)
    connection.user_message("two")
    before = connection.turn_begun
    connection.feed(line)
    assert (before, connection.turn_begun) == (False, begun)
