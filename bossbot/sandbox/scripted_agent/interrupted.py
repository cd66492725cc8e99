"""How a turn ends when a person interrupts it: cbc's sequence, as recorded."""

import time
from collections.abc import Sequence

from .control import interrupted
from .tools import Outcome
from .turn import Stop, Turn
from .workflow import RUNNING, Run

BY_USER = "Interrupted by user"
NOT_RUN = "The user interrupted: this tool call was not carried out."


def end_interrupted(turn: Turn, stop: Stop, runs: Sequence[Run]) -> None:
    """The acknowledgement first; then the end of what ran, of the open call, and of the turn."""
    session, frames = turn.session, turn.session.frames
    call = turn.open_call
    if call is not None and not call.shown:
        turn.show(call)
    session.send(frames.status())
    session.send(interrupted(frames, stop.request_id, stop.reason))
    running = [run for run in runs if run.state == RUNNING]
    turn.stop = None
    if running:
        _end_runs(turn, running)
    elif call is not None:
        turn.give(call, Outcome(NOT_RUN, is_error=True))
        turn.init()
        turn.say(turn.word("stopped"))
        turn.finish()
    else:
        turn.init()
        session.send(frames.cli_text(BY_USER))
        turn.close()
        session.send(turn.totals.aborted(frames))


def _end_runs(turn: Turn, running: Sequence[Run]) -> None:
    session, frames = turn.session, turn.session.frames
    for run in running:
        run.kill()
    for run in running:
        run.trail_errors(time.sleep)
    turn.init()
    session.send(frames.cli_text(BY_USER))
    session.send(frames.file_history())
    turn.init()
    turn.say(turn.word("workflow.stopped"))
    turn.finish()
