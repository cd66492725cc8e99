"""One table that both real agent CLIs pass: what people do, and which Boss events follow.

All rows of a dialect share one application, and all but the last few one thread, so one process: starting one costs
more than most rows. A row names the events it must cause, in order; those that depend on the machine's speed are left
out, and the same one many times over counts once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from bossbot.agent.sidecall import SideCall
from bossbot.streamjson import frames as f
from bossbot.streamjson.dialects import MidTurn
from tests.agent.play import PATIENCE_S, Play, playing
from tests.agent.stage import real_stage
from tests.fakes.scripted_model import Text, ToolCall

pytestmark = pytest.mark.asyncio(loop_scope="module")

DIALECTS = [
    pytest.param(name, marks=[getattr(pytest.mark, name), pytest.mark.xdist_group(f"scenarios of {name}")])
    for name in ("cbc", "claude")
]
WORKFLOW = """export const meta = { name: 'NAME', description: 'Survey the repo', \
phases: [{ title: 'Gather' }, { title: 'Review' }] }
phase('Gather')
const a = await parallel([() => agent('sub gather alpha', { label: 'alpha' }), \
() => agent('sub gather beta', { label: 'beta' })])
phase('Review')
const r = await agent('sub review gamma', { label: 'gamma' })
return { a, r }
"""


def workflow(name: str) -> ToolCall:
    """A workflow of that name, whose agents are asked something with it."""
    return ToolCall("Workflow", {"script": WORKFLOW.replace("NAME", name).replace("'sub ", f"'sub {name} ")})


REMOVE = {"command": "rm -rf build-cache", "description": "Remove build cache"}
OPTIONS = [{"label": "Postgres", "description": "server"}, {"label": "SQLite", "description": "file"}]
AFTERTHOUGHT_S = 2.0
"""cbc may tell the model, in a turn of its own and some time later, what an interrupt has stopped."""

QUESTION = {"question": "Which database?", "header": "DB", "multiSelect": False, "options": OPTIONS}

SAID = "session.message.added"
BEGINS, ENDS = "session.turn.started", "session.turn.finished"
CALLS, CALLED = "tool.call.requested", "tool.call.finished"
ASKS, YES, NO = "approval.requested", "approval.approved", "approval.rejected"
CREATED, STARTED = "task.created", "task.started"

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


# --- what people do ---


async def hello(play: Play) -> None:
    play.when("hello", Text("Hello. **bold** & done."))
    await play.say("hello")
    await play.ends()
    assert [said["content"] for said in await play.payloads(SAID)] == ["hello", "Hello. **bold** & done."]


async def approve(play: Play) -> None:
    cache = play.workspace / "build-cache"
    cache.mkdir()
    play.when("clean", ToolCall("Bash", REMOVE, say="I need to clean the cache."), Text("Cache is clean."))
    await play.say("clean it")
    await play.happens(ASKS)
    assert cache.exists()
    await play.press("Approve")
    await play.ends()
    assert not cache.exists()
    [asked] = await play.payloads(ASKS)
    assert asked["detail"] == REMOVE["command"]


async def deny(play: Play) -> None:
    cache = play.workspace / "build-cache"
    cache.mkdir()
    await play.say("clean it again")
    await play.happens(ASKS)
    await play.say("reject: not today, use make clean")
    await play.ends()
    assert cache.exists()
    cache.rmdir()
    assert "not today, use make clean" in play.model.tool_results("Bash")[-1].content


async def for_session(play: Play) -> None:
    call = ToolCall("Bash", {"command": "touch once", "description": "Touch"})
    play.when("touch it", call, call, Text("Touched."))
    await play.say("touch it twice")
    await play.press("Allow for this session")
    await play.ends()
    approved = await play.payloads(YES)
    assert {each["action"] for each in approved} == {"approve_for_session"}
    assert approved[-1]["actor"] == "system"


async def edit(play: Play) -> None:
    path = play.workspace / "notes.txt"
    play.when("write", ToolCall("Write", {"file_path": str(path), "content": "two\nlines\n"}), Text("Written."))
    await play.say("write the notes")
    await play.press("Approve")
    await play.ends()
    assert path.read_text() == "two\nlines\n"


async def question(play: Play) -> None:
    play.when("ask", ToolCall("AskUserQuestion", {"questions": [QUESTION]}), Text("Noted."))
    await play.say("ask me")
    await play.press("SQLite")
    await play.ends()
    assert "SQLite" in play.model.tool_results("AskUserQuestion")[-1].content


async def native_tasks(play: Play) -> None:
    titles = ("Fix the login", "Fix the retry")
    create = [ToolCall("TaskCreate", {"subject": title, "description": title}) for title in titles]
    begin = ToolCall("TaskUpdate", {"taskId": "1", "status": "in_progress"})
    done = ToolCall("TaskUpdate", {"taskId": "1", "status": "completed"})
    play.when("make a plan", *create, begin, done, Text("Planned."))
    await play.say("make a plan")
    await play.ends()
    assert [task["title"] for task in await play.payloads(CREATED)] == list(titles)


async def own_tool(play: Play) -> None:
    report = ToolCall("mcp__boss__report_progress", {"summary": "half way", "progress_percent": 50})
    play.when("report", report, Text("Reported."))
    await play.say("report to me")
    await play.ends()
    [answered] = await play.payloads("tool.call.answered")
    assert answered["is_error"] is False
    assert str(answered["text"]) in play.model.tool_results("mcp__boss__report_progress")[-1].content


async def sub_agent(play: Play) -> None:
    call = {"description": "Explore", "prompt": "sub gather delta", "subagent_type": "general-purpose"}
    hold = asyncio.Event()
    play.when("sub gather delta", Text("Found.", hold=hold))
    play.when("explore", ToolCall("Agent", call), Text("Explored."))
    await play.say("explore the repo")
    await play.happens(CALLS if play.stage.dialect.name == "cbc" else ENDS)  # in cbc it runs within the turn
    hold.set()
    await play.ends()


async def background_command(play: Play) -> None:
    command = {"command": "rm -rf nothing; sleep 2", "description": "Wait", "run_in_background": True}
    play.when("wait in", ToolCall("Bash", command), Text("It runs."))
    await play.say("wait in the background")
    await play.press("Approve")
    await play.happens("task.completed")
    await play.ends()


async def held_workflow(play: Play) -> None:
    hold = asyncio.Event()
    play.when("survey it", workflow("survey"), Text("Surveyed.", hold=hold))
    await play.say("survey it")
    await play.press("Approve")
    await play.happens("task.completed")
    hold.set()
    await play.ends()
    done = [
        step["label"] for step in await play.payloads("task.step.finished") if step["entry_type"] == "workflow_agent"
    ]
    assert sorted(map(str, done)) == ["alpha", "beta", "gamma"]


async def early_result(play: Play) -> None:
    """cbc tells nothing more of a workflow once the turn that began it has ended, but its end."""
    play.when("sub early", Text("found", delay_s=0.7))
    play.when("start the workflow", workflow("early"), Text("Started."))
    await play.say("start the workflow")
    await play.press("Approve")
    await play.happens("task.completed")
    await play.ends()


async def interrupted_workflow(play: Play) -> None:
    hold = asyncio.Event()
    play.when("sub long", Text("never", hold=hold))
    play.when("run the workflow", workflow("long"), Text("Never.", hold=hold))
    await play.say("run the workflow")
    await play.press("Approve")
    await play.happens("task.step.started", 3)
    play.when("run the workflow", Text("I was stopped."))
    await play.say("/stop")
    await play.happens("task.cancelled")
    await play.ends(AFTERTHOUGHT_S)
    hold.set()
    assert (await play.payloads(ENDS))[0]["outcome"] == "interrupted"


async def interrupted_turn(play: Play) -> None:
    hold = asyncio.Event()
    play.when("dream on", Text("Never.", hold=hold))
    await play.say("dream on")
    await play.happens(BEGINS)
    await play.say("/stop")  # the CLI may not have begun yet: a stop that comes early must end it all the same
    await play.ends()
    hold.set()
    [ended] = await play.payloads(ENDS)
    assert ended["outcome"] == "interrupted"


async def queued_message(play: Play) -> None:
    hold = asyncio.Event()
    play.when("the first", Text("One.", hold=hold))
    play.when("and the second", Text("Two."))
    await play.say("the first thing")
    await play.happens(BEGINS)
    await play.say("and the second")
    await play.happens(SAID, 2)
    hold.set()
    await play.ends()
    assert [said["content"] for said in await play.payloads(SAID) if said["role"] == "manager"] == ["One.", "Two."]


async def partial_streaming(play: Play) -> None:
    words = " ".join(f"word{number}" for number in range(12))
    play.when("tell me", Text(words, word_delay_s=0.1))
    assert play.desk.platform.drafts is not None
    play.desk.platform.drafts.clear()
    await play.say("tell me")
    await play.ends()
    shown = [text for _, text in play.desk.platform.drafts]
    assert shown
    assert all(words.startswith(text) for text in shown)
    assert (await play.payloads(SAID))[-1]["content"] == words


async def two_turns(play: Play) -> None:
    for word in ("alpha", "beta"):
        play.when(f"say {word}", Text(f"It is {word}."))
        await play.say(f"say {word}")
        await play.ends()
    assert [said["content"] for said in await play.payloads(SAID)][1::2] == ["It is alpha.", "It is beta."]


async def sent_now(play: Play) -> None:
    """Claude's turn reads it; cbc's is stopped for it, and the manager is told what was."""
    hold = asyncio.Event()
    play.when("take a long walk", ToolCall("Bash", {"command": "rm -rf nothing; sleep 1"}), Text("Walked.", hold=hold))
    play.when("by the way", Text("I heard."))
    await play.say("take a long walk")
    await play.happens(ASKS)
    await play.say("by the way")
    await play.press("Send now")
    if play.stage.dialect.mid_turn is MidTurn.JOINS:
        await play.press("Approve")
    hold.set()
    await play.ends()
    [steered] = await play.payloads("session.turn.steered")
    assert steered["how"] == ("joined" if play.stage.dialect.mid_turn is MidTurn.JOINS else "stopped")
    assert "by the way" in repr(play.model.requests[-1])


async def replaced_turn(play: Play) -> None:
    hold = asyncio.Event()
    play.when("follow the old", Text("Never.", hold=hold))
    play.when("follow the new", Text("The new one."))
    await play.say("follow the old plan")
    await play.happens(BEGINS)
    await play.say("follow the new plan")
    await play.press("Replace turn")
    await play.ends()
    hold.set()
    assert [ended["outcome"] for ended in await play.payloads(ENDS)] == ["interrupted", "success"]


async def killed_and_resumed(play: Play) -> None:
    """Killed while permission waits: it is resumed by itself, told what was asked, and asks again."""
    call = ToolCall("Bash", {"command": "echo ran >> marker; rm -rf nothing", "description": "Mark"})
    play.when("mark it", call, Text("Marked."))
    await play.say("mark it")
    await play.happens(ASKS)
    await asyncio.sleep(0.5)  # the history is written a moment after the request
    play.kill_agent()
    await play.happens(ASKS, 2)
    await play.press("Approve")
    await play.ends()
    assert (play.workspace / "marker").read_text() == "ran\n"
    assert [ended["outcome"] for ended in await play.payloads(ENDS)] == ["lost", "success"]


async def structured_call(play: Play) -> None:
    play.script.structured = lambda prompt: {"length": len(prompt)}
    schema = {"type": "object", "properties": {"length": {"type": "integer"}}, "required": ["length"]}
    prompt = "how long is this?\nIt ends with 你好"
    side_call = SideCall(play.stage.program, play.stage.settings(play.model), PATIENCE_S)
    before = sorted(play.workspace.iterdir())
    assert await side_call.ask(prompt, schema) == {"length": len(prompt)}
    assert play.model.turns[-1].tools == {"StructuredOutput"}
    assert sorted(play.workspace.iterdir()) == before


async def bad_line(play: Play) -> None:
    """cbc says so and goes on; Claude Code ends, and tells on stderr why."""
    async with play.stage.talk(play.model) as talk:
        await talk.say("hello")
        await talk.next(f.Result)
        await talk.settle()
        await talk.process.write(b"{this is no line\n")
        if play.stage.dialect.name == "cbc":
            assert (await talk.next(f.CliError)).text
            await talk.settle()
            await talk.say("hello")
            assert (await talk.next(f.Result)).result == "Hello. **bold** & done."
        else:
            with pytest.raises(EOFError, match="ended with code 1: Error parsing streaming input line"):
                await talk.next(f.Result)


HEARD = (SAID, "session.message.classified")
STEERED = ("session.turn.steered", "session.interrupt.requested")
BEGUN = (*HEARD, BEGINS)
TURN = (*BEGUN, SAID, ENDS)
PERMITTED = (*BEGUN, CALLS, ASKS, YES, CALLED, SAID, ENDS)
RUNS = (CREATED, "task.queued", "task.assigned", "worker.assignment.accepted", STARTED)
OWN_TURN = ("task.completed", *TURN[2:])
"""A background task that outlives its turn: the CLI tells the model of its end in a turn of its own."""

SCENARIOS: dict[str, Scenario] = {
    "hello": Scenario(hello, ("session.created", "session.thread.bound", *TURN)),
    "approve": Scenario(approve, (*BEGUN, SAID, CALLS, ASKS, YES, CALLED, SAID, ENDS)),
    "deny": Scenario(deny, (*BEGUN, SAID, CALLS, ASKS, NO, CALLED, SAID, ENDS)),
    "for session": Scenario(for_session, (*BEGUN, *(CALLS, ASKS, YES, CALLED) * 2, SAID, ENDS)),
    "partial streaming": Scenario(partial_streaming, TURN),
    "edit": Scenario(edit, PERMITTED),
    "question": Scenario(question, (*BEGUN, CALLS, ASKS, "approval.answered", YES, CALLED, SAID, ENDS)),
    "native tasks": Scenario(
        native_tasks,
        (
            *(*BEGUN, *(CALLS, CALLED, CREATED) * 2, "plan.created", "task.queued"),
            *(CALLS, CALLED, "task.assigned", "worker.assignment.accepted", STARTED),
            *(CALLS, CALLED, "task.completed", SAID, ENDS),
        ),
    ),
    "own tool": Scenario(
        own_tool, (*BEGUN, CALLS, "session.progress.reported", "tool.call.answered", CALLED, SAID, ENDS)
    ),
    "killed and resumed": Scenario(
        killed_and_resumed, (*BEGUN, CALLS, ASKS, "approval.withdrawn", ENDS, BEGINS, *PERMITTED[3:])
    ),
    "sub-agent": Scenario(
        sub_agent,
        {
            "cbc": (*BEGUN, CALLS, CALLED, SAID, ENDS),
            "claude": (*BEGUN, CALLS, *RUNS, CALLED, SAID, ENDS, *OWN_TURN),
        },
    ),
    "background command": Scenario(
        background_command, (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, SAID, ENDS, *OWN_TURN)
    ),
    "held workflow": Scenario(
        held_workflow,
        {
            "cbc": (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, "task.completed", SAID, ENDS),
            "claude": (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, "task.completed", SAID, ENDS, BEGINS, SAID, ENDS),
        },
    ),
    "early result": Scenario(early_result, (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, SAID, ENDS, *OWN_TURN)),
    "interrupted workflow": Scenario(
        interrupted_workflow,
        (*BEGUN, CALLS, ASKS, YES, *RUNS, CALLED, "session.interrupt.requested", "task.cancelled"),
        prefix=True,
    ),
    "interrupted turn": Scenario(interrupted_turn, (*BEGUN, "session.interrupt.requested", ENDS)),
    "queued message": Scenario(queued_message, (*BEGUN, *HEARD, SAID, ENDS, *TURN[2:])),
    "sent now": Scenario(
        sent_now,
        {
            "cbc": (*BEGUN, CALLS, ASKS, *HEARD, *STEERED, "approval.withdrawn", CALLED, SAID, ENDS, *TURN[2:]),
            "claude": (*BEGUN, CALLS, ASKS, *HEARD, STEERED[0], YES, CALLED, SAID, ENDS),
        },
    ),
    "replaced turn": Scenario(replaced_turn, (*BEGUN, *HEARD, *STEERED, ENDS, *TURN[2:])),
    "two turns": Scenario(two_turns, TURN * 2),
    "structured call": Scenario(structured_call, ()),
    "bad line": Scenario(bad_line, ()),
}


@pytest.mark.parametrize("name", SCENARIOS)
async def test_both_real_clis_tell_the_same_story(play: Play, name: str) -> None:
    row = SCENARIOS[name]
    await play.begin()
    await row.play(play)
    story, wanted = await play.story(), row.of(play.stage.dialect.name)
    assert story[: len(wanted) if row.prefix else None] == wanted
