"""One table that both real agent CLIs pass: what people do, and which Boss events follow.

All rows of a dialect share one application, and all but the last few one thread, so one process: starting one costs
more than most rows. A row names the events it must cause, in order; those that depend on the machine's speed are left
out, and the same one many times over counts once.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from tests.agent import scenarios as s
from tests.agent.play import Play, playing
from tests.agent.scenarios import ASKS, BEGINS, CALLED, CALLS, CREATED, ENDS, NO, SAID, STARTED, YES
from tests.agent.stage import real_stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

DIALECTS = [
    pytest.param(name, marks=[getattr(pytest.mark, name), pytest.mark.xdist_group(f"scenarios of {name}")])
    for name in ("cbc", "claude")
]
Plays = Callable[[Play], Awaitable[None]]


@dataclass(frozen=True)
class Scenario:
    """`story`: the events, the same for both dialects, or one for each."""

    play: Plays
    story: "tuple[str, ...] | dict[str, tuple[str, ...]]"
    prefix: bool = False
    """The events only begin so."""

    def of(self, dialect: str) -> list[str]:
        return list(self.story[dialect] if isinstance(self.story, dict) else self.story)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=DIALECTS)
async def play(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Play]:
    home: Path = tmp_path_factory.mktemp(request.param)
    async with playing(real_stage(request.param, home)) as play:
        yield play


HEARD = (SAID, "session.message.classified")
STEERED = ("session.turn.steered", "session.interrupt.requested")
BEGUN = (*HEARD, BEGINS)
TURN = (*BEGUN, SAID, ENDS)
PERMITTED = (*BEGUN, CALLS, ASKS, YES, CALLED, SAID, ENDS)
RUNS = (CREATED, "task.queued", "task.assigned", "worker.assignment.accepted", STARTED)
OWN_TURN = ("task.completed", *TURN[2:])
"""A background task that outlives its turn: the CLI tells the model of its end in a turn of its own."""

SCENARIOS: dict[str, Scenario] = {
    "hello": Scenario(s.hello, ("session.created", "session.thread.bound", *TURN)),
    "approve": Scenario(s.approve, (*BEGUN, SAID, CALLS, ASKS, YES, CALLED, SAID, ENDS)),
    "deny": Scenario(s.deny, (*BEGUN, SAID, CALLS, ASKS, NO, CALLED, SAID, ENDS)),
    "for session": Scenario(s.for_session, (*BEGUN, *(CALLS, ASKS, YES, CALLED) * 2, SAID, ENDS)),
    "partial streaming": Scenario(s.partial_streaming, TURN),
    "edit": Scenario(s.edit, PERMITTED),
    "question": Scenario(s.question, (*BEGUN, CALLS, ASKS, "approval.answered", YES, CALLED, SAID, ENDS)),
    "native tasks": Scenario(
        s.native_tasks,
        (
            *(*BEGUN, *(CALLS, CALLED, CREATED) * 2, "plan.created", "task.queued"),
            *(CALLS, CALLED, "task.assigned", "worker.assignment.accepted", STARTED),
            *(CALLS, CALLED, "task.completed", SAID, ENDS),
        ),
    ),
    "own tool": Scenario(
        s.own_tool, (*BEGUN, CALLS, "session.progress.reported", "tool.call.answered", CALLED, SAID, ENDS)
    ),
    "killed and resumed": Scenario(
        s.killed_and_resumed, (*BEGUN, CALLS, ASKS, "approval.withdrawn", ENDS, BEGINS, *PERMITTED[3:])
    ),
    "sub-agent": Scenario(
        s.sub_agent,
        {
            "cbc": (*BEGUN, CALLS, CALLED, SAID, ENDS),
            "claude": (*BEGUN, CALLS, *RUNS, CALLED, SAID, ENDS, *OWN_TURN),
        },
    ),
    "background command": Scenario(
        s.background_command, (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, SAID, ENDS, *OWN_TURN)
    ),
    "held workflow": Scenario(
        s.held_workflow,
        {
            "cbc": (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, "task.completed", SAID, ENDS),
            "claude": (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, "task.completed", SAID, ENDS, BEGINS, SAID, ENDS),
        },
    ),
    "early result": Scenario(s.early_result, (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, SAID, ENDS, *OWN_TURN)),
    "interrupted workflow": Scenario(
        s.interrupted_workflow,
        (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, "session.interrupt.requested", "task.cancelled"),
        prefix=True,
    ),
    "interrupted turn": Scenario(s.interrupted_turn, (*BEGUN, "session.interrupt.requested", ENDS)),
    "queued message": Scenario(s.queued_message, (*BEGUN, *HEARD, SAID, ENDS, *TURN[2:])),
    "sent now": Scenario(
        s.sent_now,
        {
            "cbc": (*BEGUN, CALLS, ASKS, *HEARD, *STEERED, "approval.withdrawn", CALLED, SAID, ENDS, *TURN[2:]),
            "claude": (*BEGUN, CALLS, ASKS, *HEARD, STEERED[0], YES, CALLED, SAID, ENDS),
        },
    ),
    "sent too late": Scenario(
        s.sent_too_late,
        {
            "cbc": (*BEGUN, *HEARD, *STEERED, ENDS, *TURN[2:]),
            "claude": (*BEGUN, *HEARD, STEERED[0], SAID, ENDS),
        },
    ),
    "replaced turn": Scenario(s.replaced_turn, (*BEGUN, *HEARD, *STEERED, ENDS, *TURN[2:])),
    "two turns": Scenario(s.two_turns, TURN * 2),
    "structured call": Scenario(s.structured_call, ()),
    "bad line": Scenario(s.bad_line, ()),
}


@pytest.mark.parametrize("name", SCENARIOS)
async def test_both_real_clis_tell_the_same_story(play: Play, name: str) -> None:
    row = SCENARIOS[name]
    await play.begin()
    await row.play(play)
    story, wanted = await play.story(), row.of(play.stage.dialect.name)
    assert story[: len(wanted) if row.prefix else None] == wanted
