"""One message block of every type and one element of every type that Slack takes, at their greatest lengths."""

from typing import Any

Shape = dict[str, Any]


def plain(text: str) -> Shape:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Shape:
    return {"type": "mrkdwn", "text": text}


def button(**fields: Any) -> Shape:
    return {"type": "button", "text": plain("Go"), "action_id": "go", **fields}


def actions(*elements: Shape) -> Shape:
    return {"type": "actions", "elements": list(elements)}


def rich(*elements: Shape) -> Shape:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


def option(value: str, **more: Any) -> Shape:
    return {"text": plain(value), "value": value, **more}


def task(number: int, **more: Any) -> Shape:
    return {"type": "task_card", "task_id": str(number), "title": "Build", "status": "complete", **more}


CONFIRM = {"title": plain("Sure?"), "text": mrkdwn("x" * 300), "confirm": plain("Yes"), "deny": plain("No")}
IMAGE = {"type": "image", "image_url": "https://a.bc/d.png", "alt_text": "x"}
OPTIONS = [option("a", description=plain("x")), option("b")]
MANY = {"options": [option(str(number)) for number in range(100)]}
ELEMENTS: list[Shape] = [
    button(value="v" * 2000, style="danger", confirm=CONFIRM, url="https://a.bc", accessibility_label="x" * 75),
    button(visible_to_user_ids=["U0ADA"], agent_prompt="p" * 4000),
    {"type": "workflow_button", "text": plain("Run"), "workflow": {"trigger": {"url": "https://a.bc"}}},
    {"type": "overflow", "options": [option("a", url="https://a.bc"), *[option(str(n)) for n in range(4)]]},
    {"type": "checkboxes", "options": [{**option("a"), "text": mrkdwn("*a*")}]},
    {"type": "radio_buttons", "options": OPTIONS, "initial_option": OPTIONS[0], "focus_on_load": True},
    {"type": "datepicker", "initial_date": "2026-11-30", "placeholder": plain("When?")},
    {"type": "timepicker", "initial_time": "23:59", "timezone": "Europe/Rome"},
    {"type": "datetimepicker", "initial_date_time": 1_796_000_000},
    {"type": "static_select", **MANY, "placeholder": plain("x" * 150)},
    {"type": "static_select", "option_groups": [{"label": plain("g"), "options": OPTIONS}]},
    {"type": "external_select", "min_query_length": 0},
    {"type": "users_select", "initial_user": "U0ADA"},
    {"type": "conversations_select", "filter": {"include": ["im", "public"], "exclude_bot_users": True}},
    {"type": "channels_select", "initial_channel": "C0BOSS", "response_url_enabled": True},
    {"type": "multi_static_select", "options": OPTIONS, "initial_options": OPTIONS, "max_selected_items": 2},
    {"type": "multi_external_select", "initial_options": OPTIONS},
    {"type": "multi_users_select", "initial_users": ["U0ADA"]},
    {"type": "multi_conversations_select", "default_to_current_conversation": True},
    {"type": "multi_channels_select", "initial_channels": ["C0BOSS"]},
    {"type": "rich_text_input", "initial_value": rich({"type": "text", "text": "x"}), "min_lines": 1, "max_lines": 9},
]
INPUTS: list[Shape] = [
    {"type": "plain_text_input", "multiline": True, "min_length": 0, "max_length": 3000},
    {"type": "email_text_input", "initial_value": "a@b.cd"},
    {"type": "url_text_input", "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed"]}},
    {"type": "number_input", "is_decimal_allowed": False, "min_value": "1", "max_value": "9"},
    {"type": "file_input", "filetypes": ["png"], "max_files": 10},
]
RICH: list[Shape] = [
    {"type": "text", "text": "rm -rf build", "style": {"code": True}},
    {"type": "link", "url": "https://a.bc", "text": "x", "style": {"bold": True}},
    {"type": "emoji", "name": "eyes", "skin_tone": 2},
    {"type": "user", "user_id": "U0ADA"},
    {"type": "channel", "channel_id": "C0BOSS"},
    {"type": "usergroup", "usergroup_id": "S0APPROVERS"},
    {"type": "broadcast", "range": "here"},
    {"type": "date", "timestamp": 1_796_000_000, "format": "{date}", "fallback": "then"},
    {"type": "color", "value": "#ff0000"},
    {"type": "team", "team_id": "T0SANDBOX"},
]
CELL = {"type": "raw_text", "text": "x"}
BLOCKS: list[Shape] = [
    {"type": "divider"},
    {"type": "section", "text": mrkdwn("x" * 3000), "block_id": "b" * 255},
    {"type": "section", "fields": [plain("x" * 1300)] * 10, "expand": True},
    {"type": "section", "text": mrkdwn("x"), "accessory": IMAGE},
    {"type": "header", "text": plain("x" * 150)},
    {"type": "context", "elements": [mrkdwn("x")] * 9 + [IMAGE]},
    actions(*[button(action_id=f"a{number}") for number in range(25)]),
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "positive_button": {"text": plain("Good"), "value": "good"},
                "negative_button": {"text": plain("Bad"), "value": "bad", "accessibility_label": "bad"},
            },
            {"type": "icon_button", "icon": "trash", "text": plain("Delete"), "value": "x", "confirm": CONFIRM},
        ],
    },
    {"type": "markdown", "text": "x" * 12_000},
    rich(*RICH),
    {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x"}], "border": 1},
            {"type": "rich_text_quote", "elements": [{"type": "link", "url": "https://a.bc", "text": "x"}]},
            {"type": "rich_text_list", "style": "bullet", "indent": 8, "elements": rich(RICH[2])["elements"]},
        ],
    },
    {**IMAGE, "title": plain("x" * 2000)},
    {"type": "image", "slack_file": {"id": "F0SBX00001"}, "alt_text": "x"},
    {"type": "file", "external_id": "x", "source": "remote"},
    {
        "type": "video",
        "video_url": "https://a.bc/v",
        "thumbnail_url": "https://a.bc/t",
        "alt_text": "x",
        "title": plain("x" * 199),
        "author_name": "x" * 49,
    },
    {"type": "table", "rows": [[CELL, rich(RICH[0])]], "column_settings": [{"align": "right", "is_wrapped": True}]},
    {"type": "table", "rows": [[CELL] * 20] * 100},
    {"type": "data_table", "caption": "Runs", "rows": [[{"type": "raw_number", "value": 1}]], "page_size": 5},
    {"type": "alert", "text": mrkdwn("x" * 200), "level": "warning"},
    task(1, details=rich(RICH[0]), output=rich(RICH[1]), sources=[{"type": "url", "url": "https://a.bc", "text": "A"}]),
    {"type": "plan", "title": "Plan", "tasks": [task(1), task(2)]},
    {"type": "card", "title": mrkdwn("x" * 150), "body": mrkdwn("x" * 200), "icon": IMAGE, "actions": [button()]},
    {"type": "carousel", "elements": [{"type": "card", "title": mrkdwn("x")}] * 10},
    {
        "type": "container",
        "title": plain("x" * 150),
        "subtitle": mrkdwn("y"),
        "child_blocks": [{"type": "divider"}] * 10,
        "is_collapsible": True,
        "width": "wide",
    },
    {
        "type": "auth_provider",
        "value": "github",
        "name": plain("GitHub"),
        "is_connected": True,
        "auth_url": "https://a.bc",
        "accessory": {"type": "overflow", "action_id": "more", "options": OPTIONS},
    },
]  # fmt: skip
MODAL: Shape = {
    "type": "modal",
    "title": plain("x" * 24),
    "submit": plain("Send"),
    "close": plain("Back"),
    "callback_id": "c",
    "blocks": [
        {
            "type": "input",
            "label": plain("x" * 2000),
            "element": {**element, "action_id": f"i{number}"},
            "optional": True,
        }
        for number, element in enumerate((*INPUTS, *ELEMENTS[4:]))
    ],
}
