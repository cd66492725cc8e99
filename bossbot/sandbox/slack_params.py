"""The arguments of a Web API call, however they came: query, form, multipart or JSON; typed by the method's table.

Reading, typing and checking are three steps, so that the log shows typed arguments also of a refused call.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_shape import Complaints
from bossbot.sandbox.slack_table import BAD_JSON, Kind, Signature

ARGUMENT_NAME = re.compile(r"\w{1,64}", re.ASCII)
CHARSETS = frozenset({"utf-8", "iso-8859-1"})
FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
LISTED = frozenset({"loading_messages", "file_ids"})
"""Arrays of words, which may also come with commas between them."""
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
_TYPES: dict[Kind, tuple[type, ...]] = {
    "string": (str, int, float),
    "boolean": (bool,),
    "integer": (int,),
    "array": (list,),
    "object": (dict,),
}
_ARTICLES = {"array": "an array", "integer": "an integer", "object": "an object"}


@dataclass(frozen=True, slots=True)
class Args:
    """Arguments by name, the token apart: it never reaches a log.

    `warning` is what Slack finds odd in their form; `ignored` are those that it does not read, without a word.
    """

    values: Mapping[str, object]
    token: str
    warning: str = ""
    is_json: bool = False
    ignored: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        return self.values.get(name) not in (None, "")

    def text(self, name: str) -> str:
        value = self.values.get(name)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, str | int | float) else ""

    def need(self, name: str) -> str:
        """A text that must be there."""
        if not self.has(name):
            raise invalid_arguments(f"missing required field: {name}")
        return self.text(name)

    def flag(self, name: str, default: bool = False) -> bool:
        return _FLAGS.get(self.text(name).lower(), default)

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        value = self.values.get(name)
        number = value if isinstance(value, int) and not isinstance(value, bool) else default
        return max(low, min(high, number))

    def json(self, name: str, error: str) -> object:
        """A JSON value, given as itself or as text; `error` is what Slack says when it is no JSON."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            return value
        try:
            return decode(value)
        except BadJsonError:
            raise SlackError(error) from None

    def typed(self, signature: Signature) -> "Args":
        """The same with each argument as what the table says it is, wherever it can be read as that."""
        if self.is_json and not signature.takes_json:
            return Args({}, self.token, self.warning, ignored=tuple(self.values))
        ignored = tuple(name for name in self.values if name not in signature.arguments)
        values = {name: _typed(signature.arguments.get(name), name, value) for name, value in self.values.items()}
        return Args(values, self.token, self.warning, ignored=ignored)

    def check(self, signature: Signature) -> None:
        """Raises Slack's refusal of arguments that are missing or of another kind, all at once."""
        found = Complaints()
        for name in signature.required:
            if self.values.get(name) is None:
                found.messages.append(f"[ERROR] missing required field: {name}")
        for name, value in self.values.items():
            kind = signature.arguments.get(name)
            if kind is None:
                _check_name(name)
            elif value is not None and value != "" and not _is(value, kind):
                if name in BAD_JSON:
                    raise SlackError(BAD_JSON[name])
                found.add(f"must be {_ARTICLES.get(kind, f'a {kind}')}", f"/{name}")
        if found.messages:
            raise SlackError("invalid_arguments", tuple(found.messages))


def invalid_arguments(*words: str) -> SlackError:
    """`invalid_arguments` with a line for each fault."""
    return SlackError("invalid_arguments", tuple(f"[ERROR] {word}" for word in words))


def _check_name(name: str) -> None:
    if ARGUMENT_NAME.fullmatch(name) is None:
        raise SlackError("invalid_array_arg" if "[" in name else "invalid_arg_name")


def _is(value: object, kind: Kind) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _typed(kind: Kind | None, name: str, value: object) -> object:
    if kind is None or kind == "string" or not isinstance(value, str):
        return value
    if kind == "boolean":
        return _FLAGS.get(value.lower(), value)
    if kind == "array" and name in LISTED and value and not value.lstrip().startswith("["):
        return value.split(",")
    if kind == "integer" and not value.strip().removeprefix("-").isdecimal():
        return value
    try:
        return decode(value)
    except BadJsonError:
        return value


async def read_args(request: web.Request) -> Args:
    """Read query and body. The token comes in `Authorization`, or as the argument `token`."""
    values: dict[str, object] = dict(request.query) if request.query_string else {}
    warning, is_json = "", False
    if request.method == "POST" and request.can_read_body:
        _check_content_type(request)
        is_json = request.content_type == "application/json"
        if is_json:
            values.update(await _json_body(request))
            warning = "" if request.charset else "missing_charset"
        elif request.content_type in FORMS:
            values.update(await _form(request))
            warning = "superfluous_charset" if request.charset else ""
    given = values.pop("token", None)
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else given if isinstance(given, str) else ""
    return Args(values, token, warning, is_json)


def _check_content_type(request: web.Request) -> None:
    if "Content-Type" not in request.headers:
        raise SlackError("missing_post_type")
    if request.content_type not in {*FORMS, "application/json", "text/plain"}:
        raise SlackError("invalid_post_type")
    if request.charset is not None and request.charset.lower() not in CHARSETS:
        raise SlackError("invalid_charset")


async def _form(request: web.Request) -> Json:
    if request.content_type == "multipart/form-data":
        return {name: value for name, value in await read_form(request) if isinstance(value, str)}
    charset = request.charset or "utf-8"
    try:
        body = (await request.read()).decode(charset)
        return dict(parse_qsl(body, keep_blank_values=True, strict_parsing=True, encoding=charset, errors="strict"))
    except (ValueError, web.RequestPayloadError):
        raise SlackError("invalid_form_data") from None


async def read_form(request: web.Request) -> list[tuple[str, object]]:
    """The fields of multipart/form-data. Raises Slack's refusal of what is none."""
    try:
        return [(name, value) for name, value in (await request.post()).items()]
    except (ValueError, LookupError, HttpProcessingError, web.RequestPayloadError):
        # LookupError: an unknown charset of a field; HttpProcessingError: a part's header that is none
        raise SlackError("invalid_form_data") from None


async def _json_body(request: web.Request) -> Json:
    try:
        found = as_object(decode(await request.read() or b"{}"))
    except (BadJsonError, web.RequestPayloadError):
        raise SlackError("invalid_json") from None
    if found is None:
        raise SlackError("json_not_object")
    return found
