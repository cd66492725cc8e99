"""A card → the pieces that every renderer draws: one meaning for signs, rows and notes on all platforms.

Everything but `Markdown` becomes unformatted spans: what a card holds is shown, never interpreted.
"""

from collections.abc import Mapping
from types import MappingProxyType

from bossbot.channel.card import Block, Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.text import Fence, Piece, Span, Text, neutral, one_line, parse, redact, visible

SIGNS: Mapping[Tone, str] = MappingProxyType(
    {
        Tone.NEUTRAL: "▫️",
        Tone.RUNNING: "⏳",
        Tone.WAITING: "🟡",
        Tone.GOOD: "✅",
        Tone.BAD: "❌",
        Tone.STOPPED: "⏹",
        Tone.UNKNOWN: "❓",
    }
)
"""The sign of each tone: told apart by shape, not by colour alone."""

FALLBACK_MAX = 200  # characters of a notification that phones show


def title_line(card: Card) -> str:
    """The title with the sign of its tone, on one line; a neutral title stands alone."""
    title = _line(card.title)
    return f"{SIGNS[card.tone]} {title}" if title and card.tone is not Tone.NEUTRAL else title


def pieces(card: Card) -> list[Piece]:
    """The blocks of a card without its title. Blocks of nothing but blanks are left out."""
    lowered = [piece for block in card.blocks for piece in _lower(block)]
    return [piece for piece in lowered if not isinstance(piece, Text) or _shows(piece)]


def fallback_line(card: Card) -> str:
    """One line for notifications and old clients: as the card says, else its title, else how it begins."""
    if card.fallback:
        return one_line(redact(card.fallback), FALLBACK_MAX)
    if title := title_line(card):
        return one_line(title, FALLBACK_MAX)
    first = next(iter(pieces(card)), None)
    text = (
        first.text
        if isinstance(first, Fence)
        else "".join(s.text for s in first.spans)
        if isinstance(first, Text)
        else ""
    )
    return one_line(text, FALLBACK_MAX)


def _lower(block: Block) -> list[Piece]:
    match block:
        case Markdown(text=text):
            return parse(text)
        case Plain(text=text):
            return [Text((Span(_prose(text)),))]
        case Note(text=text):
            return [Text((Span(_prose(text)),), small=True)]
        case Code(text=text, language=language):
            return [_code(text, language)]
        case Rows(rows=rows, heading=heading):
            head: list[Piece] = [Text((Span(_line(heading)),), heading=6)] if heading.strip() else []
            return head + [_row(row, tight=bool(head) or at > 0) for at, row in enumerate(rows)]


def _code(text: str, language: str) -> Piece:
    """Blanks alone would show as nothing at all, so they are named."""
    shown = visible(redact(text))
    if shown.strip():
        return Fence(shown, one_line(language, 40))
    return Text((Span("(empty)" if not shown else f"({len(shown)} blank characters)", italic=True),))


def _row(row: Row, *, tight: bool) -> Text:
    detail = _line(row.detail)
    spans = (Span(_line(row.label)), *((Span(f" — {detail}"),) if detail else ()))
    return Text(spans, indent=max(row.level, 0), marker=f"{SIGNS[row.tone]} ", tight=tight)


def _prose(text: str) -> str:
    return neutral(redact(text)).strip("\n")


def _line(text: str) -> str:
    return " ".join(neutral(redact(text)).split())


def _shows(text: Text) -> bool:
    return bool(text.marker) or any(span.text.strip() for span in text.spans)
