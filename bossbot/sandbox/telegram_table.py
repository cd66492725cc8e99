"""The Bot API's methods and types, with the fields of each: what `telegram_table.json` says.

The file is written by scripts/telegram_table.py from aiogram's classes. Limits, which are not in it, are kept
by hand in `telegram_limits.py`.
"""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

PATH = Path(__file__).with_name("telegram_table.json")
Kind = Literal["String", "Integer", "Float", "Boolean", "InputFile", "JSON"]
_SCALARS: tuple[Kind, ...] = ("Integer", "InputFile", "String", "Float", "Boolean")


class Field(NamedTuple):
    """What one field takes. A word is a scalar, `=this`, the name of a type or union, with `[]` for each array."""

    words: tuple[str, ...]
    required: bool
    kind: Kind
    """How a parameter is read from text; a `chat_id` (Integer or String) is a number unless it has an @."""


Fields = Mapping[str, Field]


class _File(msgspec.Struct):
    api_version: str
    methods: dict[str, dict[str, str]]
    types: dict[str, dict[str, str]]
    unions: dict[str, list[str]]


class Table:
    """The file, read once; the words of a method or type are taken apart when they are first asked for."""

    def __init__(self, raw: bytes) -> None:
        self._file = msgspec.json.decode(raw, type=_File)
        self._read: dict[str, Fields] = {}
        self.names = {name.lower(): name for name in self._file.methods}
        """Every method by its name in small letters: the server takes any case."""
        self.api_version = self._file.api_version
        self.types = frozenset(self._file.types)
        self.unions: Mapping[str, list[str]] = self._file.unions

    def method(self, name: str) -> Fields:
        """The parameters of a method; none when there is no such method."""
        return self._fields(name, self._file.methods)

    def type(self, name: str) -> Fields:
        """The fields of an object."""
        return self._fields(name, self._file.types)

    def _fields(self, name: str, where: Mapping[str, Mapping[str, str]]) -> Fields:
        # Names of methods begin small and names of types great: one cache holds both.
        if name not in self._read:
            self._read[name] = {field: _parsed(words) for field, words in where.get(name, {}).items()}
        return self._read[name]


def _parsed(words: str) -> Field:
    parts = tuple(words.removesuffix("!").split("|"))
    return Field(parts, words.endswith("!"), next((kind for kind in _SCALARS if kind in parts), "JSON"))


@functools.cache
def table() -> Table:
    """The table of this project's Bot API version."""
    return Table(PATH.read_bytes())
