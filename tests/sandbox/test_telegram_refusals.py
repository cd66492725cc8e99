"""Each refusal of the local Telegram is one of the real one's: the words, the status, and nothing was done."""

import ast
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bossbot.sandbox.server import start_sandbox
from bossbot.sandbox.tdlib_judge import judge
from tests.sandbox.telegram_refusals import REFUSALS, Refusal
from tests.sandbox.telegram_refusals_rich import DRAFTS, RICH_MESSAGES
from tests.sandbox.telegram_refusals_tdlib import TDLIB
from tests.sandbox.wires import Wires

SOURCES = Path(__file__).parents[2] / "bossbot" / "sandbox"
HERE = Path(__file__).parent
Names = dict[str, object]
ALL = [*REFUSALS, *RICH_MESSAGES, *DRAFTS]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene() -> AsyncIterator[tuple[Wires, Names]]:
    """A chat in which the bot and a person have spoken, for all cases: none of them changes it."""
    running = await start_sandbox(port=0)
    async with aiohttp.ClientSession() as session:
        wires = Wires(session, running.base_url)
        await wires.control("settings", rate_limits=False)
        yield wires, await prepared(wires)
    await running.close()


async def prepared(wires: Wires) -> Names:
    said = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="something else")
    own = await wires.telegram("sendMessage", chat_id=1001, text="mine")
    blocks = [{"type": "paragraph", "text": "rich"}]
    rich = await wires.telegram("sendRichMessage", chat_id=1001, rich_message={"blocks": blocks})
    form = aiohttp.FormData({"chat_id": "1001", "caption": "the file"})
    form.add_field("document", b"data", filename="a.txt")
    async with wires.session.post(f"{wires.base_url}/telegram/bot123456789:{'a' * 35}/sendDocument", data=form) as sent:
        doc = (await sent.json())["result"]
    markup = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    asked = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=markup)
    press = {"chat_id": 1001, "message_id": asked["result"]["message_id"], "user_id": 1001}
    pressed = await wires.control("telegram/press", **press, data="go")
    return {
        "$query": pressed["callback_query_id"],
        "$said": said["message_id"],
        "$own": own["result"]["message_id"],
        "$rich": rich["result"]["message_id"],
        "$doc": doc["message_id"],
        "$file": doc["document"]["file_id"],
    }


def filled(value: Any, names: Names) -> Any:
    if isinstance(value, dict):
        return {key: filled(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


async def refused_as_told(scene: tuple[Wires, Names], refusal: Refusal) -> None:
    wires, names = scene
    before = await wires.chat()
    status, answer = await wires.telegram_http(refusal.method, **filled(refusal.params, names))
    assert answer == {"ok": False, "error_code": 400, "description": f"Bad Request: {refusal.words}"}
    assert status == 400
    assert await wires.chat() == before


def ids(refusals: list[Refusal]) -> list[str]:
    return [f"{number}: {refusal.words[:60]} [{refusal.source}]" for number, refusal in enumerate(refusals)]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("refusal", ALL, ids=ids(ALL))
async def test_a_refusal_has_telegrams_own_words(scene: tuple[Wires, Names], refusal: Refusal) -> None:
    await refused_as_told(scene, refusal)


@pytest.mark.skipif(not judge().judges, reason="tdjson is not installed")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("refusal", TDLIB, ids=ids(TDLIB))
async def test_what_tdlib_refuses_is_refused_with_its_words(scene: tuple[Wires, Names], refusal: Refusal) -> None:
    await refused_as_told(scene, refusal)


def test_every_row_names_its_source() -> None:
    known = re.compile(r"(\w+\.cpp \w|JsonObject|JsonBuilder|docs|seen|ours)")
    assert all(known.match(refusal.source) for refusal in [*ALL, *TDLIB])


def error_texts(path: Path) -> list[str]:
    """The constant beginnings of what a module refuses with."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in ("refused", "WrongValueError") and node.args:
            text = node.args[0]
            if isinstance(text, ast.JoinedStr):
                text = text.values[0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                found.append(text.value)
    return found


def test_every_error_text_of_the_local_telegram_is_in_a_test() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.py")).lower()
    tests = tests.replace("\\'", "'").replace('\\"', '"')
    missing = [
        f"{path.name}: {text}"
        for path in sorted(SOURCES.glob("telegram_*.py"))
        for text in error_texts(path)
        if text.lower() not in tests
    ]
    assert missing == []
