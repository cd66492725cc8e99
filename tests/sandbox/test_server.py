"""Starting and ending the sandbox."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from bossbot.sandbox.errors import SandboxPortInUseError
from bossbot.sandbox.server import RunningSandbox, start_sandbox
from tests.sandbox.wires import APP_TOKEN, Wires


async def test_a_free_port_is_found_and_the_addresses_name_it(sandbox: RunningSandbox) -> None:
    port = int(sandbox.base_url.rsplit(":", 1)[1])
    assert port > 1024
    assert sandbox.telegram_api_base == f"http://127.0.0.1:{port}/telegram"
    assert sandbox.slack_api_base == f"http://127.0.0.1:{port}/slack/api/"


async def test_a_taken_port_is_one_error_that_names_port_and_fix(sandbox: RunningSandbox) -> None:
    port = int(sandbox.base_url.rsplit(":", 1)[1])
    with pytest.raises(SandboxPortInUseError) as refused:
        await start_sandbox(port=port)
    assert refused.value.port == port
    assert str(port) in str(refused.value)
    assert "--port" in str(refused.value)


async def test_closing_ends_waiting_requests_and_sockets_at_once(tmp_path: Path) -> None:
    running = await start_sandbox(port=0)
    async with aiohttp.ClientSession() as session:
        wires = Wires(session, running.base_url)
        ws = await wires.socket()
        poll = asyncio.create_task(wires.telegram("getUpdates", timeout=50))
        opened = await session.get(f"{running.base_url}/sandbox/events")
        url = f"{running.base_url}/slack/api/auth.test"
        await wires.control("faults", platform="slack", kind="timeout", method="auth.test")
        hanging = asyncio.create_task(_try_post(session, url))
        await asyncio.sleep(0.1)
        await asyncio.wait_for(running.close(), 60)
        assert (await poll)["result"] == []
        assert (await ws.receive(timeout=60)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        await asyncio.wait_for(opened.content.read(), 60)
        assert await asyncio.wait_for(hanging, 60) == "no answer"


async def _try_post(session: aiohttp.ClientSession, url: str) -> str:
    try:
        async with session.post(url) as response:
            return await response.text()
    except aiohttp.ClientError:
        return "no answer"


async def test_the_port_is_free_again_after_closing() -> None:
    first = await start_sandbox(port=0)
    port = int(first.base_url.rsplit(":", 1)[1])
    await first.close()
    second = await start_sandbox(port=port)
    await second.close()


async def test_what_was_seen_is_written_down_when_it_closes(tmp_path: Path) -> None:
    file = tmp_path / "seen.json"
    running = await start_sandbox(port=0, state_file=file)
    async with aiohttp.ClientSession() as session:
        wires = Wires(session, running.base_url)
        await wires.telegram("sendMessage", chat_id=1001, text="good bye")
        await wires.slack("apps.connections.open", APP_TOKEN)
    await running.close()
    seen = json.loads(file.read_text())
    assert seen["state"]["telegram"]["chats"][0]["messages"][0]["text"] == "good bye"
    assert [call["method"] for call in seen["calls"]["slack"]] == ["apps.connections.open"]
    assert APP_TOKEN not in file.read_text()


def test_importing_it_imports_no_chat_sdk() -> None:
    program = (
        "import sys, bossbot.sandbox.server\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'aiogram', 'slack_sdk', 'slack_bolt', 'tdjson'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
