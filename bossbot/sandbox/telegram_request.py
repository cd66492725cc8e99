"""Reading a Bot API request: query, form, multipart or JSON become texts and files, by name.

As the official server reads them (tdlib/td, `HttpReader`): the query comes first and the first value of a name
counts; the values of a JSON body are the very text of that JSON, so that null is the word "null"; a body that
cannot be read is left out, and the method then misses what stood in it.
"""

from urllib.parse import unquote_to_bytes

import msgspec
from aiohttp import web

from bossbot.sandbox.telegram_errors import TelegramError
from bossbot.sandbox.telegram_limits import PARAMETERS_BYTES
from bossbot.sandbox.telegram_multipart import parts
from bossbot.sandbox.telegram_params import Upload

_RAW_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_STRING = msgspec.json.Decoder(str)


async def read_request(request: web.Request) -> tuple[dict[str, str], dict[str, Upload]]:
    """The values and the uploads of a request."""
    values: dict[str, str] = {}
    files: dict[str, Upload] = {}
    for name, value in request.query.items():
        values.setdefault(name, value)
    if request.method != "POST":
        return values, files
    read_body(await request.read(), request.headers.get("Content-Type", ""), values, files)
    return values, files


def read_body(body: bytes, content_type: str, values: dict[str, str], files: dict[str, Upload]) -> None:
    """Add what a body holds; names that are there already stay as they are."""
    kind = content_type.lower()
    is_form = "multipart/form-data" in kind
    if not is_form and len(body) > PARAMETERS_BYTES:
        raise TelegramError(413, "Request Entity Too Large: too many parameters")
    if is_form:
        _read_multipart(body, content_type, values, files)
    elif "application/x-www-form-urlencoded" in kind:
        for pair in body.split(b"&"):
            key, _, value = pair.partition(b"=")
            if key:
                values.setdefault(_unquoted(key), _unquoted(value))
    elif "application/json" in kind:
        for name, text in _json_values(body).items():
            values.setdefault(name, text)


def _unquoted(raw: bytes) -> str:
    """One word of a form. `unquote_to_bytes` walks escape by escape in Python; the codec does the same in C."""
    raw = raw.replace(b"+", b" ")
    if b"%" not in raw:
        return raw.decode("utf-8", "replace")
    try:
        text = raw.replace(b"\\", b"\\\\").replace(b"%", b"\\x").decode("unicode_escape")
        return text.encode("latin-1").decode("utf-8", "replace")
    except UnicodeError:
        return unquote_to_bytes(raw).decode("utf-8", "replace")  # a stray % stays one


def _json_values(body: bytes) -> dict[str, str]:
    try:
        found = _RAW_OBJECT.decode(body)
        return {name: _text(bytes(raw)) for name, raw in found.items()}
    except (msgspec.DecodeError, UnicodeError):
        return {}


def _text(raw: bytes) -> str:
    return _STRING.decode(raw) if raw.startswith(b'"') else raw.decode()


def _read_multipart(body: bytes, content_type: str, values: dict[str, str], files: dict[str, Upload]) -> None:
    left = PARAMETERS_BYTES
    for part in parts(body, content_type):
        if part.file_name is None:
            left -= len(part.data)
            if left < 0:
                raise TelegramError(413, "Request Entity Too Large: too many parameters")
            values.setdefault(part.name, part.data.decode("utf-8", "replace"))
        else:
            files.setdefault(part.name, Upload(part.file_name, part.content_type, part.data))
