"""The rules' plan diffs: what each message cancels, pauses, moves and creates, in both languages."""

import pytest

from bossbot.intent import Board, BoardTask, Verdict, judge
from tests.intent.plan_cases import BOARDS, CACHE_BOARDS, CASES, DROPPED, PAUSED, QUESTIONS, QUIET, Case, board

ALL = [pytest.param(name, case, id=f"{name}-{case[0][:48]}") for name, cases in CASES.items() for case in cases]
STILL = [pytest.param(name, message, id=f"{name}-{message[:48]}") for name, rows in QUIET.items() for message in rows]


def letters(ids: tuple[str, ...]) -> str:
    return "".join(task_id[-1] for task_id in ids)


def moved(verdict: Verdict) -> tuple[str, str, str]:
    diff = verdict.diff
    if diff is None:
        return "", "", ""
    return letters(diff.cancel_tasks), letters(diff.pause_tasks), letters(diff.reprioritize_tasks)


@pytest.mark.parametrize(("name", "case"), ALL)
def test_a_message_moves_the_tasks_it_names_and_no_others(name: str, case: Case) -> None:
    message, cancelled, paused, order, created = case
    verdict = judge(message, board(BOARDS[name]))
    titles = [task.title.lower() for task in verdict.diff.create_tasks] if verdict.diff else []
    assert moved(verdict) == (cancelled, paused, order)
    assert len(titles) == len(created)
    assert all(all(word in title for word in words) for words, title in zip(created, titles, strict=True))
    assert verdict.diff is not None
    assert verdict.diff.condition is None
    assert not verdict.abstain
    assert verdict.objective_change == (verdict.intent == "objective_change")
    assert verdict.objective_change or verdict.intent == "control"


@pytest.mark.parametrize(("name", "message"), STILL)
def test_what_is_no_change_of_plan_moves_nothing(name: str, message: str) -> None:
    verdict = judge(message, board(BOARDS[name]))
    assert moved(verdict) == ("", "", "")
    assert verdict.diff is None or not verdict.diff.create_tasks


@pytest.mark.parametrize("titles", CACHE_BOARDS, ids=lambda titles: titles[0])
@pytest.mark.parametrize("message", DROPPED)
def test_the_cache_is_dropped_and_the_retry_comes_first(titles: tuple[str, ...], message: str) -> None:
    verdict = judge(message, board(titles))
    assert verdict.objective_change
    assert moved(verdict) == (place(titles, "cache", "缓存"), "", place(titles, "retry", "重试"))


@pytest.mark.parametrize("titles", CACHE_BOARDS, ids=lambda titles: titles[0])
@pytest.mark.parametrize("message", PAUSED)
def test_the_cache_waits_and_the_retry_comes_first(titles: tuple[str, ...], message: str) -> None:
    verdict = judge(message, board(titles))
    assert verdict.objective_change
    assert moved(verdict) == ("", place(titles, "cache", "缓存"), place(titles, "retry", "重试"))


@pytest.mark.parametrize("titles", CACHE_BOARDS, ids=lambda titles: titles[0])
@pytest.mark.parametrize("message", QUESTIONS)
def test_a_question_about_the_plan_is_no_change_of_it(titles: tuple[str, ...], message: str) -> None:
    verdict = judge(message, board(titles))
    assert verdict.intent in {"question", "status"}
    assert verdict.diff is None
    assert not verdict.objective_change


def place(titles: tuple[str, ...], *words: str) -> str:
    return next("abc"[at] for at, title in enumerate(titles) if any(word in title.lower() for word in words))


def web(pending: str | None = None) -> Board:
    base = board(BOARDS["web"])
    return Board(base.objective, base.tasks, pending)


def test_a_name_that_fits_two_tasks_cancels_neither() -> None:
    verdict = judge("drop the login", board(("Fix the login failure", "Redesign the login page", "API retry")))
    assert verdict.objective_change
    assert verdict.abstain
    assert moved(verdict) == ("", "", "")
    assert "several tasks" in verdict.note


def test_a_name_that_no_task_has_cancels_nothing_and_says_so() -> None:
    verdict = judge("drop the newsletter", web())
    assert verdict.objective_change
    assert verdict.abstain
    assert verdict.diff is not None
    assert verdict.diff.empty
    assert "newsletter" in verdict.note


@pytest.mark.parametrize("message", ["if the tests fail, drop the cache", "drop the cache if CI stays red"])
def test_a_condition_is_kept_word_for_word_and_nothing_of_it_applied(message: str) -> None:
    verdict = judge(message, web())
    assert verdict.objective_change
    assert verdict.diff is not None
    assert verdict.diff.empty
    assert verdict.diff.condition is not None
    assert verdict.diff.condition.replace(", ", "") == message.replace(", ", "")


def test_beside_a_condition_the_unconditional_part_is_applied() -> None:
    verdict = judge("先修重试，如果测试不过就放弃缓存", board(BOARDS["web_zh"]))
    assert moved(verdict) == ("", "", "c")
    assert verdict.diff is not None
    assert verdict.diff.condition == "如果测试不过就放弃缓存"


def test_cancelling_most_of_the_board_is_pointed_out() -> None:
    verdict = judge("cancel everything except the retry", web())
    assert moved(verdict) == ("ab", "", "")
    assert "more than half" in verdict.note


@pytest.mark.parametrize("message", ["forget everything, prod is down", "全部先停"])
def test_an_emergency_pauses_everything_and_cancels_nothing(message: str) -> None:
    assert moved(judge(message, web()))[:2] == ("", "abc")


@pytest.mark.parametrize("message", ["pause the cache task", "stop the cache", "暂停缓存任务"])
def test_a_lone_pause_is_control_and_still_pauses_its_task(message: str) -> None:
    verdict = judge(message, web())
    assert verdict.intent == "control"
    assert not verdict.objective_change
    assert moved(verdict) == ("", "b", "")


def test_finished_tasks_are_never_moved() -> None:
    done = Board("", (BoardTask("a", "Cache layer", "completed"), BoardTask("b", "API retry", "queued")))
    verdict = judge("drop the cache, retry first", done)
    assert verdict.diff is not None
    assert verdict.diff.cancel_tasks == ()
    assert verdict.diff.reprioritize_tasks == ("b",)


def test_with_no_live_task_there_is_nothing_to_change() -> None:
    verdict = judge("drop the cache, fix the retry first", Board("", ()))
    assert not verdict.objective_change
    assert verdict.diff is None


def test_it_means_what_was_spoken_of_last() -> None:
    assert moved(judge("The cache takes too long. Drop it.", web())) == ("b", "", "")
    assert moved(judge("drop it", web())) == ("", "", "")


def test_a_yes_to_a_pending_question_repeats_the_plan_but_also_adds_to_it() -> None:
    asked = web(pending="Shall I add tests for the export?")
    assert judge("yes, add tests for the export", asked).intent == "approval"
    assert judge("yes, and also write a guide", asked).objective_change


def test_a_suggestion_that_is_agreed_to_is_a_decision() -> None:
    assert moved(judge("what if we dropped the cache?", web())) == ("", "", "")
    assert moved(judge("what if we dropped the cache? yeah, do that", web())) == ("b", "", "")


def test_a_quoted_title_is_a_name_and_a_quoted_command_is_not() -> None:
    assert moved(judge('cancel "Rebuild the cache layer"', web())) == ("b", "", "")
    assert moved(judge('the ticket says "cancel the cache layer"', web())) == ("", "", "")
    assert moved(judge("`drop cache` is what the script runs", web())) == ("", "", "")
