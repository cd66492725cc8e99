"""What people see while the model's provider does not answer and the CLI asks again: little, and only if it lasts."""

from bossbot.app.status import status_card
from bossbot.domain import commands as c
from bossbot.ids import MessageId
from tests.views.screen import Screen, drawn

KEY = "turn:turn_1"
WAITS = "(Waiting: the model gave no answer (529 overloaded); it is asked again, try 3 of 10.)"


def delayed(screen: Screen, attempt: int, retry_delay_ms: int, status: int | None = 529, error: str = "") -> None:
    screen.see(lambda s: s.tell(c.DelayTurn(attempt, 10, retry_delay_ms, status, error or "overloaded")))


def asked() -> Screen:
    screen = Screen()
    screen.see(lambda s: s.say("look"))
    return screen


def long_delayed() -> Screen:
    screen = asked()
    for attempt, pause_ms in enumerate((600, 1_100, 2_100), 1):
        delayed(screen, attempt, pause_ms)
    return screen


def test_a_short_delay_shows_nothing() -> None:
    screen = asked()
    delayed(screen, 1, 600)
    delayed(screen, 2, 1_100)
    screen.see(lambda s: s.end_turn())
    assert KEY not in screen.cards


def test_a_long_delay_is_told_with_its_reason_and_a_way_to_stop() -> None:
    assert long_delayed().drawn(KEY) == f"… Working…\n{WAITS}\n[Stop]"


def test_the_status_says_why_nothing_happens() -> None:
    assert "Manager: waiting: the model gave no answer (529 overloaded)" in drawn(
        status_card(long_delayed().session.state)
    )


def test_nobody_answered_at_all() -> None:
    screen = asked()
    screen.see(lambda s: s.tell(c.DelayTurn(1, None, 60_000)))
    assert "(no connection); it is asked again, try 1.)" in screen.drawn(KEY)


def test_what_the_model_says_ends_the_delay_and_the_turn_its_card() -> None:
    screen = long_delayed()
    screen.see(lambda s: s.tell(c.AddManagerText(MessageId("msg_9"), "Here.")))
    assert screen.drawn(KEY) == "… Working…\n[Stop]"
    assert "working (0 tool calls)" in drawn(status_card(screen.session.state))
    screen.see(lambda s: s.end_turn())
    assert screen.drawn(KEY) == "(Done · 0 tool calls)"


def test_a_tool_call_ends_the_delay() -> None:
    screen = long_delayed()
    screen.see(lambda s: s.tell(c.RequestToolCall("t1", "Bash", "ls")))
    assert screen.drawn(KEY) == "… Working…\n(1 tool call · now: Bash ls)\n[Stop]"


def test_a_delay_outside_a_turn_is_no_event() -> None:
    screen = Screen()
    delayed(screen, 1, 60_000)
    assert [event.type for event in screen.session.log] == ["session.created", "session.thread.bound"]
