"""Forms with files are cut at their boundary, whatever stands in them."""

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.sandbox.telegram_multipart import Part, parts


def body(*pieces: bytes) -> bytes:
    return b"".join(b"--x\r\n" + piece + b"\r\n" for piece in pieces) + b"--x--\r\n"


def value(name: bytes, data: bytes, more: bytes = b"") -> bytes:
    return b'Content-Disposition: form-data; name="' + name + b'"' + more + b"\r\n\r\n" + data


KIND = "multipart/form-data; boundary=x"


def test_values_and_files_come_in_their_order() -> None:
    form = body(
        value(b"chat_id", b"1001"),
        value(b"doc", b"\x00\r\n\xff--x", b'; filename="a \\"b\\".log"\r\nContent-Type: text/plain'),
        value(b"empty", b""),
    )
    assert list(parts(form, KIND)) == [
        Part("chat_id", None, "application/octet-stream", b"1001"),
        Part("doc", 'a "b".log', "text/plain", b"\x00\r\n\xff--x"),
        Part("empty", None, "application/octet-stream", b""),
    ]


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        (b"", KIND),
        (b"--x", KIND),
        (b"--x--", KIND),
        (b"nothing of the kind", KIND),
        (body(b"no colon\r\n\r\ndata"), KIND),
        (body(b"Content-Disposition: form-data\r\n\r\nno name"), KIND),
        (body(value(b"a", b"1")), "multipart/form-data"),
        (b'--x\r\nContent-Disposition: form-data; name="a"', KIND),
    ],
)
def test_what_is_no_form_has_no_parts(form: bytes, kind: str) -> None:
    assert list(parts(form, kind)) == []


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_a_crash(form: bytes) -> None:
    assert all(part.name is not None for part in parts(b"--x\r\n" + form, KIND))


@given(st.lists(st.tuples(st.text(min_size=1, max_size=8), st.binary(max_size=50)), max_size=4))
async def test_what_aiohttp_writes_is_read_back(fields: list[tuple[str, bytes]]) -> None:
    form = aiohttp.FormData(quote_fields=False)
    fields = [(f"f{number}", data) for number, (_, data) in enumerate(fields)]
    for name, data in fields:
        form.add_field(name, data, filename=f"{name}.bin")
    if not fields:
        form.add_field("x", "1", content_type="text/plain")
    writer = form()
    collected = await writer.as_bytes()
    found = list(parts(collected, str(writer.headers["Content-Type"])))
    if fields:
        assert [(part.name, part.file_name, part.data) for part in found] == [
            (name, f"{name}.bin", data) for name, data in fields
        ]
    else:
        assert [(part.name, part.data) for part in found] == [("x", b"1")]
