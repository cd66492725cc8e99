"""Steering: what becomes of a message that comes while a turn runs. It waits, is sent now, or replaces the turn.

Not every agent CLI can take a message in mid-turn (`WorkerState.joins_mid_turn`). Where it cannot, a message that is
sent now stops the turn first, the person reads so, and the manager is told what was stopped.
"""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.decision import Decision
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Source, Steering
from bossbot.domain.people import must_be_open
from bossbot.domain.state import SessionState, Turn
from bossbot.domain.stopping import request_interrupt
from bossbot.domain.turns import queued_words, start_turn_if_idle

ASKED_CHARS = 2_000
"""Of what a stopped turn had been asked the manager is reminded of so much: of its beginning and its end. A turn that
was begun for a message has that at its end, and the process may not have heard it."""

DOING_CHARS = 200


def steer_turn(d: Decision, command: c.SteerTurn) -> None:
    """What waits already is sent now, or replaces the turn."""
    must_be_open(d)
    turn = d.state.turn
    if command.target and (turn is None or turn.id != command.target):
        raise DomainError("this turn has ended, and what waited was handed over")
    if not d.state.queue:
        raise DomainError("no message waits; write one behind the word")
    if command.steering is Steering.QUEUE:
        raise DomainError("what waits stays where it is")
    if turn is not None and turn.interrupted:
        raise DomainError("the turn is being stopped already; what waits comes next")
    hand_over(d, command.turn_id, command.steering, actor=command.actor, actor_name=command.actor_name)


def hand_over(d: Decision, turn_id: str, steering: Steering, *, actor: str, actor_name: str) -> None:
    """Gives what waits to the manager: at once when it is idle, else as `steering` says."""
    turn = d.state.turn
    if turn is None:
        start_turn_if_idle(d, turn_id)
        return
    if steering is Steering.QUEUE or turn.interrupted or not d.state.queue:
        return
    joins = d.state.worker is not None and d.state.worker.joins_mid_turn
    if steering is Steering.NOW and joins:
        _steered(d, turn, "joined", actor, actor_name, content=queued_words(d.state.queue))
        return
    told = stopped_turn(d.state, turn, actor_name, goes_on=steering is Steering.NOW)
    _steered(d, turn, "replaced" if steering is Steering.REPLACE else "stopped", actor, actor_name)
    request_interrupt(d, reason=f"for a message of {actor_name}", actor=actor, turn_id=turn_id, then_tell=told)


def _steered(d: Decision, turn: Turn, how: str, actor: str, actor_name: str, content: str = "") -> None:
    steered = {
        "turn_id": turn.id,
        "how": how,
        "message_ids": tuple(said.id for said in d.state.queue),
        "content": content,
        "actor": actor,
        "actor_name": actor_name,
    }
    d.emit(Source.USER, ev.SessionTurnSteered.model_validate(steered))


def stopped_turn(state: SessionState, turn: Turn, by: str, *, goes_on: bool) -> str:
    """What the manager is told of the turn that is stopped for a message; the message itself follows."""
    lines = [f"[bossbot] Your turn was stopped because {by} wrote something that you shall read at once."]
    asked = turn.takes_up or turn.content
    if asked:
        lines.append(f"You had been asked:\n{_both_ends(asked)}")
    if turn.current_tool:
        lines.append(f"You were at: {_cut(turn.current_tool, DOING_CHARS)} (tool call {turn.tool_calls})")
    waited = [approval.detail or approval.summary for approval in state.pending_approvals]
    lines += [f"This waited for a decision, was not decided and has not run:\n{text}" for text in waited]
    lines += [f"This was stopped with it: “{task.title}”" for task in state.running_background]
    if goes_on:
        lines.append("Read what follows first; then take up again what was stopped, unless it says otherwise:")
    else:
        lines.append("What follows replaces it. Do not go on with what was stopped unless you are asked to:")
    return "\n".join(lines)


def _both_ends(text: str) -> str:
    half = ASKED_CHARS // 2
    return text if len(text) <= ASKED_CHARS else f"{text[:half]}\n…\n{text[-half:]}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
