"""What a person is shown of a tool call holds all that would be done."""

from typing import Any

import pytest

from bossbot.domain.policy import Policy, Ruling
from bossbot.domain.risk import assess


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("Workflow", {"script": "harmless()", "scriptPath": "HIDDEN"}),
        ("Edit", {"file_path": "a", "content": "harmless", "old_string": "x", "new_string": "HIDDEN"}),
        ("Write", {"file_path": "a", "content": "harmless", "mode": "HIDDEN"}),
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y", "HIDDEN": True}),
    ],
)
def test_no_part_of_the_input_is_hidden_behind_a_harmless_one(tool: str, tool_input: dict[str, Any]) -> None:
    assert "HIDDEN" in assess(tool, tool_input).detail


def test_replacing_every_occurrence_shows() -> None:
    once = {"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": False}
    assert assess("Edit", once).detail == "a\n-x\n+y"
    assert "replace_all" in assess("Edit", {**once, "replace_all": True}).detail


def test_a_workflow_of_a_script_alone_is_shown_as_its_script() -> None:
    assert assess("Workflow", {"script": "agent({})", "description": "words"}).detail == "agent({})"


def test_a_command_outside_the_sandbox_is_a_high_risk_that_is_named() -> None:
    risk = assess("Bash", {"command": "ls", "dangerouslyDisableSandbox": True})
    assert (risk.level, risk.reasons) == ("high", ("runs outside the sandbox",))


def test_no_allow_rule_lets_a_command_out_of_the_sandbox() -> None:
    policy = Policy.parse(("Bash(git status*)",), ())
    assert policy.rule("Bash", {"command": "git status"}) is Ruling.ALLOW
    assert policy.rule("Bash", {"command": "git status", "dangerouslyDisableSandbox": True}) is Ruling.ASK
