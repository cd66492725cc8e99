"""The shapes and lengths of Block Kit, as the project's own table.

Sources: docs.slack.dev/reference/block-kit/blocks, slack_sdk 3.48's validators and @slack/types 3.2. Where the
last two say different things of one field, the stricter one counts. What is not judged is marked by `anything`.
"""

from bossbot.sandbox.slack_shape import (
    Check,
    anything,
    at_least_one,
    boolean,
    both,
    by_type,
    exactly_one,
    integer,
    items,
    later,
    number,
    one_of,
    shape,
    string,
)
from bossbot.sandbox.slack_shape_elements import ACCESSORIES, ACTIONS, BUTTON, CONTEXT_ACTIONS, INPUTS
from bossbot.sandbox.slack_shape_parts import CHOICES, ID, IMAGE, NAME, SLACK_FILE, URL, plain, text
from bossbot.sandbox.slack_shape_rich import RICH_TEXT

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
MARKDOWN = 12_000
TABLE_ROWS, TABLE_COLUMNS = 100, 20
CONTAINED = (
    "actions", "context", "divider", "file", "header", "image", "input", "rich_text", "section", "table", "video",
)  # fmt: skip
"""The blocks that a container may hold."""

_ID = {"block_id": ID}
_RICH = by_type({"rich_text": RICH_TEXT})
STATUS = one_of("pending", "in_progress", "complete", "error")
SOURCE = by_type({"url": shape({"url": URL, "text": string(3000, 1)})})
_CELL = by_type(
    {
        "raw_text": shape({"text": string(3000)}),
        "raw_number": shape({"value": number}, {"text": string(3000)}),
        "rich_text": RICH_TEXT,
    }
)
_ROWS = items(items(_CELL, TABLE_COLUMNS, 1), TABLE_ROWS, 1)
_COLUMN = shape({}, {"align": one_of("left", "center", "right"), "is_wrapped": boolean})
_PICTURE = by_type({"image": IMAGE})
TASK_CARD = shape(
    {
        "task_id": NAME,
        "title": string(3000, 1),
        "status": STATUS,
    },
    {**_ID, "details": _RICH, "output": _RICH, "sources": items(SOURCE, CHOICES)},
)
CARD = both(
    shape(
        {},
        {
            **_ID,
            "hero_image": _PICTURE,
            "icon": _PICTURE,
            "title": text(150),
            "subtitle": text(150),
            "body": text(200),
            "actions": items(by_type({"button": BUTTON}), 25, 1),
        },
    ),
    at_least_one("hero_image", "title", "actions", "body"),
)


def _contained() -> Check:
    return _CONTAINED


BLOCKS: dict[str, Check] = {
    "section": both(
        shape(
            {},
            {
                **_ID,
                "text": text(3000),
                "fields": items(text(2000), 10, 1),
                "accessory": by_type(ACCESSORIES),
                "expand": boolean,
            },
        ),
        at_least_one("text", "fields"),
    ),
    "divider": shape({}, _ID),
    "image": both(
        shape({"alt_text": string(2000)}, {**_ID, "image_url": URL, "slack_file": SLACK_FILE, "title": plain(2000)}),
        exactly_one("image_url", "slack_file"),
    ),
    "actions": shape({"elements": items(by_type(ACTIONS), 25, 1)}, _ID),
    "context": shape(
        {
            "elements": items(
                by_type(
                    {
                        "image": IMAGE,
                        "plain_text": shape({"text": string(3000, 1)}, {"emoji": boolean}),
                        "mrkdwn": shape({"text": string(3000, 1)}, {"verbatim": boolean}),
                    }
                ),
                10,
                1,
            )
        },
        _ID,
    ),
    "context_actions": shape({"elements": items(by_type(CONTEXT_ACTIONS), 5, 1)}, _ID),
    "input": shape(
        {"label": plain(2000), "element": by_type(INPUTS)},
        {**_ID, "hint": plain(2000), "optional": boolean, "dispatch_action": boolean},
    ),
    "file": shape({"external_id": NAME, "source": one_of("remote")}, _ID),
    "header": shape({"text": plain(150)}, _ID),
    "markdown": shape({"text": string(MARKDOWN, 1)}, _ID),
    "video": shape(
        {"alt_text": string(2000), "video_url": URL, "thumbnail_url": URL, "title": plain(199)},
        {
            **_ID,
            "title_url": URL,
            "description": plain(200),
            "provider_icon_url": URL,
            "provider_name": string(50),
            "author_name": string(49),
        },
    ),
    "rich_text": RICH_TEXT,
    "table": shape({"rows": _ROWS}, {**_ID, "column_settings": items(_COLUMN, TABLE_COLUMNS)}),
    "data_table": shape(
        {"rows": _ROWS, "caption": string(3000, 1)},
        {**_ID, "page_size": integer(1, 100), "row_header_column_index": integer(0, TABLE_COLUMNS - 1)},
    ),
    "task_card": TASK_CARD,
    "plan": shape({"title": string(3000, 1)}, {**_ID, "tasks": items(by_type({"task_card": TASK_CARD}), CHOICES)}),
    "alert": shape({"text": text(200)}, {**_ID, "level": one_of("default", "info", "warning", "error", "success")}),
    "card": CARD,
    "carousel": shape({"elements": items(by_type({"card": CARD}), 10, 1)}, _ID),
    "container": shape(
        {"child_blocks": items(later(_contained), 10, 1)},
        {
            **_ID,
            "title": plain(150),
            "rich_text_title": _RICH,
            "subtitle": text(150),
            "width": one_of("narrow", "standard", "wide", "full"),
            "icon": _PICTURE,
            "is_collapsible": boolean,
            "default_collapsed": boolean,
            "has_header_divider": boolean,
        },
    ),
    "auth_provider": shape(
        {"value": string(150, 1), "name": plain(75), "is_connected": boolean},
        {
            **_ID,
            "description": plain(150),
            "icon_url": URL,
            "auth_url": URL,
            "disconnect_url": URL,
            "connected_identity": plain(75),
            "connected_context": plain(75),
            "accessory": by_type({"overflow": ACTIONS["overflow"]}),
            "fallback": anything,
        },
    ),
}
_CONTAINED: Check = by_type({name: BLOCKS[name] for name in CONTAINED})
BLOCK: Check = by_type(BLOCKS)
MESSAGE = items(BLOCK, MESSAGE_BLOCKS)
"""All blocks of a message."""
VIEW = shape(
    {"blocks": items(BLOCK, VIEW_BLOCKS)},
    {
        "title": plain(24),
        "submit": plain(24),
        "close": plain(24),
        "private_metadata": string(3000),
        "callback_id": ID,
        "clear_on_close": boolean,
        "notify_on_close": boolean,
        "external_id": ID,
        "submit_disabled": boolean,
    },
)
