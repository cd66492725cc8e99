"""multipart/form-data, read from a body that is in memory already, and refused as the official server refuses it.

aiohttp's own reader is made for streams and waits for every line; a fake server that is to be faster than the
bot it serves cuts the body at its boundary instead. Source of the words: tdlib/td, HttpReader.cpp.
"""

import functools
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

BOUNDARY_BYTES = 70
_UNFINISHED = "unexpected end of request content"
_DISPOSITION = "Content-Disposition header"


class BadFormError(ValueError):
    """The body is no form, in the server's words."""


class Part(NamedTuple):
    """One field of a form; a file has a name, and a value has none."""

    name: str
    file_name: str | None
    data: bytes


def parts(body: bytes, content_type: str) -> Iterator[Part]:
    """The parts of a form in their order; what stands before the first and after the last is left out.

    An empty body has none. Raises `BadFormError` for what is no form, or ends before its last boundary.
    """
    if not body:
        return
    boundary = b"\r\n--" + _boundary(content_type)
    for piece in (b"\r\n" + body).split(boundary)[1:]:
        if piece.startswith(b"--"):
            return
        head, blank, data = piece.partition(b"\r\n\r\n")
        if not blank:
            raise BadFormError(_UNFINISHED)
        yield Part(*_told(head), data)
    raise BadFormError(_UNFINISHED)


def _boundary(content_type: str) -> bytes:
    begin = content_type.lower().find("boundary")
    if begin < 0:
        raise BadFormError("boundary not found")
    _, equals, value = content_type[begin:].partition("=")
    if not equals:
        raise BadFormError("boundary value not found")
    value = value.partition(";")[0]
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    boundary = value.encode("utf-8", "surrogateescape")
    if not 1 <= len(boundary) <= BOUNDARY_BYTES:
        raise BadFormError("boundary too big or empty")
    return boundary


@functools.lru_cache(maxsize=512)
def _told(head: bytes) -> tuple[str, str | None]:
    """Name and file name. A bot's forms begin alike again and again."""
    if not head:
        raise BadFormError("headers in multipart/form-data are empty")
    told: dict[str, str] = {}
    for line in head.removeprefix(b"\r\n").replace(b"\r\n ", b" ").replace(b"\r\n\t", b" ").split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if not colon:
            raise BadFormError("can't parse form data headers")
        if name.strip().lower() == b"content-disposition":
            told.update(_parameters(value.strip().decode("utf-8", "replace")))
    if not told.get("name"):
        raise BadFormError("field name in multipart/form-data not found")
    return told["name"], told.get("filename")


def _parameters(value: str) -> Iterator[tuple[str, str]]:
    """The parameters of `form-data; name="a"; filename="b"`, their escapes undone."""
    kind, semicolon, rest = value.partition(";")
    if (kind, semicolon) != ("form-data", ";"):
        raise BadFormError("expected form-data content disposition")
    while "=" in rest:
        key, _, rest = rest.partition("=")
        rest = rest.lstrip()
        if rest.startswith('"'):
            word, rest = _quoted(rest[1:])
        else:
            word, _, rest = rest.partition(";")
        yield key.strip(), unquote(word.strip(), errors="replace")


def _quoted(rest: str) -> tuple[str, str]:
    """A word to its closing quote, and what follows the semicolon after it."""
    word = ""
    signs = iter(range(len(rest)))
    for at in signs:
        if rest[at] == '"':
            after = rest[at + 1 :].lstrip()
            if after and after[0] != ";":
                raise BadFormError(f"expected ';' in {_DISPOSITION}")
            return word, after[1:]
        if rest[at] == "\\" and at + 1 == len(rest):
            raise BadFormError(f"wrong escape sequence in {_DISPOSITION}")
        word += rest[next(signs)] if rest[at] == "\\" else rest[at]
    raise BadFormError(f"unclosed quoted string in {_DISPOSITION}")
