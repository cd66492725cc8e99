"""JSON as the sandbox's servers handle it: one name for an object, one encoder, one decoder."""

import msgspec

Json = dict[str, object]
"""A JSON object whose values were not looked at yet."""

DEPTH = 100
"""Arrays and objects within one another, as in tdlib's JSON (DEFAULT_MAX_DEPTH): who walks a value has stack enough."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder()


class BadJsonError(ValueError):
    """The text is not JSON, or not the kind of JSON that was asked for."""


def encode(value: object) -> bytes:
    """Compact UTF-8 JSON."""
    return _ENCODER.encode(value)


def decode(text: str | bytes) -> object:
    """Any JSON value of up to `DEPTH` levels; `BadJsonError` when the text is none."""
    try:
        found: object = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadJsonError(str(error)) from None
    if _openings(text) > DEPTH and _is_deep(found):
        raise BadJsonError(f"deeper than {DEPTH} levels")
    return found


def _openings(text: str | bytes) -> int:
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEPTH + 1):
        inner: list[object] = []
        for item in level:
            inner += as_list(item) or list((as_object(item) or {}).values())
        level = [item for item in inner if isinstance(item, list | dict)]
    return bool(level)


def as_object(value: object) -> Json | None:
    """The value as an object, or None when it is of another kind."""
    return value if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """The value as an array, or None when it is of another kind."""
    return value if isinstance(value, list) else None
