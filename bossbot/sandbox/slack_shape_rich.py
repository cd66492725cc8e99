"""Shapes of rich text: sections, lists, quotes and code, made of texts, links and mentions."""

from bossbot.sandbox.slack_shape import Check, boolean, by_type, integer, items, number, one_of, shape, string
from bossbot.sandbox.slack_shape_parts import ID, NAME, URL

MANY = 10_000
"""More parts than any message needs; Slack's own bound is the message's size."""
LONG = 100_000
_MARKS = ("bold", "italic", "strike", "code", "underline", "highlight", "client_highlight", "unlink")
_STYLED = {"style": shape({}, dict.fromkeys(_MARKS, boolean))}
_BORDER = {"border": integer(0, 1)}
_TEXT = shape({"text": string(LONG, 1)}, _STYLED)
_LINK = shape({"url": string(LONG, 1)}, {**_STYLED, "text": string(LONG), "unsafe": boolean})
ELEMENTS: dict[str, Check] = {
    "text": _TEXT,
    "link": _LINK,
    "emoji": shape({"name": NAME}, {**_STYLED, "unicode": ID, "skin_tone": integer(1, 6), "url": URL}),
    "user": shape({"user_id": NAME}, _STYLED),
    "channel": shape({"channel_id": NAME}, _STYLED),
    "usergroup": shape({"usergroup_id": NAME}, _STYLED),
    "broadcast": shape({"range": one_of("here", "channel", "everyone")}, _STYLED),
    "date": shape({"timestamp": number, "format": NAME}, {**_STYLED, "url": URL, "fallback": string(3000)}),
    "color": shape({"value": NAME}, _STYLED),
    "team": shape({"team_id": NAME}, _STYLED),
}
_ELEMENTS = items(by_type(ELEMENTS), MANY)
_SECTION = shape({"elements": _ELEMENTS})
PARTS: dict[str, Check] = {
    "rich_text_section": _SECTION,
    "rich_text_preformatted": shape(
        {"elements": items(by_type({"text": _TEXT, "link": _LINK}), MANY)}, {**_BORDER, "language": ID}
    ),
    "rich_text_quote": shape({"elements": _ELEMENTS}, _BORDER),
    "rich_text_list": shape(
        {
            "elements": items(by_type({"rich_text_section": _SECTION}), MANY),
            "style": one_of("bullet", "ordered"),
        },
        {**_BORDER, "indent": integer(0, 8), "offset": integer(0, MANY)},
    ),
}
RICH_TEXT = shape({"elements": items(by_type(PARTS), MANY)}, {"block_id": ID})
