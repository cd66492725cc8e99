"""A session's state in words: what it is after, what waits, and its tasks."""

from typing import TYPE_CHECKING

from bossbot.text import one_line

if TYPE_CHECKING:
    from bossbot.domain.state import SessionState

CHARS = 100


def state_text(state: "SessionState") -> str:
    """One fact a line."""
    lines = [f"{state.id} · {state.status} · {one_line(state.title, CHARS)}"]
    if state.objective:
        lines.append(f"objective: {one_line(state.objective, CHARS)}")
    if state.threads:
        lines.append(f"threads: {', '.join(one_line(str(thread), CHARS) for thread in state.threads)}")
    if state.worker is not None:
        worker = state.worker
        lines.append(
            f"worker: {one_line(f'{worker.worker_id} {worker.dialect} {worker.model}', CHARS)} {worker.status}"
        )
    if state.turn is not None:
        lines.append(f"turn: {one_line(state.turn.content or 'its own', CHARS)}")
    lines += [f"waits for the turn to end: {one_line(said.content, CHARS)}" for said in state.queue]
    lines += [f"waits for a decision: {one_line(a.summary, CHARS)} ({a.risk_level})" for a in state.pending_approvals]
    tasks = (state.tasks[task_id] for task_id in state.order)
    lines += [f"task {task.id}: {task.status.value} · {one_line(task.title, CHARS)}" for task in tasks]
    return "\n".join(lines)
