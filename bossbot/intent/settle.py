"""Acts made one change: named beats "the rest", later beats earlier, keeping beats ending.

What nobody can tell apart is never guessed: an ambiguous name changes nothing and leaves a note.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bossbot.intent.acts import Act
from bossbot.intent.plan import Plan
from bossbot.intent.targets import Meant, meant
from bossbot.intent.titles import new_task
from bossbot.intent.types import Board, BoardTask, NewTask

_FOR_NOW = re.compile(
    r"\b(?:for (?:now|the moment|the time being|today|a (?:bit|while|second|sec|moment))|temporarily|until|till"
    r"|at the moment|this (?:week|sprint|release|quarter|month)|later|tomorrow|next (?:week|sprint|month|quarter)"
    r"|yet$)\b|暂时|暂且|目前|眼下|这周|本周|今天先|以后再|之后再|回头再|晚点再"
)
_SOFT = re.compile(r"\b(?:forget|ignore|never ?mind|skip)\b|忘|别管|不管|忽略|跳过")
"""Of everything: an emergency's "forget it all" pauses, it abandons nothing."""
_WAITS = re.compile(r"\b(?:wait|later|after|afterwards)\b|往后|以后|之后|等等|回头|稍后|晚点|不急")
"""Of "the rest": it comes later, which its place says already; nothing of it is stopped."""
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of|(?:from|off)\b.*\b(?:to|onto)|not)\b")
_WIDE = {"rest", "all"}
_ENDS = {"cancel", "pause"}
_NAMED = {"named", "topic"}


@dataclass(slots=True)
class Change:
    """The sets of a plan diff, still with whole tasks, and what could not be settled."""

    cancelled: list[BoardTask] = field(default_factory=list)
    paused: list[BoardTask] = field(default_factory=list)
    order: list[BoardTask] = field(default_factory=list)
    created: list[NewTask] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def settle(plan: Plan, board: Board) -> Change:
    """One change from all that was said."""
    change, fate = Change(), dict[BoardTask, str]()
    for act, found in plan.acts:
        if act.kind == "first" and found.scope == "topic" and any(fate.get(task) in _ENDS for task in found.tasks):
            change.notes.append(f"“{act.target.strip()}” would be a task that has just been put away")
        elif act.kind in {"cancel", "pause", "keep", "first"} and found.scope in _NAMED:
            fate.update((task, _fate(act, found)) for task in found.tasks)
        if act.kind == "first":
            _replaced(act, found, board, fate)
    for task, kind in _wide(plan):
        fate.setdefault(task, kind)
    for act, found in sorted(plan.acts, key=lambda pair: pair[0].kind == "last"):
        _arrange(change, act, found, board, [t for t in board.live if fate.get(t) not in _ENDS])
        _complain(change, act, found, alone=not any(tasks.tasks for _, tasks in plan.acts))
    change.cancelled = [task for task in board.live if fate.get(task) == "cancel"]
    change.paused = [task for task in board.live if fate.get(task) == "pause" and task.status != "paused"]
    change.order = [task for task in dict.fromkeys(change.order) if fate.get(task) not in _ENDS]
    return change


def for_now(norm: str) -> bool:
    """True when the clause takes its word back in time: "drop it for now"."""
    return bool(_FOR_NOW.search(norm))


def _fate(act: Act, found: Meant) -> str:
    if act.kind != "cancel":
        return act.kind
    soft = found.scope in _WIDE and _SOFT.search(act.clause.norm)
    return "pause" if soft or for_now(act.clause.norm) else "cancel"


def _wide(plan: Plan) -> Iterable[tuple[BoardTask, str]]:
    """What "everything" and "the rest" come to for the tasks that were not named."""
    first = any(act.kind == "first" for act, _ in plan.acts)
    for act, found in plan.acts:
        waits = first and found.scope == "rest" and _WAITS.search(act.clause.norm)
        if act.kind in {"cancel", "pause"} and found.scope in _WIDE and not waits:
            yield from ((task, _fate(act, found)) for task in found.tasks if task not in plan.spoken)


def _replaced(act: Act, found: Meant, board: Board, fate: dict[BoardTask, str]) -> None:
    """ "The retry instead of the cache": the second waits; nobody said it is given up."""
    behind = meant(act.behind, board) if act.behind else Meant()
    if found.clear and behind.clear and _INSTEAD.search(act.clause.norm):
        fate.update((task, "pause") for task in behind.tasks if task not in found.tasks)


def _arrange(change: Change, act: Act, found: Meant, board: Board, live: list[BoardTask]) -> None:
    """What the act says of order, and which task it asks for that the board lacks."""
    behind = meant(act.behind, board) if act.behind else Meant()
    both = found.clear and behind.clear
    match act.kind:
        case "first" | "order" if not found.tasks:
            change.created.append(new_task(_name(act), first=True))
        case "add" | "task":
            change.created.append(new_task(_name(act)))
        case "first" if found.clear and found.scope != "all":
            change.order.extend([*found.tasks, *(behind.tasks if behind.scope == "named" else ())])
        case "order" if both:
            change.order.extend([*found.tasks, *behind.tasks])
        case "last" if found.clear and found.scope == "named":
            ahead = [task for task in live if task not in found.tasks and task not in change.order]
            change.order.extend([*ahead, *found.tasks])
        case "after" if both:
            change.order.extend(_moved_behind(live, found.tasks, behind.tasks[-1]))
        case "swap" if both:
            change.order.extend(_swapped(live, found.tasks[0], behind.tasks[0]))
        case _:
            pass


def _complain(change: Change, act: Act, found: Meant, *, alone: bool) -> None:
    name = " ".join(act.target.split())[:60]
    if found.scope == "some":
        titles = ", ".join(task.title for task in found.tasks[:3])
        change.notes.append(f"“{name}” may mean several tasks: {titles}")
    elif act.kind in {"cancel", "pause", "last"} and not found.tasks:
        change.notes.append(f"no task on the board matches “{name}”" if name else "it does not say which task")
    elif act.kind == "goal" and alone:
        change.notes.append("the goal changes; which tasks that touches is not said")


def _name(act: Act) -> str:
    """The words for a new task, as written: the clause, or the thing named in it."""
    at = act.clause.norm.find(act.name) if act.name else -1
    return act.clause.text[at : at + len(act.name)] if at >= 0 else act.clause.text


def _moved_behind(live: Sequence[BoardTask], moved: tuple[BoardTask, ...], mark: BoardTask) -> list[BoardTask]:
    rest = [task for task in live if task not in moved]
    at = rest.index(mark) + 1 if mark in rest else len(rest)
    return [*rest[:at], *moved, *rest[at:]]


def _swapped(live: Sequence[BoardTask], one: BoardTask, other: BoardTask) -> list[BoardTask]:
    places = {one: other, other: one}
    return [places.get(task, task) for task in live]
