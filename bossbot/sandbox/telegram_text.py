"""What becomes of a text: parsed, judged, cleaned, measured.

The judge is TDLib itself (package `tdjson`), with its own words. Without it the sandbox does not judge
formatting: HTML and Markdown stay in the text as they are, entity arrays are taken as they come, and
commands, mentions and addresses are found by three patterns.
"""

import re
from typing import NamedTuple

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_errors import refused

RAW_BYTES = 32_768
"""A text with its markup, in UTF-8 bytes (`Client::get_formatted_text`)."""
TEXT_LENGTH = 4096
"""A text after parsing, in code points (TDLib option message_text_length_max)."""
CAPTION_LENGTH = 1024
PARSE_MODES = frozenset({"", "none", "markdown", "markdownv2", "html"})
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>]+[^\s<>.,;:!?)\]'\"])"
    r"|(?<![\w/@])(?P<mention>@[A-Za-z]\w{3,31})\b"
    r"|(?<![\w/@])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z]\w{3,31})?)\b"
)


class Formatted(NamedTuple):
    """A text as Telegram keeps it; offsets and lengths of entities count UTF-16 units."""

    text: str
    entities: list[Json]


def formatted(text: str, parse_mode: str, entities: object, limit: int, too_long: str) -> Formatted:
    """Parse and check a text that a bot sends. Raises the server's refusal."""
    if len(text.encode("utf-8", "surrogatepass")) > RAW_BYTES:
        raise refused("Text is too long")
    mode = parse_mode.lower()
    if mode not in PARSE_MODES:
        raise refused("Unsupported parse_mode")
    if mode in ("", "none"):
        parsed = Formatted(text, _entity_list(entities))
        judge().check(parsed.text, parsed.entities)
    else:
        parsed = Formatted(*judge().parse(text, mode))
    cleaned = clean(parsed)
    if len(cleaned.text) > limit:
        raise refused(too_long)
    return Formatted(cleaned.text, cleaned.entities + found_entities(cleaned))


def clean(parsed: Formatted) -> Formatted:
    """Without control characters and without blanks at the end, entities cut to what is left."""
    text = _CONTROLS.sub(" ", parsed.text).rstrip()
    length = utf16_length(text)
    kept: list[Json] = []
    for entity in parsed.entities:
        offset, size = _span(entity)
        size = min(size, length - offset)
        if size > 0:
            kept.append({**entity, "offset": offset, "length": size})
    kept.sort(key=lambda entity: (_span(entity)[0], -_span(entity)[1]))
    return Formatted(text, kept)


def found_entities(known: Formatted) -> list[Json]:
    """Commands, mentions and addresses in a text, where no entity is yet."""
    taken = [_span(entity) for entity in known.entities]
    found = judge().find(known.text)
    if found is None:
        found = [
            {
                "type": match.lastgroup,
                "offset": utf16_length(known.text[: match.start()]),
                "length": utf16_length(match.group()),
            }
            for match in _FOUND.finditer(known.text)
        ]
    return [entity for entity in found if not _overlaps(_span(entity), taken)]


def utf16_length(text: str) -> int:
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def _entity_list(value: object) -> list[Json]:
    # What is no array is no entity list; the official server ignores it (get_formatted_text).
    found: list[Json] = []
    for item in as_list(value) or []:
        entity = as_object(item)
        if entity is None:
            raise refused("Can't parse MessageEntity: expected an Object")
        for name in ("offset", "length"):
            if not isinstance(entity.get(name), int):
                raise refused(f"Can't parse MessageEntity: Can't find field \"{name}\"")
        found.append({name: field for name, field in entity.items() if field is not None})
    return found


def _span(entity: Json) -> tuple[int, int]:
    return int(str(entity["offset"])), int(str(entity["length"]))


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    begin, end = span[0], span[0] + span[1]
    return any(begin < offset + length and offset < end for offset, length in taken)
