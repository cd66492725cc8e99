"""One scenario, slack_scenario.json, with the same results on the sandbox and on local-slack, which others wrote.

Each step says what is done, what the answer holds (`gives`) and what the bot hears (`hears`); more than that may
come. `$name` is the ts of an earlier step, `$name.a.0` a part of its answer or of what was heard.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.slack_peers import Json, Peer, Sandbox, local_slack, local_slack_program
from tests.sandbox.wires import APP_TOKEN, BOT_TOKEN, PATIENCE_S

STEPS: list[Json] = json.loads(Path(__file__).with_name("slack_scenario.json").read_text(encoding="utf-8"))
NOT_A_DEED = ("does", "name", "hears")


@pytest.fixture
async def peer(request: pytest.FixtureRequest, sandbox: RunningSandbox, tmp_path: Path) -> AsyncIterator[Peer]:
    if request.param == "sandbox":
        async with aiohttp.ClientSession() as session:
            yield Sandbox(session, sandbox.slack_api_base, f"{sandbox.base_url}/sandbox/slack")
        return
    program = local_slack_program()
    if program is None:
        pytest.skip("BOSSBOT_TEST_NODE_MODULES names no folder with local-slack-linux-x64")
    async with local_slack(program, tmp_path) as found:
        yield found


class Run:
    """The scenario on one peer; `known` is what its names stand for."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._known: dict[str, Any] = {}
        self._heard: asyncio.Queue[Json] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def step(self, step: Json) -> None:
        match step["does"]:
            case "connect":
                holds(await self._connect(), step["gives"])
            case "call":
                answer = await self._peer.call(step["method"], self._filled(step["args"]))
                self._keep(step, answer)
                holds(answer, self._filled(step["gives"]))
            case "respond":
                url = self._known[step["to"]]["response_url"]
                async with self._peer.session.post(url, json=step["body"]) as response:
                    holds({"status": response.status}, step["gives"])
            case "send" | "load":
                verb = "POST" if step["does"] == "send" else "GET"
                holds(await self._fetched(verb, self._filled(step["url"]), step.get("data")), step["gives"])
            case _:
                await self._deed(step)

    async def _fetched(self, verb: str, url: str, data: str | None) -> Json:
        headers = {"Authorization": f"Bearer {BOT_TOKEN}"}
        async with self._peer.session.request(verb, url, data=data, headers=headers) as response:
            return {"status": response.status, "text": await response.text()}

    async def _deed(self, step: Json) -> None:
        args = self._filled({name: value for name, value in step.items() if name not in NOT_A_DEED})
        told = await getattr(self._peer, step["does"])(**args)
        heard = [await self._next(expected) for expected in step["hears"]]
        self._keep(step, {"ts": told} if isinstance(told, str) else heard[0])
        for found, expected in zip(heard, self._filled(step["hears"]), strict=True):
            holds(found, expected)

    async def _next(self, expected: Json) -> Json:
        """What the bot hears next of this type; events of other types may come between."""
        put_back: list[Json] = []
        try:
            while True:
                found = await asyncio.wait_for(self._heard.get(), PATIENCE_S)
                if all(found.get(name) == expected.get(name) for name in ("type", "subtype", "command")):
                    return found
                put_back.append(found)
        finally:
            for item in put_back:
                self._heard.put_nowait(item)

    async def _connect(self) -> Json:
        opened = await self._peer.call("apps.connections.open", {}, APP_TOKEN)
        ws = await self._peer.session.ws_connect(opened["url"])
        hello: Json = await ws.receive_json(timeout=PATIENCE_S)
        self._reading = asyncio.create_task(self._read(ws))
        return hello

    async def _read(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in ws:
            body = frame.json()
            if "envelope_id" in body:
                await ws.send_json({"envelope_id": body["envelope_id"]})
                payload = body["payload"]
                event = payload.get("event", payload)
                if "actions" in event or not _is_own(event):
                    self._heard.put_nowait(event)

    def _keep(self, step: Json, answer: Json) -> None:
        if "name" in step:
            self._known[step["name"]] = answer

    def _filled(self, value: Any) -> Any:
        """The value with every `$name` in its place."""
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        if isinstance(value, dict):
            return {name: self._filled(item) for name, item in value.items()}
        if not isinstance(value, str) or not value.startswith("$"):
            return value
        name, *path = value[1:].split(".")
        found = self._known[name]
        for part in path or ["ts"]:
            found = found[int(part)] if isinstance(found, list) else found[part]
        return found

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()


def _is_own(event: Json) -> bool:
    """Is it of something that the bot did itself?"""
    by_bot = "bot_id" in event or "bot_id" in event.get("message", {})
    return by_bot or "U0BOSSBOT" in (event.get("user"), event.get("user_id"))


def holds(found: Any, expected: Any, at: str = "") -> None:
    """Is everything that is expected there, with lists of the same length?"""
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert name in found, f"{at}/{name} is missing in {found}"
            holds(found[name], value, f"{at}/{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), f"{at}: {found}"
        for index, value in enumerate(expected):
            holds(found[index], value, f"{at}/{index}")
    else:
        assert found == expected, at


@pytest.mark.parametrize("peer", ["sandbox", pytest.param("local-slack", marks=pytest.mark.node)], indirect=True)
async def test_the_same_scenario_has_the_same_results(peer: Peer) -> None:
    run = Run(peer)
    try:
        for number, step in enumerate(STEPS, start=1):
            try:
                await run.step(step)
            except (AssertionError, TimeoutError) as error:
                raise AssertionError(f"step {number}, {step.get('method', step['does'])}: {error}") from error
    finally:
        await run.close()
