"""The shapes and lengths of Block Kit, as the project's own table.

Sources: docs.slack.dev/reference/block-kit, and the validators of slack_sdk 3.48, whose numbers these
are. What the sandbox does not judge is marked by `anything`.
"""

from bossbot.sandbox.slack_shape import (
    Check,
    anything,
    boolean,
    by_type,
    items,
    later,
    number,
    one_of,
    shape,
    string,
)

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
URL = string(3000, 1)
ACTION_ID = string(255)
CHOICES = 100


def plain(longest: int, shortest: int = 1) -> Check:
    """A plain_text object."""
    return by_type({"plain_text": shape({"text": string(longest, shortest)}, {"emoji": boolean})})


def text(longest: int, shortest: int = 1) -> Check:
    """A plain_text or mrkdwn object."""
    return by_type(
        {
            "plain_text": shape({"text": string(longest, shortest)}, {"emoji": boolean}),
            "mrkdwn": shape({"text": string(longest, shortest)}, {"verbatim": boolean}),
        }
    )


CONFIRM = shape(
    {"title": plain(100), "text": text(300), "confirm": plain(30), "deny": plain(30)},
    {"style": one_of("primary", "danger")},
)
USER_IDS = items(string(255, 1), CHOICES)
OPTION = shape({"text": text(75), "value": string(150, 1)}, {"description": text(75), "url": URL})
OPTION_GROUP = shape({"label": plain(75), "options": items(OPTION, CHOICES, 1)})
SLACK_FILE = shape({}, {"id": string(255), "url": URL})
COMMON = {"action_id": ACTION_ID, "confirm": CONFIRM, "focus_on_load": boolean}
MENU = {**COMMON, "placeholder": plain(150)}
FEEDBACK = shape({"text": plain(75), "value": string(2000)}, {"accessibility_label": string(75)})
DISPATCH = shape({}, {"trigger_actions_on": items(string(255), 2)})

BUTTON = shape(
    {"text": plain(75)},
    {
        "action_id": ACTION_ID,
        "url": URL,
        "value": string(2000),
        "style": one_of("primary", "danger"),
        "confirm": CONFIRM,
        "accessibility_label": string(75),
        "visible_to_user_ids": USER_IDS,
        "agent_prompt": string(4000),
        "agent_prompt_display": anything,
    },
)
IMAGE_ELEMENT = shape({"alt_text": string(2000)}, {"image_url": URL, "slack_file": SLACK_FILE})
_OPTIONS = {"options": items(OPTION, CHOICES, 1), "option_groups": items(OPTION_GROUP, CHOICES, 1)}

CHOICE_ELEMENTS: dict[str, Check] = {
    "static_select": shape({}, {**MENU, **_OPTIONS, "initial_option": OPTION}),
    "multi_static_select": shape(
        {}, {**MENU, **_OPTIONS, "initial_options": items(OPTION, CHOICES), "max_selected_items": number}
    ),
    "external_select": shape({}, {**MENU, "min_query_length": number, "initial_option": OPTION}),
    "multi_external_select": shape(
        {},
        {
            **MENU,
            "min_query_length": number,
            "initial_options": items(OPTION, CHOICES),
            "max_selected_items": number,
        },
    ),
    "users_select": shape({}, {**MENU, "initial_user": string(255)}),
    "multi_users_select": shape({}, {**MENU, "initial_users": USER_IDS, "max_selected_items": number}),
    "conversations_select": shape(
        {},
        {
            **MENU,
            "initial_conversation": string(255),
            "response_url_enabled": boolean,
            "filter": anything,
            "default_to_current_conversation": boolean,
        },
    ),
    "multi_conversations_select": shape(
        {},
        {
            **MENU,
            "initial_conversations": USER_IDS,
            "max_selected_items": number,
            "filter": anything,
            "default_to_current_conversation": boolean,
        },
    ),
    "channels_select": shape({}, {**MENU, "initial_channel": string(255), "response_url_enabled": boolean}),
    "multi_channels_select": shape({}, {**MENU, "initial_channels": USER_IDS, "max_selected_items": number}),
    "datepicker": shape({}, {**MENU, "initial_date": string(10)}),
    "timepicker": shape({}, {**MENU, "initial_time": string(5), "timezone": string(255)}),
    "datetimepicker": shape({}, {**COMMON, "initial_date_time": number}),
    "checkboxes": shape({"options": items(OPTION, 10, 1)}, {**COMMON, "initial_options": items(OPTION, 10)}),
    "radio_buttons": shape({"options": items(OPTION, 10, 1)}, {**COMMON, "initial_option": OPTION}),
}
ACTION_ELEMENTS: dict[str, Check] = {
    **CHOICE_ELEMENTS,
    "button": BUTTON,
    "overflow": shape({"options": items(OPTION, 5, 1)}, {"action_id": ACTION_ID, "confirm": CONFIRM}),
    "workflow_button": shape(
        {"text": plain(75), "workflow": anything},
        {"action_id": ACTION_ID, "style": one_of("primary", "danger"), "accessibility_label": string(75)},
    ),
}
_TYPED = {
    **COMMON,
    "placeholder": plain(150),
    "initial_value": string(3000),
    "dispatch_action_config": DISPATCH,
}
INPUT_ELEMENTS: dict[str, Check] = {
    **CHOICE_ELEMENTS,
    "plain_text_input": shape({}, {**_TYPED, "multiline": boolean, "min_length": number, "max_length": number}),
    "email_text_input": shape({}, _TYPED),
    "url_text_input": shape({}, _TYPED),
    "number_input": shape({"is_decimal_allowed": boolean}, {**_TYPED, "min_value": anything, "max_value": anything}),
    "file_input": shape({}, {"action_id": ACTION_ID, "filetypes": items(string(255), 100), "max_files": number}),
    "rich_text_input": shape({}, {**_TYPED, "initial_value": anything, "min_lines": number, "max_lines": number}),
}

_STYLE = shape(
    {}, {"bold": boolean, "italic": boolean, "strike": boolean, "code": boolean, "underline": boolean,
         "highlight": boolean, "client_highlight": boolean, "unlink": boolean}
)  # fmt: skip
_STYLED = {"style": _STYLE}
RICH_ELEMENTS: dict[str, Check] = {
    "text": shape({"text": string(100_000, 1)}, _STYLED),
    "link": shape({"url": string(100_000, 1)}, {**_STYLED, "text": string(100_000), "unsafe": boolean}),
    "emoji": shape({"name": string(255, 1)}, {**_STYLED, "unicode": string(255), "skin_tone": number, "url": URL}),
    "user": shape({"user_id": string(255, 1)}, _STYLED),
    "channel": shape({"channel_id": string(255, 1)}, _STYLED),
    "usergroup": shape({"usergroup_id": string(255, 1)}, _STYLED),
    "broadcast": shape({"range": one_of("here", "channel", "everyone")}, _STYLED),
    "date": shape({"timestamp": number, "format": string(255, 1)}, {**_STYLED, "url": URL, "fallback": string(3000)}),
    "color": shape({"value": string(255, 1)}, _STYLED),
    "team": shape({"team_id": string(255, 1)}, _STYLED),
}
_RICH_ITEMS = items(by_type(RICH_ELEMENTS), 10_000)
RICH_SECTION = shape({"elements": _RICH_ITEMS})
RICH_PARTS: dict[str, Check] = {
    "rich_text_section": RICH_SECTION,
    "rich_text_preformatted": shape({"elements": _RICH_ITEMS}, {"border": number, "language": string(255)}),
    "rich_text_quote": shape({"elements": _RICH_ITEMS}, {"border": number}),
    "rich_text_list": shape(
        {
            "elements": items(by_type({"rich_text_section": RICH_SECTION}), 10_000),
            "style": one_of("bullet", "ordered"),
        },
        {"indent": number, "offset": number, "border": number},
    ),
}

ID = {"block_id": string(255)}
RICH_TEXT = shape({"elements": items(by_type(RICH_PARTS), 10_000)}, ID)
_SOURCE = by_type({"url": shape({"url": URL, "text": string(3000, 1)})})
TASK_CARD = shape(
    {"task_id": string(255, 1), "title": string(3000, 1)},
    {
        **ID,
        "details": by_type({"rich_text": RICH_TEXT}),
        "output": by_type({"rich_text": RICH_TEXT}),
        "sources": items(_SOURCE, CHOICES),
        "status": one_of("pending", "in_progress", "complete", "error"),
    },
)
CARD = shape(
    {},
    {
        **ID,
        "hero_image": anything,
        "icon": anything,
        "title": text(150),
        "subtitle": text(150),
        "body": text(200),
        "actions": items(by_type(ACTION_ELEMENTS), 25, 1),
    },
)
_CELL = by_type(
    {
        "raw_text": shape({"text": string(3000)}),
        "raw_number": shape({"value": number}, {"text": string(3000)}),
        "rich_text": RICH_TEXT,
    }
)


def _any_block() -> Check:
    return BLOCK


BLOCKS: dict[str, Check] = {
    "section": shape(
        {},
        {
            **ID,
            "text": text(3000),
            "fields": items(text(2000), 10, 1),
            "accessory": by_type({**ACTION_ELEMENTS, "image": IMAGE_ELEMENT}),
            "expand": boolean,
        },
    ),
    "divider": shape({}, ID),
    "image": shape(
        {"alt_text": string(2000)}, {**ID, "image_url": URL, "slack_file": SLACK_FILE, "title": plain(2000)}
    ),
    "actions": shape({"elements": items(by_type(ACTION_ELEMENTS), 25, 1)}, ID),
    "context": shape(
        {
            "elements": items(
                by_type(
                    {
                        "image": IMAGE_ELEMENT,
                        "plain_text": shape({"text": string(3000, 1)}, {"emoji": boolean}),
                        "mrkdwn": shape({"text": string(3000, 1)}, {"verbatim": boolean}),
                    }
                ),
                10,
                1,
            )
        },
        ID,
    ),
    "context_actions": shape(
        {
            "elements": items(
                by_type(
                    {
                        "feedback_buttons": shape(
                            {"positive_button": FEEDBACK, "negative_button": FEEDBACK},
                            {"action_id": ACTION_ID},
                        ),
                        "icon_button": shape(
                            {"icon": string(255, 1), "text": plain(75)},
                            {
                                "action_id": ACTION_ID,
                                "accessibility_label": string(75),
                                "value": string(2000),
                                "visible_to_user_ids": USER_IDS,
                                "confirm": CONFIRM,
                            },
                        ),
                    }
                ),
                5,
                1,
            )
        },
        ID,
    ),
    "input": shape(
        {"label": plain(2000), "element": by_type(INPUT_ELEMENTS)},
        {**ID, "hint": plain(2000), "optional": boolean, "dispatch_action": boolean},
    ),
    "file": shape({"external_id": string(255, 1), "source": one_of("remote")}, ID),
    "header": shape({"text": plain(150)}, ID),
    "markdown": shape({"text": string(12_000, 1)}, ID),
    "video": shape(
        {"alt_text": string(2000), "video_url": URL, "thumbnail_url": URL, "title": plain(200)},
        {
            **ID,
            "title_url": URL,
            "description": plain(200),
            "provider_icon_url": URL,
            "provider_name": string(50),
            "author_name": string(50),
        },
    ),
    "rich_text": RICH_TEXT,
    "table": shape(
        {"rows": items(items(_CELL, 20, 1), 100, 1)},
        {
            **ID,
            "column_settings": items(
                shape({}, {"align": one_of("left", "center", "right"), "is_wrapped": boolean}), 20
            ),
        },
    ),
    "task_card": TASK_CARD,
    "plan": shape({"title": string(3000, 1)}, {**ID, "tasks": items(by_type({"task_card": TASK_CARD}), CHOICES)}),
    "alert": shape({"text": text(200)}, {**ID, "level": one_of("default", "info", "warning", "error", "success")}),
    "card": CARD,
    "carousel": shape({"elements": items(by_type({"card": CARD}), 10, 1)}, ID),
    "container": shape(
        {"child_blocks": items(later(_any_block), 10, 1)},
        {
            **ID,
            "title": text(150),
            "rich_text_title": anything,
            "subtitle": text(150),
            "width": one_of("narrow", "standard", "wide", "full"),
            "icon": anything,
            "is_collapsible": boolean,
            "default_collapsed": boolean,
            "has_header_divider": boolean,
        },
    ),
}
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
        "callback_id": string(255),
        "clear_on_close": boolean,
        "notify_on_close": boolean,
        "external_id": string(255),
        "submit_disabled": boolean,
    },
)
