"""JSON as the sandbox's servers handle it: one name for an object, one encoder, one decoder."""

import msgspec

Json = dict[str, object]
"""A JSON object whose values were not looked at yet."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder()


class BadJsonError(ValueError):
    """The text is not JSON, or not the kind of JSON that was asked for."""


def encode(value: object) -> bytes:
    """Compact UTF-8 JSON."""
    return _ENCODER.encode(value)


def decode(text: str | bytes) -> object:
    """Any JSON value; `BadJsonError` when the text is none."""
    try:
        found: object = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadJsonError(str(error)) from None
    return found


def as_object(value: object) -> Json | None:
    """The value as an object, or None when it is of another kind."""
    return value if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """The value as an array, or None when it is of another kind."""
    return value if isinstance(value, list) else None
