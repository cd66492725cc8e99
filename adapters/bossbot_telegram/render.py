"""A card → Telegram messages: text with entities, never a parse mode, so that no text can become markup.

Telegram links what looks like a mention, command, domain or tag by itself. Untrusted text must not do that, so such
words are set in monospace: they can be read and copied, and nobody is called.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bossbot.channel import Button, Card
from bossbot.channel.lower import pieces, title_line
from bossbot.text import Fence, Piece, Rule, Span, Text, one_line, part_label, redact, separator, split, utf16_len

TEXT_MAX = 4096  # sendMessage: 1-4096 after entities parsing; counted in UTF-16 units, which is never less
ENTITIES_MAX = 100  # the server drops the formatting of what comes after
BUTTONS_PER_ROW = 8
LABEL_MAX = 64
EMPTY = "(empty)"

_MENTION = re.compile(r"@(?=\w)\w+")
_LABELS = (
    # Bounded, as the mail name below: else a long word costs its square. Beyond ASCII any sign ends a label.
    r"(?:[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,252}|[\w\u00c0-\U0010ffff])"
)
_MARKS = r"\u0900-\u0dff"  # Indic scripts, whose vowel signs are no \w
_LAST_LABEL = rf"(?:[^\W\d_]|[{_MARKS}])(?:[^\W_]|[-{_MARKS}])+"
_TAG = r"[\w\u00b7\u200c\u0d80-\u0dff]"
_IPV4 = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
_PATH = r"(?:[/:?#][\w\-./?=&%#~+:@]*[\w/=&%#~+])?"
_DETECTED = re.compile(
    r"(?i:(?:https?|ftp|tg|ton|tonsite)://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}])"  # addresses with a scheme
    rf"|(?:[A-Za-z0-9_.+%-]{{1,64}}@)?(?:{_LABELS}\.{_LAST_LABEL}|{_IPV4}){_PATH}"  # domains and mail addresses
    r"|@\w+"
    r"|(?<![\w/])/\w[\w./@-]*"  # commands, and paths, which begin like them
    rf"|#{_TAG}*[^\W\d]{_TAG}*|\$[A-Z][A-Z0-9]*|\$1INCH"
)
"""Whatever Telegram might detect in plain text, and some more: TDLib's own detection is the judge in the tests."""


_WORD = re.compile(r"\S+")
_TELLING = frozenset(".@#/$:")


def _detected(text: str) -> Iterator[re.Match[str]]:
    """The matches of `_DETECTED`. None spans white space, and each holds one of a few signs: most words have none."""
    for word in _WORD.finditer(text):
        if not _TELLING.isdisjoint(word.group()):
            yield from _DETECTED.finditer(text, word.start(), word.end())


@dataclass(frozen=True, slots=True)
class Entity:
    """A formatted range; offset and length in UTF-16 units, as MessageEntity has them."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One message. Only the last part of a card has a keyboard."""

    text: str
    entities: tuple[Entity, ...] = ()
    keyboard: tuple[tuple[Button, ...], ...] = ()


def render(card: Card) -> list[Part]:
    """The messages that show a card, in order; at least one, none empty, each within Telegram's limits."""
    title = title_line(card)
    head: list[Piece] = [Text((Span(title, bold=True),), heading=1)] if title else []
    groups = split(head + pieces(card), _cost, (TEXT_MAX, ENTITIES_MAX))
    parts = [part for part in map(_part, groups) if _shows(part.text)] or [Part(EMPTY)]
    parts[-1] = replace(parts[-1], keyboard=_keyboard(card))
    return parts


def unformatted(part: Part) -> Part:
    """The same message without entities, for when Telegram refuses them; a word joiner keeps mentions from calling."""
    text = _MENTION.sub(lambda found: "@\u2060" + found.group()[1:], part.text)
    return replace(part, text=text if utf16_len(text) <= TEXT_MAX else part.text, entities=())


def _keyboard(card: Card) -> tuple[tuple[Button, ...], ...]:
    rows = (row[at : at + BUTTONS_PER_ROW] for row in card.buttons for at in range(0, len(row), BUTTONS_PER_ROW))
    return tuple(
        tuple(replace(button, label=one_line(redact(button.label), LABEL_MAX) or "·") for button in row) for row in rows
    )


def _shows(text: str) -> bool:
    """Telegram refuses a text of blanks and marks as empty."""
    return any(unicodedata.category(char)[0] not in "ZCM" for char in text)


def _cost(piece: Piece) -> tuple[int, int]:
    draft = _Draft()
    draft.add(piece)
    return utf16_len(draft.text) + len("\n\n"), len(draft.entities)


def _part(group: Iterable[Piece]) -> Part:
    draft = _Draft()
    for piece in group:
        draft.add(piece)
    return Part(draft.text, tuple(draft.entities))


class _Draft:
    """A message that grows piece by piece; `_end` is its length in UTF-16 units."""

    def __init__(self) -> None:
        self.text = ""
        self.entities: list[Entity] = []
        self._end = 0
        self._quote: int | None = None  # where the quotation began that the last piece belongs to
        self._boxed = False  # the last piece was drawn as a box, which keeps its own distance

    def add(self, piece: Piece) -> None:
        quoted = isinstance(piece, Text) and piece.quote > 0
        boxed = isinstance(piece, Fence) or quoted
        if self.text:
            inside = quoted and self._quote is not None
            self._write("\n" if (boxed or self._boxed) and not inside else separator(piece))
        start, self._quote, self._boxed = (self._end if self._quote is None else self._quote), None, boxed
        match piece:
            case Text():
                self._text(piece)
            case Fence():
                self._write(part_label(piece, "\n"), "italic")
                self._write(piece.text, "pre", language=piece.language or None)
            case Rule():
                self._write("———")
        if quoted:
            self._extend_quote(start)

    def _text(self, text: Text) -> None:
        self._write("  " * text.indent + text.marker)
        always = (("bold",) if text.heading else ()) + (("italic",) if text.small else ())
        for span in text.spans:
            kinds = tuple(name for name, on in _kinds(span) if on and name not in always) + always
            if span.url:
                self._write(span.text, "text_link", *kinds, url=span.url)
            elif span.code:
                self._write(span.text, "code")
            else:
                self._guarded(span.text, kinds)

    def _guarded(self, text: str, kinds: tuple[str, ...]) -> None:
        """Writes text so that nothing in it is linked or called by Telegram's own detection."""
        at = 0
        for found in _detected(text):
            self._write(text[at : found.start()], *kinds)
            self._write(found.group(), "code")
            at = found.end()
        self._write(text[at:], *kinds)

    def _write(self, text: str, *kinds: str, url: str | None = None, language: str | None = None) -> None:
        """Appends text under the entities of these kinds; the first may have a target or a language."""
        length = utf16_len(text)
        if length:
            for at, kind in enumerate(kinds):
                first = at == 0
                self.entities.append(
                    Entity(kind, self._end, length, url if first else None, language if first else None)
                )
        self.text += text
        self._end += length

    def _extend_quote(self, start: int) -> None:
        """Quoted pieces that follow each other are one quotation."""
        self.entities = [e for e in self.entities if e.type != "blockquote" or e.offset != start]
        if self._end > start:
            self.entities.append(Entity("blockquote", start, self._end - start))
        self._quote = start


def _kinds(span: Span) -> tuple[tuple[str, bool], ...]:
    return ("bold", span.bold), ("italic", span.italic), ("strikethrough", span.strike)
