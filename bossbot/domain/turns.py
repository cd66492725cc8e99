"""Turns: when the manager is told something, and what exactly. One turn at a time; what comes meanwhile waits."""

from collections.abc import Sequence

from bossbot.domain.assignments import assign_anew, to_be_retried
from bossbot.domain.decision import Decision
from bossbot.domain.events import SessionTurnStarted, SessionUnblocked, Source
from bossbot.domain.state import Cut, Said, SessionState
from bossbot.domain.task import BACKGROUND, Task


def start_turn_if_idle(d: Decision, turn_id: str) -> None:
    """Hands everything that waits to the manager, if no turn runs and something waits."""
    state = d.state
    if state.turn is None and state.status == "active" and (state.queue or state.then_tell):
        start_turn(d, turn_id)


def start_turn(d: Decision, turn_id: str, *first: str) -> None:
    """Begins a turn with `first` and everything that waits. It takes up what failed, with the tasks that failed."""
    cut, news, again = d.state.cut, (*first, _news(d.state)), to_be_retried(d.state)
    blocked = d.state.blocked
    if blocked is not None and not blocked.how:
        d.emit(Source.USER, SessionUnblocked(id=blocked.id, how="message"))
    payload = SessionTurnStarted(
        turn_id=turn_id,
        message_ids=tuple(said.id for said in d.state.queue),
        content=_joined(_take_up(cut, again) if cut is not None else _begin_anew(again), *news),
        takes_up=_joined(cut.content, *news) if cut is not None else "",
    )
    d.emit(Source.SYSTEM, payload)
    for task in again:
        assign_anew(d, task, cut.reason if cut is not None else task.reason)


def _news(state: SessionState) -> str:
    """Notes, what must be told, and the messages that wait."""
    return _joined(*(f"[note] {note}" for note in state.notes), state.then_tell, queued_words(state.queue))


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def queued_words(queue: Sequence[Said]) -> str:
    """Messages as the manager reads them: with their authors if there are several."""
    authors = {said.author_name for said in queue}
    return "\n\n".join(_line(said, name=len(authors) > 1) for said in queue)


def _begin_anew(again: Sequence[Task]) -> str:
    """Background tasks that failed by themselves, for a reason that may be gone by now."""
    lines = [f"[bossbot] “{task.title}” failed ({task.reason}), which may be gone by now." for task in again]
    return "\n".join([*lines, "Start it again if it is still needed, in the same way."] if lines else [])


def _take_up(cut: Cut, again: Sequence[Task]) -> str:
    """The whole of what was asked stands here: nobody knows what the process that died had heard of it."""
    what = "Your process ended while you were working" if cut.lost else "Your last turn ended with an error"
    lines = [
        f"[bossbot] {what} ({cut.reason}). Take up what you were doing.",
        "Nothing that waited for permission has run.",
    ]
    begin_anew = [task.title for task in again if task.origin in BACKGROUND]
    lines += [f"This background task was cut off; start it again if it is still needed: {name}" for name in begin_anew]
    lines += [f"This waited for permission; ask again if it is still needed:\n{text}" for text in cut.waiting_for]
    if cut.content:
        lines.append(f"You had been asked:\n{cut.content}")
    return "\n".join(lines)


def _line(said: Said, *, name: bool) -> str:
    return f"{said.author_name}: {said.content}" if name and said.author_name else said.content
