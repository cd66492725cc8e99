"""A recap of a session from its log, for an agent that remembers nothing: the agent CLI could not resume."""

from bossbot.domain.state import SessionState
from bossbot.domain.task import Task

MAX_MESSAGES = 20
MAX_MESSAGE_CHARS = 1_000


def recap(state: SessionState) -> str:
    """What a fresh manager must know: objective, constraints, plan, what has run, what was said. Bounded."""
    lines = ["[recap] You are taking over this session; the earlier process and its memory are gone."]
    if state.objective:
        lines.append(f"Objective: {state.objective}")
    lines += [f"Constraint: {_short(constraint)}" for constraint in state.constraints]
    lines += [f"Task: {_task(task)}" for task in (state.tasks[i] for i in state.order)]
    if state.recent:
        lines.append("The conversation so far, oldest first:")
    lines += [f"- {said.author_name or said.role}: {_short(said.content)}" for said in state.recent[-MAX_MESSAGES:]]
    decided = [a for a in state.approvals.values() if not a.pending]
    if decided:
        lines.append("Requests for permission so far:")
    lines += [f"- {a.status.value}: {_short(a.detail or a.summary)}" for a in decided[-MAX_MESSAGES:]]
    return "\n".join(lines)


def _task(task: Task) -> str:
    number = f"#{task.ref} " if task.ref and task.origin in ("native", "plan") else ""
    return f"{number}“{task.title}” is {task.status.value}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_MESSAGE_CHARS else text[: MAX_MESSAGE_CHARS - 1] + "…"
