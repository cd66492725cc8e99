"""Steering: a message in mid-turn waits, is sent now, or replaces the turn; for the person alike on every agent CLI."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.events import Steering
from bossbot.ids import DiffId, MessageId
from tests.domain.harness import WORKER, Session, kinds, of_type


def at_work(*, joins: bool = False) -> Session:
    """A session whose manager works; `joins`: its CLI takes a message in mid-turn."""
    session = Session()
    session.tell(c.UpdateCapabilities(WORKER, ("Bash",), "cli-1", "x", joins_mid_turn=joins))
    session.say("clean the cache")
    session.tell(c.RequestToolCall("t1", "Bash", "npm test"))
    return session


def write(
    session: Session, text: str, steering: Steering, number: int = 2, *, plan_first: bool = False, name: str = "Ben"
) -> list[ev.Payload]:
    message = c.AddMessage(
        MessageId(f"msg_{number}"),
        f"turn_{number}",
        "telegram",
        text,
        f"telegram:{name}",
        name,
        plan_first,
        steering=steering,
        insists=True,
    )
    return session.tell(message)


def steer(steering: Steering, target: str = "") -> c.SteerTurn:
    return c.SteerTurn("turn_9", steering, "telegram:Ben", "Ben", target)


def started(payloads: list[ev.Payload]) -> ev.SessionTurnStarted:
    [turn] = of_type(payloads, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    return turn


def steered(payloads: list[ev.Payload]) -> ev.SessionTurnSteered:
    [found] = of_type(payloads, ev.SessionTurnSteered)
    assert isinstance(found, ev.SessionTurnSteered)
    return found


@pytest.mark.parametrize("joins", [False, True])
def test_a_queued_message_waits_for_the_end_and_stops_nothing(joins: bool) -> None:
    session = at_work(joins=joins)
    assert kinds(write(session, "and the logs", Steering.QUEUE)) == [
        "session.message.added",
        "session.message.classified",
    ]
    assert started(session.end_turn()).content == "and the logs"


def test_a_message_sent_now_joins_the_turn_where_the_cli_can() -> None:
    session = at_work(joins=True)
    told = write(session, "skip the tests", Steering.NOW)
    assert kinds(told)[-1] == "session.turn.steered"
    joined = steered(told)
    assert (joined.how, joined.content, joined.turn_id) == ("joined", "skip the tests", "turn_1")
    assert session.state.queue == ()
    assert session.state.turn is not None
    assert session.state.turn.message_ids == ("msg_1", "msg_2")
    assert of_type(session.end_turn(), ev.SessionTurnStarted) == []


def test_a_message_sent_now_stops_the_turn_where_the_cli_cannot_and_the_manager_is_told_what() -> None:
    session = at_work()
    session.ask()
    told = write(session, "skip the tests", Steering.NOW)
    assert kinds(told)[2:] == ["session.turn.steered", "session.interrupt.requested", "approval.withdrawn"]
    assert steered(told).how == "stopped"
    assert [said.content for said in session.state.queue] == ["skip the tests"]
    content = started(session.end_turn(outcome="interrupted")).content
    assert content.startswith("[bossbot] Your turn was stopped because Ben wrote")
    assert "clean the cache" in content
    assert "Bash npm test" in content
    assert "rm -rf build-cache-1" in content
    assert "take up again what was stopped" in content
    assert content.endswith("skip the tests")


@pytest.mark.parametrize("joins", [False, True])
def test_a_message_that_replaces_the_turn_stops_it_on_every_cli(joins: bool) -> None:
    session = at_work(joins=joins)
    session.start_workflow("w1")
    session.ask()
    told = write(session, "fix the login instead", Steering.REPLACE)
    assert steered(told).how == "replaced"
    [withdrawn] = of_type(told, ev.ApprovalWithdrawn)
    assert isinstance(withdrawn, ev.ApprovalWithdrawn)
    assert "for a message of Ben" in withdrawn.reason
    session.tell(c.EndBackgroundTask("w1", "stopped", "turn_x"))
    content = started(session.end_turn(outcome="interrupted")).content
    assert "Do not go on with what was stopped" in content
    assert "“Gather and write”" in content
    assert content.endswith("fix the login instead")
    assert session.state.queue == ()


def test_what_waited_already_goes_with_the_message_in_the_order_of_writing() -> None:
    session = at_work()
    write(session, "first", Steering.QUEUE, 2)
    write(session, "second", Steering.NOW, 3, name="Ada")
    content = started(session.end_turn(outcome="interrupted")).content
    assert content.endswith("Ben: first\n\nAda: second")


@pytest.mark.parametrize(("joins", "how"), [(True, "joined"), (False, "stopped")])
def test_what_waits_can_be_sent_now_later(joins: bool, how: str) -> None:
    session = at_work(joins=joins)
    write(session, "and the logs", Steering.QUEUE)
    assert steered(session.tell(steer(Steering.NOW, "turn_1"))).how == how


def test_an_old_button_steers_no_other_turn() -> None:
    session = at_work()
    write(session, "and the logs", Steering.QUEUE)
    session.end_turn("turn_5")
    write(session, "and this", Steering.QUEUE, 6)
    assert "ended" in session.refuses(steer(Steering.REPLACE, "turn_1"))


def test_without_a_message_that_waits_nothing_is_stopped() -> None:
    session = at_work()
    assert "no message waits" in session.refuses(steer(Steering.REPLACE))
    assert "no message waits" in session.refuses(steer(Steering.NOW, "turn_1"))


def test_a_turn_that_is_being_stopped_is_not_stopped_twice() -> None:
    session = at_work()
    write(session, "one", Steering.REPLACE, 2)
    assert kinds(write(session, "two", Steering.REPLACE, 3)) == ["session.message.added", "session.message.classified"]
    assert "already" in session.refuses(steer(Steering.NOW))
    assert started(session.end_turn(outcome="interrupted")).content.endswith("one\n\ntwo")


@pytest.mark.parametrize("steering", list(Steering))
def test_an_idle_manager_reads_every_message_at_once(steering: Steering) -> None:
    session = Session()
    assert started(write(session, "hello", steering)).content == "hello"


def test_what_insists_answers_no_question_and_is_not_judged_first() -> None:
    session = at_work()
    session.add_task(1)
    session.ask(questions=(ev.Question(question="Which?"),))
    told = write(session, "never mind, do this", Steering.REPLACE, plan_first=True)
    assert "approval.answered" not in kinds(told)
    assert "session.turn.steered" in kinds(told)
    assert not session.approval().pending


def test_a_message_that_is_judged_first_keeps_how_it_was_meant() -> None:
    session = at_work()
    session.add_task(1)
    message = c.AddMessage(
        MessageId("msg_2"), "turn_2", "telegram", "what is up", "telegram:Ben", "Ben", True, steering=Steering.REPLACE
    )
    assert kinds(session.tell(message)) == ["session.message.added"]
    verdict = c.ClassifyMessage(MessageId("msg_2"), "turn_3", DiffId("diff_1"), "question", False, "rules")
    assert steered(session.tell(verdict)).how == "replaced"


def test_what_joined_a_turn_is_taken_up_again_when_the_agent_dies() -> None:
    session = at_work(joins=True)
    write(session, "skip the tests", Steering.NOW)
    session.tell(c.AgentExited(WORKER, "killed", "turn_x"))
    content = started(session.recover(4, "killed")).content
    assert "clean the cache" in content
    assert "skip the tests" in content


@pytest.mark.parametrize("steering", [Steering.QUEUE, Steering.NOW, Steering.REPLACE])
def test_nothing_that_waits_is_lost_when_the_bot_dies_before_the_turn_ends(steering: Steering) -> None:
    session = at_work()
    write(session, "fix the login", steering)
    told = session.recover(4)
    again = of_type(told, ev.SessionTurnStarted) or of_type(session.recover(5), ev.SessionTurnStarted)
    assert isinstance(again[0], ev.SessionTurnStarted)
    assert again[0].content.count("fix the login") == 1
    assert session.state.queue == ()


def test_what_was_handed_over_with_a_turn_taken_up_again_survives_its_second_death() -> None:
    session = at_work()
    write(session, "and the logs", Steering.QUEUE)
    for number in (1, 2, 3):
        session.tell(c.AgentExited(WORKER, "killed", "turn_x"))
        turn = started(session.recover(number, "killed"))
        assert "clean the cache" in turn.content
        assert turn.content.count("and the logs") == 1


def test_however_often_a_turn_is_stopped_the_newest_of_what_was_asked_is_still_told() -> None:
    """Each message stops the turn of the one before; what a process that died had heard of it nobody knows."""
    session = at_work()
    for number in range(2, 14):
        write(session, f"item {number} " + "x" * 150, Steering.NOW, number)
        told = started(session.end_turn(f"turn_next_{number}", "interrupted")).content
        assert f"item {number} " in told
        if number > 2:
            assert f"item {number - 1} " in told
        assert len(told) < 3_000
