"""A bot written with slack-bolt over Socket Mode, as bots are written."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.bolt_app import BoltApp
from tests.sandbox.wires import Wires, until


def card(text: str) -> list[dict[str, Any]]:
    def button(label: str, **more: Any) -> dict[str, Any]:
        text = {"type": "plain_text", "text": label}
        return {"type": "button", "text": text, "action_id": label.lower(), "value": "req-1", **more}

    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": text}},
        {"type": "actions", "elements": [button("Approve", style="primary"), button("Reject", style="danger")]},
    ]


class Bot(BoltApp):
    """The app under test: answers mentions in their thread, asks, and edits what was decided."""

    def __init__(self, sandbox: RunningSandbox) -> None:
        super().__init__(sandbox)
        self.heard: list[str] = []
        self.app.event("app_mention")(self.on_mention)
        self.app.event("message")(self.on_message)
        self.app.action("approve")(self.on_approve)
        self.app.action("reject")(self.on_reject)

    async def on_mention(self, event: dict[str, Any], say: Any) -> None:
        await say(text="May I?", blocks=card("rm -rf build"), thread_ts=event["ts"])

    async def on_message(self, event: dict[str, Any], say: Any) -> None:
        if "subtype" in event:
            return
        self.heard.append(event["text"])
        if event["channel_type"] == "im":
            await say(f"you said {event['text']}")

    async def on_approve(self, ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        place = {"channel": body["channel"]["id"], "ts": body["message"]["ts"]}
        await client.chat_update(**place, text=f"approved by <@{body['user']['id']}>", blocks=[])

    async def on_reject(self, ack: Any, respond: Any) -> None:
        await ack()
        await respond(text="Only approvers decide.", replace_original=False)


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    made = Bot(sandbox)
    await made.handler.connect_async()
    yield made
    await made.handler.close_async()


async def test_it_echoes_a_direct_message(bot: Bot, wires: Wires) -> None:
    await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="hello 你好")

    async def answered() -> bool:
        return [message["text"] for message in (await wires.channel())["messages"]] == [
            "hello 你好",
            "you said hello 你好",
        ]

    await until(answered)
    await asyncio.sleep(0.2)
    assert bot.heard == ["hello 你好"]


async def test_it_asks_in_a_thread_and_edits_its_card_when_somebody_presses(bot: Bot, wires: Wires) -> None:
    said = await wires.control("slack/say", channel="C0BOSS", user="U0ADA", text="@bossbot clean up")

    async def asked() -> list[dict[str, Any]]:
        return [
            message
            for message in (await wires.channel("C0BOSS"))["messages"]
            if "blocks" in message and "bot_id" in message
        ]

    (question,) = await until(asked)
    assert (question["thread_ts"], question["text"]) == (said["ts"], "May I?")
    press = {"channel": "C0BOSS", "ts": question["ts"]}
    rejected = await wires.control("slack/press", **press, label="reject", user="U0EVE", wait_s=60)
    assert (rejected["delivered"], rejected["acked"]) == (True, True)

    async def told() -> bool:
        shown = [(item["text"], item["for_user"]) for item in (await wires.channel("C0BOSS"))["ephemerals"]]
        return shown == [("Only approvers decide.", "U0EVE")]

    await until(told)
    await wires.control("slack/press", **press, label="Approve", user="U0BEN")

    async def decided() -> bool:
        return any(message["text"] == "approved by <@U0BEN>" for message in (await wires.channel("C0BOSS"))["messages"])

    await until(decided)


async def test_it_reconnects_when_slack_asks_it_to(bot: Bot, wires: Wires) -> None:
    await wires.control("faults", platform="slack", kind="disconnect")

    async def reconnected() -> bool:
        opened = await wires.calls("slack", method="apps.connections.open")
        return len(opened) == 2 and (await wires.state("slack"))["sockets"] == 1

    await until(reconnected)
    await wires.control("slack/say", channel="D0BEN", user="U0BEN", text="still there?")

    async def answered() -> bool:
        return len((await wires.channel("D0BEN"))["messages"]) == 2

    await until(answered)


async def test_what_was_said_while_it_was_down_arrives_when_it_starts(sandbox: RunningSandbox, wires: Wires) -> None:
    await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="early")
    bot = Bot(sandbox)
    await bot.handler.connect_async()

    async def heard() -> bool:
        return bot.heard == ["early"]

    await until(heard)
    await bot.handler.close_async()


async def test_its_errors_are_slack_sdks_own(bot: Bot, wires: Wires) -> None:
    with pytest.raises(SlackApiError) as refused:
        await bot.client.chat_postMessage(channel="D0ADA", text="x", blocks=[{"type": "divider"}] * 51)
    assert refused.value.response["error"] == "invalid_blocks"
    await wires.control("faults", platform="slack", kind="429", retry_after=3, method="chat.postMessage")
    with pytest.raises(SlackApiError) as limited:
        await bot.client.chat_postMessage(channel="D0ADA", text="x")
    assert (limited.value.response.status_code, limited.value.response.headers["Retry-After"]) == (429, "3")


async def test_it_uploads_a_file_with_the_sdks_own_helper(bot: Bot, wires: Wires) -> None:
    content = "line\n" * 1000
    await bot.client.files_upload_v2(
        channel="C0BOSS", content=content, filename="run.log", title="Log", initial_comment="see"
    )
    (shown,) = (await wires.channel("C0BOSS"))["messages"]
    assert (shown["text"], shown["files"][0]["name"], shown["files"][0]["size"]) == ("see", "run.log", len(content))
