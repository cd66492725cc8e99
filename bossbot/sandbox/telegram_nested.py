"""Is a JSON value of the type that the table names? Judged as the official server's `JsonObject` reads fields.

A number may stand for a string and a string of digits for a whole number; null is of no type. Fields that the
table does not name are ignored, like there.
Source: tdlib/td, JsonBuilder.cpp (`JsonObject`), misc.h (`to_integer_safe`).
"""

import re
from collections.abc import Callable

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.telegram_limits import ITEM_WORDS, OPTIONAL, UNION_WORDS
from bossbot.sandbox.telegram_table import table

_TYPE_NAMES = {"String": "String", "InputFile": "String", "Boolean": "Boolean", "Float": "Number"}
INT32, INT64 = 1 << 31, 1 << 63
SHORT = frozenset(
    {
        "offset", "length", "unix_time", "message_id", "quote_position", "checklist_task_id", "width", "height",
        "duration", "colspan", "rowspan", "size", "zoom",
    }
)  # fmt: skip
"""Fields of 32 bits; other whole numbers have 64."""
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")


class WrongValueError(Exception):
    """What is wrong with a value, in the server's words, without what stands before them."""


def check_object(value: object, type_name: str) -> Json:
    """The object, when its fields have their types."""
    found = as_object(value)
    if found is None:
        raise WrongValueError("expected an Object")
    for name, field in table().type(type_name).items():
        if name in found:
            check_field(name, found[name], field.words)
        elif field.required and (type_name, name) not in OPTIONAL:
            raise WrongValueError(f'Can\'t find field "{name}"')
    return found


def check_field(name: str, value: object, words: tuple[str, ...]) -> None:
    """One field of an object: a scalar, an array, an object, or one of several."""
    if isinstance(value, str) and words == ("String",):
        return
    if any(_fits(value, word) for word in words):
        if name in SHORT and words == ("Integer",) and not -INT32 <= int(str(value)) < INT32:
            raise WrongValueError(f'Field "{name}" must be a valid Number')
        for word in words:
            _look_inside(value, word, words)
        return
    raise WrongValueError(ITEM_WORDS.get(words[0]) or f'Field "{name}" must be {_named(value, words[0])}')


def _fits(value: object, word: str) -> bool:
    return _SHAPES.get(_shape(word), _is_object)(value)


def _shape(word: str) -> str:
    if word.endswith("[]"):
        return "[]"
    if word.startswith("="):
        return "String"
    return "Union" if word in table().unions and "String" in table().unions[word] else word


def _look_inside(value: object, word: str, words: tuple[str, ...]) -> None:
    if word.endswith("[]"):
        for item in as_list(value) or []:
            _check_item(item, word[:-2])
    elif word in table().unions:
        check_member(value, word)
    elif word in table().types and len(words) == 1:
        check_object(value, word)


def _check_item(item: object, word: str) -> None:
    if not _fits(item, word):
        raise WrongValueError(ITEM_WORDS.get(word, "expected an Object"))
    _look_inside(item, word, (word,))


def check_member(value: object, union: str) -> Json | None:
    """The object, judged as the member of the union that its `type` names; None for what is no object."""
    members = table().unions[union]
    for member in members:
        if member.endswith("[]") and isinstance(value, list):
            _look_inside(value, member, (member,))
    found = as_object(value)
    if found is None:
        return None
    if "type" not in found:
        raise WrongValueError('Can\'t find field "type"')
    if not isinstance(found["type"], str):
        raise WrongValueError('Field "type" must be of type String')
    for member in members:
        kind = table().type(member).get("type")
        if kind is not None and kind.words == (f"={found['type']}",):
            return check_object(value, member)
    raise WrongValueError(UNION_WORDS.get(union, "Unsupported type specified").format(type=found["type"]))


def _named(value: object, word: str) -> str:
    """What the value must be, as `JsonObject` says it; a number that is not whole is no *valid* number."""
    if word == "Integer":
        return "a valid Number" if isinstance(value, str) or _is_number(value) else "a Number"
    if word.endswith("[]"):
        return "of type Array"
    if word.startswith("="):
        return "of type String"
    return f"of type {_TYPE_NAMES.get(word, 'Object')}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def whole(value: object, limit: int = INT64) -> int | None:
    """The whole number that this value is, a text only when it is written as the server would write the number."""
    if isinstance(value, str) and _INTEGER.fullmatch(value) is not None:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and -limit <= value < limit:
        return value
    return None


def _is_integer(value: object) -> bool:
    return whole(value) is not None


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


_SHAPES: dict[str, Callable[[object], bool]] = {
    "String": lambda value: isinstance(value, str) or _is_number(value),
    "InputFile": lambda value: isinstance(value, str),
    "Integer": _is_integer,
    "Float": _is_number,
    "Boolean": lambda value: isinstance(value, bool),
    "[]": lambda value: isinstance(value, list),
    "Union": lambda value: isinstance(value, str | list | dict),
}
