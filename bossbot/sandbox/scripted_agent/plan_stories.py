"""Stories about the agent's own task list, and what a plan change does to it."""

from .acts import Background, quick
from .frames import Frame
from .plan_change import moves_of
from .task_list import COMPLETED, IN_PROGRESS
from .turn import Turn
from .words import TASKS

MARKS = {COMPLETED: "✅", IN_PROGRESS: "▶️"}


def chat_with_tasks(turn: Turn, _: Background) -> None:
    turn.say(turn.word("chat.with_tasks", tasks=_listed(turn)))
    turn.finish()


def plan(turn: Turn, _: Background) -> None:
    """Three tasks of the agent's own list; where there is a list already, it is shown instead."""
    tasks = turn.session.tasks
    if tasks.open:
        quick(turn, "TaskList", {}, tasks.listing())
        turn.say(turn.word("plan.standing", tasks=_listed(turn)))
        turn.finish()
        return
    first = ""
    for title in TASKS:
        subject = title[turn.language == "zh"]
        given: Frame = {"subject": subject, "description": subject, "activeForm": subject}
        quick(turn, "TaskCreate", given, tasks.create(given))
        first = first or str(tasks.tasks[-1]["id"])
        turn.pause(0.1)
    _move(turn, first, IN_PROGRESS)
    turn.say(turn.word("plan.done", tasks=_listed(turn)))
    turn.finish()


def next_task(turn: Turn, _: Background) -> None:
    """Finishes the running task of the list and takes up the next one."""
    tasks = turn.session.tasks
    running = next((task for task in tasks.open if task["status"] == IN_PROGRESS), None)
    if running is not None:
        _move(turn, str(running["id"]), COMPLETED)
    if tasks.open:
        _move(turn, str(tasks.open[0]["id"]), IN_PROGRESS)
    listed = _listed(turn) if tasks.open else turn.word("plan.all_done")
    turn.say(turn.word("plan.finished", title=running["subject"], tasks=listed) if running else listed)
    turn.finish()


def plan_changed(turn: Turn) -> str:
    """A person applied a plan change: the list follows it. Returns what else was written, to be answered after it."""
    tasks = turn.session.tasks
    moves, rest = moves_of(turn.text, tasks)
    for move in moves:
        outcome = tasks.create(move.given) if move.tool == "TaskCreate" else tasks.update(move.given)
        quick(turn, move.tool, move.given, outcome)
    turn.say(turn.word("plan_change.done", tasks=_listed(turn)) if moves else turn.word("plan_change.nothing"))
    return rest


def _move(turn: Turn, number: str, status: str) -> None:
    given: Frame = {"taskId": number, "status": status}
    quick(turn, "TaskUpdate", given, turn.session.tasks.update(given))


def _listed(turn: Turn) -> str:
    tasks = turn.session.tasks.tasks
    return "\n".join(f"- {MARKS.get(str(t['status']), '▫️')} #{t['id']} {t['subject']}" for t in tasks)
