"""What becomes of a text that a bot sends: parsed, judged, cleaned, measured.

The judge is TDLib itself (package `tdjson`), with its own words. Without it the sandbox does not judge
formatting: HTML and Markdown stay in the text as they are, entity arrays are taken as they come, and
commands, mentions and addresses are found by three patterns.
The cleaning is TDLib's too (`clean_input_string`, `fix_formatted_text`), written again from its rules.
"""

import re
from typing import NamedTuple, cast

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_entities import read_entities
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_limits import CAPTION_LENGTH, QUOTE_LENGTH, RAW_TEXT_BYTES, TEXT_LENGTH
from bossbot.sandbox.telegram_nested import WrongValueError

PARSE_MODES = frozenset({"", "none", "markdown", "markdownv2", "html"})
SPLITTABLE = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})
_BLANKED = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f]")
_DROPPED = re.compile("[\r\u2028-\u202e\u0333\u033f\u030a]")
_SEEN_UNCLEAN = re.compile("[\u030a\u0333\u033f\u2800\ufffc]")
"""What is dropped, or counts as a blank, though it prints; everything else of that kind does not."""
_BLANKS = (b"", b" \x00", b"\n\x00")
APART = SPLITTABLE | {"code"}
_EMPTY = re.compile(
    "[ \n\u00a0\u1680\u180e\u2000-\u200f\u202e\u202f\u205f\u2800\u3000\ufeff\ufffc\U000e0000-\U000e007f]*"
)
_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>]+[^\s<>.,;:!?)\]'\"])"
    r"|(?<![\w/@])(?P<mention>@[A-Za-z]\w{3,31})\b"
    r"|(?<![\w/@])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z]\w{3,31})?)\b"
)


class Formatted(NamedTuple):
    """A text as Telegram keeps it; offsets and lengths of entities count UTF-16 units."""

    text: str
    entities: list[Json]


class _Parsed(Formatted):
    """A text that TDLib has parsed: its entities are sorted and within it."""


def parsed(text: str, parse_mode: str, entities: object) -> Formatted:
    """What the Bot API server does before it looks at the chat: parse. Raises its refusal."""
    if len(text) > RAW_TEXT_BYTES // 4 and len(text.encode("utf-8", "surrogatepass")) > RAW_TEXT_BYTES:
        raise refused("Text is too long")
    mode = parse_mode.lower()
    if text and mode not in PARSE_MODES:
        raise refused("Unsupported parse_mode")
    if not text or mode in ("", "none"):
        return Formatted(text, _entity_list(entities))
    return _Parsed(*judge().parse(text, mode))


def as_message(content: Formatted) -> Formatted:
    """What TDLib does after the chat was found: 1 to 4096 characters that can be seen, mended entities."""
    finished = _finished(content)
    if _EMPTY.fullmatch(finished.text):
        raise refused("Text must be non-empty")
    if len(finished.text) > TEXT_LENGTH:
        raise refused("Message is too long")
    return finished


def as_draft(content: Formatted) -> Formatted:
    """A message that is still being written: none at all, to 4096 characters."""
    finished = _finished(content)
    if len(finished.text) > TEXT_LENGTH:
        raise refused("MESSAGE_TOO_LONG")
    return finished


def as_quote(content: Formatted) -> Formatted:
    """A part of another message, as it stands there: nothing is found in it, and only looks may be marked."""
    text = cleaned(content.text)
    if len(text) > QUOTE_LENGTH:
        raise refused("QUOTE_TEXT_INVALID")
    return Formatted(text, [entity for entity in judge().fix(content.text, content.entities) if _is_quotable(entity)])


def _is_quotable(entity: Json) -> bool:
    return entity["type"] in SPLITTABLE or entity["type"] in ("custom_emoji", "date_time")


def as_caption(content: Formatted) -> Formatted:
    """The text below a file: at most 1024 characters, often none."""
    finished = _finished(content)
    if len(finished.text) > CAPTION_LENGTH:
        raise refused("Message caption is too long")
    return finished


def _finished(content: Formatted) -> Formatted:
    if isinstance(content, _Parsed) and _is_settled(content):
        return _with_found(content)
    fixed = Formatted(cleaned(content.text), judge().fix(content.text, content.entities))
    return _with_found(_trimmed(fixed))


def _is_settled(content: Formatted) -> bool:
    """Has TDLib nothing to mend? So it is where marks stand apart and no blank is at an end of anything.

    Most texts of bots are so, and need not be sent through TDLib again.
    """
    text = content.text
    if text != text.strip(" \n") or not text.replace("\n", "").isprintable():
        return False
    if not text.isascii() and _SEEN_UNCLEAN.search(text):
        return False
    units = text.encode("utf-16-le", "surrogatepass")
    last = -1
    for entity in content.entities:
        begin, size = span(entity)
        end = begin + size
        if begin <= last or entity["type"] not in APART:
            return False
        if units[2 * begin : 2 * begin + 2] in _BLANKS or units[2 * end - 2 : 2 * end] in _BLANKS:
            return False
        last = end
    return True


def cleaned(text: str) -> str:
    """Control characters become blanks; line separators and marks that hide text are dropped."""
    return _DROPPED.sub("", _BLANKED.sub(" ", text))


def found_entities(text: str) -> list[Json]:
    """Commands, mentions, addresses in a text, as the server finds them."""
    found = judge().find(text)
    if found is not None:
        return found
    return [
        {
            "type": match.lastgroup,
            "offset": utf16_length(text[: match.start()]),
            "length": utf16_length(match.group()),
        }
        for match in _FOUND.finditer(text)
    ]


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _trimmed(content: Formatted) -> Formatted:
    """Without blanks at the end, and without those at the beginning that no entity covers."""
    text = content.text.rstrip(" \n")
    length = utf16_length(text)
    kept = []
    for entity in content.entities:
        offset, size = span(entity)
        if offset < length:
            kept.append({**entity, "length": min(size, length - offset)})
    blank = len(text) - len(text.lstrip(" \n"))
    skipped = min([blank, *(span(entity)[0] for entity in kept)])
    moved = [{**entity, "offset": span(entity)[0] - skipped} for entity in kept]
    return Formatted(text[skipped:], moved)


def _with_found(content: Formatted) -> Formatted:
    """With what the server finds by itself, where no code, link or the like stands already."""
    found = found_entities(content.text)
    if not found or not content.entities:
        return Formatted(content.text, found) if found else content
    closed = [span(entity) for entity in content.entities if entity["type"] not in SPLITTABLE]
    quotes = [span(entity) for entity in content.entities if "blockquote" in str(entity["type"])]
    closed = [item for item in closed if item not in quotes]
    new = [
        entity
        for entity in found
        if not any(_overlap(span(entity), item) for item in closed)
        and all(_within(span(entity), item) or not _overlap(span(entity), item) for item in quotes)
    ]
    if not new:
        return content
    return Formatted(content.text, judge().fix(content.text, content.entities + new))


def _entity_list(value: object) -> list[Json]:
    try:
        return read_entities(value)
    except WrongValueError as error:
        raise refused(f"Can't parse MessageEntity: {error}") from None


def span(entity: Json) -> tuple[int, int]:
    """Offset and length, which every entity has."""
    return cast(int, entity["offset"]), cast(int, entity["length"])


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[0] + inner[1] <= outer[0] + outer[1]
