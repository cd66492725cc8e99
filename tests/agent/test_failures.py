"""Which errors may be gone at the next try: as the two CLIs really tell them (cbc 2.163.0, Claude Code 2.1.220)."""

import json
from typing import Any

import pytest

from bossbot.agent.failures import retryable, task_retryable
from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode


def cbc(status: int, text: str) -> f.Result:
    fields = {"errors": [f"{status} {text} (01a22c48/01a22c48)"], "errors_info": [{"status": status, "code": 0}]}
    return result(subtype="error_during_execution", **fields)


def claude(status: int | None, text: str) -> f.Result:
    """Claude Code's errors are successes with `is_error`."""
    return result(subtype="success", result=text, api_error_status=status, terminal_reason="api_error")


def result(**fields: Any) -> f.Result:
    frame = decode(json.dumps({"type": "result", "is_error": True, "session_id": "s", **fields}).encode())
    assert isinstance(frame, f.Result)
    return frame


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_trouble_at_the_provider_may_pass(status: int) -> None:
    assert retryable(cbc(status, "Overloaded"))
    assert retryable(claude(status, f"API Error: {status} Overloaded"))
    assert retryable(claude(None, f"API Error: {status} Overloaded"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_wrong_key_or_request_does_not(status: int) -> None:
    assert not retryable(cbc(status, "overloaded words in a bad request"))
    assert not retryable(claude(status, f"API Error: {status} no"))


@pytest.mark.parametrize(
    "text",
    [
        "Connection error.",
        "API Error: Connection error.",
        "read ECONNRESET",
        "getaddrinfo EAI_AGAIN api",
        "fetch failed",
        "Request timed out.",
        "socket hang up",
    ],
)
def test_trouble_of_the_network_may_pass(text: str) -> None:
    assert retryable(result(subtype="error_during_execution", errors=[text]))
    assert retryable(claude(None, text))


@pytest.mark.parametrize(
    "text", ["You've hit your limit · resets 3pm", "insufficient_quota", "Credit balance is too low"]
)
def test_what_comes_back_in_hours_is_told_at_once(text: str) -> None:
    assert not retryable(claude(429, text))


@pytest.mark.parametrize("text", ["Reached maximum number of turns (10)", ""])
def test_words_that_tell_of_no_trouble_are_none(text: str) -> None:
    assert not retryable(claude(None, text))


def test_a_good_result_is_no_failure_whatever_it_talks_about() -> None:
    frame = result(subtype="success", is_error=False, result="I fixed the ECONNRESET on 503s")
    assert not retryable(frame)


TERMINATED = "Agent terminated early due to an API error: "
"""Claude Code 2.1.220, of an agent in the background."""


def task_end(status: str, summary: str) -> f.TaskNotification:
    told = {"type": "system", "subtype": "task_notification", "task_id": "t", "status": status, "summary": summary}
    frame = decode(json.dumps(told).encode())
    assert isinstance(frame, f.TaskNotification)
    return frame


@pytest.mark.parametrize(
    ("summary", "may_pass"),
    [
        (f"{TERMINATED}API Error: 529 overloaded. This is a server-side issue, usually temporary.", True),
        (f"{TERMINATED}API Error: 400 overloaded", False),
        ("read ECONNRESET", True),
        ('Agent "look" failed: API Error: 401 invalid x-api-key', False),
        ("API Error: 429 You've hit your limit", False),
        ("ReferenceError: agents is not defined", False),
        ("", False),
    ],
)
def test_a_background_task_that_failed_is_told_apart_by_its_words(summary: str, may_pass: bool) -> None:
    assert task_retryable(task_end("failed", summary)) is may_pass
    assert not task_retryable(task_end("stopped", summary))
    assert not task_retryable(task_end("completed", summary))


def test_the_words_of_a_workflows_agents_count_too() -> None:
    """The workflow's own, of cbc 2.163.0, say nothing."""
    end = task_end("failed", 'Dynamic workflow "survey" failed')
    assert task_retryable(end, ["529 overloaded"])
    assert not task_retryable(end, ["401 invalid x-api-key"])
    assert not task_retryable(end)
