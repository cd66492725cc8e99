"""What Telegram refuses of rich messages and of drafts. `telegram_refusals.py` tells how a row is read."""

from typing import Any

from tests.sandbox.telegram_refusals import GROUP, KIND, Refusal, call


def rich(words: str, source: str, *blocks: Any, **fields: Any) -> Refusal:
    message = {"blocks": list(blocks), **fields} if blocks else fields
    return Refusal(words, source, "sendRichMessage", {"chat_id": 1001, "rich_message": message})


def block(words: str, source: str, *blocks: Any) -> Refusal:
    return rich(f"can't parse InputRichBlock: {words}", source, *blocks)


RICH = "Client.cpp get_input_rich_message"
BLOCKS = "WebPageBlock.cpp get_web_page_blocks"
P = {"type": "paragraph", "text": "x"}


def nested(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "paragraph", "text": "x"}
    for _ in range(depth - 1):
        inner = {"type": "details", "summary": "x", "blocks": [inner]}
    return inner


def marked(depth: int) -> dict[str, Any]:
    text: Any = "x"
    for _ in range(depth):
        text = {"type": "bold", "text": text}
    return {"type": "paragraph", "text": text}


def button(**fields: Any) -> dict[str, Any]:
    return {"type": "buttons", "buttons": [{"text": "x", **fields}]}


RICH_MESSAGES = [
    call("rich message must be non-empty", RICH, "sendRichMessage", chat_id=1001),
    call("can't parse rich message JSON object", RICH, "sendRichMessage", chat_id=1001, rich_message="{"),
    call("object expected as rich message", RICH, "sendRichMessage", chat_id=1001, rich_message=[]),
    rich("rich message must be non-empty", RICH, is_rtl=True),
    rich('field "is_rtl" must be of type Boolean', "JsonObject", P, is_rtl=1),
    rich('field "skip_entity_detection" must be of type Boolean', "JsonObject", P, skip_entity_detection="no"),
    rich('field "markdown" must be of type String', "JsonObject", markdown=[]),
    rich('field "html" must be of type String', "JsonObject", html={}),
    rich('field "blocks" must be of type Array', "JsonObject", blocks={}),
    rich('field "media" must be of type Array', "JsonObject", P, media={}),
    rich('can\'t find field "id"', "seen", P, media=[{"media": {"type": "photo", "media": "x"}}]),
    block("Object expected as InputRichMessageBlock", "seen", "x"),
    block('Can\'t find field "type"', "seen", {"text": "x"}),
    block('type "code" is unsupported', "seen", {"type": "code", "text": "x"}),
    block('Can\'t find field "size"', "seen", {"type": "heading", "text": "x"}),
    block('Field "size" must be a valid Number', "JsonObject", {"type": "heading", "text": "x", "size": "big"}),
    block('Can\'t find field "text"', "seen", {"type": "paragraph"}),
    block("Invalid rich text specified", "seen", {"type": "paragraph", "text": 5}),
    block("Unsupported rich text type", "seen", {"type": "paragraph", "text": {"type": "wavy", "text": "x"}}),
    block('Can\'t find field "type"', "seen", {"type": "paragraph", "text": {"text": "x"}}),
    block("Object expected as InputRichBlockListItem", "seen", {"type": "list", "items": ["x"]}),
    block("RichBlockTableCell must be an object", "seen", {"type": "table", "cells": [["x"]]}),
    block('Field "cells" must be of type Array', "JsonObject", {"type": "table", "cells": {}}),
    block("RichBlockCaption must be an object", "seen", {"type": "collage", "blocks": [], "caption": 5}),
    block("InlineButton must be an Object", "seen", {"type": "buttons", "buttons": ["x"]}),
    block("invalid button style specified", "Client.cpp get_button_style", button(callback_data="x", style="purple")),
    block("invalid button style specified", "docs", button(url="https://a.bc", style="link")),
    block("Text buttons are unallowed in the inline keyboard", KIND, button()),
    rich("invalid section heading size specified", BLOCKS, {"type": "heading", "text": "x", "size": 7}),
    rich("list must be non-empty", BLOCKS, {"type": "list", "items": []}),
    rich("list must be either ordered or unordered", BLOCKS,
         {"type": "list", "items": [{"blocks": [P]}, {"blocks": [P], "type": "1", "value": 1}]}),
    rich("invalid list item type specified", "WebPageBlock.cpp Item::get_item", {"type": "list",
         "items": [{"blocks": [P], "type": "x"}]}),
    rich("invalid table cell colspan specified", "WebPageBlock.cpp get_web_page_block_table_cell",
         {"type": "table", "cells": [[{"text": "x", "colspan": -1}]]}),
    rich("invalid table cell rowspan specified", "WebPageBlock.cpp get_web_page_block_table_cell",
         {"type": "table", "cells": [[{"text": "x", "rowspan": -1}]]}),
    rich("invalid horizontal alignment specified", "seen", {"type": "table", "cells": [[{"text": "x",
         "align": "top"}]]}),
    rich("invalid vertical alignment specified", "seen", {"type": "table", "cells": [[{"text": "x",
         "valign": "left"}]]}),
    rich("invalid location specified", BLOCKS, {"type": "map", "location": {"latitude": 91, "longitude": 0}}),
    rich("invalid map properties specified", BLOCKS,
         {"type": "map", "location": {"latitude": 1, "longitude": 1}, "zoom": 25, "width": 9, "height": 9}),
    rich("button row must be non-empty", "seen", {"type": "buttons", "buttons": []}),
    rich("inline keyboard button text must be non-empty", "ReplyMarkup.cpp get_inline_keyboard_button",
         {"type": "buttons", "buttons": [{"text": " ", "callback_data": "x"}]}),
    rich("BUTTON_DATA_INVALID", "seen", button(callback_data="x" * 65)),
    rich("media not found", "seen", {"type": "photo", "photo": {"type": "photo", "media": "unknown"}}),
    rich("RICH_MESSAGE_EMPTY", "seen", {"type": "paragraph", "text": " "}),
    rich("RICH_MESSAGE_EMPTY", "seen", markdown=""),
    rich("RICH_MESSAGE_TEXT_TOO_LONG", "seen", {"type": "paragraph", "text": "x" * 32769}),
    rich("RICH_MESSAGE_TEXT_TOO_LONG", "seen", markdown="x" * 32769),
    rich("RICH_MESSAGE_TOO_LARGE", "seen, and where the limit lies is ours", html="<b></b>" * 20000),
    rich("RICH_MESSAGE_BLOCKS_TOO_MANY", "seen", *[P] * 501),
    rich("RICH_MESSAGE_BLOCKS_TOO_MANY", "seen", {"type": "list", "items": [{"blocks": [P]}] * 250}),
    rich("RICH_MESSAGE_BLOCKS_TOO_MANY", "seen", {"type": "table", "cells": [[{"text": "x"}]] * 500}),
    rich("RICH_MESSAGE_MEDIA_TOO_MANY", "seen", *[{"type": "document", "document": {"type": "document",
         "media": "$file"}}] * 51),
    rich("RICH_MESSAGE_TABLE_COLS_TOO_MANY", "seen", {"type": "table", "cells": [[{"text": "x"}] * 21]}),
    rich("RICH_MESSAGE_TABLE_COLS_TOO_MANY", "seen", {"type": "table", "cells": [[{"text": "x", "colspan": 21}]]}),
    rich("RICH_MESSAGE_DEPTH_INVALID", "seen", nested(17)),
    rich("RICH_MESSAGE_DEPTH_INVALID", "seen", marked(16)),
    rich("RICH_MESSAGE_BUTTONS_TOO_MANY", "ours", {"type": "buttons", "buttons": [{"text": "x",
         "callback_data": "x"}] * 9}),
    rich("RICH_MESSAGE_THINKING_INVALID", "ours", {"type": "thinking", "text": "x"}),
]  # fmt: skip
DRAFTS = [
    call("chat_id is empty", "Client.cpp check_chat", "sendMessageDraft", draft_id=1, text="x"),
    call("TEXTDRAFT_PEER_INVALID", "seen", "sendMessageDraft", chat_id=GROUP, draft_id=1, text="x"),
    call("RANDOM_ID_INVALID", "seen", "sendMessageDraft", chat_id=1001, draft_id=0, text="x"),
    call("MESSAGE_TOO_LONG", "seen", "sendMessageDraft", chat_id=1001, draft_id=1, text="x" * 4097),
    call("rich message must be non-empty", RICH, "sendRichMessageDraft", chat_id=1001, draft_id=1),
    call("RANDOM_ID_INVALID", "seen", "sendRichMessageDraft", chat_id=1001, draft_id=0, rich_message={"blocks": [P]}),
    call(
        "TEXTDRAFT_PEER_INVALID",
        "seen",
        "sendRichMessageDraft",
        chat_id=GROUP,
        draft_id=1,
        rich_message={"blocks": [P]},
    ),
]
