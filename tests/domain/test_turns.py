"""Sessions and turns: one turn at a time, what comes meanwhile waits, an interrupt stops everything once."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.errors import AlreadyDecided, DomainError
from bossbot.ids import DiffId, MessageId, ThreadRef

from .harness import WORKER, Session, kinds, of_type

STOP = c.Interrupt("telegram:1", "enough", "turn_i")


def started(payloads: list[ev.Payload]) -> ev.SessionTurnStarted:
    [turn] = of_type(payloads, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    return turn


# --- the session ---


def test_a_session_begins_with_its_title_objective_and_thread() -> None:
    session = Session()
    assert [e.type for e in session.log] == ["session.created", "session.thread.bound"]
    assert (session.state.title, session.state.objective) == ("Fix the build", "a green build")
    assert session.state.threads == (ThreadRef("telegram", "-100"),)


def test_a_session_opens_once() -> None:
    Session().refuses(c.OpenSession("Again", "telegram", "-100", None))


def test_a_session_without_words_for_a_title_has_one_still() -> None:
    session = Session(opened=False)
    session.tell(c.OpenSession("   ", "telegram", "-100", None))
    assert session.state.title == "Untitled"


def test_nobody_speaks_in_a_session_that_is_not_open() -> None:
    new = Session(opened=False)
    message = c.AddMessage(MessageId("msg_1"), "turn_1", "telegram", "hello", "telegram:1", "Ada")
    new.refuses(message)
    closed = Session()
    closed.tell(c.CloseSession("done"))
    closed.refuses(message)
    closed.refuses(c.CloseSession("again"))


def test_closing_voids_what_still_waits() -> None:
    session = Session()
    session.ask()
    assert kinds(session.tell(c.CloseSession("done"))) == ["approval.withdrawn", "session.closed"]
    session.refuses(c.Approve(session.approval().id, "telegram:1", "Ada"), AlreadyDecided)


def test_a_working_session_is_not_closed() -> None:
    session = Session()
    session.say("go")
    session.refuses(c.CloseSession("done"))
    session.start_workflow()
    session.end_turn()
    session.refuses(c.CloseSession("done"))


# --- turns ---


def test_a_message_starts_a_turn_at_once_when_nothing_runs() -> None:
    session = Session()
    told = session.say("clean the build cache")
    assert kinds(told) == ["session.message.added", "session.message.classified", "session.turn.started"]
    assert (started(told).content, started(told).message_ids) == ("clean the build cache", ("msg_1",))


@pytest.mark.parametrize("blank", ["", "  \n"])
def test_an_empty_message_is_refused(blank: str) -> None:
    Session().refuses(c.AddMessage(MessageId("msg_1"), "turn_1", "telegram", blank, "telegram:1", "Ada"))


def test_messages_during_a_turn_wait_and_go_together_into_the_next() -> None:
    session = Session()
    session.say("first", 1)
    assert of_type(session.say("second", 2), ev.SessionTurnStarted) == []
    session.say("third", 3)
    following = started(session.end_turn("turn_2"))
    assert following.turn_id == "turn_2"
    assert following.message_ids == ("msg_2", "msg_3")
    assert following.content == "second\n\nthird"
    assert session.state.queue == ()


def test_several_people_in_one_turn_are_named() -> None:
    session = Session()
    session.say("first", 1)
    session.say("use tabs", 2, name="Ada")
    session.say("use spaces", 3, name="Bob")
    assert started(session.end_turn()).content == "Ada: use tabs\n\nBob: use spaces"


def test_a_turn_that_ends_with_nothing_waiting_is_followed_by_none() -> None:
    session = Session()
    session.say("go")
    assert kinds(session.end_turn()) == ["session.turn.finished"]
    assert session.state.turn is None


def test_a_held_message_waits_for_its_verdict_also_when_nothing_runs() -> None:
    session = Session()
    session.add_task(1)
    assert kinds(session.say("what about the cache?", plan_first=True)) == ["session.message.added"]
    told = session.tell(c.ClassifyMessage(MessageId("msg_1"), "turn_1", DiffId("diff_1"), "question", False, "rules"))
    assert kinds(told) == ["session.message.classified", "session.turn.started"]
    assert session.state.held == {}


def test_a_message_is_not_held_while_there_is_nothing_on_the_board_that_it_could_change() -> None:
    assert "session.turn.started" in kinds(Session().say("what about the cache?", plan_first=True))


def test_a_turn_that_the_cli_starts_by_itself_is_a_turn_of_its_own() -> None:
    session = Session()
    session.tell(c.BeginOwnTurn("turn_own"))
    assert session.state.turn is not None
    assert session.state.turn.own
    assert session.tell(c.BeginOwnTurn("turn_other")) == []
    assert of_type(session.say("hello"), ev.SessionTurnStarted) == []
    assert started(session.end_turn()).message_ids == ("msg_1",)


def test_a_result_tells_cost_and_outcome() -> None:
    session = Session()
    session.say("go")
    [finished] = session.tell(
        c.EndTurn("t", "error", errors=("no credit",), duration_ms=1200, total_cost_usd=0.25, input_tokens=7)
    )
    assert isinstance(finished, ev.SessionTurnFinished)
    assert (finished.turn_id, finished.outcome, finished.errors) == ("turn_1", "error", ("no credit",))
    assert session.state.total_cost_usd == 0.25


# --- interrupts ---


def test_an_interrupt_needs_something_that_runs() -> None:
    Session().refuses(STOP)


def test_an_interrupt_marks_the_turn_withdraws_what_waits_and_is_asked_once() -> None:
    session = Session()
    session.say("go")
    session.ask()
    assert kinds(session.tell(STOP)) == ["session.interrupt.requested", "approval.withdrawn"]
    session.refuses(STOP, DomainError)
    session.refuses(c.Approve(session.approval().id, "telegram:1", "Ada"), AlreadyDecided)
    [finished] = of_type(session.end_turn(outcome="error"), ev.SessionTurnFinished)
    assert isinstance(finished, ev.SessionTurnFinished)
    assert finished.outcome == "interrupted"


def test_what_was_written_before_the_interrupt_is_handed_over_after_it() -> None:
    session = Session()
    session.say("go", 1)
    session.say("no, the other way", 2)
    session.tell(STOP)
    assert started(session.end_turn()).content == "no, the other way"


def test_a_workflow_without_a_turn_can_be_interrupted() -> None:
    session = Session()
    session.say("go")
    session.start_workflow()
    session.end_turn()
    stopped = session.tell(STOP)
    assert kinds(stopped) == ["session.interrupt.requested", "session.turn.started"]
    assert "was stopped" in started(stopped).content
    session.tell(c.EndBackgroundTask("w1", "stopped", "turn_2", "user cancel"))
    session.end_turn()
    assert not session.state.busy


# --- the worker and its tools ---


def test_capabilities_are_told_when_they_are_news() -> None:
    session = Session()
    session.say("go")
    init = c.UpdateCapabilities(WORKER, ("Bash",), "cli-1", "cbc", "scripted", True)
    assert kinds(session.tell(init)) == ["worker.capabilities.updated", "worker.heartbeat"]
    assert session.tell(init) == []


def test_an_init_after_the_turn_does_not_make_an_idle_worker_busy() -> None:
    """cbc sends `system/init` after a result too."""
    session = Session()
    session.say("go")
    init = c.UpdateCapabilities(WORKER, (), "cli-1", "cbc", "scripted")
    session.tell(init)
    session.end_turn()
    assert session.state.worker is not None
    assert session.state.worker.status == "idle"
    assert session.tell(init) == []


def test_news_of_the_same_worker_in_mid_turn_leave_it_busy() -> None:
    session = Session()
    session.say("go")
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc", "scripted"))
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc", "another model"))
    assert session.state.worker is not None
    assert (session.state.worker.model, session.state.worker.status) == ("another model", "busy")


def test_a_tool_call_that_is_announced_twice_is_one() -> None:
    session = Session()
    session.say("go")
    call = c.RequestToolCall("tu_1", "Bash", "ls")
    assert kinds(session.tell(call)) == ["tool.call.requested"]
    assert session.tell(call) == []
    [finished] = session.tell(c.FinishToolCall("tu_1", False, "ok", 2, "00"))
    assert isinstance(finished, ev.ToolCallFinished)
    assert finished.tool == "Bash"
    assert session.state.open_tools == {}


def test_an_empty_word_of_the_manager_is_no_message() -> None:
    session = Session()
    assert session.tell(c.AddManagerText(MessageId("msg_2"), " \n")) == []
    assert kinds(session.tell(c.AddManagerText(MessageId("msg_2"), "Done."))) == ["session.message.added"]
