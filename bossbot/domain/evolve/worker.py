"""How the worker and its tool calls change the session."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from bossbot.domain import events as ev
from bossbot.domain.mapping import put, without
from bossbot.domain.own_tools import OWN_TOOLS
from bossbot.domain.state import SessionState, WorkerState
from bossbot.domain.task import NATIVE

BOARD_TOOLS = frozenset({"TaskCreate", "TaskUpdate", "TaskList", "TaskGet"}) | OWN_TOOLS
"""The manager's own list, and ours: cards show it, so these calls are no progress of their own."""


def _capabilities(state: SessionState, p: ev.WorkerCapabilitiesUpdated) -> SessionState:
    same = state.worker is not None and state.worker.worker_id == p.worker_id
    status = state.worker.status if state.worker is not None and same else "idle"
    worker = WorkerState(
        p.worker_id, p.agent_session_id, p.dialect, p.model, p.workflows, p.joins_mid_turn, status, p.workspace
    )
    if state.worker is not None and state.worker.agent_session_id != p.agent_session_id:
        state = _unlinked(state)
    return replace(state, worker=worker)


def _unlinked(state: SessionState) -> SessionState:
    """Another session of the CLI begins another list: its number 1 is not the old number 1."""
    tasks = state.tasks
    for task in state.live_tasks:
        if task.origin in NATIVE and task.ref:
            tasks = put(tasks, task.id, replace(task, ref=""))
    return replace(state, tasks=tasks)


def _heartbeat(state: SessionState, p: ev.WorkerHeartbeat) -> SessionState:
    if state.worker is None:
        return state
    return replace(state, worker=replace(state.worker, status=p.status))


def _tool_requested(state: SessionState, p: ev.ToolCallRequested) -> SessionState:
    turn = state.turn
    if turn is not None and turn.delayed is not None:
        turn = replace(turn, delayed=None)
    if turn is not None and p.tool not in BOARD_TOOLS:
        label = f"{p.tool} {p.input_preview}".strip()
        turn = replace(turn, tool_calls=turn.tool_calls + 1, current_tool=label)
    return replace(state, open_tools=put(state.open_tools, p.tool_use_id, p.tool), turn=turn)


def _tool_finished(state: SessionState, p: ev.ToolCallFinished) -> SessionState:
    return replace(state, open_tools=without(state.open_tools, p.tool_use_id))


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {
    ev.WorkerCapabilitiesUpdated: _capabilities,
    ev.WorkerHeartbeat: _heartbeat,
    ev.ToolCallRequested: _tool_requested,
    ev.ToolCallFinished: _tool_finished,
}
