"""Formatted text that belongs to no platform yet: a flat list of pieces, each a run of styled spans or a block of code.

Flat, because neither Telegram entities nor Slack rich text nest freely, and because a flat list can be cut anywhere.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of one style. `url` makes them a link; only http, https and mailto get this far."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, heading, list item or line. `marker` stands before it ("• ", "2. "), `indent` is its list depth.

    `tight` joins it to the piece before without a blank line; `quote` is how deep it is quoted; `small` is small print.
    """

    spans: tuple[Span, ...]
    heading: int = 0
    quote: int = 0
    indent: int = 0
    marker: str = ""
    tight: bool = False
    small: bool = False


@dataclass(frozen=True, slots=True)
class Fence:
    """Monospace text. One that was cut says which part of how many it is (from 1)."""

    text: str
    language: str = ""
    part: int = 1
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Piece = Text | Fence | Rule


def plain_text(piece: Piece) -> str:
    """The characters of a piece without any style, as the last resort shows them."""
    match piece:
        case Text():
            return "  " * piece.indent + piece.marker + "".join(_with_target(span) for span in piece.spans)
        case Fence():
            return part_label(piece, "\n") + piece.text
        case Rule():
            return "———"


def part_label(fence: Fence, end: str) -> str:
    """`Part 2 of 3` and `end` where the fence was cut, else nothing."""
    return f"Part {fence.part} of {fence.parts}{end}" if fence.parts > 1 else ""


def joined(pieces: list[Piece]) -> str:
    """Plain text of a list of pieces, with the blank lines between them."""
    text = ""
    for piece in pieces:
        text += ("" if not text else separator(piece)) + plain_text(piece)
    return text


def separator(piece: Piece) -> str:
    """What stands between the piece before and this one."""
    return "\n" if isinstance(piece, Text) and piece.tight else "\n\n"


def _with_target(span: Span) -> str:
    return f"{span.text} ({span.url})" if span.url and span.url != span.text else span.text
