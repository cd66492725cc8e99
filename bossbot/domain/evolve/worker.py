"""How the worker and its tool calls change the session."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bossbot.domain import events as ev
from bossbot.domain.evolve.mapping import without
from bossbot.domain.own_tools import OWN_TOOLS
from bossbot.domain.state import SessionState, WorkerState
from bossbot.domain.task import Task

BOARD_TOOLS = frozenset({"TaskCreate", "TaskUpdate", "TaskList", "TaskGet"}) | OWN_TOOLS
"""The manager's own list, and ours: cards show it, so these calls are no progress of their own."""


def _capabilities(state: SessionState, p: ev.WorkerCapabilitiesUpdated) -> SessionState:
    same = state.worker is not None and state.worker.worker_id == p.worker_id
    status = state.worker.status if state.worker is not None and same else "idle"
    worker = WorkerState(p.worker_id, p.agent_session_id, p.dialect, p.model, p.workflows, p.joins_mid_turn, status)
    if state.worker is not None and state.worker.agent_session_id != p.agent_session_id:
        state = replace(state, tasks={task.id: _unlinked(task) for task in state.tasks.values()})
    return replace(state, worker=worker)


def _unlinked(task: Task) -> Task:
    """Another session of the CLI begins another list: its number 1 is not the old number 1."""
    return replace(task, ref="") if task.live and task.origin in ("native", "plan") else task


def _heartbeat(state: SessionState, p: ev.WorkerHeartbeat) -> SessionState:
    if state.worker is None:
        return state
    return replace(state, worker=replace(state.worker, status=p.status))


def _tool_requested(state: SessionState, p: ev.ToolCallRequested) -> SessionState:
    state = replace(state, open_tools={**state.open_tools, p.tool_use_id: p.tool})
    if state.turn is None or p.tool in BOARD_TOOLS:
        return state
    label = f"{p.tool} {p.input_preview}".strip()
    return replace(state, turn=replace(state.turn, tool_calls=state.turn.tool_calls + 1, current_tool=label))


def _tool_finished(state: SessionState, p: ev.ToolCallFinished) -> SessionState:
    return replace(state, open_tools=without(state.open_tools, p.tool_use_id))


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.WorkerCapabilitiesUpdated: _capabilities,
    ev.WorkerHeartbeat: _heartbeat,
    ev.ToolCallRequested: _tool_requested,
    ev.ToolCallFinished: _tool_finished,
}
