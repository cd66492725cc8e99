"""A bot written with @slack/bolt, as its users write them: it was not made for the sandbox, and works in it."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.wires import APP_TOKEN, BOT_TOKEN, PATIENCE_S, Wires, free_port, until

pytestmark = pytest.mark.node
BOT = Path(__file__).with_name("bolt_bot.mjs")
SECRET = "0123456789abcdef0123456789abcdef"


@asynccontextmanager
async def running(sandbox: RunningSandbox, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bot as a process of its own, once it says that it is ready; skips without Node.js or its packages."""
    node, modules = shutil.which("node"), os.environ.get("BOSSBOT_TEST_NODE_MODULES", "")
    if node is None or not (Path(modules) / "@slack" / "bolt").is_dir():
        pytest.skip("no Node.js, or BOSSBOT_TEST_NODE_MODULES names no folder with @slack/bolt")
    environment = {
        "PATH": os.environ["PATH"],
        "BOSSBOT_TEST_NODE_MODULES": modules,
        "SLACK_API_URL": sandbox.slack_api_base,
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        **more,
    }
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(node, str(BOT), env=environment, stdout=pipe)
    assert process.stdout is not None
    try:
        lines = b""
        while b"ready" not in lines:
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
            assert line, lines.decode()
            lines += line
        draining = asyncio.create_task(process.stdout.read())
        yield process
        draining.cancel()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[None]:
    async with running(sandbox):
        yield


async def texts(wires: Wires, channel: str = "C0BOSS") -> list[str]:
    return [message["text"] for message in (await wires.channel(channel))["messages"]]


async def shows(wires: Wires, text: str, channel: str = "C0BOSS") -> None:
    """Wait until a message with this text is there."""

    async def there() -> bool:
        return text in await texts(wires, channel)

    await until(there)


async def asked(wires: Wires) -> dict[str, Any]:
    """Mention the bot, and the card that it answers with."""
    said = await wires.control("slack/say", channel="C0BOSS", user="U0ADA", text="@bossbot deploy")
    await shows(wires, "What shall I do, <@U0ADA>?")
    messages: list[dict[str, Any]] = (await wires.channel("C0BOSS"))["messages"]
    (card,) = [message for message in messages if "bot_id" in message]
    assert card["thread_ts"] == said["ts"]
    return card


async def worked_through(wires: Wires) -> None:
    """Mention, thread, buttons, modal, command and file, one after the other."""
    card = await asked(wires)
    press = {"channel": "C0BOSS", "ts": card["ts"], "user": "U0BEN", "wait_s": PATIENCE_S}
    assert (await wires.control("slack/press", **press, label="Why not"))["acked"] is True

    async def modal() -> list[dict[str, Any]]:
        views: list[dict[str, Any]] = (await wires.state("slack"))["views"]
        return views

    (view,) = await until(modal)
    submit = {"view_id": view["id"], "user": "U0BEN", "wait_s": PATIENCE_S}
    short = await wires.control("slack/submit", **submit, values={"text": "no"})
    assert (short["open"], short["errors"]) == (True, {"why": "Say more."})
    assert (await wires.control("slack/submit", **submit, values={"text": "it is late"}))["open"] is False
    await shows(wires, "<@U0BEN>: it is late")
    assert (await wires.control("slack/press", **press, label="Approve"))["acked"] is True
    await shows(wires, "approved by U0BEN")
    await wires.control("slack/say", channel="C0BOSS", user="U0ADA", text="again", thread_ts=card["thread_ts"])
    await shows(wires, "in the thread")
    command = {"channel": "C0BOSS", "user": "U0ADA", "command": "/deploy", "text": "main", "wait_s": PATIENCE_S}
    assert (await wires.control("slack/command", **command))["error"] is None
    await shows(wires, "deployed main")
    ephemerals = [(item["for_user"], item["text"]) for item in (await wires.channel("C0BOSS"))["ephemerals"]]
    assert sorted(ephemerals) == [("U0ADA", "deploying main"), ("U0BEN", "noted")]
    await wires.control("slack/upload", channel="D0ADA", user="U0ADA", name="a.txt", text="quiet")
    await shows(wires, "louder", "D0ADA")
    (file,) = (await wires.channel("D0ADA"))["messages"][-1]["files"]
    async with wires.session.get(file["url_private"], headers={"Authorization": f"Bearer {BOT_TOKEN}"}) as response:
        assert (file["name"], await response.text()) == ("loud-a.txt", "QUIET")


async def test_it_works_over_a_socket_and_comes_back_when_slack_sends_it_away(bot: None, wires: Wires) -> None:
    await worked_through(wires)
    await wires.control("faults", platform="slack", kind="disconnect")

    async def reconnected() -> bool:
        opened = await wires.calls("slack", method="apps.connections.open")
        return len(opened) >= 2 and (await wires.state("slack"))["sockets"] == 1

    await until(reconnected)
    await wires.control("slack/say", channel="D0BEN", user="U0BEN", text="again")
    await shows(wires, "in the thread", "D0BEN")


@pytest.mark.slow
async def test_it_leaves_a_socket_on_which_nothing_moves(bot: None, wires: Wires) -> None:
    assert (await wires.control("faults", platform="slack", kind="silent"))["silenced"] == 1
    await wires.control("slack/say", channel="D0BEN", user="U0BEN", text="again")

    async def reconnected() -> bool:
        return len(await wires.calls("slack", method="apps.connections.open")) >= 2

    await until(reconnected)
    await wires.control("clock", advance_s=60)  # what the silent socket swallowed comes again a minute later
    await shows(wires, "in the thread", "D0BEN")


async def test_it_works_over_http_with_a_signing_secret(sandbox: RunningSandbox, wires: Wires) -> None:
    port = free_port()
    async with running(sandbox, PORT=str(port), SLACK_SIGNING_SECRET=SECRET):
        url = f"http://127.0.0.1:{port}/slack/events"
        urls = dict.fromkeys(("events", "interactivity", "commands"), url)
        await wires.control("slack/request_urls", **urls, signing_secret=SECRET)
        await worked_through(wires)
