"""A line that does not fit its kind, read piece by piece, so that one new thing does not cost the rest.

A content block of a new type, a timeline entry with a field of another type, a control request that we do not
serve: each becomes its union's unknown member, and everything around it is read as usual.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import structs

from bossbot.streamjson import frames as f

Read = Callable[[bytes], Any]


def _reader(kind: Any) -> Read:
    return msgspec.json.Decoder(kind).decode


_encode = msgspec.json.Encoder().encode
_read_progress = _reader(f.TaskProgress)
_read_control_request = _reader(f.ControlRequest)
_read_spoken = {"assistant": _reader(f.Assistant), "user": _reader(f.User)}
_read_entry = _reader(f.WorkflowPhase | f.WorkflowAgent)
_read_block = _reader(f.TextBlock | f.ThinkingBlock | f.ToolUseBlock | f.ToolResultBlock)
_read_request = _reader(f.CanUseTool | f.McpMessage)


def read_by_pieces(document: dict[str, Any]) -> f.AnyFrame | None:
    """The frame, None for a kind without open pieces. Takes `document` apart.

    Raises `msgspec.ValidationError` when what is wrong is not such a piece.
    """
    match document.get("type"), document.get("subtype"):
        case "system", "task_progress":
            return _progress(document)
        case (("assistant" | "user"), _):
            return _spoken(document)
        case "control_request", _:
            return _control_request(document)
    return None


def _progress(document: dict[str, Any]) -> f.AnyFrame:
    entries = document.pop("workflow_progress", None)
    frame: f.TaskProgress = _read_progress(_encode(document))
    if not isinstance(entries, list):
        return frame
    return structs.replace(frame, workflow_progress=_pieces(entries, _read_entry, f.UnknownEntry))


def _spoken(document: dict[str, Any]) -> f.AnyFrame:
    message = document["message"] if isinstance(document.get("message"), dict) else {}
    content = message.pop("content", None)
    frame: f.Assistant | f.User = _read_spoken[document["type"]](_encode(document))
    if not isinstance(content, list):
        return frame
    blocks = _pieces(content, _read_block, f.UnknownBlock)
    return structs.replace(frame, message=structs.replace(frame.message, content=blocks))


def _pieces(items: list[Any], read: Read, unknown: Callable[[str, bytes], Any]) -> tuple[Any, ...]:
    return tuple(_piece(_encode(item), read, unknown, word(item, "type")) for item in items)


def _piece(item: bytes, read: Read, unknown: Callable[[str, bytes], Any], kind: str) -> Any:
    try:
        return read(item)
    except msgspec.ValidationError:
        return unknown(kind, item)


_SERVED = ("can_use_tool", "mcp_message")
_ANY_REQUEST = {"subtype": "mcp_message", "server_name": "", "message": {}}


def _control_request(document: dict[str, Any]) -> f.AnyFrame:
    request = document.get("request")
    kind = word(request, "subtype")
    frame: f.ControlRequest = _read_control_request(_encode({**document, "request": _ANY_REQUEST}))
    if not kind or kind in _SERVED:
        _read_request(_encode(request))  # raises, and says what is wrong with it
    return structs.replace(frame, request=f.UnknownRequest(kind, _encode(request)))


def word(value: object, key: str) -> str:
    """The text under a key of what may or may not be an object; empty without one."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
