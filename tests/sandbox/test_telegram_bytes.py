"""Requests that no library would write: the local Telegram answers each of them in Telegram's words, and goes on."""

import gzip
from typing import Any

import pytest

from tests.sandbox.wires import TOKEN, Wires

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
DEEP = b"[" * 100_000 + b"]" * 100_000
NINES = b"9" * 5_000
UTF8 = "Bad Request: strings must be encoded in UTF-8"
NO_TEXT = "Bad Request: message text is empty"
NO_CHAT = "Bad Request: chat not found"


async def sent(
    wires: Wires, body: bytes, kind: str, method: str = "sendMessage", **headers: str
) -> tuple[int, dict[str, Any]]:
    """The status and the answer to a body as it is; whatever it says, its envelope is whole."""
    url = f"{wires.base_url}/telegram/bot{TOKEN}/{method}"
    async with wires.session.post(url, data=body, headers={"Content-Type": kind, **headers}) as response:
        answer: dict[str, Any] = await response.json()
    assert answer.get("error_code", 200) == response.status
    return response.status, answer


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"chat_id=1001&text=%FF%FE", FORM, UTF8),
        (b"chat_id=1001&text=\xff", FORM, UTF8),
        (b"chat_id=1001&text=%ED%A0%80", FORM, UTF8),  # half a surrogate pair
        (b"chat_id=" + NINES + b"&text=x", FORM, NO_CHAT),
        (b"chat_id=-" + NINES + b"&text=x", FORM, NO_CHAT),
        ("chat_id=١٠٠١&text=x".encode(), FORM, NO_CHAT),
        (b'{"chat_id": ' + NINES + b', "text": "x"}', JSON, NO_CHAT),
        (b'{"chat_id": NaN, "text": "x"}', JSON, NO_TEXT),
        (b'{"chat_id": 1001, "text": "a\\ud800b"}', JSON, NO_TEXT),
        (b'{"chat_id": 1001, "text": "x", "reply_markup": ' + DEEP + b"}", JSON, NO_TEXT),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, JSON, NO_TEXT),
        (b"[1, 2]", JSON, NO_TEXT),
        (b'{"chat_id": 1001, "text": "x"}', "text/plain", NO_TEXT),
    ],
)
async def test_a_body_that_says_nothing_good_is_refused(body: bytes, kind: str, words: str, wires: Wires) -> None:
    status, answer = await sent(wires, body, kind)
    assert (status, answer["description"]) == (400, words)
    assert (await wires.chat())["messages"] == []


@pytest.mark.parametrize(
    ("entity", "field"),
    [  # JsonBuilder.cpp get_integer_field: the number as it would be written, of 32 or 64 bits
        ({"type": "bold", "offset": "٠", "length": 1}, "offset"),
        ({"type": "bold", "offset": "+0", "length": 1}, "offset"),
        ({"type": "bold", "offset": "00", "length": 1}, "offset"),
        ({"type": "bold", "offset": 0, "length": "9" * 5_000}, "length"),
        ({"type": "bold", "offset": 0, "length": 2**31}, "length"),
        ({"type": "bold", "offset": 0, "length": 10**30}, "length"),
        ({"type": "custom_emoji", "offset": 0, "length": 1, "custom_emoji_id": str(2**63)}, "custom_emoji_id"),
        ({"type": "text_mention", "offset": 0, "length": 1, "user": {"id": "9" * 40}}, "id"),
    ],
)
async def test_a_number_that_the_server_could_not_hold_is_none(
    entity: dict[str, Any], field: str, wires: Wires
) -> None:
    answer = await wires.telegram("sendMessage", chat_id=1001, text="abc", entities=[entity])
    assert answer["description"] == f'Bad Request: can\'t parse MessageEntity: Field "{field}" must be a valid Number'


@pytest.mark.parametrize("number", ["9" * 5_000, "+5", "05", "٥", 1.5, 2**31])
async def test_message_ids_are_numbers_as_the_server_writes_them(number: Any, wires: Wires) -> None:
    answer = await wires.telegram("deleteMessages", chat_id=1001, message_ids=[number])
    assert answer["description"] == "Bad Request: can't parse message identifier as a Number"


async def test_the_query_counts_before_the_body_and_the_first_of_two(wires: Wires) -> None:
    form = b"chat_id=1001&text=body&text=again"
    _, answer = await sent(wires, form, FORM, "sendMessage?text=100%25+%E4%BD%A0%zz&text=second")
    assert answer["result"]["text"] == "100% 你%zz"
    _, answer = await sent(wires, form, FORM)
    assert answer["result"]["text"] == "body"
    status, answer = await sent(wires, form, FORM, "sendMessage?text=%FF")
    assert (status, answer["description"]) == (400, UTF8)


async def test_a_packed_body_is_unpacked_and_a_broken_one_refused(wires: Wires) -> None:
    packed = gzip.compress(b'{"chat_id": 1001, "text": "small"}')
    _, answer = await sent(wires, packed, JSON, **{"Content-Encoding": "gzip"})
    assert answer["result"]["text"] == "small"
    url = f"{wires.base_url}/telegram/bot{TOKEN}/sendMessage"
    headers = {"Content-Type": JSON, "Content-Encoding": "gzip"}
    async with wires.session.post(url, data=b"no gzip", headers=headers) as response:
        assert response.status == 400


@pytest.mark.parametrize("verb", ["PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_only_get_and_post_are_known(verb: str, wires: Wires) -> None:
    async with wires.session.request(verb, f"{wires.base_url}/telegram/bot{TOKEN}/getMe") as response:
        assert (response.status, await response.json()) == (
            501,
            {"ok": False, "error_code": 501, "description": "Not Implemented"},  # HttpReader.cpp parse_head
        )


async def test_a_file_of_more_than_fifty_megabytes_is_too_large(wires: Wires) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="document"; filename="a"\r\n\r\n'
    status, answer = await sent(
        wires, head + b"y" * (51 << 20) + b"\r\n--x--", "multipart/form-data; boundary=x", "sendDocument"
    )
    assert (status, answer["description"]) == (413, "Request Entity Too Large")


@pytest.mark.parametrize("token", ["9" * 4_400 + ":" + "a" * 35, "١:" + "a" * 35, "0:" + "a" * 35, "1:short"])
async def test_a_token_of_another_form_is_invalid(token: str, wires: Wires) -> None:
    async with wires.session.get(f"{wires.base_url}/telegram/bot{token}/getMe") as response:
        assert (response.status, (await response.json())["description"]) == (
            401,
            "Unauthorized: invalid token specified",
        )
