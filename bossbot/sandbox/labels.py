"""Finding a button by what is written on it, the way a person does."""

from typing import TypeVar

from bossbot.sandbox.control import ControlError

Button = TypeVar("Button")


def match_label(label: str, buttons: list[tuple[str, Button]], where: str, first: bool = False) -> Button:
    """The button with exactly this label; else the one with it whatever its case and leading emoji.

    Several that match are ambiguous, unless `first` asks for the first of them.
    """
    found = [button for text, button in buttons if text == label]
    if not found:
        wanted = plain(label)
        found = [button for text, button in buttons if plain(text) == wanted]
    if len(found) == 1 or (found and first):
        return found[0]
    there = ", ".join(repr(text) for text, _ in buttons) or "none"
    problem = "several buttons" if found else "no button"
    raise ControlError(404, f"{where} has {problem} labelled {label!r}; its buttons: {there}")


def plain(label: str) -> str:
    """The label in small letters, without what stands before its first letter or digit."""
    begin = next((index for index, character in enumerate(label) if character.isalnum()), 0)
    return " ".join(label[begin:].casefold().split())
