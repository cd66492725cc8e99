"""The arguments of a Web API call, however they came: query, form, multipart or JSON."""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode
from bossbot.sandbox.slack_errors import SlackError

JSON_FIELDS = frozenset(
    {"attachments", "blocks", "chunks", "files", "loading_messages", "metadata", "prompts", "users", "view"}
)


@dataclass(frozen=True, slots=True)
class Args:
    """Arguments by name, the token apart: it never reaches a log."""

    values: Mapping[str, object]
    token: str

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
            raise SlackError("invalid_arguments", (f"[ERROR] missing required field: {name}",))
        return self.text(name)

    def flag(self, name: str) -> bool:
        return self.text(name).lower() in ("true", "1")

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        try:
            number = int(self.text(name) or default)
        except ValueError:
            raise SlackError("invalid_arguments", (f"[ERROR] must be an integer: {name}",)) from None
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

    def payload(self) -> Json:
        """The call as the log shows it: nested JSON decoded, no token."""
        return {name: _shown(name, value) for name, value in self.values.items()}


def _shown(name: str, value: object) -> object:
    if name in JSON_FIELDS and isinstance(value, str):
        try:
            return decode(value)
        except BadJsonError:
            return value
    return value


async def read_args(request: web.Request) -> Args:
    """Read query and body. The token comes in `Authorization`, or as the argument `token`."""
    values: dict[str, object] = dict(request.query)
    if request.method == "POST":
        if request.content_type == "application/json":
            values.update(await _json_body(request))
        elif request.can_read_body:
            form = await request.post()
            values.update({name: value for name, value in form.items() if isinstance(value, str)})
    given = values.pop("token", None)
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else given if isinstance(given, str) else ""
    return Args(values, token)


async def _json_body(request: web.Request) -> Json:
    body = await request.read()
    try:
        found = as_object(decode(body or b"{}"))
    except BadJsonError:
        raise SlackError("invalid_json") from None
    if found is None:
        raise SlackError("json_not_object")
    return found
