"""evolve(state, event) → state: how each event changes the session. Total: unknown events change nothing.

Nothing is refused here: what stands in the log has happened.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from bossbot.domain import events as ev
from bossbot.domain.evolve import approval, artifact, plan, session, task, worker
from bossbot.domain.state import SessionState
from bossbot.ids import TaskId

_CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    **session.CHANGES,
    **plan.CHANGES,
    **approval.CHANGES,
    **worker.CHANGES,
    **artifact.CHANGES,
}


class Fact(Protocol):
    """What an event says, and of which task: all that a state follows from."""

    @property
    def payload(self) -> ev.Payload: ...
    @property
    def task_id(self) -> TaskId | None: ...


def evolve(state: SessionState, event: Fact) -> SessionState:
    """The state after `event`."""
    payload = event.payload
    change = _CHANGES.get(type(payload))
    if change is not None:
        return change(state, payload)
    if event.task_id is not None and event.task_id in state.tasks:
        change_task = task.CHANGES.get(type(payload))
        if change_task is not None:
            return task.changed(state, change_task(state.tasks[event.task_id], payload))
    if isinstance(payload, ev.TaskCreated) and event.task_id is not None:
        return task.created(state, event.task_id, payload)
    return state


class Happened(NamedTuple):
    """An event of a session, and the session just before it."""

    before: SessionState
    event: ev.Event


def happened(state: SessionState, events: Iterable[ev.Event]) -> Iterator[Happened]:
    """`events`, each with the session before it; `state` is that before the first."""
    for event in events:
        yield Happened(state, event)
        state = evolve(state, event)


def fold(state: SessionState, events: Iterable[Fact]) -> SessionState:
    """The state after all of `events`."""
    for event in events:
        state = evolve(state, event)
    return state
