"""A card as JSON and back, for the outbox: what is to be shown outlives the process."""

import json
from typing import Any

from msgspec import to_builtins

from bossbot.channel.card import Block, Button, ButtonStyle, Card, Code, Markdown, Note, Plain, Row, Rows, Tone

_BLOCKS: dict[str, type[Block]] = {"markdown": Markdown, "plain": Plain, "code": Code, "rows": Rows, "note": Note}
_NAMES = {cls: name for name, cls in _BLOCKS.items()}


def card_to_json(card: Card) -> str:
    """The card as compact JSON; equal cards give equal text."""
    return json.dumps(
        {
            "title": card.title,
            "tone": card.tone.value,
            "blocks": [{"kind": _NAMES[type(block)], **to_builtins(block)} for block in card.blocks],
            "buttons": to_builtins(card.buttons),
            "fallback": card.fallback,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def card_from_json(text: str) -> Card:
    """The card that `card_to_json` wrote."""
    raw = json.loads(text)
    return Card(
        title=raw["title"],
        tone=Tone(raw["tone"]),
        blocks=tuple(_block(block) for block in raw["blocks"]),
        buttons=tuple(tuple(_button(button) for button in row) for row in raw["buttons"]),
        fallback=raw["fallback"],
    )


def _block(raw: dict[str, Any]) -> Block:
    fields = {key: value for key, value in raw.items() if key != "kind"}
    if raw["kind"] == "rows":
        rows = tuple(Row(**{**row, "tone": Tone(row["tone"])}) for row in fields["rows"])
        return Rows(rows=rows, heading=fields["heading"])
    return _BLOCKS[raw["kind"]](**fields)


def _button(raw: dict[str, Any]) -> Button:
    return Button(label=raw["label"], action=raw["action"], style=ButtonStyle(raw["style"]))
