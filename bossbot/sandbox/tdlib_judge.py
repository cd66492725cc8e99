"""TDLib as the judge of formatting, when the package `tdjson` is installed.

TDLib is the official client library; the official Bot API server is built on it, so its verdicts and
words are the ones a bot meets. It runs in this process and needs no network.
"""

import functools
import importlib
from collections.abc import Callable
from typing import cast

from bossbot.sandbox.json_types import Json, as_list, as_object, decode, encode
from bossbot.sandbox.telegram_errors import refused

_PARSE_MODES: dict[str, Json] = {
    "html": {"@type": "textParseModeHTML"},
    "markdown": {"@type": "textParseModeMarkdown", "version": 1},
    "markdownv2": {"@type": "textParseModeMarkdown", "version": 2},
}
_KINDS = {
    "mention": "Mention", "hashtag": "Hashtag", "cashtag": "Cashtag", "bot_command": "BotCommand", "url": "Url",
    "email": "EmailAddress", "phone_number": "PhoneNumber", "bold": "Bold", "italic": "Italic",
    "underline": "Underline", "strikethrough": "Strikethrough", "spoiler": "Spoiler", "code": "Code", "pre": "Pre",
    "pre_code": "PreCode", "text_link": "TextUrl", "text_mention": "MentionName", "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote", "expandable_blockquote": "ExpandableBlockQuote",
    "bank_card_number": "BankCardNumber",
}  # fmt: skip
_NAMES = {f"textEntityType{kind}": name for name, kind in _KINDS.items()}
_NO_MARKUP = str.maketrans(dict.fromkeys("*_~|`[]()", "x"))


class PlainJudge:
    """No verdict at all: what is said when TDLib is missing."""

    judges = False

    def parse(self, text: str, mode: str) -> tuple[str, list[Json]]:
        """The text without its markup, and the entities that the markup meant."""
        return text, []

    def fix(self, text: str, entities: list[Json]) -> list[Json]:
        """The entities as TDLib keeps them: checked, sorted, split where they cross."""
        return entities

    def find(self, text: str) -> list[Json] | None:
        """What the server finds in a text by itself; None when there is nobody to ask."""
        return None


class TdlibJudge(PlainJudge):
    """Asks TDLib; its errors are raised as the Bot API server words them."""

    judges = True

    def __init__(self, execute: Callable[[bytes], bytes | None]) -> None:
        self._execute = execute
        self._ask({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0})

    def parse(self, text: str, mode: str) -> tuple[str, list[Json]]:
        answer = self._ask({"@type": "parseTextEntities", "text": text, "parse_mode": _PARSE_MODES[mode]})
        return str(answer["text"]), _from_tdlib(answer["entities"])

    def fix(self, text: str, entities: list[Json]) -> list[Json]:
        if not entities:
            return []
        # parseMarkdown mends the entities it is given before it looks for markup; there is none here.
        given = [_to_tdlib(entity) for entity in entities]
        content: Json = {"@type": "formattedText", "text": text.translate(_NO_MARKUP), "entities": given}
        return _from_tdlib(self._ask({"@type": "parseMarkdown", "text": content})["entities"])

    def find(self, text: str) -> list[Json] | None:
        return _from_tdlib(self._ask({"@type": "getTextEntities", "text": text})["entities"])

    def _ask(self, request: Json) -> Json:
        answer = as_object(decode(self._execute(encode(request)) or b"null"))
        if answer is None:
            raise refused("Strings must be encoded in UTF-8")
        if answer.get("@type") == "error":
            raise refused(str(answer["message"]))
        return answer


@functools.cache
def judge() -> PlainJudge:
    """TDLib when it is installed, else the judge that lets everything pass."""
    try:
        module = importlib.import_module("tdjson")
    except ImportError:
        return PlainJudge()
    return TdlibJudge(cast("Callable[[bytes], bytes | None]", module.td_execute))


def _to_tdlib(entity: Json) -> Json:
    name = str(entity["type"])
    kind = "PreCode" if name == "pre" and entity.get("language") else _KINDS.get(name)
    if kind is None:
        raise refused("Can't parse MessageEntity: Unsupported type specified")
    described: Json = {"@type": f"textEntityType{kind}"}
    if kind == "PreCode":
        described["language"] = entity["language"]
    if name == "text_link":
        described["url"] = _needed(entity, "url")
    if name == "text_mention":
        described["user_id"] = _needed(as_object(_needed(entity, "user")) or {}, "id")
    if name == "custom_emoji":
        described["custom_emoji_id"] = _needed(entity, "custom_emoji_id")
    return {"@type": "textEntity", "offset": entity["offset"], "length": entity["length"], "type": described}


def _needed(body: Json, name: str) -> object:
    if body.get(name) is None:
        raise refused(f"Can't parse MessageEntity: Can't find field \"{name}\"")
    return body[name]


def _from_tdlib(value: object) -> list[Json]:
    found = (_entity(as_object(item) or {}) for item in as_list(value) or [])
    return [entity for entity in found if entity is not None]


def _entity(given: Json) -> Json | None:
    kind = as_object(given.get("type")) or {}
    name = _NAMES.get(str(kind.get("@type")))
    if name is None:
        return None
    entity: Json = {"type": "pre" if name == "pre_code" else name}
    entity.update({key: given[key] for key in ("offset", "length")})
    entity.update({key: kind[key] for key in ("language", "url", "custom_emoji_id") if key in kind})
    if name == "text_mention":
        entity["user"] = {"id": kind["user_id"], "is_bot": False, "first_name": str(kind["user_id"])}
    return entity
