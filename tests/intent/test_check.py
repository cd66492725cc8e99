"""The agent's answers, believed only as far as the board and the message bear them out."""

from typing import Any

import pytest

from bossbot.intent import Board, BoardTask, IntentRefused, check

BOARD = Board(
    "",
    (
        BoardTask("t1", "Fix the login failure", "running"),
        BoardTask("t2", "Rebuild the cache layer", "queued"),
        BoardTask("t3", "Fix the API retry", "queued"),
        BoardTask("t4", "Write the guide", "completed"),
    ),
)
MESSAGE = "drop the cache, fix the retry first"


def answer(message: str = MESSAGE, primary: str = "objective_change", **diff: object) -> dict[str, Any]:
    lists = {name: diff.get(name, []) for name in ("cancel_tasks", "pause_tasks", "reprioritize_tasks", "create_tasks")}
    plan = {"change_reason": "asked", "condition": diff.get("condition"), **lists}
    return {
        "labels": [{"intent": primary, "evidence": message}],
        "primary": primary,
        "abstain": False,
        "objective": "Retry first",
        "plan_diff": plan,
    }


def refused(raw: dict[str, Any], message: str = MESSAGE) -> str:
    with pytest.raises(IntentRefused) as caught:
        check(raw, message, BOARD)
    return str(caught.value)


def test_a_good_answer_becomes_the_agents_verdict() -> None:
    verdict = check(answer(cancel_tasks=["t2"], reprioritize_tasks=["t3"]), MESSAGE, BOARD)
    assert verdict.source == "agent"
    assert verdict.objective_change
    assert verdict.objective == "Retry first"
    assert verdict.diff is not None
    assert verdict.diff.cancel_tasks == ("t2",)
    assert verdict.diff.reprioritize_tasks == ("t3",)
    assert not verdict.abstain


@pytest.mark.parametrize("name", ["cancel_tasks", "pause_tasks", "reprioritize_tasks"])
def test_an_id_that_is_not_on_the_board_is_refused(name: str) -> None:
    raw = answer()
    raw["plan_diff"][name] = ["t9"]
    assert "'t9'" in refused(raw)
    raw["plan_diff"][name] = [7]
    assert "not on the board" in refused(raw)


def test_a_finished_task_cannot_be_moved() -> None:
    assert "already completed" in refused(answer(cancel_tasks=["t4"]))


def test_a_task_stands_in_one_list_only() -> None:
    assert "more than one list" in refused(answer(cancel_tasks=["t2"], pause_tasks=["t2"]))
    assert "more than one list" in refused(answer(reprioritize_tasks=["t3", "t3"]))


@pytest.mark.parametrize(
    ("message", "evidence"),
    [
        (MESSAGE, "drop the caches"),
        (MESSAGE, ""),
        ('the log says "drop the cache"', '"drop the cache"'),
        ("```\ndrop the cache\n```\nwhat is this", "drop the cache"),
    ],
)
def test_evidence_must_stand_in_the_message_outside_quotes_and_code(message: str, evidence: str) -> None:
    raw = answer(message, cancel_tasks=["t2"])
    raw["labels"][0]["evidence"] = evidence
    assert "word-for-word" in refused(raw, message)


def test_a_quoted_task_title_is_no_foreign_text() -> None:
    message = 'cancel "Rebuild the cache layer"'
    assert check(answer(message, cancel_tasks=["t2"]), message, BOARD).objective_change


def test_a_new_task_needs_evidence_too() -> None:
    new = {"title": "Guide", "kind": "documentation", "priority": "normal", "evidence": "write a guide"}
    assert "new task" in refused(answer(create_tasks=[new]))
    verdict = check(answer("also write a guide", create_tasks=[new]), "also write a guide", BOARD)
    assert verdict.diff is not None
    assert [task.title for task in verdict.diff.create_tasks] == ["Guide"]


def test_a_new_tasks_title_is_one_line_and_its_kind_is_known() -> None:
    new = {"title": "Guide\n\x1b[31mred", "kind": "sudo", "priority": "now!", "evidence": "write a guide"}
    verdict = check(answer("also write a guide", create_tasks=[new]), "also write a guide", BOARD)
    assert verdict.diff is not None
    task = verdict.diff.create_tasks[0]
    assert (task.title, task.kind, task.priority) == ("Guide [31mred", "implementation", "normal")


def test_a_diff_is_there_exactly_when_the_objective_changes() -> None:
    without = answer()
    without["plan_diff"] = None
    assert "null" in refused(without)
    assert "primary is question" in refused(answer(primary="question", pause_tasks=["t2"]))
    assert "primary is control" in refused(answer(primary="control", cancel_tasks=["t2"]))


def test_a_lone_pause_may_be_control() -> None:
    verdict = check(answer("pause the cache", "control", pause_tasks=["t2"]), "pause the cache", BOARD)
    assert verdict.intent == "control"
    assert not verdict.objective_change
    assert verdict.diff is not None


@pytest.mark.parametrize("message", ["put the cache on hold", "缓存先不做", "drop the cache for now"])
def test_without_a_word_of_abandoning_a_cancel_becomes_a_pause(message: str) -> None:
    verdict = check(answer(message, cancel_tasks=["t2"]), message, BOARD)
    assert verdict.diff is not None
    assert verdict.diff.cancel_tasks == ()
    assert verdict.diff.pause_tasks == ("t2",)
    assert "paused instead" in verdict.note


def test_what_the_message_forbids_is_refused() -> None:
    message = "don't drop the cache, just do the retry first"
    assert "not to end it" in refused(answer(message, cancel_tasks=["t2"], reprioritize_tasks=["t3"]), message)


@pytest.mark.parametrize("message", ["drop the cache", "缓存不做了", "skip the cache", "取消缓存"])
def test_with_a_word_of_abandoning_a_cancel_stays_one(message: str) -> None:
    verdict = check(answer(message, cancel_tasks=["t2"]), message, BOARD)
    assert verdict.diff is not None
    assert verdict.diff.cancel_tasks == ("t2",)


def test_cancelling_most_of_the_board_is_pointed_out() -> None:
    verdict = check(
        answer("drop everything but the retry", cancel_tasks=["t1", "t2"]), "drop everything but the retry", BOARD
    )
    assert "more than half" in verdict.note


def test_a_condition_is_word_for_word_and_nothing_of_it_is_applied() -> None:
    message = "if the tests fail, drop the cache"
    verdict = check(answer(message, cancel_tasks=["t2"], condition=message), message, BOARD)
    assert verdict.diff is not None
    assert verdict.diff.empty
    assert verdict.diff.condition == message
    assert "condition" in refused(answer(condition="when it rains"))


def test_a_change_read_into_a_question_is_asked_about() -> None:
    message = "should we drop the cache?"
    verdict = check(answer(message, cancel_tasks=["t2"]), message, BOARD)
    assert verdict.abstain
    assert "question" in verdict.note


def test_a_change_that_names_nothing_is_asked_about() -> None:
    assert check(answer(), MESSAGE, BOARD).abstain


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"primary": "objective_change"},
        {"primary": "everything", "labels": []},
        {"primary": "chat", "labels": "chat"},
        {"primary": "chat", "labels": [1]},
        {"primary": "chat", "labels": []},
        {**answer(), "plan_diff": []},
        {**answer(), "plan_diff": {"change_reason": 1}},
        {**answer(), "plan_diff": {"change_reason": "x", "cancel_tasks": "t2"}},
        {**answer(), "objective": 5},
    ],
)
def test_a_malformed_answer_is_refused_with_a_reason(raw: dict[str, Any]) -> None:
    assert refused(raw)
