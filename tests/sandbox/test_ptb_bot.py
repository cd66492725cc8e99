"""A bot that was not written for the sandbox, and another library's, works with it: by polling and by webhook."""

import asyncio
import base64
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.test_telegram_people import PNG, download, encoded
from tests.sandbox.wires import PATIENCE_S, Wires, free_port, until

BOT = Path(__file__).with_name("ptb_bot.py")
GROUP = -1000000000001


@pytest.fixture(params=["polling", "webhook"])
async def mode(request: pytest.FixtureRequest, sandbox: RunningSandbox, wires: Wires) -> AsyncIterator[str]:
    """The bot, running in a process of its own."""
    arguments = [str(BOT), sandbox.telegram_api_base, request.param]
    if request.param == "webhook":
        arguments.append(str(free_port()))
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stderr=asyncio.subprocess.DEVNULL)
    ready = "deleteWebhook" if request.param == "polling" else "setWebhook"

    async def started() -> bool:
        assert process.returncode is None, "the bot has ended"
        return bool(await wires.calls("telegram", method=ready))

    await until(started)
    yield request.param
    process.send_signal(signal.SIGTERM)
    await asyncio.wait_for(process.wait(), PATIENCE_S)


async def shows(wires: Wires, chat_id: int, claim: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    """The chat's messages, as soon as they are so."""

    async def look() -> list[dict[str, Any]] | None:
        messages: list[dict[str, Any]] = (await wires.chat(chat_id))["messages"]
        return messages if claim(messages) else None

    found = await until(look)
    assert found is not None
    return found


def last_text(text: str) -> Callable[[list[dict[str, Any]]], bool]:
    return lambda messages: bool(messages) and (messages[-1].get("text") or messages[-1].get("caption")) == text


async def test_it_works_unchanged(mode: str, wires: Wires) -> None:
    ada: dict[str, Any] = {"chat_id": 1001, "user_id": 1001}
    said = await wires.control("telegram/say", **ada, text="hello 你好 😀")
    echoed = await shows(wires, 1001, last_text("echo: hello 你好 😀"))
    assert echoed[-1]["reply_to"] == said["message_id"]

    await wires.control("telegram/edit", **ada, message_id=said["message_id"], text="hello again")
    await shows(wires, 1001, last_text("edited: hello again"))

    await wires.control("telegram/say", **ada, text="/ask")
    question = (await shows(wires, 1001, last_text("Ready?")))[-1]
    assert question["entities"] == [{"type": "bold", "offset": 0, "length": 6}]
    press = {"chat_id": 1001, "message_id": question["message_id"], "user_id": 1001}
    pressed = await wires.control("telegram/press", **press, label="Yes", wait_s=PATIENCE_S)
    assert pressed["answer"] == {"text": "noted: yes", "show_alert": False}
    chosen = (await shows(wires, 1001, last_text("Ada chose yes")))[-1]
    assert (chosen["message_id"], "reply_markup" in chosen) == (question["message_id"], False)

    await files(wires, ada)
    await groups(wires)
    if mode == "webhook":

        async def all_taken() -> bool:
            return bool((await webhook_info(wires))["pending_update_count"] == 0)

        await until(all_taken)  # the bot has answered the last one a moment after it acted on it
        assert "last_error_message" not in await webhook_info(wires)


async def webhook_info(wires: Wires) -> dict[str, Any]:
    found: dict[str, Any] = (await wires.telegram("getWebhookInfo"))["result"]
    return found


async def files(wires: Wires, ada: dict[str, Any]) -> None:
    """Up, down, pictures, albums."""
    data = b"quiet words\n" * 5000
    await wires.control("telegram/send_file", **ada, name="quiet.txt", content_base64=encoded(data))
    loud = (await shows(wires, 1001, last_text("60000 bytes")))[-1]
    assert loud["document"]["file_name"] == "LOUD.txt"
    assert await download(wires, loud["document"]["file_id"]) == data.upper()
    await wires.control("telegram/send_file", **ada, name="x.png", content_base64=encoded(PNG), as_photo=True)
    again = (await shows(wires, 1001, last_text("3x2")))[-1]
    assert base64.b64encode(await download(wires, again["photo"][-1]["file_id"])) == encoded(PNG).encode()
    await wires.control("telegram/say", **ada, text="/album")
    album = await shows(wires, 1001, last_text("two"))
    assert album[-2]["media_group_id"] == album[-1]["media_group_id"]


async def groups(wires: Wires) -> None:
    """Topics, reactions, being added to a group."""
    await wires.control("telegram/say", chat_id=GROUP, user_id=1002, text="/topic")
    messages = await shows(wires, GROUP, last_text("topic True"))
    (topic,) = (await wires.chat(GROUP))["topics"]
    assert topic["name"] == "Final"
    inside = [message for message in messages if message.get("message_thread_id") == topic["message_thread_id"]]
    services = [key for message in inside for key in message if key.startswith("forum_topic")]
    assert services == ["forum_topic_created", "forum_topic_edited", "forum_topic_closed", "forum_topic_reopened"]
    await wires.control("telegram/react", chat_id=GROUP, user_id=1001, message_id=inside[0]["message_id"], emoji="🔥")
    await shows(wires, GROUP, last_text("reaction: 🔥"))
    made = await wires.control("telegram/chat", title="Crew", members=[1001])
    await shows(wires, made["chat_id"], last_text("hello Crew"))
