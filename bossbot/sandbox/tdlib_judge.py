"""TDLib as the judge of formatting, when the package `tdjson` is installed.

TDLib is the official client library; the official Bot API server is built on it, so its verdicts and
words are the ones a bot meets. It runs in this process and needs no network.
"""

import functools
import importlib
import logging
import re
from collections.abc import Callable
from typing import cast

import msgspec

from bossbot.sandbox.json_types import Json, as_object, encode
from bossbot.sandbox.telegram_entities import from_tdlib, to_tdlib
from bossbot.sandbox.telegram_errors import refused

LOG = logging.getLogger(__name__)
_PARSE_MODES: dict[str, Json] = {
    "html": {"@type": "textParseModeHTML"},
    "markdown": {"@type": "textParseModeMarkdown", "version": 1},
    "markdownv2": {"@type": "textParseModeMarkdown", "version": 2},
}
_POINT, _NUMBER = re.compile(r"\.(?<=\S\.)\S"), re.compile(r"[0-9][0-9 -]{10}")
_DECODER = msgspec.json.Decoder()
_OTHER_TYPE = "application/octet-stream"
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

    def told_of(self, name: str) -> tuple[str, str]:
        """Name and type of an uploaded file; only its name says what it is, not the form that it came in."""
        return name or "file", _OTHER_TYPE


class TdlibJudge(PlainJudge):
    """Asks TDLib; its errors are raised as the Bot API server words them."""

    judges = True

    def __init__(self, execute: Callable[[bytes], bytes | None]) -> None:
        self._execute = execute
        self._ask({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0})

    def parse(self, text: str, mode: str) -> tuple[str, list[Json]]:
        answer = self._ask({"@type": "parseTextEntities", "text": text, "parse_mode": _PARSE_MODES[mode]})
        return str(answer["text"]), from_tdlib(answer["entities"])

    def fix(self, text: str, entities: list[Json]) -> list[Json]:
        if not entities:
            return []
        # parseMarkdown mends the entities it is given before it looks for markup; there is none here.
        given = [to_tdlib(entity) for entity in entities]
        content: Json = {"@type": "formattedText", "text": text.translate(_NO_MARKUP), "entities": given}
        return from_tdlib(self._ask({"@type": "parseMarkdown", "text": content})["entities"])

    def find(self, text: str) -> list[Json] | None:
        if not _may_hold_anything(text):
            return []
        return from_tdlib(self._ask({"@type": "getTextEntities", "text": text})["entities"])

    def told_of(self, name: str) -> tuple[str, str]:
        # HttpReader.cpp `try_open_temp_file`, MessageContent.cpp `create_input_message_content`
        kept = str(self._ask({"@type": "cleanFileName", "file_name": name})["text"]) or "file"
        return kept, str(self._ask({"@type": "getFileMimeType", "file_name": kept})["text"]) or _OTHER_TYPE

    def _ask(self, request: Json) -> Json:
        answer = as_object(_DECODER.decode(self._execute(encode(request)) or b"null"))
        if answer is None:
            raise refused("Strings must be encoded in UTF-8")
        if answer.get("@type") == "error":
            raise refused(str(answer["message"]))
        return answer


def _may_hold_anything(text: str) -> bool:
    """Is there a sign of an address, tag, command or card number? Most texts have none, and TDLib is not asked."""
    if "@" in text or "#" in text or "$" in text or "/" in text:
        return True
    return ("." in text and _POINT.search(text) is not None) or _NUMBER.search(text) is not None


@functools.cache
def judge() -> PlainJudge:
    """TDLib when it is installed, else the judge that lets everything pass, which is said once."""
    try:
        module = importlib.import_module("tdjson")
    except ImportError:
        LOG.warning("tdjson is not installed: the sandbox's Telegram does not judge formatting (pip install tdjson)")
        return PlainJudge()
    return TdlibJudge(cast("Callable[[bytes], bytes | None]", module.td_execute))
