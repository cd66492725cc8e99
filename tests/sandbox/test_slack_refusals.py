"""Every error of the local Slack's Web API: a call that meets it, with HTTP 200 and nothing changed."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import bossbot.sandbox
from tests.sandbox.slack_refusals import REFUSALS, Refusal
from tests.sandbox.wires import Wires

SANDBOX = Path(bossbot.sandbox.__file__).parent


class Scene:
    """What is in D0ADA before the call; messages are made when their name is asked for."""

    def __init__(self, wires: Wires) -> None:
        self._wires = wires
        self.said = ""

    async def fill(self, args: dict[str, Any]) -> dict[str, Any]:
        self.said = (await self._wires.control("slack/say", channel="D0ADA", user="U0ADA", text="mine"))["ts"]
        return {name: await self._value(value) for name, value in args.items()}

    async def _value(self, value: Any) -> Any:
        match value:
            case "$said":
                return self.said
            case "$bot":
                return (await self._call("chat.postMessage", text="x"))["ts"]
            case "$stream" | "$ended" | "$stopped" | "$expired":
                return await self._stream(value)
        return value

    async def _stream(self, name: str) -> str:
        ts: str = (await self._call("chat.startStream", thread_ts=self.said, markdown_text="x"))["ts"]
        if name == "$ended":
            await self._call("chat.stopStream", ts=ts)
        elif name == "$stopped":
            session = {"channel_id": "D0ADA", "thread_ts": self.said, "status": "processing"}
            assert (await self._wires.slack("agents.sessions.setStatus", **session))["ok"]
            await self._wires.control("slack/stop", channel="D0ADA", thread_ts=self.said, user="U0ADA")
        elif name == "$expired":
            await self._wires.control("clock", advance_s=301)
        return ts

    async def _call(self, method: str, **args: Any) -> dict[str, Any]:
        answer = await self._wires.slack(method, channel="D0ADA", **args)
        assert answer["ok"], answer
        return answer


def name_of(refusal: Refusal) -> str:
    return f"{refusal.method}-{refusal.error}"


@pytest.mark.parametrize("refusal", REFUSALS, ids=name_of)
async def test_a_refused_call_names_slacks_error_and_changes_nothing(wires: Wires, refusal: Refusal) -> None:
    args = await Scene(wires).fill(refusal.args)
    for route, body in refusal.control.items():
        await wires.control(route, **body)
    before = (await wires.state("slack"))["channels"]
    status, answer = await wires.slack_http(refusal.method, **args)
    assert (status, answer["ok"], answer["error"]) == (200, False, refusal.error), refusal.source
    assert (await wires.state("slack"))["channels"] == before
    assert (await wires.calls("slack"))[-1]["error"] == refusal.error


def errors_in_code() -> set[str]:
    """Every error name that the Slack part of the sandbox can raise, read from its source."""
    found: set[str] = set()
    for path in SANDBOX.glob("slack_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "SlackError":
                name = node.args[0]
                choices = [name.body, name.orelse] if isinstance(name, ast.IfExp) else [name]
                found |= {str(choice.value) for choice in choices if isinstance(choice, ast.Constant)}
    return found


def test_every_error_in_the_code_has_a_test() -> None:
    """Those that need more than one call, or another wire, are asserted by name in another test."""
    others = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    words = set(re.findall(r'"([a-z_]+)"', "".join(path.read_text(encoding="utf-8") for path in others)))
    assert errors_in_code() - {refusal.error for refusal in REFUSALS} - words == set()


def test_every_refusal_tells_its_source() -> None:
    assert [refusal for refusal in REFUSALS if not refusal.source] == []
