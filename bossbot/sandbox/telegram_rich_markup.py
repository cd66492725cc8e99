"""Rich messages written in HTML or Markdown → blocks, as a likeness of what Telegram's servers make of them.

Their rules are in no public code. This knows the tags and the Markdown that Telegram documents, takes what is
unknown as text, refuses nothing, and finds no mentions or addresses by itself.
"""

import functools
from typing import TYPE_CHECKING

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_html import Element, tree

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MARKS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "mark": "marked",
    "sub": "subscript", "sup": "superscript", "tg-spoiler": "spoiler",
}  # fmt: skip
_BLOCKS = frozenset(
    {
        "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "ul", "ol", "table", "blockquote", "details", "hr", "footer",
        "tg-thinking", "div",
    }
)  # fmt: skip
RichText = str | list[object] | Json


def markdown_blocks(source: str) -> list[Json]:
    """Markdown, with the HTML in it."""
    return html_blocks(_markdown().render(source))


def html_blocks(source: str) -> list[Json]:
    return _blocks(tree(source))


@functools.cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # 30 ms: only for the first rich message of this kind

    return MarkdownIt("commonmark", {"html": True, "maxNesting": 30}).enable(["table", "strikethrough"])


def _blocks(parent: Element) -> list[Json]:
    """Block elements one by one; what stands between them is paragraphs."""
    found: list[Json] = []
    run: list[Element | str] = []
    for child in [*parent.children, Element("hr")]:
        if isinstance(child, Element) and child.tag in _BLOCKS:
            text = _text(run)
            if _seen(text):
                found.append({"type": "paragraph", "text": text})
            run = []
            found += _block(child)
        else:
            run.append(child)
    return found[:-1]


def _block(element: Element) -> list[Json]:
    tag = element.tag
    if tag == "div" or (tag == "p" and element.find(*_BLOCKS)):
        return _blocks(element)
    if tag in _NESTING:
        return [_NESTING[tag](element)]
    if tag == "hr":
        return [{"type": "divider"}]
    if tag == "blockquote" and "expandable" not in element.attributes:
        return [{"type": "blockquote", "blocks": _blocks(element)}]
    text = _text(element.children)
    if tag == "p":
        return [{"type": "paragraph", "text": text}] if _seen(text) else []
    if tag[0] == "h" and tag[1:].isdigit():
        return [{"type": "heading", "text": text, "size": int(tag[1:])}]
    kind = "expandable_blockquote" if tag == "blockquote" else tag.removeprefix("tg-")
    return [{"type": kind, "text": text}]


def _list(element: Element) -> Json:
    return {"type": "list", "items": [_item(item, element, place) for place, item in enumerate(element.find("li"))]}


def _pre(element: Element) -> Json:
    code = next(iter(element.find("code")), element)
    block: Json = {"type": "pre", "text": _plain(code).removesuffix("\n")}
    language = code.attributes.get("class", "").removeprefix("language-")
    return {**block, "language": language} if language else block


def _item(element: Element, parent: Element, place: int) -> Json:
    blocks = _blocks(element)
    item: Json = {"label": "•", "blocks": blocks or [{"type": "paragraph", "text": ""}]}
    if parent.tag == "ol":
        start = parent.attributes.get("start", "1")
        value = place + (int(start) if start.isdecimal() else 1)
        item.update({"label": f"{value}.", "value": value, "type": "1"})
    boxes = [box for box in element.find("input") if box.attributes.get("type") == "checkbox"]
    first = blocks[0].get("text") if blocks else None
    begin = first[:3].lower() if isinstance(first, str) else ""
    if boxes or begin in ("[ ]", "[x]"):
        item["has_checkbox"] = True
        if begin in ("[ ]", "[x]") and isinstance(first, str):
            blocks[0]["text"] = first[3:].lstrip()
        if begin == "[x]" or any("checked" in box.attributes for box in boxes):
            item["is_checked"] = True
    return item


def _table(element: Element) -> Json:
    rows = [[_cell(cell) for cell in row.find("td", "th")] for row in element.find("tr")]
    block: Json = {"type": "table", "cells": rows}
    block.update({f"is_{name}": True for name in ("bordered", "striped", "compact") if name in element.attributes})
    caption = next(iter(element.find("caption")), None)
    return block if caption is None else {**block, "caption": _text(caption.children)}


def _cell(element: Element) -> Json:
    style, header = element.attributes.get("style", ""), element.tag == "th"
    told = element.attributes.get("align") or style.removeprefix("text-align:")
    align = told if told in ("left", "center", "right") else "center" if header else "left"
    cell: Json = {"align": align, "valign": "middle"}
    cell.update(
        {
            name: int(element.attributes[name])
            for name in ("colspan", "rowspan")
            if element.attributes.get(name, "").isdecimal()
        }
    )
    text = _text(element.children)
    if _seen(text):
        cell["text"] = text
    return {**cell, "is_header": True} if header else cell


def _details(element: Element) -> Json:
    summary = next((child for child in element.children if isinstance(child, Element) and child.tag == "summary"), None)
    inner = Element("", {}, [child for child in element.children if child is not summary])
    block: Json = {"type": "details", "summary": _text(summary.children) if summary else "", "blocks": _blocks(inner)}
    return {**block, "is_open": True} if "open" in element.attributes else block


_NESTING = {"pre": _pre, "ul": _list, "ol": _list, "table": _table, "details": _details}


def _text(children: list[Element | str]) -> RichText:
    """The text of a block: blanks at its ends are not shown."""
    parts = _run(children)
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return _joined([part for part in parts if part != ""])


def _joined(parts: list[object]) -> RichText:
    if len(parts) == 1 and isinstance(parts[0], str | dict):
        return parts[0]
    return parts or ""


def _run(children: list[Element | str]) -> list[object]:
    """Inline content: strings and marks, no two strings beside each other."""
    parts: list[object] = []
    for child in children:
        found = _inline(child)
        for part in found if isinstance(found, list) else [found]:
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            elif part != "":
                parts.append(part)
    return parts


def _inline(child: Element | str) -> RichText:
    if isinstance(child, str):
        return child.replace("\n", " ")
    if child.tag == "br":
        return "\n"
    text = _joined(_run(child.children))
    if child.tag in _MARKS:
        return {"type": _MARKS[child.tag], "text": text}
    address = child.attributes.get("href")
    if child.tag == "a" and address:
        return {"type": "url", "text": text, "url": address}
    if child.tag == "a" and child.attributes.get("name"):
        return {"type": "anchor", "name": child.attributes["name"]}
    return text


def _plain(element: Element) -> str:
    return "".join(child if isinstance(child, str) else _plain(child) for child in element.children)


def _seen(text: RichText) -> bool:
    return bool(text.strip()) if isinstance(text, str) else bool(text)
