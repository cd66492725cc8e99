"""A session's state in words: what failed and is tried again, what a person is asked, and what limits hold."""

from bossbot.cli.state import state_text
from bossbot.domain import commands as c
from bossbot.ids import ApprovalId
from tests.domain.harness import MAX_RETRIES, WORKER, Session, verdict

OVERLOADED = c.EndTurn("turn_x", "error", errors=("529 \x1b[31mOverloaded",), retryable=True)


def working() -> Session:
    session = Session()
    session.say("fix the retry loop")
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc"))
    session.add_task(1, "Find it")
    session.update_task(1, "in_progress")
    return session


def test_what_failed_and_waits_for_another_try_says_so() -> None:
    session = working()
    session.tell(OVERLOADED)
    lines = state_text(session.state).split("\n")
    assert [line for line in lines if "again" in line] == ["is tried again: 529 Overloaded"]
    assert lines[-1] == "task task_1: failed · Find it · 529 Overloaded"


def test_what_a_person_is_asked_about_says_how_often_it_failed() -> None:
    session = working()
    for number in range(MAX_RETRIES + 1):
        session.tell(OVERLOADED)
        session.recover(number, "529 Overloaded", gone=False)
    lines = state_text(session.state).split("\n")
    assert f"failed {MAX_RETRIES + 1} times, try again or give up? 529 Overloaded" in lines
    assert lines[-1].startswith(f"task task_1: blocked · Find it · tried again {MAX_RETRIES} times · ")


def test_limits_and_what_is_being_judged_are_listed() -> None:
    session = working()
    session.say("do not touch the cache", 9, plan_first=True)
    assert "is being judged: do not touch the cache" in state_text(session.state).split("\n")
    session.tell(verdict(intent="constraint", objective_change=False))
    assert "limit: do not touch the cache" in state_text(session.state).split("\n")


def test_words_of_a_log_from_elsewhere_move_no_cursor() -> None:
    session = working()
    session.tell(
        c.RequestApproval(ApprovalId("apr_1"), "req_1", "Bash", "tool_call", "rm\x1b[2J", "\x1b]0;me\x07high", "")
    )
    lines = state_text(session.state).split("\n")
    assert "waits for a decision: rm (high)" in lines
