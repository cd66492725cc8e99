"""How the plan changes, and what becomes of plan diffs."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from bossbot.domain import events as ev
from bossbot.domain.evolve.task import in_order
from bossbot.domain.mapping import put
from bossbot.domain.state import Diff, DiffStatus, SessionState
from bossbot.domain.task import NATIVE
from bossbot.ids import DiffId, TaskId


def _plan_created(state: SessionState, p: ev.PlanCreated) -> SessionState:
    planned = frozenset(TaskId(t.id) for t in p.tasks)
    unplanned = tuple(t.id for t in state.tasks.values() if t.origin in NATIVE and t.id not in planned)
    return replace(state, plan_id=p.plan_id, plan_tasks=planned, unplanned=unplanned)


def _plan_updated(state: SessionState, p: ev.PlanUpdated) -> SessionState:
    known = state.plan_tasks | {TaskId(t.id) for t in p.added}
    first = tuple(TaskId(i) for i in dict.fromkeys(p.order) if i in state.tasks)
    others = state.order
    if first:
        others = tuple(i for i in state.order if i not in set(first))
    unplanned = tuple(i for i in state.unplanned if i not in known)
    state = replace(state, plan_tasks=known, unplanned=unplanned, order=(*first, *others))
    return replace(state, live=in_order(state, set(state.live)))


def _diff_generated(state: SessionState, p: ev.PlanDiffGenerated) -> SessionState:
    said = next((s for s in state.queue if s.id == p.message_id), None)
    diff = Diff(p, said, previous_objective=state.objective, previous_from=state.objective_from)
    queue = tuple(s for s in state.queue if s.id != p.message_id)
    return replace(state, diffs=put(state.diffs, DiffId(p.id), diff), queue=queue)


def _diff_applied(state: SessionState, p: ev.PlanDiffApplied) -> SessionState:
    return _diff_decided(state, p.id, DiffStatus.APPLIED, p.actor_name, p.interrupts)


def _diff_rejected(state: SessionState, p: ev.PlanDiffRejected) -> SessionState:
    return _diff_decided(state, p.id, DiffStatus.KEPT, p.actor_name, False)


def _diff_decided(state: SessionState, diff_id: str, status: DiffStatus, by: str, interrupts: bool) -> SessionState:
    diff = state.diffs.get(DiffId(diff_id))
    if diff is None:
        return state
    decided = replace(diff, status=status, decided_by=by, interrupts=interrupts)
    return replace(state, diffs=put(state.diffs, DiffId(diff_id), decided))


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.PlanCreated: _plan_created,
    ev.PlanUpdated: _plan_updated,
    ev.PlanDiffGenerated: _diff_generated,
    ev.PlanDiffApplied: _diff_applied,
    ev.PlanDiffRejected: _diff_rejected,
}
