"""The scripted agent as a client of the bot's own tools: it asks as cbc does, and lives with every answer."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.fakes.raw_stdio import Frame, RawCli, is_result
from tests.sandbox.scripted_agent_process import scripted_agent, told

TOOLS = ("plan_create", "task_update", "report_progress", "ask_user")


class Server:
    """The bot's side of the tools. `serve` gives a call's result."""

    def __init__(self, agent: RawCli, serve: Callable[[str, Frame], Frame]) -> None:
        self.agent, self.serve = agent, serve
        self.calls: list[tuple[str, Frame]] = []

    async def hello(self) -> None:
        request = {"subtype": "initialize", "hooks": None, "sdkMcpServers": ["boss"]}
        await self.agent.send({"type": "control_request", "request_id": "init", "request": request})

    async def turn(self) -> Frame:
        """Answers whatever is asked until the turn's result."""
        while True:
            frame = await self.agent.read_until(lambda f: is_result(f) or f["type"] == "control_request")
            if is_result(frame):
                return frame
            if frame["request"]["subtype"] == "can_use_tool":
                await self.agent.allow(frame)
            else:
                await self._answer(frame)

    async def _answer(self, frame: Frame) -> None:
        message = frame["request"]["message"]
        result: Frame = {}
        match message["method"]:
            case "tools/list":
                result = {"tools": [{"name": name} for name in TOOLS]}
            case "tools/call":
                name, given = message["params"]["name"], message["params"]["arguments"]
                self.calls.append((name, given))
                result = self.serve(name, given)
        response = {"jsonrpc": "2.0", "id": message.get("id"), "result": result}
        answer = {"subtype": "success", "request_id": frame["request_id"], "response": {"mcp_response": response}}
        await self.agent.send({"type": "control_response", "response": answer})


def done(name: str, given: Frame) -> Frame:
    return {"content": [{"type": "text", "text": f"{name} done"}]}


async def test_it_plans_reports_and_asks_in_turn(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        server = Server(agent, done)
        await server.hello()
        await agent.say("run the project")
        result = await server.turn()
    assert "The project is done. ask_user done" in result["result"]
    names = [name for name, _ in server.calls]
    assert names[0] == "plan_create"
    assert names.count("task_update") == 6
    assert {"report_progress", "ask_user"} <= set(names)
    plan = server.calls[0][1]
    assert [len(task.get("depends_on", [])) for task in plan["tasks"]] == [0, 1, 1]
    inits = [frame for frame in agent.frames if frame.get("subtype") == "init"]
    assert all(f"mcp__boss__{name}" in inits[0]["tools"] for name in TOOLS)
    shown = next(frame for frame in agent.frames if frame["type"] == "user")["message"]["content"][0]
    assert json.loads(shown["content"][0]["text"]) == [{"type": "text", "text": "plan_create done"}]


async def test_an_error_of_a_tool_is_shown_as_one_and_the_work_goes_on(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        server = Server(agent, lambda name, given: {**done(name, given), "isError": name == "report_progress"})
        await server.hello()
        await agent.say("run the project")
        assert (await server.turn())["subtype"] == "success"
    errors = [f["message"]["content"][0]["is_error"] for f in agent.frames if f["type"] == "user"]
    assert errors.count(True) == 1


async def test_a_bot_without_such_tools_is_told_so(tmp_path: Path) -> None:
    async with scripted_agent(tmp_path) as agent:
        result = await told(agent, "run the project")
    assert "offers me no board" in result["result"]
