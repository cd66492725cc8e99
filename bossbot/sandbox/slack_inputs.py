"""What people choose and type in interactive elements: each kind's value, as `actions` and `state` tell it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.slack_elements import parts

Values = dict[str, dict[str, Json]]
"""`state.values`: by block_id, then by action_id."""
DATE, TIME = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"), re.compile(r"([01]\d|2[0-3]):[0-5]\d")
EMAIL, ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"), re.compile(r"https?://\S+")
WHOLE, DECIMAL = re.compile(r"-?\d+"), re.compile(r"-?\d+(\.\d+)?")


class WrongValueError(ValueError):
    """A person could not choose or type this here; says what they could."""


@dataclass(frozen=True, slots=True)
class Input:
    """One kind of element: the field its value is told in, the one its first value comes from, and what it takes."""

    field: str
    initial: str
    source: str
    many: bool = False


INPUTS: dict[str, Input] = {
    "static_select": Input("selected_option", "initial_option", "option"),
    "external_select": Input("selected_option", "initial_option", "option"),
    "users_select": Input("selected_user", "initial_user", "user"),
    "conversations_select": Input("selected_conversation", "initial_conversation", "channel"),
    "channels_select": Input("selected_channel", "initial_channel", "channel"),
    "multi_static_select": Input("selected_options", "initial_options", "option", many=True),
    "multi_external_select": Input("selected_options", "initial_options", "option", many=True),
    "multi_users_select": Input("selected_users", "initial_users", "user", many=True),
    "multi_conversations_select": Input("selected_conversations", "initial_conversations", "channel", many=True),
    "multi_channels_select": Input("selected_channels", "initial_channels", "channel", many=True),
    "checkboxes": Input("selected_options", "initial_options", "option", many=True),
    "radio_buttons": Input("selected_option", "initial_option", "option"),
    "overflow": Input("selected_option", "", "option"),
    "datepicker": Input("selected_date", "initial_date", "date"),
    "timepicker": Input("selected_time", "initial_time", "time"),
    "datetimepicker": Input("selected_date_time", "initial_date_time", "moment"),
    "plain_text_input": Input("value", "initial_value", "text"),
    "email_text_input": Input("value", "initial_value", "email"),
    "url_text_input": Input("value", "initial_value", "url"),
    "number_input": Input("value", "initial_value", "number"),
    "rich_text_input": Input("rich_text_value", "initial_value", "rich_text"),
}
UNSTATED = frozenset({"overflow"})
"""Chosen like a select, and not part of any state."""
EXTERNAL = frozenset({"external_select", "multi_external_select"})
"""Their options are the app's suggestions for what was typed."""


def first_values(blocks: list[Json]) -> Values:
    """The state of blocks that nobody has touched: what has a first value has it, the rest is empty."""
    found: Values = {}
    for block, element in parts(blocks):
        kind = INPUTS.get(str(element.get("type")))
        if kind is None or element.get("type") in UNSTATED:
            continue
        value = element.get(kind.initial)
        entry: Json = {"type": element["type"], kind.field: [] if kind.many and value is None else value}
        found.setdefault(str(block.get("block_id")), {})[str(element.get("action_id"))] = entry
    return found


def carried_over(blocks: list[Json], before: Values) -> Values:
    """The state of new blocks: what stands under the same ids and is of the same kind keeps its value."""
    found = first_values(blocks)
    for block_id, entries in found.items():
        for action_id, entry in entries.items():
            kept = before.get(block_id, {}).get(action_id)
            if kept is not None and kept.get("type") == entry["type"]:
                entries[action_id] = kept
    return found


def chosen(element: Json, wanted: list[object], exists: Callable[[str, str], bool]) -> Json:
    """What choosing or typing `wanted` makes of an element: its entry in the state.

    `exists` says whether there is a `user` or `channel` of an id. Raises `WrongValueError`.
    """
    kind = INPUTS.get(str(element.get("type")))
    if kind is None:
        raise WrongValueError(f"nothing can be chosen in a {element.get('type')}")
    if not kind.many and len(wanted) > 1:
        raise WrongValueError(f"a {element['type']} takes one value, not {len(wanted)}")
    most = element.get("max_selected_items")
    if isinstance(most, int) and len(wanted) > most:
        raise WrongValueError(f"no more than {most} can be chosen")
    values = [_value(element, kind.source, value, exists) for value in wanted]
    return {"type": element["type"], kind.field: values if kind.many else values[0] if values else None}


def is_empty(entry: Json) -> bool:
    """Was nothing chosen or typed?"""
    kind = INPUTS[str(entry["type"])]
    return entry.get(kind.field) in (None, "", [])


def _value(element: Json, source: str, value: object, exists: Callable[[str, str], bool]) -> object:
    if source == "option":
        return _option(element, str(value))
    if source in ("user", "channel"):
        if not exists(source, str(value)):
            raise WrongValueError(f"there is no {source} {value!r}")
        return str(value)
    if source == "moment":
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongValueError("a datetimepicker takes seconds since the epoch, as a number")
        return value
    if source == "rich_text":
        return as_object(value) or _as_rich_text(str(value))
    return _typed(element, source, str(value))


def _option(element: Json, wanted: str) -> Json:
    there = options(element)
    by_value = [option for option in there if option.get("value") == wanted]
    found = by_value or [option for option in there if _label(option) == wanted]
    if not found:
        names = ", ".join(repr(str(option.get("value"))) for option in there) or "none yet"
        raise WrongValueError(f"there is no option {wanted!r}; there are {names}")
    return found[0]


def options(element: Json) -> list[Json]:
    """The options of an element, those of its groups too."""
    groups = [as_object(group) or {} for group in as_list(element.get("option_groups")) or []]
    lists = [element.get("options"), *(group.get("options") for group in groups)]
    return [option for values in lists for item in as_list(values) or [] if (option := as_object(item)) is not None]


def _label(option: Json) -> str:
    return str((as_object(option.get("text")) or {}).get("text"))


def _typed(element: Json, source: str, text: str) -> str:
    shapes = {
        "date": (DATE, "a date as 2026-11-30"),
        "time": (TIME, "a time as 09:30"),
        "email": (EMAIL, "an e-mail address"),
        "url": (ADDRESS, "an address that begins with http:// or https://"),
        "number": (DECIMAL if element.get("is_decimal_allowed") else WHOLE, "a number"),
    }
    if source in shapes:
        shape, what = shapes[source]
        if text and not (shape.fullmatch(text) and (source != "date" or _is_day(text))):
            raise WrongValueError(f"{text!r} is not {what}")
        if text and source == "number":
            _check_bounds(element, Decimal(text))
    shortest, longest = element.get("min_length"), element.get("max_length")
    if isinstance(shortest, int) and len(text) < shortest:
        raise WrongValueError(f"at least {shortest} characters are needed")
    if isinstance(longest, int) and len(text) > longest:
        raise WrongValueError(f"no more than {longest} characters are taken")
    return text


def _is_day(text: str) -> bool:
    """Is there such a day? 30 February is none."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_bounds(element: Json, number: Decimal) -> None:
    """A number must lie within `min_value` and `max_value`; those that are no numbers bound nothing."""
    for name, beyond in (("min_value", number.__lt__), ("max_value", number.__gt__)):
        bound = element.get(name)
        if isinstance(bound, str) and DECIMAL.fullmatch(bound) and beyond(Decimal(bound)):
            raise WrongValueError(f"{number} is beyond the {name}, {bound}")


def _as_rich_text(text: str) -> Json:
    section: Json = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "elements": [section]}
