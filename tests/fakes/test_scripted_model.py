"""The scripted model drives both real agent CLIs through every story that the journeys rely on."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fakes.raw_stdio import Frame, RawCli, is_permission, is_result, of_kind
from tests.fakes.real_cli import CliSetup, cbc_setup, claude_setup, find_cbc, find_claude
from tests.fakes.scripted_model import (
    Answer,
    Rule,
    Script,
    ScriptedModel,
    Text,
    ToolCall,
    Turn,
    repeat_dangling,
)

REMOVE = {"command": "rm -rf build-cache", "description": "Remove build cache"}
CLEAN = Rule("clean", [ToolCall("Bash", REMOVE, say="I need to clean the cache."), Text("Cache is clean.")])

WORKFLOW = """export const meta = { name: 'survey', description: 'Survey the repo', \
phases: [{ title: 'Gather' }, { title: 'Review' }] }
phase('Gather')
const a = await parallel([() => agent('sub gather alpha', { label: 'alpha' }), \
() => agent('sub gather beta', { label: 'beta' })])
phase('Review')
const r = await agent('sub review gamma', { label: 'gamma' })
return { a, r }
"""


@pytest.fixture(params=[pytest.param(name, marks=getattr(pytest.mark, name)) for name in ("cbc", "claude")])
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> "Stage":
    name: str = request.param
    if name == "cbc" and find_cbc() is None:
        pytest.skip("no cbc: the codebuddy-agent-sdk wheel is not installed")
    if name == "claude" and find_claude() is None:
        pytest.skip("no claude: BOSSBOT_TEST_CLAUDE names no program and none is on PATH")
    cache = tmp_path / "workspace" / "build-cache"
    cache.mkdir(parents=True)
    (cache / "object.o").write_bytes(b"\0")
    return Stage(name, tmp_path, cache.parent)


@dataclass
class Stage:
    """Where a test plays: one of the two programs, a home of its own and a workspace with a cache."""

    dialect: str
    home: Path
    workspace: Path

    @property
    def cache(self) -> Path:
        return self.workspace / "build-cache"

    def setup(self, model: ScriptedModel) -> CliSetup:
        command = find_cbc() if self.dialect == "cbc" else find_claude()
        assert command is not None
        make = cbc_setup if self.dialect == "cbc" else claude_setup
        return make(command, self.home, model.port)

    @asynccontextmanager
    async def conversation(self, script: Script, text: str) -> AsyncIterator[tuple[RawCli, ScriptedModel]]:
        """A CLI that has just been told `text`, and the model it talks to."""
        async with ScriptedModel(script) as model, RawCli.of(self.setup(model), self.workspace) as cli:
            await started(cli, text)
            yield cli, model


async def started(cli: RawCli, text: str) -> None:
    await cli.initialize()
    await cli.say(text)


ANSWER = "Hello. **bold** `code` <!channel> & done."
TITLES = ("Fix the login", "Rebuild the cache", "Fix the retry")
OPTIONS = [{"label": "Postgres", "description": "server"}, {"label": "SQLite", "description": "file"}]
QUESTION = {"question": "Which database?", "header": "DB", "multiSelect": False, "options": OPTIONS}
PLAN = Rule(
    "plan",
    [
        *(ToolCall("TaskCreate", {"subject": title, "description": title}) for title in TITLES),
        ToolCall("TaskUpdate", {"taskId": "1", "status": "in_progress"}),
        Text("Planned."),
    ],
)
ASK = Rule("ask", [ToolCall("AskUserQuestion", {"questions": [QUESTION]}), Text("Noted.")])


async def say(cli: RawCli, text: str) -> None:
    """The next message of a conversation. cbc loses one that arrives right behind a `result`."""
    await asyncio.sleep(0.3)
    await cli.say(text)


async def test_chat_commands_tasks_and_questions_in_one_session(stage: Stage) -> None:
    """One process for all of them, because starting one costs more than everything that follows."""
    async with stage.conversation(Script([Rule("hello", [Text(ANSWER)]), CLEAN, PLAN, ASK]), "hello") as (cli, model):
        await a_greeting_is_answered_word_for_word(cli, model)
        await the_model_reads_the_reason_of_a_denial(cli, model, stage)
        await an_approved_command_runs(cli, model, stage)
        await native_tasks_are_created_and_moved(cli, model)
        await a_question_comes_back_answered(cli, model)


async def a_greeting_is_answered_word_for_word(cli: RawCli, model: ScriptedModel) -> None:
    assert (await cli.read_until(is_result))["result"] == ANSWER
    assert model.turns[0].text == "hello"
    assert not model.turns[0].wants_structured


async def the_model_reads_the_reason_of_a_denial(cli: RawCli, model: ScriptedModel, stage: Stage) -> None:
    await say(cli, "clean the build cache")
    await cli.deny(await cli.read_until(is_permission), "Not today, use make clean")
    await cli.read_until(is_result)
    assert stage.cache.exists()
    assert "Not today, use make clean" in model.tool_results("Bash")[-1].content


async def an_approved_command_runs(cli: RawCli, model: ScriptedModel, stage: Stage) -> None:
    await say(cli, "clean it now")
    request = await cli.read_until(is_permission)
    assert request["request"]["input"] == REMOVE
    assert stage.cache.exists()
    await cli.allow(request)
    assert (await cli.read_until(is_result))["result"] == "Cache is clean."
    assert not stage.cache.exists()
    assert len(model.tool_results("Bash")) == 2


async def native_tasks_are_created_and_moved(cli: RawCli, model: ScriptedModel) -> None:
    await say(cli, "make a plan")
    assert (await cli.read_until(is_result))["result"] == "Planned."
    created = [result.content for result in model.tool_results("TaskCreate")]
    assert [text.partition(":")[0] for text in created] == [f"Task #{n} created successfully" for n in (1, 2, 3)]
    assert "Updated task #1" in model.tool_results("TaskUpdate")[0].content


async def a_question_comes_back_answered(cli: RawCli, model: ScriptedModel) -> None:
    await say(cli, "ask me")
    request = await cli.read_until(is_permission)
    await cli.allow(request, {"questions": [QUESTION], "answers": {"Which database?": "SQLite"}})
    await cli.read_until(is_result)
    assert "SQLite" in model.tool_results("AskUserQuestion")[0].content


def agent_states(frame: Frame) -> dict[str, str]:
    entries = frame.get("workflow_progress", [])
    return {entry["label"]: entry["state"] for entry in entries if entry["type"] == "workflow_agent"}


async def test_a_held_turn_shows_the_whole_workflow(stage: Stage) -> None:
    hold = asyncio.Event()
    rule = Rule("workflow", [ToolCall("Workflow", {"script": WORKFLOW}), Text("Held answer.", hold=hold)])
    async with stage.conversation(Script([rule]), "run the workflow") as (cli, _):
        await cli.allow(await cli.read_until(is_permission))
        end = await cli.read_until(of_kind("system/task_notification"))
        assert "result" not in {kind.partition("/")[0] for kind in cli.kinds}
        hold.set()
        await cli.read_until(is_result)
    progress = [frame for frame in cli.frames if frame.get("subtype") == "task_progress"]
    assert end["status"] == "completed"
    assert agent_states(progress[-1]) == {"alpha": "done", "beta": "done", "gamma": "done"}


async def test_an_early_result_leaves_cbc_silent_and_claude_talking(stage: Stage) -> None:
    def slow_part(prompt: str) -> Rule:
        return Rule(lambda turn: turn.text.startswith(prompt), [Text("found it", delay_s=0.5)])

    rules = [Rule("workflow", [ToolCall("Workflow", {"script": WORKFLOW}), Text("Started.")])]
    rules += [slow_part("sub gather"), slow_part("sub review")]
    async with stage.conversation(Script(rules), "run the workflow") as (cli, _):
        await cli.allow(await cli.read_until(is_permission))
        assert (await cli.read_until(is_result))["result"] == "Started."
        await cli.read_until(of_kind("system/task_notification"))
        states = agent_states([f for f in cli.frames if f.get("subtype") == "task_progress"][-1])
        again = await cli.read_until(is_result)
    assert again["result"] == "The workflow finished: all good."
    if stage.dialect == "cbc":
        assert states == {"alpha": "start", "beta": "start"}
    else:
        assert states == {"alpha": "done", "beta": "done", "gamma": "done"}


async def test_a_structured_side_call_returns_the_scripted_object(stage: Stage) -> None:
    properties = {"count": {"type": "integer"}}
    # cbc sometimes offers its tool with one parameter `data`, and yet checks the answer by this schema.
    schema = {"type": "object", "properties": {**properties, "data": {"type": "object", "properties": properties}}}
    async with ScriptedModel(Script(structured=lambda message: {"count": len(message)})) as model:
        setup = stage.setup(model)
        chosen = ["--model", setup.model] if setup.model else []
        flags = ["-p", "--output-format", "json", "--json-schema", json.dumps(schema), *chosen]
        process = await asyncio.create_subprocess_exec(
            *(str(setup.command), *flags, "four"),
            cwd=stage.workspace,
            env=setup.process_env(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await asyncio.wait_for(process.communicate(), timeout=30)
    printed = json.loads(out)
    result = printed[-1] if isinstance(printed, list) else printed
    answer = result["structured_output"]
    assert answer.get("data", answer) == {"count": 4}


async def test_after_kill_9_a_resumed_cli_asks_again(stage: Stage) -> None:
    """Both forget the request; only cbc keeps the unanswered call in the history that the model reads."""

    def again(turn: Turn) -> Answer:
        return repeat_dangling(turn) if turn.dangling else ToolCall("Bash", REMOVE)

    script = Script([CLEAN, Rule("go on", [again, Text("Cache is clean at last.")])])
    async with stage.conversation(script, "clean the build cache") as (first, model):
        asked = await first.read_until(is_permission)
        await asyncio.sleep(0.3)  # the history is written a moment after the request
        await first.kill()
        async with RawCli.of(stage.setup(model), stage.workspace, "--resume", first.session_id) as second:
            await started(second, "please go on")
            asked_again = await second.read_until(is_permission)
            await second.allow(asked_again)
            result = await second.read_until(is_result)
    assert asked_again["request"]["input"] == asked["request"]["input"]
    assert asked_again["request_id"] != asked["request_id"]
    assert model.turns[-1].earlier == ("clean the build cache",)
    assert [call.name for call in model.turns[-1].dangling] == (["Bash"] if stage.dialect == "cbc" else [])
    assert result["result"] == "Cache is clean at last."
    assert not stage.cache.exists()


async def test_resuming_an_unknown_session_is_an_error_not_a_fresh_start(stage: Stage) -> None:
    """cbc says so in an `error` frame and stays; Claude Code also ends."""
    unknown = "11111111-2222-4333-8444-555555555555"
    async with (
        ScriptedModel(Script()) as model,
        RawCli.of(stage.setup(model), stage.workspace, "--resume", unknown) as cli,
    ):
        await started(cli, "hello")
        told = await cli.read_until(of_kind("error", "result/error_during_execution"))
    assert f"No conversation found with session ID: {unknown}" in json.dumps(told)
    assert model.turns == []
