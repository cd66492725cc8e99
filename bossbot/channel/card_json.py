"""A card as JSON and back, for the outbox: what is to be shown outlives the process."""

import json
from dataclasses import fields

from msgspec import DecodeError, convert, to_builtins
from msgspec.json import decode, encode

from bossbot.channel.card import Block, Button, Card, Code, Markdown, Note, Plain, Rows, Tone

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
    try:
        raw = decode(text)
    except DecodeError:  # half a character, see above
        raw = json.loads(text)
    return Card(
        title=raw["title"],
        tone=Tone(raw["tone"]),
        blocks=tuple([convert(block, _BLOCKS[block["kind"]]) for block in raw["blocks"]]),
        buttons=convert(raw["buttons"], tuple[tuple[Button, ...], ...]),
        fallback=raw["fallback"],
    )
