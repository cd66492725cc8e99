"""What people do in each row of the table of scenarios, and what must be true of it beside the events."""

import asyncio

import pytest

from bossbot.agent.sidecall import SideCall
from bossbot.streamjson import frames as f
from bossbot.streamjson.dialects import MidTurn
from tests.agent.play import PATIENCE_S, Play
from tests.fakes.scripted_model import Text, ToolCall

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
    waiting = "rm -rf nothing; until [ -e released ]; do sleep 0.1; done"
    command = {"command": waiting, "description": "Wait", "run_in_background": True}
    play.when("wait in", ToolCall("Bash", command), Text("It runs."))
    await play.say("wait in the background")
    await play.press("Approve")
    await play.happens(ENDS)
    (play.workspace / "released").touch()
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
    hold = asyncio.Event()
    play.when("sub early", Text("found", hold=hold))
    play.when("start the workflow", workflow("early"), Text("Started."))
    await play.say("start the workflow")
    await play.press("Approve")
    await play.happens(ENDS)
    hold.set()
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


async def sent_too_late(play: Play) -> None:
    """The turn calls no more tools: Claude answers the message right behind it, and that is one turn."""
    hold = asyncio.Event()
    play.when("look around", Text("I looked.", hold=hold))
    play.when("wait, also", Text("That too."))
    await play.say("look around")
    await play.happens(BEGINS)
    await play.says_now("wait, also this")
    hold.set()
    await play.ends()
    assert [ended["outcome"] for ended in await play.payloads(ENDS)][-1] == "success"
    assert (await play.payloads(SAID))[-1]["content"] == "That too."


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
    await play.happens(CALLS)
    await play.stage.has_kept("echo ran >> marker")
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
            while not await talk.complains():  # a line that comes too soon after a result is lost
                await talk.process.write(b"{this is no line\n")
            await talk.settle()
            await talk.say("hello")
            assert (await talk.next(f.Result)).result == "Hello. **bold** & done."
        else:
            with pytest.raises(EOFError, match="ended with code 1: Error parsing streaming input line"):
                await talk.next(f.Result)
