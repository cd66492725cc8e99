"""Writes the table of the Bot API's methods and types that the sandbox judges by, from the installed aiogram.

aiogram's classes are made from Telegram's own documentation. The table is data of this project: the sandbox
reads it without aiogram, and a test says when an installed aiogram knows more, less or otherwise.

A type is written as `String!` (`!`: required), `Integer|String` (one of them), `MessageEntity[]` (an array),
`=bold` (this very word), or the name of an object or a union that is listed itself.
"""

import argparse
import datetime
import enum
import inspect
import json
import sys
import types
import typing
from collections.abc import Iterable
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "bossbot" / "sandbox" / "telegram_table.json"
SCALARS = {
    str: "String", int: "Integer", float: "Float", bool: "Boolean",
    datetime.datetime: "Integer", datetime.timedelta: "Integer",
}  # fmt: skip


class Writer:
    """Goes from the methods to every type that they take; `types` and `unions` grow on the way."""

    def __init__(self) -> None:
        import aiogram
        from aiogram.client.default import Default
        from aiogram.types import InputFile, TelegramObject
        from aiogram.types.base import MutableTelegramObject

        self.api_version: str = aiogram.__api_version__
        self.types: dict[str, dict[str, str]] = {}
        self.unions: dict[str, list[str]] = {}
        self._file, self._object, self._default = InputFile, TelegramObject, Default
        self._too_common = {TelegramObject, MutableTelegramObject}

    def table(self) -> dict[str, object]:
        import aiogram.methods as methods

        classes = [value for value in vars(methods).values() if isinstance(getattr(value, "__api_method__", None), str)]
        found = {str(method.__api_method__): self._fields(method) for method in classes}
        return {
            "api_version": self.api_version,
            "methods": dict(sorted(found.items())),
            "types": dict(sorted(self.types.items())),
            "unions": dict(sorted(self.unions.items())),
        }

    def _fields(self, model: typing.Any) -> dict[str, str]:
        fields = {}
        for name, field in model.model_fields.items():
            words = "|".join(self._words(field.annotation))
            fixed = words.startswith("=")
            fields[field.alias or name] = words + ("!" if field.is_required() or fixed else "")
        return fields

    def _words(self, kind: typing.Any) -> list[str]:
        """The words of a type, each once, in their order."""
        if isinstance(kind, typing.ForwardRef):
            kind = kind.__forward_arg__
        if isinstance(kind, str):
            return [kind.removesuffix("Union")]
        if type(kind).__name__ == "TypeAliasType":
            return [self._union(kind.__name__.removesuffix("Union"), kind.__value__)]
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if origin is typing.Annotated:
            return self._words(arguments[0])
        if origin is list:
            return [f"{word}[]" for word in self._words(arguments[0])]
        if origin is typing.Literal:
            return ["Boolean" if arguments[0] is True else f"={_plain(item)}" for item in arguments]
        if origin in (typing.Union, types.UnionType):
            return self._any_of(arguments)
        return self._single(kind)

    def _single(self, kind: typing.Any) -> list[str]:
        if kind in (None, type(None), self._default):
            return []
        if kind in SCALARS:
            return [SCALARS[kind]]
        if issubclass(kind, enum.Enum):
            return ["String"]
        if issubclass(kind, self._file):
            return ["InputFile"]
        name: str = kind.__name__
        if name not in self.types:
            self.types[name] = {}
            self.types[name] = self._fields(kind)
        return [name]

    def _any_of(self, members: Iterable[typing.Any]) -> list[str]:
        """A union; objects of one family stand under the family's name."""
        members = [member for member in members if self._words(member)]
        families = self._families(members[0]) if members else []
        words = list(dict.fromkeys(word for member in members for word in self._words(member)))
        for family in families:
            if len(words) > 1 and all(family in self._families(member) for member in members):
                # Another field may take some members of the family only: those are listed one by one.
                known = self.unions.setdefault(family.__name__, words)
                return [family.__name__] if known == words else words
        return words

    def _families(self, kind: typing.Any) -> list[typing.Any]:
        if not inspect.isclass(kind) or not issubclass(kind, self._object):
            return []
        bases = kind.__mro__[1:]
        return [base for base in bases if issubclass(base, self._object) and base not in self._too_common]

    def _union(self, name: str, members: typing.Any) -> str:
        if name not in self.unions:
            self.unions[name] = []  # it may hold itself
            self.unions[name] = list(
                dict.fromkeys(word for kind in typing.get_args(members) for word in self._words(kind))
            )
        return name


def _plain(value: object) -> object:
    return value.value if isinstance(value, enum.Enum) else value


def rendered() -> str:
    """The whole file: one line for each method and type, so that a change shows as one line."""
    table = Writer().table()
    parts = []
    for name, value in table.items():
        if not isinstance(value, dict):
            parts.append(f"{json.dumps(name)}: {json.dumps(value)}")
            continue
        lines = [f"{json.dumps(key)}: {json.dumps(item)}" for key, item in value.items()]
        parts.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when the file is not what it should be")
    if not parser.parse_args().check:
        TABLE.write_text(rendered(), encoding="utf-8")
        return 0
    if TABLE.read_text(encoding="utf-8") != rendered():
        print(f"{TABLE.name} is not what the installed aiogram says: run scripts/telegram_table.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
