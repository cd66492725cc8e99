"""Forms with files are cut at their boundary, whatever stands in them; what is none is refused."""

import contextlib

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.sandbox.telegram_multipart import BadFormError, Part, parts
from tests.sandbox.wires import TOKEN, Wires


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
        Part("chat_id", None, b"1001"),
        Part("doc", 'a "b".log', b"\x00\r\n\xff--x"),
        Part("empty", None, b""),
    ]


def disposed(words: bytes) -> bytes:
    return body(b"Content-Disposition: " + words + b"\r\n\r\n1")


@pytest.mark.parametrize(
    ("words", "form", "kind"),
    [  # all of HttpReader.cpp
        ("boundary not found", body(value(b"a", b"1")), "multipart/form-data"),
        ("boundary value not found", body(value(b"a", b"1")), "multipart/form-data; boundary"),
        ("boundary too big or empty", body(value(b"a", b"1")), "multipart/form-data; boundary="),
        ("boundary too big or empty", body(value(b"a", b"1")), f"multipart/form-data; boundary={'x' * 71}"),
        ("unexpected end of request content", b"nothing of the kind", KIND),
        ("unexpected end of request content", b"--x", KIND),
        ("unexpected end of request content", b'--x\r\nContent-Disposition: form-data; name="a"', KIND),
        ("unexpected end of request content", body(value(b"a", b"1")).removesuffix(b"--x--\r\n"), KIND),
        ("unexpected end of request content", body(value(b"a", b"1")), "multipart/form-data; boundary=y"),
        ("headers in multipart/form-data are empty", b"--x\r\n\r\ndata\r\n--x--", KIND),
        ("can't parse form data headers", body(b"no colon\r\n\r\ndata"), KIND),
        ("expected form-data content disposition", disposed(b"attachment; name=a"), KIND),
        ("expected form-data content disposition", disposed(b"form-data"), KIND),
        ("field name in multipart/form-data not found", disposed(b"form-data; filename=a"), KIND),
        ("field name in multipart/form-data not found", body(b"Content-Type: text/plain\r\n\r\n1"), KIND),
        ("unclosed quoted string in Content-Disposition header", disposed(b'form-data; name="a'), KIND),
        ("wrong escape sequence in Content-Disposition header", disposed(b'form-data; name="a\\'), KIND),
        ("expected ';' in Content-Disposition header", disposed(b'form-data; name="a" filename="b"'), KIND),
    ],
)
async def test_what_is_no_form_is_refused_with_the_servers_words(
    words: str, form: bytes, kind: str, wires: Wires
) -> None:
    url = f"{wires.base_url}/telegram/bot{TOKEN}/sendMessage"
    async with wires.session.post(url, data=form, headers={"Content-Type": kind}) as response:
        answer = await response.json()
    assert answer == {"ok": False, "error_code": 400, "description": f"Bad Request: {words}"}


@pytest.mark.parametrize(
    ("words", "name", "file_name"),
    [
        (b"form-data; name=a; filename=b.txt", "a", "b.txt"),
        (b'form-data;name = "a" ; filename="%22b%22%20c%zz"', "a", '"b" c%zz'),
        (b'form-data; name="a"; filename=""', "a", ""),
        (b"form-data; name=\"a\"; filename*=utf-8''b", "a", None),
    ],
)
def test_names_are_read_as_the_server_reads_them(words: bytes, name: str, file_name: str | None) -> None:
    (part,) = parts(disposed(words), 'multipart/form-data; charset=utf-8; Boundary="x"')
    assert (part.name, part.file_name) == (name, file_name)


def test_an_empty_body_has_no_parts() -> None:
    assert list(parts(b"", "multipart/form-data")) == []


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(form: bytes) -> None:
    with contextlib.suppress(BadFormError):
        assert all(part.name for part in parts(b"--x\r\n" + form, KIND))


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
