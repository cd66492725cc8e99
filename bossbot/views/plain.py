"""Any card in plain words: for a platform that refuses it as it is. Everything can be read, nothing is formatted.

What formatting told apart is told apart by signs: a command bears a bar before each of its lines, so that none of them
can be taken for a line of ours.
"""

from bossbot.channel import Block, Card, Code, Markdown, Note, Plain, Row, Rows
from bossbot.text import visible


def plain(card: Card) -> Card:
    """Title, blocks and all, as one text; the same buttons."""
    lines = [card.title] if card.title else []
    for block in card.blocks:
        lines += _words(block)
    return Card(blocks=(Plain("\n".join(lines) or card.fallback),), buttons=card.buttons, fallback=card.fallback)


def _words(block: Block) -> list[str]:
    match block:
        case Rows(rows=rows, heading=heading):
            return ([heading] if heading else []) + [_row(row) for row in rows]
        case Code(text=text):
            return [f"│ {line}" for line in visible(text).splitlines()]
        case Markdown(text=text) | Plain(text=text) | Note(text=text):
            return [text]


def _row(row: Row) -> str:
    label, detail = " ".join(row.label.split()), " ".join(row.detail.split())
    return f"{'  ' * row.level}- {label}" + (f": {detail}" if detail else "")
