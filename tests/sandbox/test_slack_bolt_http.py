"""A bot written with slack-bolt that is called over HTTP: its signing secret, its retries, its own aiohttp server."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.slack_app import field_block, modal, plain
from tests.sandbox.wires import BOT_TOKEN, Wires, until

SECRET = "0123456789abcdef0123456789abcdef"


class Bot:
    """The app under test, at an address of its own."""

    def __init__(self, sandbox: RunningSandbox) -> None:
        client = AsyncWebClient(BOT_TOKEN, base_url=sandbox.slack_api_base)
        self.app = AsyncApp(client=client, signing_secret=SECRET)
        self.heard: list[str] = []
        self.slow = asyncio.Event()
        self.app.event("message")(self.on_message)
        self.app.action("why")(self.on_why)
        self.app.view("reason")(self.on_reason)
        self.app.command("/boss")(self.on_command)
        self.app.command("/slow")(self.on_slow_command)

    async def start(self) -> str:
        self._runner = web.AppRunner(self.app.web_app(port=0))
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}/slack/events"

    async def close(self) -> None:
        self.slow.set()
        await self._runner.cleanup()

    async def on_message(self, event: dict[str, Any], say: Any) -> None:
        if "bot_id" not in event and "subtype" not in event:
            self.heard.append(event["text"])
            button = {"type": "button", "text": plain("Why"), "action_id": "why"}
            await say(text="heard", blocks=[{"type": "actions", "elements": [button]}])

    async def on_why(self, ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=modal(field_block("why"), callback_id="reason"))

    async def on_reason(self, ack: Any, view: dict[str, Any], say: Any, client: AsyncWebClient) -> None:
        why = view["state"]["values"]["b-why"]["why"]["value"]
        if len(why) < 3:
            await ack(response_action="errors", errors={"b-why": "Say more."})
            return
        await ack()
        await client.chat_postMessage(channel="D0ADA", text=why)

    async def on_command(self, ack: Any, command: dict[str, Any], respond: Any) -> None:
        await ack(f"got {command['text']}")
        await respond("done", response_type="in_channel")

    async def on_slow_command(self, ack: Any) -> None:
        await self.slow.wait()
        await ack("too late")


@pytest.fixture
async def bot(sandbox: RunningSandbox, wires: Wires) -> AsyncIterator[Bot]:
    made = Bot(sandbox)
    urls = dict.fromkeys(("events", "interactivity", "commands"), await made.start())
    await wires.control("slack/request_urls", **urls, signing_secret=SECRET)
    yield made
    await made.close()


async def texts(wires: Wires) -> list[str]:
    return [message["text"] for message in (await wires.channel())["messages"]]


async def test_it_hears_acts_opens_modals_and_takes_commands(bot: Bot, wires: Wires) -> None:
    await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="hello")

    async def answered() -> bool:
        return await texts(wires) == ["hello", "heard"]

    await until(answered)
    card = (await wires.channel())["messages"][-1]
    act = {"user": "U0ADA", "wait_s": 60}
    pressed = await wires.control("slack/press", **act, channel="D0ADA", ts=card["ts"], label="Why")
    assert (pressed["delivered"], pressed["acked"]) == (True, True)
    (view,) = (await wires.state("slack"))["views"]
    short = await wires.control("slack/submit", **act, view_id=view["id"], values={"why": "no"})
    assert (short["open"], short["errors"]) == (True, {"b-why": "Say more."})
    assert (await wires.control("slack/submit", **act, view_id=view["id"], values={"why": "late"}))["open"] is False
    ran = await wires.control("slack/command", **act, channel="D0ADA", command="/boss", text="it")
    assert (ran["answer"], ran["error"]) == ({"text": "got it"}, None)

    async def done() -> bool:
        return (await texts(wires))[2:] == ["late", "done"]

    await until(done)
    assert [item["text"] for item in (await wires.channel())["ephemerals"]] == ["got it"]


async def test_a_command_that_it_answers_too_late_has_failed_for_its_person(bot: Bot, wires: Wires) -> None:
    """docs.slack.dev, slash commands: three seconds, then `operation_timeout`."""
    command = {"channel": "D0ADA", "user": "U0ADA", "command": "/slow", "wait_s": 20}
    running = asyncio.create_task(wires.control("slack/command", **command))

    async def failed() -> bool:
        await wires.control("clock", advance_s=3)
        return running.done()

    await until(failed)
    ran = await running
    assert (ran["acked"], ran["error"]) == (False, "operation_timeout")


async def test_what_another_secret_has_signed_it_refuses(bot: Bot, wires: Wires) -> None:
    """docs.slack.dev, verifying requests: a request whose signature does not match is not Slack's."""
    urls = (await wires.state("slack"))["request_urls"]
    status, answer = await wires.try_control("slack/request_urls", **urls, signing_secret="another")
    assert (status, "http_error" in answer["error"]) == (400, True)
    command = {"channel": "D0ADA", "user": "U0ADA", "command": "/boss", "wait_s": 60}
    assert (await wires.control("slack/command", **command))["acked"] is True
    await wires.control("slack/request_urls", commands=urls["commands"], signing_secret="another")
    refused = await wires.control("slack/command", **command)
    assert (refused["acked"], refused["error"]) == (False, "dispatch_failed")
