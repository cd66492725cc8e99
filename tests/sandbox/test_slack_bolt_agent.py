"""An agent written with slack-bolt's own helpers: a thread opened, prompts, a streamed answer with tasks, Stop."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncAssistant
from slack_sdk.errors import SlackApiError
from slack_sdk.models.messages.chunk import TaskUpdateChunk
from slack_sdk.web.async_client import AsyncWebClient

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.bolt_app import BoltApp
from tests.sandbox.wires import Wires, until

Json = dict[str, Any]


class Agent(BoltApp):
    """Answers a message of its thread by a stream, and works on until it is stopped."""

    def __init__(self, sandbox: RunningSandbox) -> None:
        super().__init__(sandbox)
        self.stopped = asyncio.Event()
        self.end = ""
        assistant = AsyncAssistant()
        assistant.thread_started(self.greet)
        assistant.user_message(self.work)
        self.app.use(assistant)
        self.app.event("agent_session_stopped")(self.on_stop)

    async def greet(self, say: Any, set_title: Any, set_suggested_prompts: Any) -> None:
        await say("What shall I do?")
        await set_title("New work")
        await set_suggested_prompts(prompts=[{"title": "Deploy", "message": "deploy it"}])

    async def work(self, payload: Json, set_status: Any, say_stream: Any, client: AsyncWebClient) -> None:
        place = {"channel_id": payload["channel"], "thread_ts": payload["thread_ts"]}
        await set_status("is thinking…")
        await client.api_call("agents.sessions.setStatus", json={**place, "status": "processing"})
        stream = await say_stream(buffer_size=1)
        await stream.append(markdown_text="Working on **it**")
        await stream.append(chunks=[TaskUpdateChunk(id="1", title="Deploy", status="in_progress")])
        await self.stopped.wait()
        try:
            await stream.append(markdown_text="too late")
        except SlackApiError as error:
            self.end = str(error.response["error"])
        await client.api_call("agents.sessions.setStatus", json={**place, "status": "active"})

    async def on_stop(self, event: Json) -> None:
        self.stopped.set()


@pytest.fixture
async def agent(sandbox: RunningSandbox) -> AsyncIterator[Agent]:
    made = Agent(sandbox)
    await made.handler.connect_async()
    yield made
    await made.handler.close_async()


async def test_an_agent_streams_until_its_person_stops_it(agent: Agent, wires: Wires) -> None:
    opened = await wires.control("slack/assistant", user="U0ADA")
    here = {"channel": "D0ADA", "thread_ts": opened["thread_ts"]}

    async def thread() -> Json:
        return next(iter((await wires.channel())["threads"]), {})

    async def greeted() -> bool:
        return bool((await thread()).get("prompts"))

    async def streaming() -> Json | None:
        found = (await wires.channel())["messages"]
        return next((item for item in found if len(item.get("blocks", [])) == 2 and "stream" in item), None)

    await until(greeted)
    assert (await thread())["title"] == "New work"
    await wires.control("slack/prompt", user="U0ADA", title="Deploy", thread_ts=opened["thread_ts"])
    message = await until(streaming)
    assert message is not None
    assert (message["text"], message["blocks"][1]["title"]) == ("Working on **it**", "Deploy")
    assert (await thread())["session"]["can_stop"] is True
    await wires.control("slack/stop", **here, user="U0ADA")

    async def ended() -> bool:
        return bool((await thread())["session"]["status"] == "active")

    await until(ended)
    assert agent.end == "stopped_by_user"
