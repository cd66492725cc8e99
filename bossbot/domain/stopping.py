"""Stop: what runs is interrupted, what waits for a decision is withdrawn, what waits for another try is given up."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.decision import Decision
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Source
from bossbot.domain.giving_up import give_up_retry
from bossbot.domain.turns import start_turn, start_turn_if_idle


def interrupt(d: Decision, command: c.Interrupt) -> None:
    """Stop everything: once per run."""
    if d.state.turn is not None and d.state.turn.interrupted:
        raise DomainError("it is already being stopped")
    if not stop_all(d, command.reason, command.actor, command.actor_name, command.turn_id):
        raise DomainError("nothing is running")


def stop_all(d: Decision, reason: str, actor: str, actor_name: str, turn_id: str) -> bool:
    """False when there is nothing to stop. While a turn is stopped, the question how something else goes on stays."""
    asked_already = d.state.turn is not None and d.state.asks_how_to_go_on
    given_up = not asked_already and give_up_retry(d, f"blk_{turn_id}", actor, actor_name)
    if d.state.busy:
        request_interrupt(d, reason=reason, actor=actor, turn_id=turn_id)
        return True
    start_turn_if_idle(d, turn_id)
    return given_up


def request_interrupt(d: Decision, *, reason: str, actor: str, turn_id: str, then_tell: str = "") -> None:
    """The interrupt, and the withdrawal of every request that waited.

    Between turns cbc says nothing more of what it stopped until it is spoken to (capture `idle-interrupt`), so a turn
    that says what happened follows at once; within a turn its end comes by itself.
    """
    d.emit(Source.USER, ev.SessionInterruptRequested(reason=reason, actor=actor, then_tell=then_tell))
    d.withdraw_approvals(f"the run was stopped ({reason})")
    if d.state.turn is None:
        stopped = f"[bossbot] Everything that ran was stopped: {reason}. Do nothing more until you are asked."
        start_turn(d, turn_id, *(() if then_tell else (stopped,)))
