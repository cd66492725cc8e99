"""The card of a turn: one quiet line of progress for many tool calls, and how the turn ended when that is news."""

from bossbot.channel import Action, Block, Button, ButtonStyle, Card, Note, Plain, Tone, Verb
from bossbot.domain.events import SessionTurnFinished
from bossbot.domain.state import SessionState, Turn
from bossbot.views.plan import progress_line

MANY_TOOL_CALLS = 3
"""A turn with fewer tool calls needs no card: its answer is its record."""

TOOL_CHARS = 120


def turn_card(turn: Turn, finished: SessionTurnFinished | None) -> Card | None:
    """The card of a turn that runs (`finished` is None) or has ended; None when there is nothing to show."""
    if finished is None:
        return _running(turn)
    busy = turn.tool_calls >= MANY_TOOL_CALLS or turn.progress is not None
    match finished.outcome:
        case "success":
            return Card(tone=Tone.GOOD, blocks=(Note(f"Done · {_numbers(turn, finished)}"),)) if busy else None
        case "interrupted":
            return Card(title="Stopped", tone=Tone.STOPPED, blocks=(Note(_numbers(turn, finished)),))
        case "lost":
            return _ended("The agent's process ended during this turn", finished)
        case "error":
            return _ended("The turn ended with an error", finished)


def _running(turn: Turn) -> Card | None:
    if turn.interrupted:
        return Card(title="Stopping…", tone=Tone.RUNNING, blocks=(Note("Waiting for the agent to stop."),))
    if turn.tool_calls < MANY_TOOL_CALLS and turn.progress is None:
        return None
    tool = turn.current_tool[:TOOL_CHARS] + ("…" if len(turn.current_tool) > TOOL_CHARS else "")
    return Card(
        title="Working…",
        tone=Tone.RUNNING,
        blocks=_doing(turn, tool),
        buttons=((_stop(turn),),),
        fallback="Working…",
    )


def _doing(turn: Turn, tool: str) -> tuple[Block, ...]:
    report: tuple[Block, ...] = (Plain(progress_line(turn.progress)),) if turn.progress is not None else ()
    calls = (Note(f"{turn.tool_calls} tool calls · now: {tool}"),) if turn.tool_calls else ()
    return (*report, *calls)


def _ended(title: str, finished: SessionTurnFinished) -> Card:
    text = "\n".join(finished.errors) or finished.result or "No reason was given."
    return Card(title=title, tone=Tone.BAD, blocks=(Plain(text),), fallback=title)


def _numbers(turn: Turn, finished: SessionTurnFinished) -> str:
    parts = [f"{turn.tool_calls} tool call{'' if turn.tool_calls == 1 else 's'}"]
    if finished.duration_ms is not None:
        parts.append(f"{finished.duration_ms / 1000:.1f} s")
    return " · ".join(parts)


def queue_card(state: SessionState, *, waiting: bool) -> Card:
    """Says that messages wait for the turn to end, or that they were handed over."""
    number = len(state.queue)
    noun = "message" if number == 1 else "messages"
    if not waiting or state.turn is None:
        return Card(tone=Tone.GOOD, blocks=(Note(f"{number} {noun} handed to the manager."),))
    text = f"{number} {noun} for the manager: handed over when it has finished this turn. Stop hands over now."
    return Card(tone=Tone.WAITING, blocks=(Note(text),), buttons=((_stop(state.turn),),), fallback=text)


def _stop(turn: Turn) -> Button:
    return Button("Stop", Action(Verb.STOP, turn.id).encode(), ButtonStyle.DANGER)
