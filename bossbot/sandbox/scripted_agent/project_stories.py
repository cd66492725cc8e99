"""A small project with the bot's own tools: a plan on its board, progress, a question, and the plan moves on."""

from .acts import Background
from .boss import Boss
from .frames import Frame
from .tools import Outcome
from .turn import Turn
from .words import PROJECT

STEP_S = 0.6


class Refused(Exception):
    """A person's rule forbids the tool; what that means was said already."""


def project(turn: Turn, _: Background) -> None:
    """Plans three tasks, works on two of them, and asks how to go on with the third."""
    boss = turn.session.boss
    if boss is None or not boss.tools:
        turn.say(turn.word("project.alone"))
        turn.finish()
        return
    try:
        answer = _work(turn, boss)
    except Refused:
        pass
    else:
        turn.say(turn.word("project.done", answer=answer))
    turn.finish()


def _work(turn: Turn, boss: Boss) -> str:
    first, second, third = (title[turn.language == "zh"] for title in PROJECT)
    tasks: list[Frame] = [
        {"title": first, "kind": "investigation", "priority": "high"},
        {"title": second, "kind": "test", "depends_on": [first]},
        {"title": third, "depends_on": [second]},
    ]
    _call(turn, boss, "plan_create", objective=turn.word("project.objective"), tasks=tasks)
    _call(turn, boss, "task_update", task=first, status="running")
    turn.pause(STEP_S)
    _call(
        turn,
        boss,
        "report_progress",
        summary=turn.word("project.found"),
        progress_percent=60,
        next_step=second,
        risk="low",
    )
    turn.pause(STEP_S)
    _call(turn, boss, "task_update", task=first, status="completed", note=turn.word("project.cause"))
    _call(turn, boss, "task_update", task=second, status="running")
    turn.pause(STEP_S)
    _call(turn, boss, "task_update", task=second, status="completed")
    options = [{"label": turn.word(f"project.{key}")} for key in ("small", "large")]
    answer = _call(turn, boss, "ask_user", question=turn.word("project.question"), options=options)
    _call(turn, boss, "task_update", task=third, status="running", note=answer.text)
    turn.pause(STEP_S)
    _call(turn, boss, "task_update", task=third, status="completed")
    return answer.text


def _call(turn: Turn, boss: Boss, tool: str, **given: object) -> Outcome:
    outcome = boss.call(turn, tool, given)
    if outcome is None:
        raise Refused
    return outcome
