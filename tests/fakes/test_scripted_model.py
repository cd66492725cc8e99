"""The scripted model drives both real agent CLIs through every story that the journeys rely on."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.fakes.raw_stdio import Frame, RawCli, is_permission, is_result, of_kind
from tests.fakes.real_cli import CliSetup, cbc_setup, claude_setup, find_cbc, find_claude
from tests.fakes.scripted_model import Rule, Script, ScriptedModel, Text, ToolCall

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


@pytest.fixture(params=["cbc", "claude"])
def dialect(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "cbc" and find_cbc() is None:
        pytest.skip("no cbc: the codebuddy-agent-sdk wheel is not installed")
    if name == "claude" and find_claude() is None:
        pytest.skip("no claude: BOSSBOT_TEST_CLAUDE names no program and none is on PATH")
    return name


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    cache = tmp_path / "workspace" / "build-cache"
    cache.mkdir(parents=True)
    (cache / "object.o").write_bytes(b"\0")
    return cache.parent


def setup_of(dialect: str, home: Path, model: ScriptedModel) -> CliSetup:
    command = find_cbc() if dialect == "cbc" else find_claude()
    assert command is not None
    make = cbc_setup if dialect == "cbc" else claude_setup
    return make(command, home, model.port)


async def started(cli: RawCli, text: str) -> None:
    await cli.initialize()
    await cli.say(text)


async def test_a_greeting_is_answered_word_for_word(dialect: str, tmp_path: Path, workspace: Path) -> None:
    answer = "Hello. **bold** `code` <!channel> & done."
    async with ScriptedModel(Script([Rule("hello", [Text(answer)])])) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "hello")
            result = await cli.read_until(is_result)
    assert result["result"] == answer
    assert model.turns[0].text == "hello"
    assert not model.turns[0].wants_structured


async def test_an_approved_command_runs_and_its_result_is_read(
    dialect: str, tmp_path: Path, workspace: Path
) -> None:
    async with ScriptedModel(Script([CLEAN])) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "clean the build cache")
            request = await cli.read_until(is_permission)
            assert (workspace / "build-cache").exists()
            await cli.allow(request)
            result = await cli.read_until(is_result)
    assert request["request"]["input"] == REMOVE
    assert not (workspace / "build-cache").exists()
    assert result["result"] == "Cache is clean."
    assert [r.name for r in model.tool_results()] == ["Bash"]


async def test_the_model_reads_the_reason_of_a_denial(dialect: str, tmp_path: Path, workspace: Path) -> None:
    async with ScriptedModel(Script([CLEAN])) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "clean the build cache")
            await cli.deny(await cli.read_until(is_permission), "Not today, use make clean")
            await cli.read_until(is_result)
    assert (workspace / "build-cache").exists()
    assert "Not today, use make clean" in model.tool_results("Bash")[0].content


async def test_native_tasks_are_created_and_moved(dialect: str, tmp_path: Path, workspace: Path) -> None:
    titles = ["Fix the login", "Rebuild the cache", "Fix the retry"]
    creates = [ToolCall("TaskCreate", {"subject": title, "description": title}) for title in titles]
    move = ToolCall("TaskUpdate", {"taskId": "1", "status": "in_progress"})
    rule = Rule("plan", [*creates, move, Text("Planned.")])
    async with ScriptedModel(Script([rule])) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "make a plan")
            result = await cli.read_until(is_result)
    assert result["result"] == "Planned."
    for number, created in enumerate(model.tool_results("TaskCreate"), start=1):
        assert f"Task #{number} created successfully" in created.content
    assert "Updated task #1" in model.tool_results("TaskUpdate")[0].content


async def test_a_question_comes_back_answered(dialect: str, tmp_path: Path, workspace: Path) -> None:
    options = [{"label": "Postgres", "description": "server"}, {"label": "SQLite", "description": "file"}]
    question = {"question": "Which database?", "header": "DB", "multiSelect": False, "options": options}
    rule = Rule("ask", [ToolCall("AskUserQuestion", {"questions": [question]}), Text("Noted.")])
    async with ScriptedModel(Script([rule])) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "ask me")
            request = await cli.read_until(is_permission)
            answers = {"questions": [question], "answers": {"Which database?": "SQLite"}}
            await cli.allow(request, answers)
            await cli.read_until(is_result)
    assert "SQLite" in model.tool_results("AskUserQuestion")[0].content


def agent_states(frame: Frame) -> dict[str, str]:
    entries = frame.get("workflow_progress", [])
    return {entry["label"]: entry["state"] for entry in entries if entry["type"] == "workflow_agent"}


async def test_a_held_turn_shows_the_whole_workflow(dialect: str, tmp_path: Path, workspace: Path) -> None:
    hold = asyncio.Event()
    rule = Rule("workflow", [ToolCall("Workflow", {"script": WORKFLOW}), Text("Held answer.", hold=hold)])
    async with ScriptedModel(Script([rule])) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "run the workflow")
            await cli.allow(await cli.read_until(is_permission))
            end = await cli.read_until(of_kind("system/task_notification"))
            assert "result" not in {kind.partition("/")[0] for kind in cli.kinds}
            hold.set()
            await cli.read_until(is_result)
    progress = [frame for frame in cli.frames if frame.get("subtype") == "task_progress"]
    assert end["status"] == "completed"
    assert agent_states(progress[-1]) == {"alpha": "done", "beta": "done", "gamma": "done"}


async def test_an_early_result_leaves_cbc_silent_and_claude_talking(
    dialect: str, tmp_path: Path, workspace: Path
) -> None:
    def slow_part(prompt: str) -> Rule:
        return Rule(lambda turn: turn.text.startswith(prompt), [Text("found it", delay_s=0.5)])

    rules = [Rule("workflow", [ToolCall("Workflow", {"script": WORKFLOW}), Text("Started.")])]
    rules += [slow_part("sub gather"), slow_part("sub review")]
    async with ScriptedModel(Script(rules)) as model:
        async with RawCli.of(setup_of(dialect, tmp_path, model), workspace) as cli:
            await started(cli, "run the workflow")
            await cli.allow(await cli.read_until(is_permission))
            assert (await cli.read_until(is_result))["result"] == "Started."
            await cli.read_until(of_kind("system/task_notification"))
            states = agent_states([f for f in cli.frames if f.get("subtype") == "task_progress"][-1])
            again = await cli.read_until(is_result)
    assert again["result"] == "The workflow finished: all good."
    if dialect == "cbc":
        assert states == {"alpha": "start", "beta": "start"}
    else:
        assert states == {"alpha": "done", "beta": "done", "gamma": "done"}


async def test_a_structured_side_call_returns_the_scripted_object(dialect: str, tmp_path: Path) -> None:
    properties = {"count": {"type": "integer"}}
    schema = {"type": "object", "properties": properties, "required": ["count"]}
    async with ScriptedModel(Script(structured=lambda message: {"count": len(message)})) as model:
        setup = setup_of(dialect, tmp_path, model)
        chosen = ["--model", setup.model] if setup.model else []
        flags = ["-p", "--output-format", "json", "--json-schema", json.dumps(schema), *chosen]
        process = await asyncio.create_subprocess_exec(
            *(str(setup.command), *flags, "four"),
            cwd=tmp_path,
            env=setup.process_env(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await asyncio.wait_for(process.communicate(), timeout=30)
    printed = json.loads(out)
    result = printed[-1] if isinstance(printed, list) else printed
    assert result["structured_output"] == {"count": 4}


async def test_after_kill_9_cbc_resumes_and_asks_again_and_claude_does_not(
    dialect: str, tmp_path: Path, workspace: Path
) -> None:
    async with ScriptedModel(Script([CLEAN])) as model:
        setup = setup_of(dialect, tmp_path, model)
        async with RawCli.of(setup, workspace) as first:
            await started(first, "clean the build cache")
            asked = await first.read_until(is_permission)
            await first.kill()
        async with RawCli.of(setup, workspace, "--resume", first.session_id) as second:
            await started(second, "please go on")
            if dialect == "claude":
                with pytest.raises(EOFError, match="No conversation found"):
                    await second.read_until(is_permission)
                return
            asked_again = await second.read_until(is_permission)
            await second.allow(asked_again)
            await second.read_until(is_result)
    assert asked_again["request"]["input"] == asked["request"]["input"]
    assert asked_again["request_id"] != asked["request_id"]
    # cbc drops the unanswered call and joins both messages into one
    assert model.turns[-1].text == "clean the build cache please go on"
    assert not (workspace / "build-cache").exists()
