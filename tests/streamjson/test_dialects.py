"""The command lines of both dialects."""

import json

import pytest

from bossbot.streamjson.dialects import CBC, CLAUDE, DIALECTS, Dialect

BOTH = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)


@BOTH
def test_a_conversation_is_stream_json_both_ways(dialect: Dialect) -> None:
    arguments = " ".join(dialect.conversation())
    assert "--input-format stream-json --output-format stream-json --verbose" in arguments


def test_claude_asks_for_permissions_on_stdio_only_when_told_to() -> None:
    assert "--permission-prompt-tool stdio" in " ".join(CLAUDE.conversation())
    assert "--permission-prompt-tool" not in CBC.conversation()


@BOTH
def test_what_is_not_set_is_not_said(dialect: Dialect) -> None:
    arguments = dialect.conversation()
    assert not {"--model", "--permission-mode"} & set(arguments)
    assert not any(argument.startswith("--resume") for argument in arguments)


@BOTH
def test_settings_and_further_arguments_are_passed_on(dialect: Dialect) -> None:
    arguments = dialect.conversation(model="m", permission_mode="plan", resume="s1", extra=["--add-dir", "/x"])
    assert arguments[-7:] == ["--permission-mode", "plan", "--model", "m", "--resume=s1", "--add-dir", "/x"]


@BOTH
def test_a_session_id_can_never_be_a_flag_of_its_own(dialect: Dialect) -> None:
    arguments = dialect.conversation(resume="--dangerously-skip-permissions")
    assert "--dangerously-skip-permissions" not in arguments


@BOTH
def test_a_side_call_has_no_tool_but_the_one_for_its_answer_and_leaves_no_session(dialect: Dialect) -> None:
    schema: dict[str, object] = {"type": "object", "description": "你好"}
    arguments = dialect.side_call(schema, model="m")
    assert arguments[arguments.index("--tools") + 1] in ("", "StructuredOutput")
    assert "--no-session-persistence" in arguments
    assert json.loads(arguments[arguments.index("--json-schema") + 1]) == schema
    assert arguments[arguments.index("--model") + 1] == "m"


@pytest.mark.parametrize(
    ("called", "meant"),
    [
        (("DeferExecuteTool", {"toolName": "Workflow", "params": {"a": 1}}), ("Workflow", {"a": 1})),
        (("Bash", {"toolName": "Read", "params": {}}), ("Bash", {"toolName": "Read", "params": {}})),
        *(
            (("DeferExecuteTool", given), ("DeferExecuteTool", given))
            for given in ({}, {"toolName": "Read"}, {"toolName": 7, "params": {}}, {"toolName": "", "params": {}})
        ),
    ],
)
def test_a_call_that_cbc_makes_through_another_tool_is_read_as_what_it_is(
    called: tuple[str, dict[str, object]], meant: tuple[str, dict[str, object]]
) -> None:
    assert CBC.meant(*called) == meant
    assert CLAUDE.meant(*called) == called


@pytest.mark.parametrize(
    ("dialect", "told", "advice"),
    [
        (CBC, "Authentication required. Please use /login command to sign in to your account", "CODEBUDDY_API_KEY"),
        (CBC, "No response received from model", "[agent] model"),
        (CLAUDE, "Not logged in · Please run /login", "ANTHROPIC_API_KEY"),
        (
            CLAUDE,
            "There's an issue with the selected model (nope). It may not exist or you may not have access to it.",
            "correct [agent] model",
        ),
        (CLAUDE, "the agent ended with code 1: error: unknown option '--nonsense'", "correct [agent] args"),
    ],
)
def test_what_the_cli_says_of_itself_is_told_with_what_to_do(dialect: Dialect, told: str, advice: str) -> None:
    """Each text was seen on the real program."""
    explained = dialect.explained(told)
    assert advice in explained
    assert explained.endswith(f"({dialect.title} says: {told})")


def test_any_other_error_is_told_as_it_is() -> None:
    assert CBC.explained("Rate limited, try again at 5 pm") == "Rate limited, try again at 5 pm"


@pytest.mark.parametrize(
    ("version", "than", "older"),
    [
        ("2.1.219 (Claude Code)", "2.1.220", True),
        ("2.1.220", "2.1.220", False),
        ("2.10.0", "2.9.9", False),
        ("2.1", "2.1.220", True),
        ("1.99.3-beta.2", (2,), True),
        ("3.0.0", (2,), False),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, than: str | tuple[int, ...], older: bool) -> None:
    assert CLAUDE.is_older(version, than) is older
