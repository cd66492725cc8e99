"""J2: a workflow in one card, edited in place: phases, agents, the authoritative end, and a stop from chat."""

import asyncio

import pytest

from tests.fakes.scripted_model import Rule, Script, Text, ToolCall, Turn
from tests.journeys.conftest import CLIS, PAIRS, SetStage, Stage
from tests.journeys.people import Post, see, until

WORKFLOW = """export const meta = { name: 'survey', description: 'Survey the repo', \
phases: [{ title: 'Gather' }, { title: 'Review' }] }
phase('Gather')
const a = await parallel([() => agent('sub gather alpha', { label: 'alpha' }), \
() => agent('sub gather beta', { label: 'beta' })])
phase('Review')
const r = await agent('sub review gamma', { label: 'gamma' })
return { a, r }
"""
STARTS = ToolCall("Workflow", {"script": WORKFLOW}, say="I will run a workflow.")


def agents(*, delay_s: float = 0.0, hold: asyncio.Event | None = None) -> Rule:
    """The workflow's own agents take `delay_s` each, and wait for `hold`."""
    return Rule(lambda turn: turn.text.startswith("sub "), [Text("sub result", delay_s=delay_s, hold=hold)])


def is_workflow(post: Post) -> bool:
    return "Workflow survey" in post.text


async def begin(set_stage: SetStage, channel: str, dialect: str, script: Script, **settings: object) -> Stage:
    stage: Stage = await set_stage(channel, dialect, script, **settings)
    await stage.chat.say("run the workflow")
    card = await see(stage.chat, lambda post: "Approve" in post.buttons)
    assert "phase('Gather')" in card.text
    await stage.chat.press(card, "Approve")
    return stage


@pytest.mark.parametrize(("channel", "dialect"), PAIRS)
async def test_a_held_turn_shows_phases_and_agents_live_in_one_card(
    set_stage: SetStage, channel: str, dialect: str
) -> None:
    hold = asyncio.Event()
    script = Script([agents(delay_s=1.0), Rule("run the workflow", [STARTS, Text("All surveyed.", hold=hold)])])
    stage = await begin(set_stage, channel, dialect, script)
    running = await see(stage.chat, lambda post: is_workflow(post) and "running" in post.text)
    assert "Stop" in running.buttons
    review = await see(stage.chat, lambda post: is_workflow(post) and "gamma" in post.text)
    assert review.id == running.id
    done = await see(stage.chat, lambda post: is_workflow(post) and "completed" in post.text)
    hold.set()
    await see(stage.chat, lambda post: "All surveyed." in post.text)

    assert done.id == running.id
    assert done.buttons == ()
    assert "running" not in done.text
    assert "unknown" not in done.text
    assert len([post for post in await stage.chat.posts() if is_workflow(post)]) == 1
    types = await stage.types()
    assert types.count("task.completed") == 1
    assert types.count("task.step.finished") >= 3
    assert types.index("task.started") < types.index("task.step.started") < types.index("task.completed")


@pytest.mark.parametrize("dialect", CLIS)
async def test_an_early_result_leaves_no_agent_running_in_the_card(set_stage: SetStage, dialect: str) -> None:
    """cbc falls silent after the turn's result, and ends the workflow over agents that it never ended."""
    hold = asyncio.Event()
    script = Script([agents(hold=hold), Rule("run the workflow", [STARTS, Text("It runs in the background.")])])
    stage = await begin(set_stage, "telegram", dialect, script)
    await see(stage.chat, lambda post: "It runs in the background." in post.text)
    hold.set()
    done = await see(stage.chat, lambda post: is_workflow(post) and "completed" in post.text)
    assert "running" not in done.text
    assert ("unknown" in done.text) == (dialect == "cbc")
    await see(stage.chat, lambda post: "The workflow finished: all good." in post.text)
    types = await stage.types()
    assert types.count("task.completed") == 1
    assert types[-1] != "task.progress"


@pytest.mark.parametrize(
    ("channel", "by", "dialect"),
    [
        pytest.param("telegram", "button", "cbc", marks=pytest.mark.cbc),
        pytest.param("telegram", "button", "claude", marks=pytest.mark.claude),
        pytest.param("slack", "word", "claude", marks=pytest.mark.claude),
    ],
)
async def test_an_interrupt_from_chat_stops_the_workflow_for_good(
    set_stage: SetStage, channel: str, by: str, dialect: str
) -> None:
    hold = asyncio.Event()
    script = Script([agents(hold=hold), Rule("run the workflow", [STARTS, Text("Never said.", hold=hold)])])
    stage = await begin(set_stage, channel, dialect, script)
    running = await see(stage.chat, lambda post: is_workflow(post) and "running" in post.text)
    if by == "button":
        await stage.chat.press(running, "Stop")
    else:
        await stage.chat.say("stop")
    stopped = await see(stage.chat, lambda post: is_workflow(post) and "cancelled" in post.text)
    assert stopped.id == running.id
    await until(lambda: _turn_ended(stage), "the turn ends")
    hold.set()
    await asyncio.sleep(1.0)  # late progress comes for about 0.3 s, and may not reopen anything

    interrupts = [
        line["request"]
        for line in stage.bot.stdin()
        if line["type"] == "control_request" and line["request"]["subtype"] == "interrupt"
    ]
    assert len(interrupts) == 1
    assert interrupts[0]["session_id"]
    events = await stage.bot.events()
    ends = [e.type for e in events if e.type in ("task.completed", "task.cancelled", "task.failed")]
    assert ends == ["task.cancelled"]
    last = next(post for post in await stage.chat.posts() if post.id == running.id)
    assert "cancelled" in last.text
    assert "running" not in last.text
    assert last.buttons == ()


def reads_the_change(turn: Turn) -> bool:
    """The plan change has been said, also before the CLI's own words on what was stopped: cbc may send the model all
    of them at once, in any number.
    """
    return any("plan change" in text.casefold() for text in (*turn.earlier, turn.text))


@pytest.mark.parametrize("dialect", CLIS)
async def test_a_plan_diff_that_cancels_a_workflow_stops_it_and_tells_the_manager(
    set_stage: SetStage, dialect: str
) -> None:
    hold = asyncio.Event()
    script = Script(
        [
            agents(hold=hold),
            Rule(reads_the_change, [Text("Then I do the rest.")]),
            Rule("run the workflow", [STARTS, Text("It runs in the background.")]),
        ]
    )
    stage = await begin(set_stage, "slack", dialect, script, planner={"mode": "rules"})
    await see(stage.chat, lambda post: "It runs in the background." in post.text)
    await stage.chat.say("cancel the survey workflow")
    diff = await see(stage.chat, lambda post: "Apply" in post.buttons)
    assert "Apply stops everything that runs" in diff.text
    await stage.chat.press(diff, "Apply")
    await see(stage.chat, lambda post: "Then I do the rest." in post.text)
    card = await see(stage.chat, lambda post: is_workflow(post) and "cancelled" in post.text)
    hold.set()
    assert card.buttons == ()
    lines = stage.bot.stdin()
    interrupts = [n for n, line in enumerate(lines) if line.get("request", {}).get("subtype") == "interrupt"]
    told = [n for n, line in enumerate(lines) if line["type"] == "user" and "plan change" in str(line)]
    assert len(interrupts) == len(told) == 1
    assert interrupts[0] < told[0]
    assert "Everything that ran was interrupted" in str(lines[told[0]])


async def _turn_ended(stage: Stage) -> bool:
    return "session.turn.finished" in await stage.types()
