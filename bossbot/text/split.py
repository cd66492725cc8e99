"""Cuts pieces into groups that each fit one platform message. Nothing is lost: they hold every character, in order.

A piece that fits a message of its own is never cut. Longer text is cut at a line or word end; longer code at a line
end, and every part of it is numbered, so that nobody takes a part of a command for the whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bossbot.text.pieces import Fence, Piece, Rule, Span, Text
from bossbot.text.widths import utf16_cut, utf16_len

Cost = tuple[int, ...]
CostOf = Callable[[Piece], Cost]
"""What a piece takes of each limit (characters, entities, blocks …), with its separator. Costs add up.

The first number counts characters, at least one for each, so that a cut need not look further than the limit.
"""

_NEAR_END = 0.6  # a line or word end in the last 40 % of the room is worth a shorter part


def split(pieces: Sequence[Piece], cost: CostOf, limit: Cost) -> list[list[Piece]]:
    """Groups whose summed cost is within `limit` in every dimension; at least one group, which may be empty."""
    groups: list[list[Piece]] = [[]]
    used: Cost = tuple(0 for _ in limit)
    for piece in pieces:
        for part in _cut_to_fit(piece, cost, limit, used):
            price = cost(part)
            if groups[-1] and not _within(_add(used, price), limit):
                groups.append([])
                used = tuple(0 for _ in limit)
            groups[-1].append(part)
            used = _add(used, price)
    return groups


def _cut_to_fit(piece: Piece, cost: CostOf, limit: Cost, used: Cost) -> list[Piece]:
    """The piece as it is where a message can hold it, else its parts; the first fills a message that is half empty."""
    if isinstance(piece, Rule) or (len(_characters(piece)) <= limit[0] and _within(cost(piece), limit)):
        return [piece]
    half_empty = all(2 * taken <= most for taken, most in zip(used, limit, strict=True))
    first = tuple(most - taken for taken, most in zip(used, limit, strict=True)) if half_empty else limit
    return list(_cut(piece, cost, first, limit))


def _cut(piece: Text | Fence, cost: CostOf, first: Cost, limit: Cost) -> Sequence[Text | Fence]:
    """Parts of which the first is within `first` and the others within `limit`; a part has at least one character."""
    parts: list[Text | Fence] = []
    rest = piece
    while True:
        allowed = first if not parts else limit
        text = _characters(rest)
        if len(text) <= allowed[0] and _within(cost(_numbered(rest, 999, 999)), allowed):
            break
        at = _good_cut(text, _room(rest, len(text), cost, allowed))
        if at >= len(text):
            break
        parts.append(_head(rest, at))
        rest = _tail(rest, at)
    parts.append(rest)
    return [_numbered(part, number, len(parts)) for number, part in enumerate(parts, 1)]


def _room(piece: Text | Fence, length: int, cost: CostOf, allowed: Cost) -> int:
    """How many characters of a piece fit, by bisection; fitting is monotone."""
    low, high = 0, min(length, allowed[0])
    head = _numbered(_head(piece, high), 999, 999)
    while low < high:
        middle = (low + high + 1) // 2
        if _within(cost(_head(head, middle)), allowed):
            low = middle
        else:
            high = middle - 1
    return low


def _characters(piece: Text | Fence) -> str:
    return piece.text if isinstance(piece, Fence) else "".join(span.text for span in piece.spans)


def _head(piece: Text | Fence, at: int) -> Text | Fence:
    if isinstance(piece, Fence):
        return replace(piece, text=piece.text[:at])
    return replace(piece, spans=take(piece.spans, at))


def _tail(piece: Text | Fence, at: int) -> Text | Fence:
    """What follows; a list's marker stands only before its beginning."""
    if isinstance(piece, Fence):
        return replace(piece, text=piece.text[at:])
    return replace(piece, spans=drop(piece.spans, at), marker="")


def _numbered(piece: Text | Fence, number: int, count: int) -> Text | Fence:
    return replace(piece, part=number, parts=count) if isinstance(piece, Fence) else piece


def take(spans: tuple[Span, ...], count: int) -> tuple[Span, ...]:
    """The first `count` characters, styles kept."""
    taken: list[Span] = []
    for span in spans:
        if count <= 0:
            break
        taken.append(span if len(span.text) <= count else replace(span, text=span.text[:count]))
        count -= len(span.text)
    return tuple(taken)


def drop(spans: tuple[Span, ...], count: int) -> tuple[Span, ...]:
    """All but the first `count` characters, styles kept."""
    kept: list[Span] = []
    for span in spans:
        if count <= 0:
            kept.append(span)
        elif count < len(span.text):
            kept.append(replace(span, text=span.text[count:]))
        count -= len(span.text)
    return tuple(kept)


def _good_cut(text: str, room: int) -> int:
    """Where to cut in the first `room` characters: after the last line or word, else between two signs; at least 1."""
    room = max(room, 1)
    if room >= len(text):
        return len(text)
    for mark in "\n ":
        at = text.rfind(mark, int(room * _NEAR_END), room)
        if at >= 0:
            return at + 1
    return max(utf16_cut(text[: room + 1], utf16_len(text[:room])), 1)


def _add(left: Cost, right: Cost) -> Cost:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _within(cost: Cost, limit: Cost) -> bool:
    return all(a <= b for a, b in zip(cost, limit, strict=True))
