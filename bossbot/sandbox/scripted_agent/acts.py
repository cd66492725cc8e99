"""What stories are made of: a command with permission, a quick tool, the end of a refused call."""

from collections.abc import Callable

from .frames import Frame
from .tools import Outcome, run_command
from .turn import Call, Decision, Turn
from .workflow import Run

Background = Callable[[Run, bool], None]
"""Tells the agent of a workflow that was started, and whether the turn itself waits for it."""

Story = Callable[[Turn, Background], None]


def bash(turn: Turn, command: str, description: str) -> Outcome | None:
    """A command with permission. None when it was refused: that is then said already."""
    call = turn.call("Bash", {"command": command, "description": description})
    decision = turn.permit(call)
    turn.show(call)
    if not decision.allowed:
        refused(turn, call, decision)
        return None
    turn.init()
    outcome = run_command(str(decision.given.get("command", "")), turn.session.folder, turn.check)
    turn.give(call, outcome)
    return outcome


def quick(turn: Turn, tool: str, given: Frame, outcome: Outcome) -> None:
    """A tool that asks nobody and is done at once."""
    call = turn.call(tool, given)
    turn.show(call)
    turn.give(call, outcome)


def refused(turn: Turn, call: Call, decision: Decision) -> None:
    """The person said no: the call ends with the reason, and the agent says what it read."""
    turn.refuse(call, decision)
    turn.say(turn.word("refused", reason=decision.reason))
