"""A card as JSON and back, for the outbox: what is to be shown outlives the process."""

import json
from dataclasses import fields
from typing import Any

from msgspec import to_builtins
from msgspec.json import encode

from bossbot.channel.card import Block, Button, ButtonStyle, Card, Code, Markdown, Note, Plain, Row, Rows, Tone

_BLOCKS: dict[str, type[Block]] = {"markdown": Markdown, "plain": Plain, "code": Code, "rows": Rows, "note": Note}
_KINDS = {cls: (name, tuple(field.name for field in fields(cls))) for name, cls in _BLOCKS.items()}


def card_to_json(card: Card) -> str:
    """The card as compact JSON; equal cards give equal text."""
    raw = {
        "title": card.title,
        "tone": card.tone,
        "blocks": [_raw(block) for block in card.blocks],
        "buttons": card.buttons,
        "fallback": card.fallback,
    }
    try:
        return encode(raw).decode()
    except UnicodeEncodeError:  # a program's output may hold half a character: it stays escaped
        return json.dumps(to_builtins(raw), separators=(",", ":"))


def _raw(block: Block) -> dict[str, object]:
    kind, names = _KINDS[type(block)]
    return {"kind": kind, **{name: getattr(block, name) for name in names}}


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
