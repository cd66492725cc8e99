"""Shapes of Block Kit's elements: what a person presses, chooses from, or types into."""

from bossbot.sandbox.slack_shape import (
    Check,
    boolean,
    both,
    by_type,
    exactly_one,
    integer,
    items,
    matching,
    shape,
    string,
)
from bossbot.sandbox.slack_shape_parts import (
    CHOICES,
    CONFIRM,
    DISPATCH,
    FILTER,
    ID,
    IMAGE,
    LINKED_OPTION,
    MARKED_OPTION,
    NAME,
    NAMES,
    OPTION,
    OPTION_GROUP,
    STYLE,
    URL,
    WORKFLOW,
    plain,
)
from bossbot.sandbox.slack_shape_rich import RICH_TEXT

LABEL = string(75)
_PRESSED = {"action_id": ID, "confirm": CONFIRM}
_CHOSEN = {**_PRESSED, "focus_on_load": boolean}
_MENU = {**_CHOSEN, "placeholder": plain(150)}
_MANY = {**_MENU, "max_selected_items": integer(1, CHOICES)}
_OPTIONS = {"options": items(OPTION, CHOICES, 1), "option_groups": items(OPTION_GROUP, CHOICES, 1)}
_ONE_SOURCE = exactly_one("options", "option_groups")
_QUERY = {"min_query_length": integer(0, 3000)}
_PLACES = {"filter": FILTER, "default_to_current_conversation": boolean}
_RESPONDS = {"response_url_enabled": boolean}

BUTTON = shape(
    {"text": plain(75)},
    {
        **_PRESSED,
        "url": URL,
        "value": string(2000),
        "style": STYLE,
        "accessibility_label": LABEL,
        "visible_to_user_ids": NAMES,
        "agent_prompt": string(4000),
        "agent_prompt_display": string(4000),
    },
)
WORKFLOW_BUTTON = shape(
    {"text": plain(75), "workflow": WORKFLOW}, {**_PRESSED, "style": STYLE, "accessibility_label": LABEL}
)
SELECTS: dict[str, Check] = {
    "static_select": both(shape({}, {**_MENU, **_OPTIONS, "initial_option": OPTION}), _ONE_SOURCE),
    "external_select": shape({}, {**_MENU, **_QUERY, "initial_option": OPTION}),
    "users_select": shape({}, {**_MENU, "initial_user": NAME}),
    "conversations_select": shape({}, {**_MENU, **_PLACES, **_RESPONDS, "initial_conversation": NAME}),
    "channels_select": shape({}, {**_MENU, **_RESPONDS, "initial_channel": NAME}),
    "multi_static_select": both(
        shape({}, {**_MANY, **_OPTIONS, "initial_options": items(OPTION, CHOICES, 1)}), _ONE_SOURCE
    ),
    "multi_external_select": shape({}, {**_MANY, **_QUERY, "initial_options": items(OPTION, CHOICES, 1)}),
    "multi_users_select": shape({}, {**_MANY, "initial_users": NAMES}),
    "multi_conversations_select": shape({}, {**_MANY, **_PLACES, "initial_conversations": NAMES}),
    "multi_channels_select": shape({}, {**_MANY, "initial_channels": NAMES}),
}
_TICKED = items(MARKED_OPTION, 10, 1)
_CHOICES: dict[str, Check] = {
    **SELECTS,
    "checkboxes": shape({"options": _TICKED}, {**_CHOSEN, "initial_options": _TICKED}),
    "radio_buttons": shape({"options": _TICKED}, {**_CHOSEN, "initial_option": MARKED_OPTION}),
    "datepicker": shape({}, {**_MENU, "initial_date": matching(r"\d{4}-\d{2}-\d{2}", "a date as YYYY-MM-DD")}),
    "timepicker": shape(
        {}, {**_MENU, "initial_time": matching(r"([01]\d|2[0-3]):[0-5]\d", "a time as HH:mm"), "timezone": NAME}
    ),
    "datetimepicker": shape({}, {**_CHOSEN, "initial_date_time": integer(1_000_000_000, 9_999_999_999)}),
}
_TYPED = {
    "action_id": ID,
    "placeholder": plain(150),
    "initial_value": string(3000),
    "dispatch_action_config": DISPATCH,
    "focus_on_load": boolean,
}
_LINES = integer(1, 100)
_RICH_INPUT = shape(
    {},
    {
        **_TYPED,
        "initial_value": by_type({"rich_text": RICH_TEXT}),
        "min_lines": _LINES,
        "max_lines": _LINES,
    },
)
INPUTS: dict[str, Check] = {
    **_CHOICES,
    "plain_text_input": shape(
        {}, {**_TYPED, "multiline": boolean, "min_length": integer(0, 3000), "max_length": integer(1, 3000)}
    ),
    "email_text_input": shape({}, _TYPED),
    "url_text_input": shape({}, _TYPED),
    "number_input": shape(
        {"is_decimal_allowed": boolean},
        {**_TYPED, "min_value": string(255), "max_value": string(255)},
    ),
    "file_input": shape({}, {"action_id": ID, "filetypes": items(NAME, CHOICES, 1), "max_files": integer(1, 10)}),
    "rich_text_input": _RICH_INPUT,
}
"""What an input block may hold."""
_PRESSES: dict[str, Check] = {
    "button": BUTTON,
    "workflow_button": WORKFLOW_BUTTON,
    "overflow": shape({"options": items(LINKED_OPTION, 5, 1)}, _PRESSED),
}
ACTIONS: dict[str, Check] = {**_CHOICES, **_PRESSES, "rich_text_input": _RICH_INPUT}
"""What an actions block may hold."""
ACCESSORIES: dict[str, Check] = {**_CHOICES, **_PRESSES, "image": IMAGE}
"""What may stand beside a section's text."""
_FEEDBACK = shape({"text": plain(75), "value": string(2000)}, {"accessibility_label": LABEL})
CONTEXT_ACTIONS: dict[str, Check] = {
    "feedback_buttons": shape({"positive_button": _FEEDBACK, "negative_button": _FEEDBACK}, {"action_id": ID}),
    "icon_button": shape(
        {"icon": NAME, "text": plain(75)},
        {**_PRESSED, "accessibility_label": LABEL, "value": string(2000), "visible_to_user_ids": NAMES},
    ),
}
