"""Reading a Bot API request: query, form, multipart or JSON become texts and files, by name.

As the official server reads them (tdlib/td, `HttpReader`): the query comes first and the first value of a name
counts; the values of a JSON body are the very text of that JSON, so that null is the word "null"; a JSON body that
cannot be read is left out, and the method then misses what stood in it.
"""

from urllib.parse import unquote_to_bytes

import msgspec
from aiohttp import web

from bossbot.sandbox.telegram_errors import TelegramError, refused
from bossbot.sandbox.telegram_limits import PARAMETERS_BYTES, UPLOAD_BYTES
from bossbot.sandbox.telegram_multipart import BadFormError, parts
from bossbot.sandbox.telegram_params import Upload

_RAW_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_STRING = msgspec.json.Decoder(str)


async def read_request(request: web.Request) -> tuple[dict[str, str], dict[str, Upload]]:
    """The values and the uploads of a request. Raises the server's refusal of what is none."""
    values: dict[str, str] = {}
    files: dict[str, Upload] = {}
    if request.method not in ("GET", "POST"):
        raise TelegramError(501, "Not Implemented")
    if "?" in request.raw_path:
        _read_pairs(request.raw_path.partition("?")[2].encode("utf-8", "surrogateescape"), values)
    if request.method == "POST":
        read_body(await _body(request), request.headers.get("Content-Type", ""), values, files)
    return values, files


async def _body(request: web.Request) -> bytes:
    try:
        return await request.read()
    except web.HTTPRequestEntityTooLarge:
        raise _too_large() from None
    except web.RequestPayloadError:
        raise TelegramError(400, "Bad Request: can't read the request content") from None


def _too_large() -> TelegramError:
    return TelegramError(413, "Request Entity Too Large")


def read_body(body: bytes, content_type: str, values: dict[str, str], files: dict[str, Upload]) -> None:
    """Add what a body holds; names that are there already stay as they are."""
    kind = content_type.lower()
    is_form = "multipart/form-data" in kind
    if not is_form and len(body) > PARAMETERS_BYTES:
        raise TelegramError(413, "Request Entity Too Large: too many parameters")
    if is_form:
        _read_multipart(body, content_type, values, files)
    elif "application/x-www-form-urlencoded" in kind:
        _read_pairs(body, values)
    elif "application/json" in kind:
        for name, text in _json_values(body).items():
            values.setdefault(name, text)


def _read_pairs(pairs: bytes, values: dict[str, str]) -> None:
    for pair in pairs.replace(b"+", b" ").split(b"&"):
        key, _, value = pair.partition(b"=")
        if key:
            values.setdefault(_decoded(_unquoted(key)), _decoded(_unquoted(value)))


def _unquoted(raw: bytes) -> bytes:
    """One word of a form. `unquote_to_bytes` walks escape by escape in Python; the codec does the same in C."""
    if b"%" not in raw:
        return raw
    try:
        return raw.replace(b"\\", b"\\\\").replace(b"%", b"\\x").decode("unicode_escape").encode("latin-1")
    except UnicodeError:
        return unquote_to_bytes(raw)  # a stray % stays one


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise refused("Strings must be encoded in UTF-8") from None  # T clean_input_string


def _json_values(body: bytes) -> dict[str, str]:
    try:
        found = _RAW_OBJECT.decode(body)
        return {name: _text(bytes(raw)) for name, raw in found.items()}
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}


def _text(raw: bytes) -> str:
    return _STRING.decode(raw) if raw.startswith(b'"') else raw.decode()


def _read_multipart(body: bytes, content_type: str, values: dict[str, str], files: dict[str, Upload]) -> None:
    left = PARAMETERS_BYTES
    try:
        for part in parts(body, content_type):
            if part.file_name is None:
                left -= len(part.data)
                if left < 0:
                    raise TelegramError(413, "Request Entity Too Large: too many parameters in form data")
                values.setdefault(part.name, _decoded(part.data))
            elif len(part.data) > UPLOAD_BYTES:
                raise _too_large()
            else:
                files.setdefault(part.name, Upload(part.file_name, part.data))
    except BadFormError as error:
        raise TelegramError(400, f"Bad Request: {error}") from None
