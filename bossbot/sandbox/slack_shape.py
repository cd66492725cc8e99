"""A small language for shapes of JSON, with the complaints that Slack makes about them.

A check gets a value and the place it stands at, and adds complaints; it raises nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bossbot.sandbox.json_types import as_list, as_object

Check = Callable[[object, str, "Complaints"], None]


@dataclass(slots=True)
class Complaints:
    """What is wrong, in Slack's words: a sentence and a JSON pointer."""

    messages: list[str] = field(default_factory=list)

    def add(self, message: str, at: str) -> None:
        self.messages.append(f"[ERROR] {message} [json-pointer:{at}]")


def string(longest: int, shortest: int = 0) -> Check:
    """A string of `shortest` to `longest` characters."""

    def check(value: object, at: str, found: Complaints) -> None:
        if not isinstance(value, str):
            found.add("must be a string", at)
        elif len(value) > longest:
            found.add(f"must be less than {longest + 1} characters", at)
        elif len(value) < shortest:
            found.add(f"must be more than {shortest - 1} characters", at)

    return check


def boolean(value: object, at: str, found: Complaints) -> None:
    if not isinstance(value, bool):
        found.add("must be a boolean", at)


def number(value: object, at: str, found: Complaints) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        found.add("must be a number", at)


def integer(least: int, most: int) -> Check:
    """A whole number from `least` to `most`."""

    def check(value: object, at: str, found: Complaints) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            found.add("must be an integer", at)
        elif not least <= value <= most:
            found.add(f"must be between {least} and {most}", at)

    return check


def matching(pattern: str, what: str) -> Check:
    """A string of a form, named `what` in the complaint."""
    form = re.compile(pattern)

    def check(value: object, at: str, found: Complaints) -> None:
        if not isinstance(value, str):
            found.add("must be a string", at)
        elif form.fullmatch(value) is None:
            found.add(f"must be {what}", at)

    return check


def both(*checks: Check) -> Check:
    """All of these checks, one after another."""

    def check(value: object, at: str, found: Complaints) -> None:
        for each in checks:
            each(value, at, found)

    return check


def exactly_one(*names: str) -> Check:
    """An object with one of these fields and not the others."""
    return _some_of(names, most=1)


def at_least_one(*names: str) -> Check:
    """An object with at least one of these fields."""
    return _some_of(names, most=len(names))


def _some_of(names: tuple[str, ...], most: int) -> Check:
    listed = " or ".join(names)

    def check(value: object, at: str, found: Complaints) -> None:
        body = as_object(value) or {}
        there = [name for name in names if body.get(name) is not None]
        if not there:
            found.add(f"missing required field: {listed}", at)
        elif len(there) > most:
            found.add(f"only one of {listed} is allowed", at)

    return check


def anything(value: object, at: str, found: Complaints) -> None:
    """A part whose inside is not judged."""


def one_of(*allowed: str) -> Check:
    def check(value: object, at: str, found: Complaints) -> None:
        if value not in allowed:
            found.add("must be a valid enum value", at)

    return check


def items(check_item: Check, most: int, fewest: int = 0) -> Check:
    """An array of `fewest` to `most` items, each checked."""

    def check(value: object, at: str, found: Complaints) -> None:
        values = as_list(value)
        if values is None:
            found.add("must be an array", at)
            return
        if len(values) > most:
            found.add(f"no more than {most} items allowed", at)
        if len(values) < fewest:
            found.add(f"no fewer than {fewest} items allowed", at)
        for index, item in enumerate(values[:most]):
            check_item(item, f"{at}/{index}", found)

    return check


def shape(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object with these fields and no others. `type` is looked at by `by_type`."""
    known = {**required, **(optional or {})}
    needed = tuple(required)

    def check(value: object, at: str, found: Complaints) -> None:
        if not isinstance(value, dict):
            found.add("must be an object", at)
            return
        for name in needed:
            if value.get(name) is None:
                found.add(f"missing required field: {name}", at)
        for name, part in value.items():
            judge = known.get(name)
            if judge is None:
                if name != "type":
                    found.add(f"invalid additional property: {name}", at)
            elif part is not None:
                judge(part, f"{at}/{name}", found)

    return check


def by_type(shapes: Mapping[str, Check]) -> Check:
    """An object whose `type` says which shape it must have."""

    def check(value: object, at: str, found: Complaints) -> None:
        if not isinstance(value, dict):
            found.add("must be an object", at)
            return
        kind = value.get("type")
        judge = shapes.get(kind) if isinstance(kind, str) else None
        if judge is not None:
            judge(value, at, found)
        elif kind is None:
            found.add("missing required field: type", at)
        else:
            found.add(f"unsupported type: {kind}", f"{at}/type")

    return check


def later(find: Callable[[], Check]) -> Check:
    """A check that is defined further down (blocks within blocks)."""

    def check(value: object, at: str, found: Complaints) -> None:
        find()(value, at, found)

    return check
