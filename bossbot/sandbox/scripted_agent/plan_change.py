"""Reading what the bot tells the agent when a person has applied a plan change, and moving the task list after it."""

import re

from .frames import Frame
from .task_list import DELETED, IN_PROGRESS, PENDING, TaskList
from .words import PLAN_CHANGE_LABELS, PLAN_CHANGE_MARKS

_ITEM = re.compile(r"(?:#(?P<number>\w+)\s*)?[“\"「](?P<title>[^”\"」]*)[”\"」]|#(?P<alone>\w+)")


def is_plan_change(text: str) -> bool:
    return text.lstrip().casefold().startswith(PLAN_CHANGE_MARKS)


class Move:
    """One call of the task list's tools that the change asks for."""

    def __init__(self, tool: str, given: Frame) -> None:
        self.tool, self.given = tool, given


def moves_of(text: str, tasks: TaskList) -> tuple[list[Move], str]:
    """The calls in the order of the lines, and what follows the last line that was understood."""
    moves: list[Move] = []
    lines = text.splitlines()
    rest_from = 1
    for place, line in enumerate(lines):
        kind, items = _labelled(line)
        if not kind:
            continue
        rest_from = place + 1
        moves += _moves(kind, items, tasks)
    return moves, "\n".join(lines[rest_from:]).strip()


def _labelled(line: str) -> tuple[str, list[tuple[str, str]]]:
    """What the line is about, and the (number, title) pairs it names."""
    label, colon, listed = line.replace("：", ":").partition(":")
    word = label.strip().casefold()
    kind = next((kind for kind, starts in PLAN_CHANGE_LABELS.items() if word.startswith(starts)), "")
    if not colon or not kind:
        return "", []
    return kind, [(m["number"] or m["alone"] or "", m["title"] or "") for m in _ITEM.finditer(listed)]


def _moves(kind: str, items: list[tuple[str, str]], tasks: TaskList) -> list[Move]:
    if kind == "new":
        return [
            Move("TaskCreate", {"subject": title, "description": title, "activeForm": title})
            for _, title in items
            if title
        ]
    found = [task for task in (tasks.find(number, title) for number, title in items) if task is not None]
    match kind:
        case "cancelled":
            return [_update(task, DELETED) for task in found]
        case "paused":
            return [_update(task, PENDING) for task in found if task["status"] == IN_PROGRESS]
        case "first" if found and found[0]["status"] != IN_PROGRESS:
            return [_update(found[0], IN_PROGRESS)]
    return []


def _update(task: Frame, status: str) -> Move:
    return Move("TaskUpdate", {"taskId": task["id"], "status": status})
