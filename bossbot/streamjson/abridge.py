"""A long line made short: the same frame in the same shape, with its long texts cut.

What is done with a frame needs the beginning of a text, its size and its hash, never sixty megabytes of it. So a line
of more than a mebibyte is read in another process (`bossbot.agent.longlines`), and what comes back is a line that the
ordinary decoder reads: every short value stands where it stood, a long text ends in `… (12345 characters in all)`, and
of a list that is too long even so the beginning is left. Values are cut in passes, each shorter than the one before,
until the line fits; whatever the input, a pass costs a time linear in its length.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from bossbot.streamjson.lenient import not_utf8, repair

SHORT_BYTES = 1024 * 1024
"""A line up to this length is decoded where it arrives; a longer one is abridged to at most this length."""

_PASSES = ((39_900, None), (2_000, None), (200, None), (200, 128 * 1024), (200, 8 * 1024))
"""(characters of a text, bytes of a list or an object). The first keeps what a person may read of an answer."""

_NEVER_CUT = _PASSES[-1][0]
"""No pass cuts a text of so many characters: the words beside a picture are whole in the abridged line."""

_MANY, _FRAME_DEPTH = 2_000_000, 5
"""A list or an object that may have more values than this is not taken apart: its values would fill the memory. The
few levels that the CLI itself makes (frame, message, blocks, a tool's input) are, since a text counts there as well."""

_DEEP = 20
"""Lists and objects below this depth are left out when they are long: each level costs a reading of all below it."""


class Text(NamedTuple):
    """The whole of a tool's output, of which the abridged line has the beginning."""

    tool_use_id: str
    content: bytes


class Unreadable(Exception):
    """The line is no JSON, or no shape of it is short enough. The text says why, and holds nothing of the line."""


class _TooLong(Exception):
    """This pass writes too much. `many`: there are so many values that only a bound of containers can help."""

    def __init__(self, *, many: bool = False) -> None:
        self.many = many


def abridge(line: bytes) -> bytes:
    """The same line in at most `SHORT_BYTES`. Raises `Unreadable`."""
    many = False
    for characters, container_bytes in _PASSES:
        if many and container_bytes is None:
            continue
        try:
            return _Pass(characters, container_bytes).value(line, 0)
        except _TooLong as error:
            many = many or error.many
        except RecursionError:
            raise Unreadable("nested too deeply") from None
    raise Unreadable("no shape of it is short enough")


def checked(line: bytes) -> bytes:
    """The line, repaired if it must be. Raises `Unreadable` when it is no JSON object."""
    try:
        _check(line)
    except msgspec.ValidationError:
        raise Unreadable("not a JSON object") from None
    except msgspec.DecodeError:
        if damage := not_utf8(line):
            raise Unreadable(damage) from None
        line = repair(line)
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    try:
        _check(line)
    except msgspec.DecodeError as error:
        raise Unreadable(f"not JSON: {error}") from None
    return line


def texts(line: bytes) -> Iterator[Text]:
    """The outputs of tools in the line that the first pass would cut, whole."""
    try:
        said = _read_results(line)
    except (msgspec.DecodeError, RecursionError):
        return
    for block in said.message.content:
        raw = bytes(block.content)
        if block.type == "tool_result" and len(raw) > _PASSES[0][0]:
            text = _text(raw)
            if len(text) > _NEVER_CUT:
                yield Text(block.tool_use_id, text.encode())


class _Anything(Struct, frozen=True, gc=False):
    pass


class _Block(Struct, frozen=True, gc=False):
    type: str = ""
    tool_use_id: str = ""
    content: Raw = Raw()


class _Message(Struct, frozen=True, gc=False):
    content: tuple[_Block, ...] = ()


class _Said(Struct, frozen=True, gc=False):
    message: _Message = _Message()


class _TextPart(Struct, frozen=True, gc=False):
    text: str | None = None


_check = msgspec.json.Decoder(_Anything).decode
_read_results = msgspec.json.Decoder(_Said).decode
_read_text = msgspec.json.Decoder(str).decode
_read_parts = msgspec.json.Decoder(list[_TextPart]).decode
_read_object = msgspec.json.Decoder(dict[str, Raw]).decode
_read_list = msgspec.json.Decoder(list[Raw]).decode
_encode = msgspec.json.Encoder().encode


def _text(content: bytes) -> str:
    """As `ToolResultBlock.text` has it."""
    if content[:1] == b'"':
        return _read_text(content)
    try:
        parts = _read_parts(content)
    except msgspec.ValidationError:
        return ""
    return "\n".join(part.text for part in parts if part.text is not None)


_IN_WORDS = frozenset("_-.+/=:~%")


def _whole_words(text: str) -> str:
    """Without the word in which it was cut: the half of a secret would not be known as one. One long word is kept."""
    end = len(text)
    while end and (text[end - 1].isalnum() or text[end - 1] in _IN_WORDS):
        end -= 1
    return text[:end] or text


class _Pass:
    """One way of cutting. `left` is what may still be written."""

    def __init__(self, characters: int, container_bytes: int | None) -> None:
        self._characters, self._container_bytes = characters, container_bytes
        self._left = SHORT_BYTES

    def value(self, raw: bytes, depth: int) -> bytes:
        """The value, cut. Raises `_TooLong` once all that is written exceeds the bound."""
        if len(raw) <= self._characters:
            return self._written(raw)
        match raw[:1]:
            case b'"':
                return self._written(self._cut(raw))
            case b"{" if depth < _FRAME_DEPTH or (depth < _DEEP and raw.count(b":") <= _MANY):
                return self._object(raw, depth + 1)
            case b"[" if depth < _FRAME_DEPTH or (depth < _DEEP and raw.count(b",") <= _MANY):
                return self._list(raw, depth + 1)
            case b"[" | b"{" if self._container_bytes is None:
                raise _TooLong(many=True)
            case b"[":
                return self._written(b"[]")
            case b"{":
                return self._written(b"{}")
            case _:
                return self._written(b"null")  # a number of so many digits

    def _cut(self, raw: bytes) -> bytes:
        text = _read_text(raw)
        if len(text) <= self._characters:
            return raw
        return _encode(f"{_whole_words(text[: self._characters])}… ({len(text)} characters in all)")

    def _object(self, raw: bytes, depth: int) -> bytes:
        """Its short values count against the bound of a container, so that a long one costs none of them."""
        pairs, short_bytes = [], 0
        found = _read_object(raw)
        self._check_number(len(found))
        for key, value in found.items():
            inner = bytes(value)
            if len(inner) <= self._characters:
                short_bytes += len(key) + len(inner)
                if self._container_bytes is not None and short_bytes > self._container_bytes:
                    if len(found) > SHORT_BYTES // 3:
                        break
                    continue
            pairs.append(self._written(self._cut(_encode(key))) + b":" + self.value(inner, depth))
        return b"{" + b",".join(pairs) + b"}"

    def _list(self, raw: bytes, depth: int) -> bytes:
        items, written = [], 0
        found = _read_list(raw)
        self._check_number(len(found))
        for item in found:
            if self._container_bytes is not None and written > self._container_bytes:
                break
            items.append(self.value(bytes(item), depth))
            written += len(items[-1]) + 1
        return b"[" + b",".join(items) + b"]"

    def _check_number(self, number: int) -> None:
        """What comes to one byte a value is too long before it is written."""
        if self._container_bytes is None and number > SHORT_BYTES // 3:
            raise _TooLong(many=True)

    def _written(self, data: bytes) -> bytes:
        self._left -= len(data) + 2
        if self._left < 0:
            raise _TooLong
        return data
