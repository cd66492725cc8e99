"""A card → Slack messages of blocks. Only rich text and plain text objects are used, which Slack never parses: no
`<!channel>`, no mention and no link can come from what a card holds. The one field that Slack parses, `text`, is
escaped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bossbot.channel import Button, ButtonStyle, Card
from bossbot.channel.lower import fallback_line, pieces, title_line
from bossbot.text import (
    Fence,
    Piece,
    Rule,
    Span,
    Text,
    joined,
    one_line,
    part_label,
    redact,
    separator,
    split,
    utf16_cut,
    utf16_len,
)

Json = dict[str, object]

MESSAGE_MAX = 11_000  # characters of all blocks together; Slack says msg_blocks_too_long from about 13,200
BLOCKS_MAX = 50  # a message
TEXT_OBJECT_MAX = 3000
CONTEXT_TEXT_MAX = 2000
CONTEXT_ELEMENTS_MAX = 10
HEADER_MAX = 150
LABEL_MAX = 75
BUTTONS_MAX = 25  # an actions block
URL_MAX = 3000
UPDATE_TEXT_MAX = 4000  # chat.update refuses longer texts as msg_too_long
EMPTY = "(empty)"
_BUTTON_ROWS_MAX = 20


@dataclass(frozen=True, slots=True)
class Part:
    """One message: its blocks, the notification text (escaped), and the whole text without any form (not escaped)."""

    blocks: tuple[Json, ...]
    text: str
    plain: str


def render(card: Card) -> list[Part]:
    """The messages that show a card, in order; at least one, each within Slack's limits. Buttons are under the last."""
    title, actions = title_line(card), _actions(card)
    header, head = _header(title)
    groups = split([*head, *pieces(card)], _cost, (MESSAGE_MAX - HEADER_MAX, BLOCKS_MAX - 2 - len(actions)))
    parts = [_part(header if at == 0 else [], group, card if at == 0 else None) for at, group in enumerate(groups)]
    parts = [part for part in parts if part.blocks] or [_part([], [Text((Span(EMPTY, italic=True),))], card)]
    parts[-1] = replace(parts[-1], blocks=(*parts[-1].blocks, *actions))
    return parts


def unformatted(part: Part) -> Part:
    """The same message in the plainest blocks there are, for when Slack calls the others invalid."""
    chunks = _chunks(part.plain, TEXT_OBJECT_MAX)
    sections: list[Json] = [{"type": "section", "text": _plain(chunk)} for chunk in chunks if chunk.strip()]
    return replace(part, blocks=(*sections, *(block for block in part.blocks if block["type"] == "actions")))


def bare(part: Part) -> Part:
    """The last resort: the text alone."""
    return replace(part, blocks=(), text=escape(part.plain))


def escape(text: str) -> str:
    """Text for the fields that Slack parses: these three characters, and no others, make its tokens."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _header(title: str) -> tuple[list[Json], list[Piece]]:
    """The title as header block; one that is too long for it is also written out below."""
    if not title:
        return [], []
    if utf16_len(title) <= HEADER_MAX:
        return [{"type": "header", "text": _plain(title)}], []
    cut = title[: utf16_cut(title, HEADER_MAX - 1)].rstrip() + "…"
    return [{"type": "header", "text": _plain(cut)}], [Text((Span(title, bold=True),))]


def _actions(card: Card) -> list[Json]:
    """One actions block a row of buttons; very many rows are put together."""
    rows: Sequence[Sequence[Button]] = [row for row in card.buttons if row]
    if len(rows) > _BUTTON_ROWS_MAX:
        rows = [[button for row in rows for button in row]]
    chunks = [row[at : at + BUTTONS_MAX] for row in rows for at in range(0, len(row), BUTTONS_MAX)]
    taken: dict[str, int] = {}
    return [{"type": "actions", "elements": [_button(button, taken) for button in row]} for row in chunks]


def _button(button: Button, taken: dict[str, int]) -> Json:
    """`value` says what was pressed; `action_id` says the same, but must differ from all others in the message."""
    taken[button.action] = count = taken.get(button.action, 0) + 1
    element: Json = {
        "type": "button",
        "text": _plain(one_line(redact(button.label), LABEL_MAX) or "·"),
        "action_id": button.action if count == 1 else f"{button.action}#{count}",
        "value": button.action,
    }
    if button.style is not ButtonStyle.PLAIN:
        element["style"] = button.style.value
    return element


def _cost(piece: Piece) -> tuple[int, int]:
    """Characters, and how many blocks a piece may add: a rule or a note also ends the rich text block before it."""
    blocks = 2 if isinstance(piece, Rule) or (isinstance(piece, Text) and piece.small) else 0
    return utf16_len(joined([piece])) + len("\n\n"), blocks


def _part(header: Sequence[Json], group: Sequence[Piece], card: Card | None) -> Part:
    draft = _Draft()
    for piece in group:
        draft.add(piece)
    plain = joined(list(group))
    title = title_line(card) if card else ""
    text = fallback_line(card) if card else one_line(plain, TEXT_OBJECT_MAX // 10)
    return Part((*header, *draft.done()), escape(text or EMPTY), f"{title}\n\n{plain}".strip("\n") or EMPTY)


class _Draft:
    """Blocks that grow piece by piece: texts run on in one section, sections and code in one rich text block."""

    def __init__(self) -> None:
        self._blocks: list[Json] = []
        self._rich: list[Json] = []
        self._section: list[Json] = []
        self._kind = ""

    def add(self, piece: Piece) -> None:
        match piece:
            case Text(small=True):
                self._end_rich()
                self._blocks += _context(joined([piece]))
            case Text():
                self._text(piece)
            case Fence():
                self._fence(piece)
            case Rule():
                self._end_rich()
                self._blocks.append({"type": "divider"})

    def done(self) -> list[Json]:
        self._end_rich()
        return self._blocks

    def _text(self, text: Text) -> None:
        kind = "rich_text_quote" if text.quote else "rich_text_section"
        if kind != self._kind:
            self._end_section()
            self._kind = kind
        elif self._section:
            self._section += _elements([Span(separator(text))])
        heading = text.heading > 0
        spans = [Span("  " * text.indent + text.marker), *(replace(s, bold=s.bold or heading) for s in text.spans)]
        self._section += _elements(spans)

    def _fence(self, fence: Fence) -> None:
        self._end_section()
        if label := part_label(fence, ""):
            self._rich.append({"type": "rich_text_section", "elements": _elements([Span(label, italic=True)])})
        self._rich.append({"type": "rich_text_preformatted", "elements": _elements([Span(fence.text)])})

    def _end_section(self) -> None:
        if self._section:
            self._rich.append({"type": self._kind, "elements": self._section})
        self._section, self._kind = [], ""

    def _end_rich(self) -> None:
        self._end_section()
        if self._rich:
            self._blocks.append({"type": "rich_text", "elements": self._rich})
        self._rich = []


def _elements(spans: Iterable[Span]) -> list[Json]:
    elements: list[Json] = []
    for span in spans:
        style: Json = {
            name: True
            for name, on in (("bold", span.bold), ("italic", span.italic), ("strike", span.strike), ("code", span.code))
            if on
        }
        for text in _chunks(span.text, TEXT_OBJECT_MAX):
            element: Json = {"type": "text", "text": text}
            if span.url and len(span.url) <= URL_MAX:
                element = {"type": "link", "url": span.url, "text": text}
            elements.append({**element, "style": style} if style else element)
    return elements


def _context(text: str) -> list[Json]:
    chunks = [chunk for chunk in _chunks(text, CONTEXT_TEXT_MAX) if chunk.strip()]
    return [
        {"type": "context", "elements": [_plain(chunk) for chunk in chunks[at : at + CONTEXT_ELEMENTS_MAX]]}
        for at in range(0, len(chunks), CONTEXT_ELEMENTS_MAX)
    ]


def _chunks(text: str, size: int) -> list[str]:
    chunks = []
    while text:
        at = utf16_cut(text, size)
        chunks.append(text[:at])
        text = text[at:]
    return chunks


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}
