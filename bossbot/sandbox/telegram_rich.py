"""Rich messages: what a bot sends, read in the Bot API server's order, and what becomes of it.

A rich message comes as blocks, as Markdown or as HTML. Blocks are judged here whole. Markdown and HTML are
parsed by Telegram's servers alone, by rules that no public code holds: `telegram_rich_markup.py` is a likeness.

Sources: C = tdlib/telegram-bot-api, Client.cpp (`get_input_rich_message`); T = tdlib/td, RichMessage.cpp and
WebPageBlock.cpp; S = Telegram's own server, as others saw it in July 2026.
"""

from dataclasses import dataclass, field

from bossbot.sandbox.json_types import Json, as_list
from bossbot.sandbox.telegram_call import Call
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_limits import RICH_SOURCE_LENGTH
from bossbot.sandbox.telegram_nested import WrongValueError, check_field
from bossbot.sandbox.telegram_rich_blocks import shown_blocks
from bossbot.sandbox.telegram_rich_buttons import read_buttons
from bossbot.sandbox.telegram_rich_markup import html_blocks, markdown_blocks
from bossbot.sandbox.telegram_rich_measure import check_limits

_SOURCES = ("blocks", "markdown", "html")
"""The first of them that is there counts, and the others are left out (S)."""


@dataclass(frozen=True, slots=True)
class RichInput:
    """A rich message as it came, before anything is known of the chat."""

    kind: str
    content: object
    is_rtl: bool


@dataclass(frozen=True, slots=True)
class RichMessage:
    """A rich message as Telegram keeps it; `kind` and `source` say how the bot wrote it."""

    blocks: list[Json]
    is_rtl: bool = False
    kind: str = field(default="blocks", compare=False)
    source: str | None = field(default=None, compare=False)

    def wire(self) -> Json:
        """The Bot API's `RichMessage`."""
        body: Json = {"blocks": self.blocks}
        return {**body, "is_rtl": True} if self.is_rtl else body

    def source_view(self) -> Json:
        """How it was written, for `/sandbox/state`."""
        return {"kind": self.kind} if self.source is None else {"kind": self.kind, "text": self.source}


def read_rich(call: Call) -> RichInput:
    """`rich_message` of a call, with the types that the table names. Raises the server's refusal."""
    if not call.params.has("rich_message"):
        raise refused("Rich message must be non-empty")  # C
    given = call.params.json_object("rich_message") or {}
    try:
        for name in ("is_rtl", "skip_entity_detection"):
            if name in given:
                check_field(name, given[name], ("Boolean",))
        kind = next((name for name in _SOURCES if name in given), None)
        if kind is None:
            raise WrongValueError("Rich message must be non-empty")  # C
        if kind == "blocks":
            _check_blocks(given["blocks"])
        else:
            check_field(kind, given[kind], ("String",))
        if "media" in given:
            check_field("media", given["media"], ("InputRichMessageMedia[]",))
    except WrongValueError as error:
        raise refused(str(error)) from None
    content = given[kind] if kind == "blocks" else str(given[kind])
    return RichInput(kind, content, given.get("is_rtl") is True)


def finished_rich(call: Call, rich: RichInput, is_draft: bool = False) -> RichMessage:
    """What the chat shows, after TDLib's checks and those of Telegram's server. Raises their refusals."""
    source: str | None = None
    if rich.kind == "blocks":
        blocks = shown_blocks(call, as_list(rich.content) or [], is_draft)
    else:
        source = str(rich.content)
        if len(source) > RICH_SOURCE_LENGTH:
            raise refused("RICH_MESSAGE_TOO_LARGE")  # S, for too much formatting
        blocks = markdown_blocks(source) if rich.kind == "markdown" else html_blocks(source)
    check_limits(blocks)
    return RichMessage(blocks, rich.is_rtl, rich.kind, source)


def _check_blocks(value: object) -> None:
    if not isinstance(value, list):
        check_field("blocks", value, ("InputRichBlock[]",))
    try:
        check_field("blocks", value, ("InputRichBlock[]",))
        read_buttons(value)
    except WrongValueError as error:
        raise WrongValueError(f"Can't parse InputRichBlock: {error}") from None  # S
