"""Stories of workflows: one that the turn waits for, one in the background."""

from .acts import Background, refused
from .tools import Outcome
from .turn import Turn
from .words import AGENTS, WORKFLOW_SCRIPT
from .workflow import Run


def workflow(turn: Turn, background: Background) -> None:
    """The turn stays open until the last agent is back, so that everything is told as it happens."""
    run = _launch(turn, background, held=True)
    if run is None:
        return
    run.sub_agent_init()
    run.sub_agent_init()
    run.play_rest(turn.pause)
    run.complete()
    turn.say(turn.word("workflow.held"))
    turn.init()
    turn.session.send(turn.session.frames.file_history())
    turn.init()
    turn.say(turn.word("workflow.done", finds=_finds(turn)))
    turn.finish()


def background_workflow(turn: Turn, background: Background) -> None:
    run = _launch(turn, background, held=False)
    if run is None:
        return
    run.sub_agent_init()
    run.sub_agent_init()
    turn.say(turn.word("workflow.background"))
    turn.finish()


def after_workflow(turn: Turn, run: Run) -> None:
    """The turn that the CLI starts by itself when a workflow in the background has ended."""
    run.complete()
    turn.say(turn.word("workflow.done", finds=_finds(turn)))
    turn.finish(init=False)


def _launch(turn: Turn, background: Background, *, held: bool) -> Run | None:
    """Asks for the workflow and starts it. None when it was refused."""
    call = turn.call("Workflow", {"script": WORKFLOW_SCRIPT})
    decision = turn.permit(call)
    if not decision.allowed:
        turn.show(call)
        refused(turn, call, decision)
        turn.finish()
        return None
    turn.init()
    run = Run(turn.session, call.id, str(decision.given.get("script", "")), turn.language)
    background(run, held)
    run.start()
    turn.say(turn.word("workflow.before"), of=call)
    turn.give(call, Outcome("/workflows to view dynamic workflow runs"))
    run.open_gathering()
    turn.show(call)
    return run


def _finds(turn: Turn) -> str:
    zh = turn.language == "zh"
    return "\n".join(f"- `{name}`: {find[zh]}" for name, (_, find, _) in AGENTS.items())
