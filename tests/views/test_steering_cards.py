"""What people see of steering: what the buttons would do, and what became of a turn that a message did not wait for."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain.events import Steering
from tests.domain.harness import WORKER, Session
from tests.views.screen import Screen


def at_work(*, joins: bool) -> Screen:
    screen = Screen()
    screen.see(lambda s: s.tell(c.UpdateCapabilities(WORKER, ("Bash",), "cli-1", "x", joins_mid_turn=joins)))
    screen.see(lambda s: s.say("look"))
    screen.see(lambda s: s.say("and here", 2))
    return screen


def steer(session: Session, steering: Steering) -> object:
    return session.tell(c.SteerTurn("turn_9", steering, "telegram:Ben", "Ben", "turn_1"))


@pytest.mark.parametrize(
    ("joins", "words"),
    [(True, "Send now lets it read on the way"), (False, "Send now stops the turn for it, and it is taken up again")],
)
def test_a_message_that_waits_offers_what_its_agent_can_do(joins: bool, words: str) -> None:
    drawn = at_work(joins=joins).drawn("queue:turn_1")
    assert words in drawn
    assert drawn.endswith("[Send now] [Replace turn] [Stop]")


def test_a_message_that_joined_the_turn_says_so_and_offers_nothing() -> None:
    screen = at_work(joins=True)
    screen.see(lambda s: steer(s, Steering.NOW))
    assert screen.drawn("queue:turn_1") == "(1 message sent to the manager, in the middle of its turn.)"
    screen.see(lambda s: s.end_turn())
    assert screen.drawn("queue:turn_1") == "(1 message sent to the manager, in the middle of its turn.)"


@pytest.mark.parametrize(
    ("steering", "title", "after"),
    [
        (Steering.NOW, "Stopped for a message", "to take it up again"),
        (Steering.REPLACE, "Replaced by a message", "not to go on with it"),
    ],
)
def test_a_turn_that_was_dropped_is_said_to_be_and_what_the_manager_is_told(
    steering: Steering, title: str, after: str
) -> None:
    screen = at_work(joins=False)
    screen.see(lambda s: s.ask())
    screen.see(lambda s: steer(s, steering))
    dropped = f"The running turn was dropped for a message of Ben; the manager is told what was dropped, and {after}."
    assert screen.drawn("queue:turn_1") == (
        f"(1 message for the manager: handed over as soon as the running turn has stopped. {dropped})"
    )
    assert screen.drawn("turn:turn_1").startswith("… Stopping…")
    assert "for a message of Ben" in screen.drawn("apr:apr_1")
    assert "[" not in screen.drawn("apr:apr_1")
    screen.see(lambda s: s.end_turn(outcome="interrupted"))
    assert screen.drawn("queue:turn_1") == f"(1 message handed to the manager. {dropped})"
    assert screen.drawn("turn:turn_1") == f"# {title}\n(0 tool calls)\n({dropped})"


def test_a_report_of_progress_stands_in_the_turns_card_and_on_the_board() -> None:
    screen = Screen()
    screen.see(lambda s: s.say("look"))
    report = c.ReportProgress("m1", "", "The loop is in retry()", 40, "read the log", "write a fix", "high")
    screen.see(lambda s: s.tell(report))
    line = "40% · The loop is in retry() · now: read the log · next: write a fix · risk high"
    assert screen.drawn("turn:turn_1") == f"… Working…\n{line}\n[Stop]"
    entries = (
        c.PlanEntry("task_1", "Find", priority="high"),  # type: ignore[arg-type]
        c.PlanEntry("task_2", "Fix", depends_on=("Find",)),  # type: ignore[arg-type]
    )
    screen.see(lambda s: s.tell(c.CreatePlan("m2", entries)))
    [board] = [key for key in screen.cards if key.startswith("plan:")]
    assert screen.drawn(board).split("\n")[:3] == ["  Plan · 0/2 done", "  Find — priority high", "  Fix — after Find"]
    screen.see(lambda s: s.tell(c.UpdateTask("m3", "Find", WORKER, "wa_1", "running")))
    screen.see(lambda s: s.tell(report))
    assert f"… Find — running · priority high · {line}" in screen.drawn(board)
    screen.see(lambda s: s.tell(c.UpdateTask("m4", "Find", WORKER, "wa_1", "completed", "It is in retry().")))
    assert "+ Find — completed · It is in retry()." in screen.drawn(board)
    assert "after Find" not in screen.drawn(board)
