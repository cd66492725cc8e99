"""What the scripted agent does when people approve, refuse, interrupt, change their mind, or kill it."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.fakes.raw_stdio import Frame, RawCli, is_permission, is_result, kind_of, of_kind
from tests.sandbox.scripted_agent_process import ENV, PROGRAM, scripted_agent, told
from tests.sandbox.wires import until


def tool_calls(agent: RawCli) -> list[tuple[str, dict[str, object]]]:
    blocks = (f["message"]["content"][0] for f in agent.frames if kind_of(f) == "assistant/tool_use")
    return [(block["name"], block["input"]) for block in blocks]


def tool_results(agent: RawCli) -> list[str]:
    blocks = (f["message"]["content"][0] for f in agent.frames if kind_of(f) == "user/tool_result")
    return [block["content"][0]["text"] for block in blocks]


async def grown(agent: RawCli, processes: int) -> list[psutil.Process]:
    """What the agent has started, as soon as there are so many."""

    async def started() -> list[psutil.Process]:
        found: list[psutil.Process] = psutil.Process(agent.process.pid).children(recursive=True)
        return found if len(found) >= processes else []

    return await until(started)


async def test_a_greeting_lists_what_it_can_play(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        english = await told(agent, "hello")
        chinese = await told(agent, "你好")
    assert "`clean the build cache`" in english["result"]
    assert "`清理缓存`" in chinese["result"]
    assert "脚本代理" in chinese["result"]


async def test_an_approved_command_really_runs(tmp_path: Path) -> None:
    (tmp_path / "build-cache").mkdir()
    (tmp_path / "build-cache" / "object.o").write_bytes(b"12345")
    async with scripted_agent(tmp_path) as agent:
        await agent.say("Please clean the build cache")
        request = await agent.read_until(is_permission)
        assert request["request"]["input"]["command"] == "rm -rf build-cache"
        assert (tmp_path / "build-cache").is_dir()
        await agent.allow(request)
        result = await agent.read_until(is_result)
    assert not (tmp_path / "build-cache").exists()
    assert result["result"] == "Done: `build-cache` is gone (1 files, 5 bytes)."


async def test_there_is_always_something_to_clean(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("清理缓存")
        await agent.read_until(is_permission)
        assert list((tmp_path / "build-cache").iterdir())


async def test_a_refused_command_does_not_run_and_the_reason_is_read(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("clean the build cache")
        await agent.deny(await agent.read_until(is_permission), "use make clean")
        result = await agent.read_until(is_result)
    assert (tmp_path / "build-cache").is_dir()
    assert tool_results(agent) == ["use make clean"]
    assert "**use make clean**" in result["result"]
    assert result["permission_denials"][0]["tool_input"]["command"] == "rm -rf build-cache"


async def test_a_refusal_in_the_other_dialect_loses_its_reason_as_with_cbc(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("clean the build cache")
        request = await agent.read_until(is_permission)
        verdict = {"behavior": "deny", "message": "use make clean"}
        response = {"subtype": "success", "request_id": request["request_id"], "response": verdict}
        await agent.send({"type": "control_response", "response": response})
        await agent.read_until(is_result)
    assert tool_results(agent) == ["Permission denied by SDK"]


async def test_it_runs_the_command_that_was_let_through_and_tells_the_truth_about_it(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("clean the build cache")
        changed = {"command": "echo not today; exit 3"}
        await agent.allow(await agent.read_until(is_permission), changed)
        result = await agent.read_until(is_result)
    assert (tmp_path / "build-cache").is_dir()
    assert "not today" in tool_results(agent)[0]
    assert "Exit Code: 3" in tool_results(agent)[0]
    assert "ended with 3, and `build-cache` is still there" in result["result"]


async def test_a_late_answer_to_an_interrupted_request_runs_nothing(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("clean the build cache")
        request = await agent.read_until(is_permission)
        await agent.interrupt()
        assert (await agent.read_until(is_result))["result"] == "Stopped, as you wished."
        await agent.allow(request)
        await told(agent, "hello")
    assert (tmp_path / "build-cache").is_dir()


async def test_an_interrupt_ends_a_running_command_and_what_it_started(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("clean the build cache")
        slow = {"command": "sleep 60 & sleep 60; true"}
        await agent.allow(await agent.read_until(is_permission), slow)
        started = await grown(agent, 3)
        await agent.interrupt()
        await agent.read_until(is_result)
        gone, alive = psutil.wait_procs(started, timeout=60)
    assert (len(gone), alive) == (3, [])


async def test_a_message_in_mid_turn_drops_the_turn_and_gets_the_only_result(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("be slow")
        await agent.read_until(of_kind("system/status"))
        result = await told(agent, "hello")
        assert "scripted agent" in result["result"]
        await agent.say("hello again")
        await agent.read_until(is_result)
    assert agent.kinds.count("result/success") == 2


@pytest.mark.parametrize("after", ["please go on", "[bossbot] Your process ended while you were working (killed)."])
async def test_after_kill_9_a_resumed_session_asks_again_and_runs_once(tmp_path: Path, after: str) -> None:
    async with scripted_agent(tmp_path) as first:
        await first.say("清理缓存")
        asked = await first.read_until(is_permission)
        await first.kill()
    async with scripted_agent(tmp_path, "--resume", first.session_id) as second:
        await second.initialize()
        await second.say(after)
        asked_again = await second.read_until(is_permission)
        await second.allow(asked_again)
        result = await second.read_until(is_result)
    assert second.session_id == first.session_id
    assert asked_again["request"]["input"] == asked["request"]["input"]
    assert asked_again["request_id"] != asked["request_id"]
    assert not (tmp_path / "build-cache").exists()
    assert result["result"].startswith("完成")


async def test_closing_stdin_keeps_the_open_question_for_the_next_process(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as first:
        await first.say("clean the build cache")
        await first.read_until(is_permission)
        assert first.process.stdin is not None
        first.process.stdin.close()
        assert await asyncio.wait_for(first.process.wait(), timeout=60) == 0
    async with scripted_agent(tmp_path, "--resume", first.session_id) as second:
        await second.say("go on")
        await second.read_until(is_permission)


async def test_a_decided_question_is_not_asked_again_after_a_restart(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as first:
        await first.say("clean the build cache")
        await first.deny(await first.read_until(is_permission), "no")
        await first.read_until(is_result)
        await first.kill()
    async with scripted_agent(tmp_path, f"--resume={first.session_id}") as second:
        await told(second, "hello")
    assert "control_request/can_use_tool" not in second.kinds


async def test_an_unknown_session_is_an_error_and_answers_nothing(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path, "--resume", "../../etc/passwd") as agent:
        refused = await agent.read_until(of_kind("error"))
        await agent.say("hello")
        await agent.initialize()
        assert kind_of(await agent.read_until(lambda frame: True)) == "control_response"
    assert refused["error"] == "No conversation found with session ID: ../../etc/passwd"


async def test_a_plan_is_three_native_tasks_and_the_first_begins(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await told(agent, "做个计划")
    calls = tool_calls(agent)
    assert [given["subject"] for name, given in calls if name == "TaskCreate"] == [
        "修复登录失败",
        "重建缓存层",
        "修复接口重试",
    ]
    assert calls[-1] == ("TaskUpdate", {"taskId": "1", "status": "in_progress"})
    assert tool_results(agent)[0] == "Task #1 created successfully: 修复登录失败"


async def test_an_applied_plan_change_moves_the_tasks_even_after_a_restart(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as first:
        await told(first, "make a plan")
        await first.kill()
    change = (
        "[plan change, applied by Ada]\n"
        "They wrote: drop the cache work, the API retry comes first\n"
        "Cancelled, mark it deleted in your list: #2 “Rebuild the cache layer”\n"
        "Paused, leave it until you are told: #1 “Fix the login failure”\n"
        "New, add it to your list: “Write a test for it” (implementation, priority high)\n"
        "Next, in this order: “Fix the API retry”; “Write a test for it”"
    )
    async with scripted_agent(tmp_path, "--resume", first.session_id) as second:
        result = await told(second, change)
    assert tool_calls(second) == [
        ("TaskUpdate", {"taskId": "2", "status": "deleted"}),
        ("TaskUpdate", {"taskId": "1", "status": "pending"}),
        (
            "TaskCreate",
            {
                "subject": "Write a test for it",
                "description": "Write a test for it",
                "activeForm": "Write a test for it",
            },
        ),
        ("TaskUpdate", {"taskId": "3", "status": "in_progress"}),
    ]
    assert "Rebuild the cache layer" not in result["result"]
    assert "▶️ #3 Fix the API retry" in result["result"]


async def test_a_workflow_can_be_stopped_while_nothing_else_happens(tmp_path: Path) -> None:
    """cbc acknowledges at once, and tells the workflow's end only in the next turn."""
    async with scripted_agent(tmp_path) as agent:
        await agent.say("background workflow")
        await agent.allow(await agent.read_until(is_permission))
        await agent.read_until(is_result)
        await agent.interrupt()
        await agent.read_until(of_kind("control_response"))
        assert "system/task_notification" not in agent.kinds
        await told(agent, "hello")
        ends = [frame for frame in agent.frames if kind_of(frame) == "system/task_notification"]
        await asyncio.sleep(4.5)  # longer than the workflow would have taken
        await told(agent, "hello again")
    assert [end["status"] for end in ends] == ["stopped"]
    assert agent.kinds.count("system/task_notification") == 1


async def test_people_can_talk_while_a_workflow_runs_in_the_background(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("后台工作流")
        await agent.allow(await agent.read_until(is_permission))
        await agent.read_until(is_result)
        assert "脚本代理" in (await told(agent, "你好"))["result"]
        end = await agent.read_until(of_kind("system/task_notification"))
        result = await agent.read_until(is_result)
    output_file = tmp_path / end["output_file"]
    assert json.loads(output_file.read_text(encoding="utf-8"))["alpha"].startswith("登录")
    assert "401" in result["result"]


async def test_a_question_is_answered_with_the_label_that_was_chosen(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("ask me a question")
        request = await agent.read_until(is_permission)
        questions = request["request"]["input"]["questions"]
        await agent.allow(request, {"questions": questions, "answers": {questions[0]["question"]: "SQLite"}})
        result = await agent.read_until(is_result)
    assert len(questions[0]["options"]) == 3
    assert result["result"] == "I take **SQLite**."


async def test_an_approved_file_is_written_and_one_outside_the_folder_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    async with scripted_agent(folder) as agent:
        await agent.say("edit the notes")
        request = await agent.read_until(is_permission)
        await agent.allow(request)
        await agent.read_until(is_result)
        await agent.say("edit the notes")
        outside = {"file_path": str(tmp_path / "outside.md"), "content": "x"}
        await agent.allow(await agent.read_until(is_permission), outside)
        result = await agent.read_until(is_result)
    assert (folder / "NOTES.md").read_text(encoding="utf-8") == request["request"]["input"]["content"]
    assert not (tmp_path / "outside.md").exists()
    assert "outside the folder" in result["result"]


async def test_the_long_command_is_5_kb_and_ends_badly(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("long command")
        request = await agent.read_until(is_permission)
        await agent.allow(request)
        await agent.read_until(is_result)
    command = request["request"]["input"]["command"]
    assert 4900 < len(command) <= 5120
    assert command.endswith("\nrm -rf build-cache")
    assert not (tmp_path / "build-cache").exists()


async def test_many_tools_are_200_calls_that_ask_nobody(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await told(agent, "many tools")
    assert len(tool_calls(agent)) == len(tool_results(agent)) == 200
    assert "control_request/can_use_tool" not in agent.kinds


async def test_git_status_asks_the_same_ten_times(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("git status")
        for _ in range(10):
            await agent.allow(await agent.read_until(is_permission))
        await agent.read_until(is_result)
    asked = [frame["request"]["input"] for frame in agent.frames if is_permission(frame)]
    assert len(asked) == 10
    assert all(given == asked[0] for given in asked)


async def test_partial_messages_stream_the_slow_answer_word_by_word(tmp_path: Path) -> None:
    def is_delta(frame: Frame) -> bool:
        return bool(frame["type"] == "stream_event" and frame["event"]["type"] == "content_block_delta")

    async with scripted_agent(tmp_path, "--include-partial-messages") as agent:
        await agent.say("be slow")
        first = await agent.read_until(is_delta)
        second = await agent.read_until(is_delta)
    assert first["event"]["delta"]["text"].startswith("Step 1")
    assert second["event"]["delta"]["text"].startswith("Step 2")


async def test_an_error_ends_the_turn_and_not_the_session(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        failed = await told(agent, "error")
        assert (await told(agent, "hello"))["is_error"] is False
    assert (failed["subtype"], failed["is_error"]) == ("error_during_execution", True)
    assert failed["errors"]


async def test_bad_lines_are_answered_and_survived(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        assert agent.process.stdin is not None
        agent.process.stdin.write(b'not json\n[1]\n{"type":"whatever"}\n\n')
        unknown = {"type": "control_request", "request_id": "q", "request": {"subtype": "nonsense"}}
        await agent.send(unknown)
        refused = await agent.read_until(of_kind("control_response"))
        await told(agent, "hello")
    assert agent.kinds[:4] == ["error", "error", "error", "control_response"]
    assert refused["response"]["error"] == "Unknown control request subtype: nonsense"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *arguments], env=ENV, capture_output=True, text=True, timeout=90, check=False)


def test_it_names_the_version_whose_stream_it_speaks() -> None:
    assert run("--version").stdout == "2.163.0 (bossbot scripted agent)\n"


def test_a_single_prompt_is_an_error_because_there_is_no_model() -> None:
    printed = run("-p", "--output-format", "json", "--json-schema", "{}", "what now?")
    assert printed.returncode == 1
    assert json.loads(printed.stdout)[0]["is_error"] is True


def test_flags_that_mean_nothing_to_it_are_taken(tmp_path: Path) -> None:
    """As a bot starts cbc: with flags whose values must not be read as something else."""
    flags = ["--model", "glm", "--permission-mode", "default", "--settings", "{}", "--brand-new-flag"]
    arguments = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose", *flags]
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=json.dumps({"type": "user", "message": {"role": "user", "content": "hello"}}) + "\n",
        env=ENV,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[0])["model"] == "custom-local:glm"


def test_it_starts_without_what_is_slow_to_import() -> None:
    """Its start counts in every first answer of the demo: asyncio alone takes longer than the rest together."""
    code = "import sys, bossbot.sandbox.scripted_agent.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=True)
    assert not {"asyncio", "dataclasses", "inspect", "pydantic", "msgspec", "uuid"} & set(done.stdout.split())


async def test_it_ends_soon_after_its_stdin_does_and_takes_its_command_along(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        await agent.say("clean the build cache")
        await agent.allow(await agent.read_until(is_permission), {"command": "sleep 60; true"})
        started = await grown(agent, 1)
        assert agent.process.stdin is not None
        agent.process.stdin.close()
        assert await asyncio.wait_for(agent.process.wait(), timeout=60) == 0
        _, alive = psutil.wait_procs(started, timeout=60)
    assert alive == []
