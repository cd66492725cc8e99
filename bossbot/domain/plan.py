"""A plan diff in words: what the manager is told when a person applies it."""

from bossbot.domain.state import Diff, SessionState
from bossbot.domain.task import Task
from bossbot.ids import TaskId

CHANGE_MARK = "[plan change"
"""How the manager recognises such a message."""


def told_to_manager(state: SessionState, diff: Diff, *, by: str, interrupted: bool) -> str:
    """The applied diff for the manager, with the numbers of its own task list, and what to take up again."""
    p = diff.proposal
    lines = [f"{CHANGE_MARK}, applied by {by}]"]
    if diff.message is not None:
        lines.append(f"They wrote: {diff.message.content}")
    lines += [f"Cancelled, mark it deleted in your list: {_name(state, i)}" for i in p.cancel_tasks]
    lines += [f"Paused, leave it until you are told: {_name(state, i)}" for i in p.pause_tasks]
    lines += [
        f"New, add it to your list: “{new.title}” ({new.kind}, priority {new.priority})" for new in p.create_tasks
    ]
    if p.reprioritize_tasks:
        lines.append("Next, in this order: " + "; ".join(_name(state, i) for i in p.reprioritize_tasks))
    going_on = [i for i in p.continue_tasks if i not in p.reprioritize_tasks]
    if going_on:
        lines.append("Unchanged: " + "; ".join(_name(state, i) for i in going_on))
    if interrupted:
        lines.append("Everything that ran was interrupted for this. Take up again what is not cancelled or paused.")
    return "\n".join(lines)


def _name(state: SessionState, task_id: str) -> str:
    task: Task | None = state.tasks.get(TaskId(task_id))
    if task is None:
        return task_id
    return f"#{task.ref} “{task.title}”" if task.ref and task.origin in ("native", "plan") else f"“{task.title}”"
