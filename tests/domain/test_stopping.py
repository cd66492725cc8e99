"""Stop in the pause before another try: what failed is given up, nothing begins any more, and a card says so."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.evolve import happened
from bossbot.domain.task import TaskStatus
from bossbot.views.views import views

from .harness import WORKER, Session, kinds, of_type

OVERLOADED = c.EndTurn("turn_next", "error", errors=("529 Overloaded",), retryable=True)
STOP = c.Interrupt("telegram:1", "stopped by Ada", "turn_i", "Ada")


@pytest.fixture
def failed() -> Session:
    """The turn and its task have failed, and wait for another try."""
    session = Session()
    session.say("fix the retry loop")
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc"))
    session.add_task(1)
    session.update_task(1, "in_progress")
    session.tell(OVERLOADED)
    return session


def test_a_stop_in_the_pause_gives_up_the_try_and_its_task(failed: Session) -> None:
    told = failed.tell(STOP)
    assert kinds(told) == ["task.blocked", "session.blocked", "session.unblocked", "task.cancelled"]
    assert (failed.task(1).status, failed.task(1).reason) == (TaskStatus.CANCELLED, "given up by Ada")
    assert failed.recover(gone=False) == []
    failed.say("something else", 2)
    assert failed.state.turn is not None
    assert failed.state.turn.content == "something else"


def test_the_person_reads_what_was_given_up_and_by_whom(failed: Session) -> None:
    before, number = failed.state, len(failed.log)
    failed.tell(STOP)
    shown = views(list(happened(before, failed.log[number:])), failed.state)
    [card] = [view.card for view in shown if view.key == "blocked:blk_turn_i"]
    assert card is not None
    assert card.title == "Given up"
    assert "529 Overloaded" in str(card.blocks)
    assert "by Ada" in str(card.blocks)
    assert card.buttons == ()


def test_a_second_stop_has_nothing_to_stop(failed: Session) -> None:
    failed.tell(STOP)
    assert failed.refuses(STOP) == "nothing is running"


def test_messages_that_waited_behind_what_failed_are_handed_over_after_the_stop(failed: Session) -> None:
    failed.recover(gone=False)
    failed.say("and the docs", 2)
    failed.tell(OVERLOADED)
    told = failed.tell(STOP)
    [turn] = of_type(told, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    assert turn.content == "and the docs"


def test_a_stop_while_a_person_is_asked_is_a_give_up(failed: Session) -> None:
    for number in range(1, 5):
        failed.recover(number, gone=False)
        failed.tell(OVERLOADED) if failed.state.turn is not None else None
    assert failed.state.asks_how_to_go_on
    assert kinds(failed.tell(STOP)) == ["session.unblocked", "task.cancelled"]
    assert not failed.state.asks_how_to_go_on


def test_a_stop_of_a_workflow_does_not_begin_the_try_that_waits(failed: Session) -> None:
    failed.start_workflow("w1")
    told = failed.tell(STOP)
    assert "session.interrupt.requested" in kinds(told)
    [turn] = of_type(told, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    assert turn.content.startswith("[bossbot] Everything that ran was stopped: stopped by Ada.")
    assert "fix the retry loop" not in turn.content
