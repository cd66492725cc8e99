"""What the local Telegram makes of texts is what TDLib makes of them, asked directly and without the sandbox's code."""

import importlib
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bossbot.sandbox.server import start_sandbox
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_text import utf16_length
from tests.sandbox.telegram_texts import FOUND, WORDS, units, well_formed, wild
from tests.sandbox.wires import Wires

pytestmark = pytest.mark.skipif(not judge().judges, reason="tdjson is not installed")
MODES = {
    "HTML": {"@type": "textParseModeHTML"},
    "MarkdownV2": {"@type": "textParseModeMarkdown", "version": 2},
    "Markdown": {"@type": "textParseModeMarkdown", "version": 1},
}
NAMES = {
    "textEntityTypeBold": "bold", "textEntityTypeItalic": "italic", "textEntityTypeUnderline": "underline",
    "textEntityTypeStrikethrough": "strikethrough", "textEntityTypeSpoiler": "spoiler", "textEntityTypeCode": "code",
    "textEntityTypePre": "pre", "textEntityTypePreCode": "pre", "textEntityTypeTextUrl": "text_link",
    "textEntityTypeBlockQuote": "blockquote", "textEntityTypeExpandableBlockQuote": "expandable_blockquote",
    "textEntityTypeMention": "mention", "textEntityTypeHashtag": "hashtag", "textEntityTypeCashtag": "cashtag",
    "textEntityTypeBotCommand": "bot_command", "textEntityTypeUrl": "url", "textEntityTypeEmailAddress": "email",
    "textEntityTypePhoneNumber": "phone_number",
}  # fmt: skip
SPLIT = ("bold", "italic", "underline", "strikethrough", "spoiler")


def tdlib(kind: str, **fields: object) -> dict[str, Any]:
    request = json.dumps({"@type": kind, **fields}).encode()
    answer: dict[str, Any] = json.loads(importlib.import_module("tdjson").td_execute(request))
    return answer


def translated(entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """TDLib's entities in the Bot API's words, by a table of this test's own."""
    found = []
    for entity in entities:
        kind = entity["type"]
        more = {name: kind[name] for name in ("language", "url") if name in kind}
        place = {"offset": entity["offset"], "length": entity["length"]}
        found.append({"type": NAMES[kind["@type"]], **place, **more})
    return found


def looks(entities: list[dict[str, Any]]) -> set[tuple[str, int]]:
    """Which unit of a text looks how: the same wherever an entity was split in two."""
    return {
        (entity["type"], unit)
        for entity in entities
        if entity["type"] in SPLIT
        for unit in range(entity["offset"], entity["offset"] + entity["length"])
    }


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def wires() -> AsyncIterator[Wires]:
    running = await start_sandbox(port=0)
    async with aiohttp.ClientSession() as session:
        wires = Wires(session, running.base_url)
        await wires.control("settings", rate_limits=False)
        yield wires
    await running.close()


async def sent(wires: Wires, **params: Any) -> dict[str, Any]:
    return await wires.telegram("sendMessage", chat_id=1001, **params)


@pytest.mark.asyncio(loop_scope="module")
async def test_three_hundred_formatted_texts_become_what_they_were_built_to_be_and_what_tdlib_says(
    wires: Wires,
) -> None:
    for seed in range(300):
        built = well_formed(seed)
        parsed = tdlib("parseTextEntities", text=built.source, parse_mode=MODES[built.mode])
        result = (await sent(wires, text=built.source, parse_mode=built.mode))["result"]
        got = (result["text"], result.get("entities", []))
        assert got == (parsed["text"], translated(parsed["entities"])), built.source
        assert got == (built.plain, built.entities), built.source


@pytest.mark.asyncio(loop_scope="module")
async def test_what_telegram_finds_by_itself_stands_where_tdlib_finds_it(wires: Wires) -> None:
    for seed in range(1000, 1150):
        built = well_formed(seed, with_found=True)
        result = (await sent(wires, text=built.source, parse_mode=built.mode))["result"]
        entities = result.get("entities", [])
        alone = translated(tdlib("getTextEntities", text=built.plain)["entities"])
        covered = [entity for entity in built.entities if entity["type"] == "code"]
        wanted = [
            entity
            for entity in alone
            if not any(
                entity["offset"] < code["offset"] + code["length"]
                and code["offset"] < entity["offset"] + entity["length"]
                for code in covered
            )
        ]
        assert [entity for entity in entities if entity["type"] not in (*SPLIT, "code")] == wanted, built.source
        assert [entity for entity in entities if entity["type"] == "code"] == covered
        assert looks(entities) == looks(built.entities), built.source


@pytest.mark.asyncio(loop_scope="module")
async def test_three_hundred_wild_texts_are_taken_or_refused_as_tdlib_does(wires: Wires) -> None:
    refusals = 0
    for seed in range(2000, 2300):
        text, mode = wild(seed)
        parsed = tdlib("parseTextEntities", text=text, parse_mode=MODES[mode])
        answer = await sent(wires, text=text, parse_mode=mode)
        if parsed["@type"] == "error":
            refusals += 1
            words = parsed["message"]
            assert answer["description"] == f"Bad Request: {words[0].lower()}{words[1:]}", (text, mode)
            continue
        result = answer["result"]
        trimmed = parsed["text"].rstrip(" \n")
        assert result["text"] == trimmed, (text, mode)
        wanted = [
            entity | {"length": min(entity["length"], units(trimmed) - entity["offset"])}
            for entity in translated(parsed["entities"])
            if entity["offset"] < units(trimmed)
        ]
        assert looks(result.get("entities", [])) == looks(wanted), (text, mode)
        for entity in result.get("entities", []):
            begin, end = entity["offset"], entity["offset"] + entity["length"]
            piece = trimmed.encode("utf-16-le")[2 * begin : 2 * end].decode("utf-16-le")  # no half of a pair
            assert piece, (text, mode)
    assert 50 < refusals < 250


@pytest.mark.asyncio(loop_scope="module")
async def test_a_bots_own_entities_are_kept_or_refused_as_tdlib_does(wires: Wires) -> None:
    for seed in range(3000, 3100):
        built = well_formed(seed)
        for shift in (0, 1):
            entities = [{**entity, "offset": entity["offset"] + shift} for entity in built.entities]
            given = [
                {"offset": e["offset"], "length": e["length"], "type": {"@type": f"textEntityType{e['type'].title()}"}}
                for e in entities
            ]
            # What TDLib keeps of a list: parseMarkdown mends it first, and finds no markup in letters.
            letters = "".join("x" if ord(c) < 128 and not c.isalnum() and c not in " \n" else c for c in built.plain)
            kept = tdlib("parseMarkdown", text={"text": letters, "entities": given})
            answer = await sent(wires, text=built.plain, entities=entities)
            if kept["@type"] == "error":
                words = kept["message"]
                assert answer["description"] == f"Bad Request: {words[0].lower()}{words[1:]}", built.plain
            else:
                assert answer["result"].get("entities", []) == translated(kept["entities"]), built.plain


@pytest.mark.parametrize("text", [*WORDS, *FOUND, "".join(WORDS), "👩\u200d👩\u200d👧" * 40, "e\u0301" * 90, "字" * 90])
def test_lengths_are_tdlibs_for_emoji_cjk_and_combining_marks(text: str) -> None:
    """TDLib takes an entity that covers a text of this length whole, and refuses one that is one unit longer."""
    text = f"A{text}Z".translate({ord(sign): "x" for sign in "@#/$:?=._*~|`[]()"})
    length = utf16_length(text)
    assert length == units(text)

    def covering(size: int) -> dict[str, Any]:
        bold = {"offset": 0, "length": size, "type": {"@type": "textEntityTypeBold"}}
        return tdlib("parseMarkdown", text={"text": text, "entities": [bold]})

    assert covering(length)["entities"][0]["length"] == length
    assert f"at UTF-16 offset {length + 1}" in covering(length + 1)["message"]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("piece", ["x", "é", "字", "😀", "👍🏽", "e\u0301"])
async def test_4096_code_points_are_taken_and_one_more_is_not(wires: Wires, piece: str) -> None:
    # MessageContent.cpp counts by utf8_length: code points, neither bytes nor UTF-16 units nor what is seen.
    full = (piece * 4096)[:4096]
    assert (await sent(wires, text=full))["result"]["text"] == full
    assert (await sent(wires, text=full + "x"))["description"] == "Bad Request: message is too long"
