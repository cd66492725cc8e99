"""Files that a bot sends.

Sources of the words: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td; S = Telegram's own server, as
others saw it.
"""

import struct
import zlib
from typing import Any

import pytest
from aiohttp import FormData

from bossbot.sandbox.pictures import read_picture
from tests.sandbox.test_telegram_people import PNG
from tests.sandbox.wires import TOKEN, Wires


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG of that size, which is all that is looked at."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))


async def upload(wires: Wires, method: str, field: str, data: bytes, **values: str) -> dict[str, Any]:
    form = FormData({"chat_id": "1001", **values})
    form.add_field(field, data, filename="file.bin")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/{method}", data=form) as response:
        answer: dict[str, Any] = await response.json()
        return answer


async def test_a_photo_goes_up_with_its_size_and_can_be_sent_again_by_its_id(wires: Wires) -> None:
    sent = (await upload(wires, "sendPhoto", "photo", PNG, caption="*a*", parse_mode="MarkdownV2"))["result"]
    (size,) = sent["photo"]
    assert (size["width"], size["height"], sent["caption"]) == (3, 2, "a")
    assert sent["caption_entities"] == [{"type": "bold", "offset": 0, "length": 1}]
    again = (await wires.telegram("sendPhoto", chat_id=1002, photo=size["file_id"]))["result"]
    assert again["photo"] == [size]
    other = await wires.telegram("sendDocument", chat_id=1001, document=size["file_id"])
    assert other["description"] == "Bad Request: wrong file identifier/HTTP URL specified"  # T


@pytest.mark.parametrize(
    ("given", "kept", "mime_type"),
    [  # T clean_filename; MimeType::from_extension
        ("report.json", "report.json", "application/json"),
        ('../../etc/a\u202e "b"&c.TXT', "a  b  c.TXT", "text/plain"),
        ("\U0001f600.log", "log", "application/octet-stream"),
        ("x" * 100 + ".md", "x" * 64 + ".md", "text/markdown"),
        ("main.py", "main.py", "application/octet-stream"),
        ("..", "file", "application/octet-stream"),
    ],
)
async def test_the_name_of_an_upload_is_cleaned_and_tells_its_type(
    wires: Wires, given: str, kept: str, mime_type: str
) -> None:
    pytest.importorskip("tdjson")
    form = FormData({"chat_id": "1001"})
    form.add_field("document", b"x", filename=given, content_type="image/png")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/sendDocument", data=form) as response:
        document = (await response.json())["result"]["document"]
    assert (document["file_name"], document["mime_type"]) == (kept, mime_type)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no picture", "IMAGE_PROCESS_FAILED"),  # S TelegramBot/Api issue 302
        (png(9000, 1001), "PHOTO_INVALID_DIMENSIONS"),  # S tdlib/td issue 2544
        (png(2001, 100), "PHOTO_INVALID_DIMENSIONS"),
        (png(0, 5), "PHOTO_INVALID_DIMENSIONS"),
        (b"", "file must be non-empty"),  # T check_full_local_location
        (
            png(5, 5) + bytes(10 * 1024 * 1024),
            f"file of size {10 * 1024 * 1024 + 33} bytes is too big for a photo; the maximum size is 10485760 bytes",
        ),  # T likewise
    ],
)
async def test_a_photo_that_is_refused(wires: Wires, data: bytes, words: str) -> None:
    refused = await upload(wires, "sendPhoto", "photo", data)
    assert refused["description"] == f"Bad Request: {words}"
    assert (await wires.chat())["messages"] == []


async def test_an_album_is_several_messages_with_one_id(wires: Wires) -> None:
    media = '[{"type":"document","media":"attach://a","caption":"first"},{"type":"document","media":"attach://b"}]'
    form = FormData({"chat_id": "1001", "media": media})
    form.add_field("a", b"one", filename="a.txt")
    form.add_field("b", b"two", filename="b.txt")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/sendMediaGroup", data=form) as response:
        first, second = (await response.json())["result"]
    assert first["media_group_id"] == second["media_group_id"]
    assert (first["document"]["file_name"], first["caption"]) == ("a.txt", "first")
    assert (second["document"]["file_name"], "caption" in second) == ("b.txt", False)
    assert second["message_id"] == first["message_id"] + 1
    one = [{"type": "document", "media": first["document"]["file_id"]}]
    (alone,) = (await wires.telegram("sendMediaGroup", chat_id=1001, media=one))["result"]
    assert "media_group_id" not in alone  # T send_message_group


async def test_an_album_that_is_refused(wires: Wires) -> None:
    document = (await upload(wires, "sendDocument", "document", b"x"))["result"]["document"]["file_id"]
    photo = (await upload(wires, "sendPhoto", "photo", PNG))["result"]["photo"][0]["file_id"]
    one = {"type": "document", "media": document}
    for media, words in (
        ("{", "can't parse media JSON object"),  # C get_input_message_contents
        ({}, "expected an Array of InputMedia"),  # C likewise
        (["x"], "can't parse InputMedia: expected an Object"),  # C get_input_media
        ([{"type": "story", "media": "x"}], 'can\'t parse InputMedia: type "story" is unsupported'),  # C likewise
        ([], "there are no messages to send"),  # T check_message_group_message_contents
        ([one] * 11, "too many messages to send as an album"),  # T likewise
        ([one, {"type": "photo", "media": photo}], "can't use the media of the specified type in the album"),  # C
        ([{"type": "document", "media": ""}], "can't parse InputMedia: media not found"),  # C get_input_media
    ):
        refused = await wires.telegram("sendMediaGroup", chat_id=1001, media=media)
        assert refused["description"] == f"Bad Request: {words}"
    assert len((await wires.chat())["messages"]) == 2


async def test_a_file_that_nobody_knows(wires: Wires) -> None:
    for body, words in (({}, "file_id not specified"), ({"file_id": "x"}, "invalid file_id")):  # C check_remote_file_id
        assert (await wires.telegram("getFile", **body))["description"] == f"Bad Request: {words}"
    async with wires.session.get(f"{wires.base_url}/telegram/file/bot{TOKEN}/documents/file_9.txt") as response:
        assert response.status == 404


def test_the_size_of_a_picture_is_read_from_its_first_bytes() -> None:
    assert read_picture(png(640, 480)) == (640, 480, ".png")
    assert read_picture(b"GIF89a" + struct.pack("<HH", 7, 9)) == (7, 9, ".gif")
    jpeg = b"\xff\xd8\xff\xe0\x00\x04ab" + b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", 33, 44) + bytes(6)
    assert read_picture(jpeg) == (44, 33, ".jpg")
    for data in (b"", b"\x89PNG", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\x00\x00" + bytes(50), b"GIF89a", b"BM12345678"):
        assert read_picture(data) is None
