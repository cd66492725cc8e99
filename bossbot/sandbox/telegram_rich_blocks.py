"""The blocks of a rich message: TDLib's checks, and the shape in which Telegram gives them back.

Their types were checked before. Sources: T = tdlib/td, WebPageBlock.cpp; D = Telegram's documentation; S =
Telegram's own server, as others saw it.
"""

from collections.abc import Callable
from typing import cast

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.telegram_call import Call
from bossbot.sandbox.telegram_errors import TelegramError, refused
from bossbot.sandbox.telegram_limits import RICH_BUTTONS
from bossbot.sandbox.telegram_rich_buttons import check_buttons
from bossbot.sandbox.telegram_uploads import MediaKind, kept_upload

_ALIGNMENTS = ("left", "center", "right")
_VERTICAL = ("top", "middle", "bottom")
_LABEL_TYPES = frozenset("aAiI1")
_MAP_SIDES = 10_000
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


def shown_blocks(call: Call, given: list[object], is_draft: bool) -> list[Json]:
    """The blocks as a message carries them. `thinking` is for drafts only."""
    blocks = [_Reader(call, is_draft).block(as_object(block) or {}) for block in given]
    check_buttons(blocks)
    return blocks


class _Reader:
    def __init__(self, call: Call, is_draft: bool) -> None:
        self._call = call
        self._is_draft = is_draft

    def block(self, given: Json) -> Json:
        kind = str(given["type"])
        if kind == "thinking" and not self._is_draft:
            raise refused("RICH_MESSAGE_THINKING_INVALID")  # the rule is D, the name is ours
        known = _KINDS.get(kind)
        return _kept(given) if known is None else known(self, given)

    def blocks(self, value: object) -> list[Json]:
        return [self.block(as_object(item) or {}) for item in as_list(value) or []]

    def heading(self, given: Json) -> Json:
        if not 1 <= _integer(given, "size") <= 6:
            raise refused("Invalid section heading size specified")  # T
        return {**_kept(given), "size": _integer(given, "size")}

    def list_block(self, given: Json) -> Json:
        items = [self._item(as_object(item) or {}) for item in as_list(given["items"]) or []]
        if not items:
            raise refused("List must be non-empty")  # T
        if len({"type" in item for item in items}) > 1:
            raise refused("List must be either ordered or unordered")  # T
        return {"type": "list", "items": items}

    def _item(self, given: Json) -> Json:
        blocks, kind = self.blocks(given["blocks"]), str(given.get("type") or "")
        if kind and (len(kind) != 1 or kind not in _LABEL_TYPES):
            raise refused("Invalid list item type specified")  # T
        item: Json = {"label": "•", "blocks": blocks or [{"type": "paragraph", "text": ""}]}
        if kind:
            value = _integer(given, "value")
            item.update({"label": _label(value, kind), "value": value, "type": kind})
        if given.get("has_checkbox") is True:
            item["has_checkbox"] = True
            if given.get("is_checked") is True:
                item["is_checked"] = True
        return item

    def table(self, given: Json) -> Json:
        rows = [
            [self._cell(as_object(cell) or {}) for cell in as_list(row) or []] for row in as_list(given["cells"]) or []
        ]
        return {**_kept(given), "cells": rows}

    def _cell(self, given: Json) -> Json:
        header = given.get("is_header") is True
        cell: Json = {
            "align": _one_of(given, "align", _ALIGNMENTS, "center" if header else "left", "horizontal"),
            "valign": _one_of(given, "valign", _VERTICAL, "middle", "vertical"),
        }
        for name in ("colspan", "rowspan"):
            if _integer(given, name) < 0:
                raise refused(f"Invalid table cell {name} specified")  # T
            if _integer(given, name) > 1:
                cell[name] = _integer(given, name)
        if given.get("text"):
            cell["text"] = given["text"]
        return {**cell, "is_header": True} if header else cell

    def nested(self, given: Json) -> Json:
        return {**_kept(given), "blocks": self.blocks(given["blocks"])}

    def buttons(self, given: Json) -> Json:
        found = as_list(given["buttons"]) or []
        if given.get("align"):
            _one_of(given, "align", _ALIGNMENTS, "", "horizontal")
        if not found:
            raise refused("Button row must be non-empty")  # T
        if len(found) > RICH_BUTTONS:
            raise refused("RICH_MESSAGE_BUTTONS_TOO_MANY")  # the limit is D, the name is ours
        return _kept(given)

    def map_block(self, given: Json) -> Json:
        location = as_object(given["location"]) or {}
        latitude, longitude = float(str(location["latitude"])), float(str(location["longitude"]))
        if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
            raise refused("Invalid location specified")  # T
        zoom, width, height = (_integer(given, name) for name in ("zoom", "width", "height"))
        sides = width >= 0 and height >= 0 and width + height <= _MAP_SIDES
        if not (0 <= zoom <= 24 and sides and width <= 20 * height and height <= 20 * width):
            raise refused("Invalid map properties specified")  # T
        return {**_kept(given), "zoom": zoom, "width": width, "height": height}

    def media(self, given: Json) -> Json:
        kind = str(given["type"])
        described = as_object(given[kind]) or {}
        if kind not in ("photo", "document"):
            raise TelegramError(501, f"Not Implemented: the sandbox has no {kind} in rich messages yet")
        media = self._file("photo" if kind == "photo" else "document", str(described.get("media") or ""))
        if kind not in media:
            raise refused("Media not found")  # C
        body = {**_kept(given), kind: media[kind]}
        return {**body, "has_spoiler": True} if described.get("has_spoiler") is True else body

    def _file(self, kind: MediaKind, name: str) -> Json:
        upload = self._call.params.files.get(name.removeprefix("attach://"))
        if name.startswith("attach://") and upload is not None:
            return kept_upload(self._call, kind, upload).media
        known = self._call.world.telegram.files.find(name)
        if known is None:
            raise refused("Media not found")
        return known.media


def _kept(given: Json) -> Json:
    """A block without what is empty or false: the server does not give that back."""
    return {name: value for name, value in given.items() if value not in (None, "", False)}


def _integer(given: Json, name: str) -> int:
    return int(str(given.get(name) or 0))


def _one_of(given: Json, name: str, allowed: tuple[str, ...], default: str, words: str) -> str:
    value = str(given.get(name) or default)
    if value not in allowed:
        raise refused(f"Invalid {words} alignment specified")
    return value


def _label(value: int, kind: str) -> str:
    """The label of an ordered item (T `get_ordered_list_label`)."""
    if value <= 0 or kind == "1":
        return f"{value}."
    if kind in "iI":
        word, rest = "", value
        for number, letters in _ROMAN:
            word += letters * (rest // number)
            rest %= number
    else:
        word, rest = "", value
        while rest > 0:
            rest, letter = divmod(rest - 1, 26)
            word = chr(ord("a") + letter) + word
    return f"{word.upper() if kind.isupper() else word}."


_KINDS = cast(
    "dict[str, Callable[[_Reader, Json], Json]]",
    {
        "heading": _Reader.heading, "list": _Reader.list_block, "table": _Reader.table,
        "blockquote": _Reader.nested, "details": _Reader.nested, "collage": _Reader.nested,
        "slideshow": _Reader.nested, "buttons": _Reader.buttons, "map": _Reader.map_block,
        "photo": _Reader.media, "document": _Reader.media, "video": _Reader.media, "audio": _Reader.media,
        "animation": _Reader.media, "voice_note": _Reader.media,
    },
)  # fmt: skip
