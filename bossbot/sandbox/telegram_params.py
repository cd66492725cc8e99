"""The parameters of a Bot API call, however they came: query, form, multipart or JSON.

The official server reads everything as text and gives it its type at the place of use; so does this.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import BodyPartReader, web

from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode
from bossbot.sandbox.telegram_errors import TelegramError, refused

JSON_FIELDS = frozenset(
    {
        "allowed_updates", "caption_entities", "commands", "entities", "link_preview_options", "media",
        "message_ids", "reaction", "reply_markup", "reply_parameters", "rich_message", "scope",
    }
)  # fmt: skip
INT_FIELDS = frozenset(
    {
        "chat_id", "draft_id", "icon_color", "limit", "message_id", "message_thread_id", "offset",
        "reply_to_message_id", "timeout", "cache_time", "max_connections",
    }
)  # fmt: skip
BOOL_FIELDS = frozenset(
    {
        "allow_paid_broadcast", "allow_sending_without_reply", "can_stop", "disable_content_type_detection",
        "disable_notification", "disable_web_page_preview", "drop_pending_updates", "is_big", "keep_on_stop",
        "protect_content", "show_alert",
    }
)  # fmt: skip
_TRUE = frozenset({"true", "yes", "1"})


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with the call."""

    name: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Params:
    """Values by name. Text and numbers are text; objects of a JSON body stay objects."""

    values: Mapping[str, object]
    files: Mapping[str, Upload]

    def has(self, name: str) -> bool:
        return self.values.get(name) not in (None, "")

    def text(self, name: str) -> str:
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def integer(self, name: str, default: int = 0, low: int | None = None, high: int | None = None) -> int:
        """A number, kept within its limits; what is no number counts as absent."""
        number = _as_int(self.text(name), default)
        if low is not None:
            number = max(low, number)
        return number if high is None else min(high, number)

    def flag(self, name: str) -> bool:
        return self.text(name).strip().lower() in _TRUE

    def json(self, name: str, what: str) -> object:
        """A JSON value, None when absent; `what` is the server's name for it in its refusal."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            return value
        try:
            return decode(value)
        except BadJsonError:
            raise refused(f"Can't parse {what} JSON object") from None

    def lenient_json(self, name: str) -> object:
        """A JSON value; what is no JSON counts as absent (`Client::get_input_entities`)."""
        try:
            return self.json(name, name)
        except TelegramError:
            return None

    def payload(self) -> Json:
        """The call as the log shows it: typed, files by name and size."""
        shown = {name: _shown(name, value) for name, value in self.values.items()}
        for name, upload in self.files.items():
            shown[name] = {"file_name": upload.name, "size": len(upload.data)}
        return shown


def _as_int(text: str, default: int) -> int:
    try:
        return int(text)
    except ValueError:
        return default


def _shown(name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    if name in INT_FIELDS:
        try:
            return int(value)
        except ValueError:
            return value
    if name in BOOL_FIELDS:
        return value.strip().lower() in _TRUE
    if name in JSON_FIELDS:
        try:
            return decode(value)
        except BadJsonError:
            return value
    return value


async def read_params(request: web.Request) -> Params:
    """Read query and body; a body of a kind the server does not know is read as empty."""
    values: dict[str, object] = dict(request.query)
    files: dict[str, Upload] = {}
    if request.method != "POST":
        return Params(values, files)
    if request.content_type == "application/json":
        values.update(await _json_values(request))
    elif request.content_type == "multipart/form-data":
        await _multipart_values(request, values, files)
    elif request.content_type == "application/x-www-form-urlencoded":
        values.update({name: value for name, value in (await request.post()).items() if isinstance(value, str)})
    return Params(values, files)


async def _json_values(request: web.Request) -> dict[str, object]:
    body = await request.read()
    if not body:
        return {}
    try:
        found = as_object(decode(body))
    except BadJsonError:
        found = None
    if found is None:
        raise refused("can't parse JSON object")
    return {name: _flat(value) for name, value in found.items() if value is not None}


def _flat(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


async def _multipart_values(request: web.Request, values: dict[str, object], files: dict[str, Upload]) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader) or part.name is None:
            continue
        data = bytes(await part.read(decode=True))
        if part.filename is None:
            values[part.name] = data.decode("utf-8", "replace")
        else:
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files[part.name] = Upload(part.filename, kind, data)
