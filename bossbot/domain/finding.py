"""Finding a task by what the manager calls it."""

from collections.abc import Sequence

from bossbot.domain.errors import DomainError
from bossbot.domain.state import SessionState
from bossbot.domain.task import NATIVE, Task
from bossbot.ids import TaskId

LISTED = 20
"""So many tasks are named in an answer."""


def find(state: SessionState, name: str) -> Task:
    """A task by its id, its number in the manager's own list, or its title; a live one before an ended one."""
    word = name.strip()
    by_id = state.tasks.get(TaskId(word))
    if by_id is not None:
        return by_id
    by_number = state.by_ref(word.removeprefix("#"), *NATIVE) if word.removeprefix("#").isdecimal() else None
    if by_number is not None:
        return by_number
    named = [task for task in state.tasks.values() if folded(task.title) == folded(word)]
    found = [task for task in named if task.live] or named[-1:]
    if len(found) == 1:
        return found[0]
    if found:
        raise DomainError(f"several tasks are called “{name}”; name one by its id. {listed(found)}")
    on_board = list(state.live_tasks)
    raise DomainError(f"there is no task “{name}”. {listed(on_board) if on_board else 'The board is empty.'}")


def listed(tasks: Sequence[Task]) -> str:
    """The tasks in one line, as the model reads them."""
    shown = "; ".join(f"{task.id} “{task.title}” ({task.status.value})" for task in tasks[:LISTED])
    return f"Tasks: {shown}" + (f"; and {len(tasks) - LISTED} more" if len(tasks) > LISTED else "")


def folded(title: str) -> str:
    """A title as it is compared: case and blanks do not matter."""
    return " ".join(title.casefold().split())
