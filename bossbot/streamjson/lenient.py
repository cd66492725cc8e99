"""JSON that is nearly JSON, as a JavaScript program writes it.

A preview cut in the middle of an emoji leaves half a surrogate pair, which JSON.stringify escapes and strict
parsers refuse. One character is not worth a lost frame: it becomes U+FFFD and the rest is read. Bytes that are not
UTF-8 no such program writes: `not_utf8` tells of them, and the line counts as damaged.
"""

import re
from typing import Any

import msgspec

_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole pair: fine
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"  # half of one
    rb"|\\."  # any other escape, so that an escaped backslash is not taken for the start of one
)

_decode = msgspec.json.Decoder().decode


def repair(line: bytes) -> bytes:
    """The line with every unreadable character replaced; equal to the line when there is none."""
    readable = line.decode("utf-8", "replace").encode()
    return _ESCAPES.sub(_whole, readable) if b"\\u" in readable else readable


def not_utf8(line: bytes) -> str | None:
    """Why the line is no UTF-8, or None if it is."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8: byte {error.start}"
    return None


def _whole(match: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if match[1] else match[0]


def loads(line: bytes) -> Any:
    """Decodes one line, repairing it only if it must be. Raises `msgspec.DecodeError` or `RecursionError`."""
    try:
        return _decode(line)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return _decode(repair(line))
