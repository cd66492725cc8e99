"""What the conformance tests of stores write: a session, its messages, a card. Times are given, no clock is read."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bossbot.channel import Card, Code, Row, Rows, ThreadRef, Tone
from bossbot.domain import events as ev
from bossbot.ids import EventId, SessionId, TaskId
from bossbot.store import (
    EventStore,
)

Open = Callable[[], Awaitable[EventStore]]
"""Opens the store as a process would at its start; what was opened before it is as good as killed."""

SESSION, OTHER = SessionId("ps_1"), SessionId("ps_2")
THREAD, TOPIC = ThreadRef("telegram", "-100"), ThreadRef("telegram", "-100", "7")
AT = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)
CARD = Card("rm -rf build-cache", Tone.WAITING, (Code("rm -rf build-cache", "bash"), Rows((Row("清理", Tone.GOOD),))))
DONE = replace(CARD, tone=Tone.GOOD)


def event(payload: ev.Payload, number: int, *, session: SessionId = SESSION, task: TaskId | None = None) -> ev.Event:
    """A sealed event; `number` makes its id and its time."""
    at = AT + timedelta(seconds=number, microseconds=123_000)
    return ev.NewEvent(source=ev.Source.USER, payload=payload, task_id=task).sealed(
        EventId(f"evt_{number}"), session, at
    )


def opening(session: SessionId = SESSION, thread: ThreadRef = THREAD) -> list[ev.Event]:
    """How a session begins."""
    bound = ev.SessionThreadBound(channel=thread.channel, chat=thread.chat, thread=thread.thread)
    return [event(ev.SessionCreated(title="Fix the build"), 1, session=session), event(bound, 2, session=session)]


def message(number: int, content: str = "clean the build cache") -> ev.Event:
    """A message of a person."""
    return event(ev.SessionMessageAdded(id=f"msg_{number}", role="user", channel="telegram", content=content), number)


async def refused(error: type[Exception], work: Awaitable[object]) -> None:
    """Fails unless `work` raises `error`."""
    try:
        await work
    except error:
        return
    raise AssertionError(f"{error.__name__} was expected")
