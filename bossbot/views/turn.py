"""The card of a turn: one quiet line of progress for many tool calls, and how the turn ended when that is news."""

from bossbot.channel import Action, Block, Button, ButtonStyle, Card, Note, Plain, Tone, Verb
from bossbot.domain.events import SessionTurnDelayed, SessionTurnFinished, SessionTurnSteered
from bossbot.domain.state import SessionState, Turn
from bossbot.views.plan import progress_line

MANY_TOOL_CALLS = 3
"""A turn with fewer tool calls needs no card: its answer is its record."""

TOOL_CHARS = 120

LONG_DELAY_MS = 3_000
"""A turn that waited for less than this for the model's provider, in all, needs no card for it."""

_STOPPED = {"joined": "Stopped", "stopped": "Stopped for a message", "replaced": "Replaced by a message"}


def turn_card(turn: Turn, finished: SessionTurnFinished | None) -> Card | None:
    """The card of a turn that runs (`finished` is None) or has ended; None when there is nothing to show."""
    if finished is None:
        return _running(turn)
    busy = is_worth_a_card(turn)
    match finished.outcome:
        case "success":
            return Card(tone=Tone.GOOD, blocks=(Note(f"Done · {_numbers(turn, finished)}"),)) if busy else None
        case "interrupted":
            dropped = (Note(_dropped(turn.steered)),) if turn.steered is not None and _dropped(turn.steered) else ()
            title = _STOPPED[turn.steered.how] if turn.steered is not None else "Stopped"
            return Card(title=title, tone=Tone.STOPPED, blocks=(Note(_numbers(turn, finished)), *dropped))
        case "lost":
            return _ended("The agent's process ended during this turn", finished)
        case "error":
            return _ended("The turn ended with an error", finished)


def is_worth_a_card(turn: Turn) -> bool:
    """Whether a turn has more to show than its answer."""
    return turn.tool_calls >= MANY_TOOL_CALLS or turn.progress is not None or turn.delay_ms >= LONG_DELAY_MS


def _running(turn: Turn) -> Card | None:
    if turn.interrupted:
        return Card(title="Stopping…", tone=Tone.RUNNING, blocks=(Note("Waiting for the agent to stop."),))
    if not is_worth_a_card(turn):
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
    calls = (Note(f"{_calls(turn)} · now: {tool}"),) if turn.tool_calls else ()
    waits = (Note(f"Waiting: {delay(turn.delayed)}."),) if turn.delayed is not None else ()
    return (*report, *calls, *waits)


def delay(delayed: SessionTurnDelayed) -> str:
    """Why the turn stands still: the agent CLI tries again by itself."""
    reason = " ".join(filter(None, (str(delayed.error_status or ""), delayed.error))) or "no connection"
    of = f" of {delayed.max_retries}" if delayed.max_retries else ""
    return f"the model gave no answer ({reason}); it is asked again, try {delayed.attempt}{of}"


def _ended(title: str, finished: SessionTurnFinished) -> Card:
    text = "\n".join(finished.errors) or finished.result or "No reason was given."
    return Card(title=title, tone=Tone.BAD, blocks=(Plain(text),), fallback=title)


def _numbers(turn: Turn, finished: SessionTurnFinished) -> str:
    parts = [_calls(turn)]
    if finished.duration_ms is not None:
        parts.append(f"{finished.duration_ms / 1000:.1f} s")
    return " · ".join(parts)


def _calls(turn: Turn) -> str:
    return f"{turn.tool_calls} tool call{'' if turn.tool_calls == 1 else 's'}"


def queue_card(state: SessionState, *, waiting: bool) -> Card:
    """Says that messages wait for the turn to end, or that they were handed over."""
    turn, waits = state.turn, _messages(len(state.queue))
    if not waiting or turn is None:
        dropped = f" {_dropped(turn.steered)}" if turn is not None and turn.steered is not None else ""
        return Card(tone=Tone.GOOD, blocks=(Note(f"{waits} handed to the manager.{dropped}"),))
    if turn.steered is not None and turn.interrupted:
        text = f"{waits} for the manager: handed over as soon as the running turn has stopped. {_dropped(turn.steered)}"
        return Card(tone=Tone.WAITING, blocks=(Note(text),), fallback=text)
    text = f"{waits} for the manager: handed over when it has finished this turn. {_choice(state)}"
    if turn.interrupted:
        return Card(tone=Tone.WAITING, blocks=(Note(f"{waits} for the manager: handed over when it has stopped."),))
    buttons = (_steer("Send now", Verb.SEND_NOW, turn), _steer("Replace turn", Verb.REPLACE_TURN, turn), _stop(turn))
    return Card(tone=Tone.WAITING, blocks=(Note(text),), buttons=(buttons,), fallback=text)


def joined_card(steered: SessionTurnSteered) -> Card:
    """Says that messages were written into the running turn."""
    text = f"{_messages(len(steered.message_ids))} sent to the manager, in the middle of its turn."
    return Card(tone=Tone.GOOD, blocks=(Note(text),), fallback=text)


def _choice(state: SessionState) -> str:
    """What the buttons would do. Not every agent CLI can take a message in mid-turn."""
    if state.worker is not None and state.worker.joins_mid_turn:
        return "Send now lets it read on the way; Replace turn stops the turn first."
    return "Send now stops the turn for it, and it is taken up again; Replace turn stops it for good."


def _dropped(steered: SessionTurnSteered) -> str:
    """What became of the turn that a message did not wait for."""
    if steered.how == "joined":
        return ""
    by = steered.actor_name or "somebody"
    after = "to take it up again" if steered.how == "stopped" else "not to go on with it"
    return f"The running turn was dropped for a message of {by}; the manager is told what was dropped, and {after}."


def _messages(number: int) -> str:
    return f"{number} message" if number == 1 else f"{number} messages"


def _steer(label: str, verb: Verb, turn: Turn) -> Button:
    return Button(label, Action(verb, turn.id).encode())


def _stop(turn: Turn) -> Button:
    return Button("Stop", Action(Verb.STOP, turn.id).encode(), ButtonStyle.DANGER)
