"""A session's state in words: what it is after, what waits, and its tasks."""

from typing import TYPE_CHECKING

from bossbot.text import one_line

if TYPE_CHECKING:
    from bossbot.domain.state import SessionState
    from bossbot.domain.task import Task

CHARS = 100


def state_text(state: "SessionState") -> str:
    """One fact a line."""
    lines = [f"{state.id} · {one_line(state.status, 20)} · {one_line(state.title, CHARS)}"]
    if state.objective:
        lines.append(f"objective: {one_line(state.objective, CHARS)}")
    if state.threads:
        lines.append(f"threads: {', '.join(one_line(str(thread), CHARS) for thread in state.threads)}")
    if state.worker is not None:
        worker = state.worker
        lines.append(
            f"worker: {one_line(f'{worker.worker_id} {worker.dialect} {worker.model} {worker.status}', CHARS)}"
        )
    if state.turn is not None:
        lines.append(f"turn: {one_line(state.turn.content or 'its own', CHARS)}")
    lines += [f"limit: {one_line(constraint, CHARS)}" for constraint in state.constraints]
    lines += [f"is being judged: {one_line(said.content, CHARS)}" for said in state.held.values()]
    lines += [f"waits for the turn to end: {one_line(said.content, CHARS)}" for said in state.queue]
    lines += _failed(state)
    lines += [
        f"waits for a decision: {one_line(a.summary, CHARS)} ({one_line(a.risk_level, 20)})"
        for a in state.pending_approvals
    ]
    tasks = (state.tasks[task_id] for task_id in state.order)
    lines += [f"task {task.id}: {_task(task)}" for task in tasks]
    return "\n".join(lines)


def _failed(state: "SessionState") -> list[str]:
    """What is tried again, or a person is asked about."""
    if state.blocked is not None and not state.blocked.how:
        return [f"failed {state.blocked.failures} times, try again or give up? {one_line(state.blocked.reason, CHARS)}"]
    return [f"is tried again: {one_line(state.cut.reason, CHARS)}"] if state.cut is not None else []


def _task(task: "Task") -> str:
    parts = [task.status.value, one_line(task.title, CHARS)]
    parts += [f"tried again {task.retry_count} times"] if task.retry_count else []
    parts += [one_line(task.reason, CHARS)] if task.reason else []
    return " · ".join(parts)
