"""Requests that no library would write: the local Slack refuses each of them in Slack's words, and goes on."""

import pytest

from tests.sandbox.wires import BOT_TOKEN, Wires

JSON, FORM, MULTIPART = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"
HEADERS = {"Authorization": f"Bearer {BOT_TOKEN}"}
FIELD = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'


@pytest.mark.parametrize(
    ("body", "kind", "error"),
    [
        (b'{"channel": "C0BOSS", "text": NaN}', JSON, "invalid_json"),
        (b'{"channel": "C0BOSS", "text": "\\ud800"}', JSON, "invalid_json"),
        (b'{"channel": "C0BOSS", "text": "\xff"}', JSON, "invalid_json"),
        (b'{"blocks": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", JSON, "invalid_json"),
        (b"[1]", JSON, "json_not_object"),
        (b"channel=C0BOSS&text=%ff", FORM, "invalid_form_data"),
        (b"channel=C0BOSS&text=%ED%A0%80", FORM, "invalid_form_data"),
        (b"channel=C0BOSS&text", FORM, "invalid_form_data"),
        (b"--x", MULTIPART, "invalid_form_data"),
        (b"\x00\xff" * 50, f"{MULTIPART}; boundary=x", "invalid_form_data"),
        (FIELD + b"hi", f"{MULTIPART}; boundary=x", "invalid_form_data"),
        (b"--x\r\nno header", f"{MULTIPART}; boundary=x", "invalid_form_data"),
        (b"--x\r\nno header\r\n\r\nhi\r\n--x--\r\n", f"{MULTIPART}; boundary=x", "invalid_form_data"),
        (FIELD + b"\xff\r\n--x--\r\n", f"{MULTIPART}; boundary=x", "invalid_form_data"),
        (b"channel=C0BOSS&blocks=" + b"[" * 2_000 + b"]" * 2_000, FORM, "invalid_blocks_format"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(body: bytes, kind: str, error: str, wires: Wires) -> None:
    url = f"{wires.base_url}/slack/api/chat.postMessage"
    async with wires.session.post(url, data=body, headers={**HEADERS, "Content-Type": kind}) as response:
        assert (response.status, (await response.json())["error"]) == (200, error)
    assert (await wires.channel("C0BOSS"))["messages"] == []


@pytest.mark.parametrize(("kind", "error"), [(JSON, "invalid_json"), (FORM, "invalid_form_data")])
async def test_a_packed_body_that_cannot_be_unpacked_is_refused(kind: str, error: str, wires: Wires) -> None:
    headers = {**HEADERS, "Content-Type": kind, "Content-Encoding": "gzip"}
    url = f"{wires.base_url}/slack/api/chat.postMessage"
    async with wires.session.post(url, data=b"no gzip", headers=headers) as response:
        assert (await response.json())["error"] == error


@pytest.mark.parametrize("cursor", ["9" * 5_000, "\u0661", "x"])
async def test_a_cursor_that_was_not_given_out_is_refused(cursor: str, wires: Wires) -> None:
    answer = await wires.slack("conversations.history", channel="C0BOSS", cursor=cursor)
    assert answer == {"ok": False, "error": "invalid_cursor"}


@pytest.mark.parametrize("kind", [MULTIPART, f"{MULTIPART}; boundary=x"])
async def test_an_upload_that_is_no_form_is_refused(kind: str, wires: Wires) -> None:
    asked = await wires.slack("files.getUploadURLExternal", filename="a", length=3)
    async with wires.session.post(asked["upload_url"], data=b"abc", headers={"Content-Type": kind}) as response:
        assert (response.status, (await response.json())["error"]) == (400, "invalid_form_data")
    async with wires.session.post(asked["upload_url"], data=b"abc") as response:
        assert response.status == 200
