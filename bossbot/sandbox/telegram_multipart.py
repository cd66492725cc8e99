"""multipart/form-data, read from a body that is in memory already.

aiohttp's own reader is made for streams and waits for every line; a fake server that is to be faster than the
bot it serves cuts the body at its boundary instead.
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)
_PARAMETER = re.compile(rb'([\w*]+)="((?:[^"\\]|\\.)*)"|([\w*]+)=([^;\s]+)')


class Part(NamedTuple):
    """One field of a form; a file has a name, and a value has none."""

    name: str
    file_name: str | None
    content_type: str
    data: bytes


def parts(body: bytes, content_type: str) -> Iterator[Part]:
    """The parts of a form in their order; what has no name, and what follows the last boundary, is left out."""
    found = _BOUNDARY.search(content_type)
    if found is None:
        return
    boundary = b"\r\n--" + (found.group(1) or found.group(2)).encode()
    for piece in (b"\r\n" + body).split(boundary)[1:]:
        if piece.startswith(b"--"):
            return
        head, blank, data = piece.partition(b"\r\n\r\n")
        told = _told(head) if blank else None
        if told is not None:
            yield Part(*told, data)


@functools.lru_cache(maxsize=512)
def _told(head: bytes) -> tuple[str, str | None, str] | None:
    """Name, file name and content type; None without a name. A bot's forms begin alike again and again."""
    headers = {}
    for line in head.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    told = _parameters(headers.get(b"content-disposition", b""))
    if b"name" not in told:
        return None
    file_name = told.get(b"filename")
    kind = headers.get(b"content-type", b"application/octet-stream").decode("latin-1")
    return _word(told[b"name"]), None if file_name is None else _word(file_name), kind


def _parameters(value: bytes) -> dict[bytes, bytes]:
    return {one or other: quoted or plain for one, quoted, other, plain in _PARAMETER.findall(value)}


def _word(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    return text.replace('\\"', '"').replace("\\\\", "\\").replace("%22", '"')
