"""The parameters of one Bot API call, typed by the table of methods.

The official server reads everything as text, however it came, and gives it its type at the place of use; so
does this. What no method knows is ignored, as there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from bossbot.sandbox.json_types import BadJsonError, Json, as_list, as_object, decode
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_limits import JSON_WORDS, RANGES, Words
from bossbot.sandbox.telegram_nested import INT64, WrongValueError, check_field
from bossbot.sandbox.telegram_table import Field, Fields

_TRUE = frozenset({"true", "yes", "1"})
_READERS: Mapping[str, Callable[[str], object]] = {"Integer": int, "Float": float, "JSON": decode}
_LEADING_INTEGER = re.compile(r"(-?)([0-9]*)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with the call."""

    name: str
    data: bytes


class Params(NamedTuple):
    """What came, by name, as text; `fields` are the method's parameters by the table.

    Asking for a parameter that the method does not have is a mistake of the asker (KeyError).
    """

    method: str
    fields: Fields
    values: Mapping[str, str]
    files: Mapping[str, Upload] = MappingProxyType({})

    def has(self, name: str) -> bool:
        """Was it given, and not empty?"""
        return bool(self.text(name))

    def text(self, name: str) -> str:
        """The parameter as it came; "" when it is absent."""
        self.fields[name]
        return self.values.get(name, "")

    def needed(self, name: str) -> str:
        """A parameter that must be there (C `get_required_string_arg`)."""
        text = self.text(name)
        if not text:
            raise refused(f'Parameter "{name}" is required')
        return text

    def integer(self, name: str) -> int:
        """A number, moved into its range; of a text that is none, what it begins with (`td::to_integer`)."""
        text = self.text(name)
        limits = RANGES.get(self.method, {}).get(name)
        if limits is None:
            return leading_integer(text)
        return min(limits.high, max(limits.low, leading_integer(text))) if text else limits.default

    def flag(self, name: str) -> bool:
        return is_true(self.text(name))

    def json(self, name: str) -> object:
        """A JSON value whose inside has the types of the table; None when absent. Raises the server's refusal."""
        text = self.text(name)
        if not text:
            return None
        words = JSON_WORDS.get(name) or Words(name.replace("_", " "), f"Object expected as {name.replace('_', ' ')}")
        try:
            value = decode(text)
        except BadJsonError:
            raise refused(f"Can't parse {words.name} JSON object") from None
        return _judged(value, self.fields[name], words)

    def json_object(self, name: str) -> Json | None:
        """A JSON object, None when absent."""
        return as_object(self.json(name))

    def json_array(self, name: str) -> list[object] | None:
        """A JSON array, None when absent."""
        return as_list(self.json(name))

    def legacy(self, name: str) -> str:
        """An older parameter, which the server still reads and the documentation does not list any more."""
        return self.values.get(name, "")

    def lenient_json(self, name: str) -> object:
        """A JSON value as it is; what is no JSON counts as absent (C `get_input_entities`)."""
        text = self.text(name)
        try:
            return decode(text) if text else None
        except BadJsonError:
            return None

    def payload(self) -> Json:
        """The call as the log shows it: typed by the table, files by name and size."""
        shown = {name: _shown(self.fields.get(name), value) for name, value in self.values.items()}
        for name, upload in self.files.items():
            shown[name] = {"file_name": upload.name, "size": len(upload.data)}
        return shown

    def ignored(self) -> list[str]:
        """Parameters that the method does not have: the server says nothing, and their sender may wonder."""
        return [name for name in self.values if name not in self.fields] if self.fields else []


NO_PARAMS = Params("", {}, {})
"""Those of a call that could not be read."""


def is_true(text: str) -> bool:
    """`Client::to_bool`."""
    return text != "" and text.strip().lower() in _TRUE


def leading_integer(text: str) -> int:
    """`td::to_integer`: the digits at the beginning, 0 when there are none; what 64 bits do not hold goes round."""
    if not text:
        return 0
    if len(text) < 19 and text.isascii() and text.isdecimal():
        return int(text)
    found = _LEADING_INTEGER.match(text)
    sign, digits = ("", "0") if found is None else found.groups()
    number = int(sign + (digits[-64:] or "0"))  # 2**64 divides 10**64: what stands before does not count
    return number if -INT64 <= number < INT64 else (number + INT64) % (2 * INT64) - INT64


def _judged(value: object, wanted: Field, words: Words) -> object:
    is_array = wanted.words[0].endswith("[]")
    if (as_list(value) if is_array else as_object(value)) is None:
        raise refused(words.kind)
    if words.by_hand or (words.empty_is_absent and not value):
        return value
    try:
        check_field(words.name, value, wanted.words)
    except WrongValueError as error:
        raise refused(f"{words.prefix}{error}") from None
    return value


def _shown(wanted: Field | None, text: str) -> object:
    kind = "String" if wanted is None else wanted.kind
    if kind == "Boolean":
        return is_true(text)
    reader = _READERS.get(kind)
    try:
        return text if reader is None else reader(text)
    except ValueError:
        return text
