"""Turns: when the manager is told something, and what exactly. One turn at a time; what comes meanwhile waits."""

from bossbot.domain.decision import Decision
from bossbot.domain.events import SessionTurnStarted, Source
from bossbot.domain.state import Said, SessionState


def start_turn_if_idle(d: Decision, turn_id: str) -> None:
    """Hands everything that waits to the manager, if no turn runs and something waits."""
    state = d.state
    if state.turn is None and state.status == "active" and (state.queue or state.then_tell):
        start_turn(d, turn_id)


def start_turn(d: Decision, turn_id: str, *first: str) -> None:
    """Begins a turn with `first` and everything that waits."""
    waiting = turn_content(d.state)
    payload = SessionTurnStarted(
        turn_id=turn_id,
        message_ids=tuple(said.id for said in d.state.queue),
        content="\n\n".join((*first, *((waiting,) if waiting else ()))),
    )
    d.emit(Source.SYSTEM, payload)


def turn_content(state: SessionState) -> str:
    """What the manager reads: notes, then what must be told, then the messages, with their authors if several."""
    parts = [f"[note] {note}" for note in state.notes]
    if state.then_tell:
        parts.append(state.then_tell)
    authors = {said.author_name for said in state.queue}
    parts += [_line(said, name=len(authors) > 1) for said in state.queue]
    return "\n\n".join(parts)


def _line(said: Said, *, name: bool) -> str:
    return f"{said.author_name}: {said.content}" if name and said.author_name else said.content
