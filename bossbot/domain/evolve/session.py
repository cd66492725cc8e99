"""How the session changes by its own events: messages, turns, notes."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from bossbot.domain import events as ev
from bossbot.domain.mapping import put, without
from bossbot.domain.state import CONSTRAINTS, RECENT_MESSAGES, Blocked, Cut, Progress, Said, SessionState, Turn
from bossbot.ids import MessageId, ThreadRef


def _created(state: SessionState, p: ev.SessionCreated) -> SessionState:
    return replace(state, title=p.title, status=p.status, objective=p.active_objective)


def _bound(state: SessionState, p: ev.SessionThreadBound) -> SessionState:
    return replace(state, threads=(*state.threads, ThreadRef(p.channel, p.chat, p.thread)))


def _objective(state: SessionState, p: ev.SessionObjectiveUpdated) -> SessionState:
    return replace(state, objective=p.active_objective, objective_from=p.message_id)


def _message(state: SessionState, p: ev.SessionMessageAdded) -> SessionState:
    said = Said(MessageId(p.id), p.role, p.content, p.author_name, p.author, p.steering)
    state = replace(state, recent=(*state.recent, said)[-RECENT_MESSAGES:])
    turn = state.turn
    if turn is not None and (turn.writing == p.id or (turn.delayed and p.role == "manager")):
        state = replace(state, turn=replace(turn, writing="" if turn.writing == p.id else turn.writing, delayed=None))
    if p.role != "user" or p.answers:
        return state
    return replace(state, held=put(state.held, said.id, said))


def _message_started(state: SessionState, p: ev.SessionMessageStarted) -> SessionState:
    if state.turn is None:
        return state
    return replace(state, turn=replace(state.turn, writing=p.id, delayed=None))


def _classified(state: SessionState, p: ev.SessionMessageClassified) -> SessionState:
    said = state.held.get(MessageId(p.message_id))
    if said is None:
        return state
    return replace(state, held=without(state.held, said.id), queue=(*state.queue, said))


def _constraint(state: SessionState, p: ev.SessionConstraintAdded) -> SessionState:
    others = tuple(known for known in state.constraints if known != p.content)
    return replace(state, constraints=(*others, p.content)[-CONSTRAINTS:])


def _turn_started(state: SessionState, p: ev.SessionTurnStarted) -> SessionState:
    """A turn that we ask for takes up what failed; one that the CLI begins by itself leaves it waiting."""
    taken = set(p.message_ids)
    return replace(
        state,
        turn=Turn(p.turn_id, p.content, p.message_ids, takes_up=p.takes_up),
        queue=tuple(said for said in state.queue if said.id not in taken),
        notes=() if p.content else state.notes,
        then_tell="" if p.content else state.then_tell,
        turns=state.turns + 1,
        cut=None if p.content else state.cut,
    )


def _turn_steered(state: SessionState, p: ev.SessionTurnSteered) -> SessionState:
    """What joined the turn is part of what it was asked; what stopped it stays in the queue and comes next."""
    if state.turn is None:
        return state
    turn = replace(state.turn, steered=p)
    if p.how != "joined":
        return replace(state, turn=turn)
    taken = set(p.message_ids)
    turn = replace(
        turn,
        content=_joined(turn.content, p.content),
        takes_up=_joined(turn.takes_up, p.content) if turn.takes_up else "",
        message_ids=(*turn.message_ids, *p.message_ids),
    )
    return replace(state, turn=turn, queue=tuple(said for said in state.queue if said.id not in taken))


def _turn_delayed(state: SessionState, p: ev.SessionTurnDelayed) -> SessionState:
    turn = state.turn
    if turn is None:
        return state
    return replace(state, turn=replace(turn, delayed=p, delay_ms=turn.delay_ms + p.retry_delay_ms))


def _turn_finished(state: SessionState, p: ev.SessionTurnFinished) -> SessionState:
    cost = p.total_cost_usd if p.total_cost_usd is not None else state.total_cost_usd
    if state.turn is None and p.outcome != "lost":
        # A late word of a turn that is over: it forgives nothing, and what failed still waits.
        return replace(state, open_tools={}, total_cost_usd=cost)
    if p.outcome == "lost" or p.retryable:
        lost, cut = state.lost_turns + 1, _cut(state, p)
    elif state.cut is not None:
        lost, cut = state.lost_turns, state.cut  # the CLI's own turn: what failed before it still waits
    else:
        lost, cut = 0, None
    return replace(state, turn=None, lost_turns=lost, cut=cut, open_tools={}, total_cost_usd=cost)


def _cut(state: SessionState, p: ev.SessionTurnFinished) -> Cut:
    """What was asked first, however often it was taken up again; also when the process dies before that."""
    turn, before = state.turn, state.cut
    asked = (turn.takes_up or turn.content) if turn is not None else ""
    reason = p.errors[0] if p.errors else p.result or "no reason was given"
    waiting_for = p.waiting_for
    if before is not None:  # the turn was the CLI's own
        asked, waiting_for = _joined(before.content, asked), (*before.waiting_for, *waiting_for)
    return Cut(asked, waiting_for, reason, lost=p.outcome == "lost")


def _blocked(state: SessionState, p: ev.SessionBlocked) -> SessionState:
    return replace(state, blocked=Blocked(p.id, p.reason, p.failures))


def _unblocked(state: SessionState, p: ev.SessionUnblocked) -> SessionState:
    """Who gives up gives up what was asked with it."""
    if state.blocked is None or state.blocked.id != p.id:
        return state
    state = replace(state, blocked=replace(state.blocked, how=p.how, decided_by=p.actor_name))
    return replace(state, cut=None, lost_turns=0) if p.how == "given_up" else state


def _interrupt(state: SessionState, p: ev.SessionInterruptRequested) -> SessionState:
    turn = replace(state.turn, interrupted=True) if state.turn else None
    return replace(state, turn=turn, then_tell=_joined(state.then_tell, p.then_tell))


def _progress(state: SessionState, p: ev.SessionProgressReported) -> SessionState:
    if state.turn is None:
        return state
    progress = Progress(p.summary, p.progress_percent, p.current_step, p.next_step, p.risk)
    return replace(state, turn=replace(state.turn, progress=progress))


def _note(state: SessionState, p: ev.SessionNoteQueued) -> SessionState:
    if p.at_once:
        return replace(state, then_tell=_joined(state.then_tell, p.content))
    return replace(state, notes=(*state.notes, p.content))


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def _doubted(state: SessionState, p: ev.SessionMessageDoubted) -> SessionState:
    return replace(state, doubted=state.doubted | {MessageId(p.message_id)})


def _renamed(state: SessionState, p: ev.SessionRenamed) -> SessionState:
    return replace(state, title=p.title)


def _archived(state: SessionState, p: ev.SessionArchived) -> SessionState:
    return replace(state, status="archived")


def _closed(state: SessionState, p: ev.SessionClosed) -> SessionState:
    return replace(state, status="closed")


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.SessionCreated: _created,
    ev.SessionThreadBound: _bound,
    ev.SessionObjectiveUpdated: _objective,
    ev.SessionMessageAdded: _message,
    ev.SessionMessageStarted: _message_started,
    ev.SessionMessageClassified: _classified,
    ev.SessionConstraintAdded: _constraint,
    ev.SessionTurnStarted: _turn_started,
    ev.SessionTurnSteered: _turn_steered,
    ev.SessionTurnDelayed: _turn_delayed,
    ev.SessionTurnFinished: _turn_finished,
    ev.SessionBlocked: _blocked,
    ev.SessionUnblocked: _unblocked,
    ev.SessionInterruptRequested: _interrupt,
    ev.SessionProgressReported: _progress,
    ev.SessionNoteQueued: _note,
    ev.SessionMessageDoubted: _doubted,
    ev.SessionRenamed: _renamed,
    ev.SessionClosed: _closed,
    ev.SessionArchived: _archived,
}
