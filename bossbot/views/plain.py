"""Any card in plain words: for a platform that refuses it as it is. Everything can be read, nothing is formatted."""

from bossbot.channel import Block, Card, Code, Markdown, Note, Plain, Row, Rows


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
        case Markdown(text=text) | Plain(text=text) | Code(text=text) | Note(text=text):
            return [text]


def _row(row: Row) -> str:
    return f"{'  ' * row.level}- {row.label}" + (f": {row.detail}" if row.detail else "")
