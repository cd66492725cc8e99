"""The table of methods is what the installed aiogram says, and calls are read by it."""

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from aiogram.types import ReactionTypeEmoji

from bossbot.sandbox import telegram_dispatch
from bossbot.sandbox.telegram_errors import TelegramError
from bossbot.sandbox.telegram_limits import JSON_WORDS, RANGES, REACTIONS
from bossbot.sandbox.telegram_nested import WrongValueError, check_object
from bossbot.sandbox.telegram_params import Params, leading_integer
from bossbot.sandbox.telegram_table import PATH, Field, table
from scripts import telegram_table as script
from tests.sandbox.wires import TOKEN, Wires


def test_the_table_is_what_the_installed_aiogram_says_no_more_and_no_less() -> None:
    written, kept = json.loads(script.rendered()), json.loads(PATH.read_text(encoding="utf-8"))
    for part in ("methods", "types", "unions"):
        more = {name: value for name, value in written[part].items() if kept[part].get(name) != value}
        less = {name: value for name, value in kept[part].items() if written[part].get(name) != value}
        assert (more, less) == ({}, {}), "run scripts/telegram_table.py"
    assert kept["api_version"] == written["api_version"] == "10.3"
    assert Path(script.TABLE) == PATH


def test_it_names_fields_their_types_and_whether_they_are_required() -> None:
    send = table().method("sendMessage")
    assert send["chat_id"] == Field(("Integer", "String"), True, "Integer")
    assert send["entities"] == Field(("MessageEntity[]",), False, "JSON")
    assert (send["text"].kind, send["chat_id"].kind, send["entities"].kind) == ("String", "Integer", "JSON")
    assert table().method("sendPhoto")["photo"].kind == "InputFile"
    assert table().type("RichTextBold")["type"].words == ("=bold",)
    assert table().method("sendSmoke") == {}


def test_every_word_of_it_leads_to_something() -> None:
    known = {"String", "Integer", "Float", "Boolean", "InputFile"} | table().types | set(table().unions)
    kept = json.loads(PATH.read_text(encoding="utf-8"))
    words = [word for union in kept["unions"].values() for word in union]
    for part, read in (("methods", table().method), ("types", table().type)):
        words += [word for name in kept[part] for field in read(name).values() for word in field.words]
    assert {word.replace("[]", "") for word in words if not word.startswith("=")} <= known


def test_limits_and_words_and_handlers_are_of_things_that_the_table_knows() -> None:
    assert all(ranges.keys() <= table().method(method).keys() for method, ranges in RANGES.items())
    fields = {name for method in table().names.values() for name in table().method(method)}
    assert set(JSON_WORDS) <= fields
    assert set(telegram_dispatch.METHODS) <= set(table().names.values())


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12), ("-7", -7), ("12abc", 12), ("abc", 0), ("", 0), ("-", 0), (" 5", 0), ("1.9", 1),
        (str(2**63 - 1), 2**63 - 1), (str(2**63), -(2**63)), (str(2**64 + 5), 5), (f"-{2**64 + 5}", -5),
        ("1" + "0" * 5_000, 0), ("5" + "0" * 5_000 + "7", 7), ("٥", 0),
    ],
)  # fmt: skip
def test_a_number_is_what_a_text_begins_with(text: str, number: int) -> None:
    assert leading_integer(text) == number


def test_a_number_outside_its_range_is_moved_into_it() -> None:
    fields = table().method("getUpdates")
    for text, limit in (("", 100), ("0", 1), ("x", 1), ("7", 7), ("1000", 100)):
        assert Params("getUpdates", fields, {"limit": text}).integer("limit") == limit


WRONG: list[tuple[str, Any, str]] = [
    ("ReplyParameters", [], "expected an Object"),
    ("MessageEntity", {"type": "bold", "length": 1}, 'Can\'t find field "offset"'),
    ("ReplyParameters", {"message_id": None}, 'Field "message_id" must be a Number'),
    ("ReplyParameters", {"message_id": "x"}, 'Field "message_id" must be a valid Number'),
    ("ReplyParameters", {"message_id": 1.5}, 'Field "message_id" must be a valid Number'),
    ("ReplyParameters", {"message_id": 1, "quote": None}, 'Field "quote" must be of type String'),
    (
        "ReplyParameters",
        {"message_id": 1, "allow_sending_without_reply": 1},
        'Field "allow_sending_without_reply" must be of type Boolean',
    ),
    ("ReplyParameters", {"message_id": 1, "quote_entities": {}}, 'Field "quote_entities" must be of type Array'),
    ("ReplyParameters", {"message_id": 1, "quote_entities": [1]}, "expected an Object"),
    ("ReplyParameters", {"message_id": 1, "quote_entities": [{"type": "bold"}]}, 'Can\'t find field "offset"'),
    ("InputRichMessageMedia", {"id": "a", "media": "x"}, 'Field "media" must be of type Object'),
    ("InputRichBlockMap", {"type": "map", "location": {}, "zoom": 1}, 'Can\'t find field "latitude"'),
    ("InputRichBlockParagraph", {"type": "paragraph", "text": 5}, "Invalid rich text specified"),
    ("InputRichBlockParagraph", {"type": "paragraph", "text": {"text": "x"}}, 'Can\'t find field "type"'),
    ("InputRichBlockParagraph", {"type": "paragraph", "text": {"type": "wavy"}}, "Unsupported rich text type"),
    ("InputRichBlockParagraph", {"type": "paragraph", "text": ["x", {"type": "bold"}]}, 'Can\'t find field "text"'),
]


@pytest.mark.parametrize(("type_name", "value", "words"), WRONG)
def test_a_nested_value_of_a_wrong_type_is_named_as_the_official_server_names_it(
    type_name: str, value: Any, words: str
) -> None:
    # tdlib/td JsonBuilder.cpp, JsonObject::get_required_int_field and its like.
    with pytest.raises(WrongValueError) as wrong:
        check_object(value, type_name)
    assert str(wrong.value) == words


def test_numbers_may_come_as_text_and_text_as_numbers_and_unknown_fields_are_ignored() -> None:
    value = {"message_id": "17", "quote": 5, "quote_position": "3", "something_else": None}
    assert check_object(value, "ReplyParameters") == value


async def test_null_in_json_is_no_absence(wires: Wires) -> None:
    # HttpReader::parse_json_parameters keeps the very text of a value, also of null.
    for body, answered in (
        ({"text": None}, "null"),
        ({"text": 5}, "5"),
        ({"text": True}, "true"),
        ({"text": [1, {"a": "b"}]}, '[1,{"a":"b"}]'),
    ):
        sent = await wires.telegram("sendMessage", chat_id="1001", **body)
        assert sent["result"]["text"].replace(" ", "") == answered
    refused = await wires.telegram("sendMessage", chat_id=1001, text="x", reply_markup=None)
    assert refused["description"] == "Bad Request: object expected as reply markup"


async def test_the_first_value_of_a_name_counts_and_the_querys_comes_first(wires: Wires) -> None:
    url = f"{wires.base_url}/telegram/bot{TOKEN}/sendMessage?text=query&chat_id=1001"
    headers = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
    async with wires.session.post(url, data=b"text=form&text=again", headers=headers) as response:
        assert (await response.json())["result"]["text"] == "query"
    async with wires.session.post(url.replace("text=", "no="), data=b"text=a+%26&text=b", headers=headers) as response:
        assert (await response.json())["result"]["text"] == "a &"


async def test_what_a_method_does_not_have_is_ignored_and_named_in_the_log(wires: Wires) -> None:
    assert (await wires.telegram("sendMessage", chat_id=1001, text="x", pars_mode="HTML"))["ok"] is True
    (call,) = await wires.calls("telegram")
    assert (call["ignored"], call["payload"]["pars_mode"], call["ok"]) == (["pars_mode"], "HTML", True)


async def test_a_mebibyte_of_parameters_is_taken_and_more_is_not(wires: Wires) -> None:
    # tdlib/td HttpReader.h MAX_TOTAL_PARAMETERS_LENGTH; files do not count.
    url = f"{wires.base_url}/telegram/bot{TOKEN}/sendMessage"
    head = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
    for body, kind, status in (
        (b"text=" + b"x" * 2**20, "application/x-www-form-urlencoded", 413),
        (b"text=" + b"x" * (2**20 - 5), "application/x-www-form-urlencoded", 400),
        (head + b"x" * (2**20 + 1) + b"\r\n--x--", "multipart/form-data; boundary=x", 413),
        (head + b"x" * 2**20 + b"\r\n--x--", "multipart/form-data; boundary=x", 400),
    ):
        async with wires.session.post(url, data=body, headers={"Content-Type": kind}) as response:
            answer = await response.json()
        words = "Request Entity Too Large: too many parameters" if status == 413 else "Bad Request: text is too long"
        assert (answer["error_code"], answer["description"].removesuffix(" in form data")) == (status, words)


async def test_a_method_that_the_sandbox_lacks_is_not_said_to_be_unknown_to_telegram(wires: Wires) -> None:
    status, answer = await wires.telegram_http("SENDDICE", chat_id=1001)
    assert (status, answer["description"]) == (501, "Not Implemented: the sandbox has no sendDice yet")


def test_a_handler_that_asks_for_what_its_method_does_not_have_is_found_at_once() -> None:
    with pytest.raises(KeyError):
        Params("getMe", table().method("getMe"), {"text": "x"}).text("text")
    with pytest.raises(TelegramError):
        Params("sendMessage", table().method("sendMessage"), {"reply_parameters": "5"}).json("reply_parameters")


def test_the_emoji_of_reactions_are_those_that_the_documentation_lists() -> None:
    listed = inspect.getsource(ReactionTypeEmoji).split("it can be one of")[1].split('"""')[0]
    assert set(re.findall(r'"([^"\s]{1,6})"', listed)) == REACTIONS
