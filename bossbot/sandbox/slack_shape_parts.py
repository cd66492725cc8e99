"""Shapes of what Block Kit's blocks and elements are made of: texts, options, confirmations, images, filters.

Lengths are those of docs.slack.dev/reference/block-kit/composition-objects and of slack_sdk 3.48's validators.
"""

from bossbot.sandbox.slack_shape import (
    Check,
    at_least_one,
    boolean,
    both,
    by_type,
    exactly_one,
    items,
    matching,
    one_of,
    shape,
    string,
)

ID = string(255)
NAME = string(255, 1)
CHOICES = 100
URL = both(string(3000, 1), matching(r"(?s)\s*[A-Za-z][A-Za-z0-9+.-]*:.+", "a valid URL"))
NAMES = items(NAME, CHOICES)
STYLE = one_of("primary", "danger")


def plain(longest: int, shortest: int = 1) -> Check:
    """A plain_text object."""
    return by_type({"plain_text": _plain(longest, shortest)})


def text(longest: int, shortest: int = 1) -> Check:
    """A plain_text or mrkdwn object."""
    mrkdwn = shape({"text": string(longest, shortest)}, {"verbatim": boolean})
    return by_type({"plain_text": _plain(longest, shortest), "mrkdwn": mrkdwn})


def _plain(longest: int, shortest: int) -> Check:
    return shape({"text": string(longest, shortest)}, {"emoji": boolean})


def option(words: Check, **more: Check) -> Check:
    """One choice; menus show plain texts only, checkboxes and radio buttons also mrkdwn."""
    return shape({"text": words, "value": string(150, 1)}, {"description": words, **more})


CONFIRM = shape(
    {"title": plain(100), "text": text(300), "confirm": plain(30), "deny": plain(30)},
    {"style": STYLE},
)
OPTION = option(plain(75))
MARKED_OPTION = option(text(75))
LINKED_OPTION = option(plain(75), url=URL)
OPTION_GROUP = shape({"label": plain(75), "options": items(OPTION, CHOICES, 1)})
DISPATCH = shape({}, {"trigger_actions_on": items(one_of("on_enter_pressed", "on_character_entered"), 2, 1)})
FILTER = both(
    shape(
        {},
        {
            "include": items(one_of("im", "mpim", "private", "public"), 4, 1),
            "exclude_external_shared_channels": boolean,
            "exclude_bot_users": boolean,
        },
    ),
    at_least_one("include", "exclude_external_shared_channels", "exclude_bot_users"),
)
SLACK_FILE = both(shape({}, {"id": NAME, "url": URL}), exactly_one("id", "url"))
IMAGE = both(
    shape({"alt_text": string(2000)}, {"image_url": URL, "slack_file": SLACK_FILE}),
    exactly_one("image_url", "slack_file"),
)
WORKFLOW = shape(
    {
        "trigger": shape(
            {"url": URL},
            {"customizable_input_parameters": items(shape({"name": NAME, "value": string(3000)}), CHOICES)},
        )
    }
)
