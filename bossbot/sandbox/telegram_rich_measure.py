"""How large a rich message is, and whether Telegram's server takes it.

The limits are TDLib's options and the documentation's; the names of the refusals are those of Telegram's own
server, as others saw them in July 2026.
"""

from dataclasses import dataclass

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_limits import (
    RICH_BLOCKS,
    RICH_DEPTH,
    RICH_MEDIA,
    RICH_TABLE_COLUMNS,
    RICH_TEXT_LENGTH,
)

_MEDIA = frozenset({"photo", "document", "video", "audio", "animation", "voice_note"})
_BLOCK_TEXTS = ("text", "summary", "credit", "caption")
_WORDS = ("alternative_text", "expression")
"""What stands for text where there is none."""


@dataclass(slots=True)
class Size:
    """Characters in code points, blocks with list items and table rows, nesting, media, columns."""

    characters: int = 0
    blocks: int = 0
    depth: int = 0
    media: int = 0
    columns: int = 0
    visible: bool = False
    """Is there anything to see? A message of empty texts is none."""


def check_limits(blocks: list[Json]) -> None:
    """Raises the server's refusal of a message that is empty or too large."""
    size = measured(blocks)
    if not size.visible:
        raise refused("RICH_MESSAGE_EMPTY")
    for found, limit, name in (
        (size.characters, RICH_TEXT_LENGTH, "TEXT_TOO_LONG"),
        (size.blocks, RICH_BLOCKS, "BLOCKS_TOO_MANY"),
        (size.media, RICH_MEDIA, "MEDIA_TOO_MANY"),
        (size.columns, RICH_TABLE_COLUMNS, "TABLE_COLS_TOO_MANY"),
    ):
        if found > limit:
            raise refused(f"RICH_MESSAGE_{name}")
    if size.depth > RICH_DEPTH:
        raise refused("RICH_MESSAGE_DEPTH_INVALID")


def measured(blocks: list[Json]) -> Size:
    size = Size()
    for block in blocks:
        _block(block, size, 1)
    return size


def _block(block: Json, size: Size, depth: int) -> None:
    kind = block["type"]
    size.blocks += 1
    size.depth = max(size.depth, depth)
    size.media += kind in _MEDIA
    size.visible = size.visible or kind in _MEDIA or kind in ("divider", "map", "buttons", "thinking")
    for name in _BLOCK_TEXTS:
        _text(block.get(name), size, depth)
    _words(block, size)
    for inner in as_list(block.get("blocks")) or []:
        _block(as_object(inner) or {}, size, depth + 1)
    for item in as_list(block.get("items")) or []:
        size.blocks += 1
        for inner in as_list((as_object(item) or {})["blocks"]) or []:
            _block(as_object(inner) or {}, size, depth + 1)
    for row in as_list(block.get("cells")) or []:
        size.blocks += 1
        cells = [as_object(cell) or {} for cell in as_list(row) or []]
        size.columns = max(size.columns, sum(int(str(cell.get("colspan") or 1)) for cell in cells))
        for cell in cells:
            _text(cell.get("text"), size, depth)
    for button in as_list(block.get("buttons")) or []:
        _text((as_object(button) or {}).get("text"), size, depth)


def _text(value: object, size: Size, depth: int) -> None:
    """A rich text, or a caption with its text and credit. Each mark around a text is one deeper."""
    if isinstance(value, str):
        size.characters += len(value)
        size.visible = size.visible or bool(value.strip())
    for item in as_list(value) or []:
        _text(item, size, depth)
    mark = as_object(value)
    if mark is None:
        return
    inner = depth if "type" not in mark else depth + 1
    size.depth = max(size.depth, inner)
    for name in ("text", "credit"):
        _text(mark.get(name), size, inner)
    _text((as_object(mark.get("button")) or {}).get("text"), size, inner)
    _words(mark, size)


def _words(body: Json, size: Size) -> None:
    for name in _WORDS:
        word = body.get(name)
        if isinstance(word, str):
            size.characters += len(word)
            size.visible = size.visible or bool(word.strip())
