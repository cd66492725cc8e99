"""Keyboards as a bot sends them, read in the order and with the words of the Bot API server.

What TDLib and Telegram's server say of a keyboard, once the chat is known, is in `telegram_keyboards.py`.
Sources: tdlib/telegram-bot-api, Client.cpp (`get_reply_markup`, `get_inline_keyboard_button`,
`get_inline_keyboard_button_type`, `get_button_style`, `get_keyboard_button`).
"""

import re
from collections.abc import Callable

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_nested import WrongValueError, check_field, check_object
from bossbot.sandbox.telegram_params import Params
from bossbot.sandbox.telegram_table import table

STYLES = frozenset({"primary", "danger", "success"})
RICH_STYLES = STYLES | {"link"}
_USUAL = {"text", "callback_data"}
"""What most buttons have, and nothing besides."""
_BARE = ("callback_game", "pay")
"""Kinds of which only the presence counts."""
_KINDS = (
    "callback_game", "pay", "switch_inline_query", "switch_inline_query_chosen_chat",
    "switch_inline_query_current_chat", "login_url", "web_app", "copy_text", "disabled",
)  # fmt: skip
"""In the order in which the server looks for them, after `url` and `callback_data`."""
_FLAGS = (
    "hide_keyboard", "remove_keyboard", "personal_keyboard", "selective", "force_reply_keyboard", "force_reply",
)  # fmt: skip
_OLDER = {
    "remove_keyboard": "hide_keyboard",
    "force_reply": "force_reply_keyboard",
    "selective": "personal_keyboard",
}
"""Names that the documentation has, and those that the server still knows."""
_KEYBOARD_FLAGS = ("resize_keyboard", "one_time_keyboard", "is_persistent")
_USERNAME = re.compile(r"@?[A-Za-z0-9_]+")


def read_markup(params: Params) -> Json | None:
    """`reply_markup` of a call: an inline keyboard, a reply keyboard, its removal or a forced reply; None for none.

    Raises the server's refusal.
    """
    value = params.json("reply_markup")
    return None if value is None else read_markup_value(as_object(value) or {})


def read_markup_value(markup: Json) -> Json | None:
    """The same for a keyboard that is decoded already."""
    keyboard = _rows(markup, "keyboard", 'Field "keyboard" must be an Array of Arrays')
    rows = [[_read("keyboard button", _keyboard_button, button) for button in row] for row in keyboard]
    inline = _rows(
        markup, "inline_keyboard", 'Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays'
    )
    inline_rows = [[_read("inline keyboard button", read_inline_button, button) for button in row] for row in inline]
    try:
        options = _options(markup, bool(rows))
    except WrongValueError as error:
        raise refused(str(error)) from None
    if rows:
        return {"keyboard": rows, **options}
    if inline_rows:
        forced: Json = {"force_reply": True} if options.get("force_reply") is True else {}
        return {"inline_keyboard": inline_rows, **forced}
    if options.get("remove_keyboard") is True or options.get("force_reply") is True:
        return options
    return None


def _rows(markup: Json, name: str, wrong: str) -> list[list[object]]:
    if name not in markup:
        return []
    rows = as_list(markup[name])
    if rows is None:
        raise refused(f'Field "{name}" must be of type Array')
    found = [as_list(row) for row in rows]
    if any(row is None for row in found):
        raise refused(wrong)
    return [row or [] for row in found]


def _read(what: str, reader: Callable[[object], Json], value: object) -> Json:
    try:
        return reader(value)
    except WrongValueError as error:
        raise refused(f"Can't parse {what}: {error}") from None


def _options(markup: Json, has_rows: bool) -> Json:
    """The flags of a reply keyboard, under the names that the documentation has."""
    if len(markup) == 1 and ("inline_keyboard" in markup or has_rows):
        return {}  # nothing besides the buttons
    for name in _FLAGS:
        _check(markup, name, "Boolean")
    _check(markup, "input_field_placeholder", "String")
    found: Json = {}
    for name, older in _OLDER.items():
        if markup.get(name) is True or markup.get(older) is True:
            found[name] = True
    for name in _KEYBOARD_FLAGS if has_rows else ():
        _check(markup, name, "Boolean")
        if markup.get(name) is True:
            found[name] = True
    placeholder = str(markup.get("input_field_placeholder", ""))
    return {**found, "input_field_placeholder": placeholder} if placeholder else found


def _check(body: Json, name: str, word: str) -> None:
    if name in body:
        check_field(name, body[name], (word,))


def read_inline_button(value: object) -> Json:
    """One inline button: its text, its look, and the first kind that it has."""
    button = as_object(value)
    if button is None:
        raise WrongValueError("InlineKeyboardButton must be an Object")
    if button.keys() == _USUAL and all(isinstance(part, str) and part for part in button.values()):
        return button
    read = _face(button, STYLES)
    return {**read, **read_kind(button)}


def _face(button: Json, styles: frozenset[str]) -> Json:
    if "text" not in button:
        raise WrongValueError('Can\'t find field "text"')
    check_field("text", button["text"], ("String",))
    _check(button, "icon_custom_emoji_id", "Integer")
    read: Json = {"text": str(button["text"])}
    if button.get("icon_custom_emoji_id"):
        read["icon_custom_emoji_id"] = str(button["icon_custom_emoji_id"])
    return {**read, **read_style(button, styles)}


def read_style(button: Json, styles: frozenset[str]) -> Json:
    _check(button, "style", "String")
    style = str(button.get("style", "")).lower()
    if style in ("", "default"):
        return {}
    if style not in styles:
        raise WrongValueError("invalid button style specified")
    return {"style": style}


def read_kind(button: Json) -> Json:
    """What pressing the button does; also of a button in a rich message."""
    for name in ("url", "callback_data"):
        _check(button, name, "String")
        if str(button.get(name, "")):
            return {name: str(button[name])}
    fields = table().type("InlineKeyboardButton")
    for name in _KINDS:
        if name in button:
            if name not in _BARE:
                check_field(name, button[name], fields[name].words)
            if name == "login_url":
                _check_username((as_object(button[name]) or {}).get("bot_username"))
            return {name: {"callback_game": {}, "pay": True}.get(name, button[name])}
    raise WrongValueError("Text buttons are unallowed in the inline keyboard")


def _check_username(value: object) -> None:
    if value not in (None, "") and _USERNAME.fullmatch(str(value)) is None:
        raise WrongValueError("LoginUrl bot username is invalid")


def _keyboard_button(value: object) -> Json:
    if isinstance(value, str):
        return {"text": value}
    button = as_object(value)
    if button is None:
        raise WrongValueError("KeyboardButton must be a String or an Object")
    read = _face(button, STYLES)
    check_object(button, "KeyboardButton")
    kinds = {name: kind for name, kind in button.items() if name.startswith("request_") or name == "web_app"}
    return {**read, **{name: kind for name, kind in kinds.items() if kind is not False}}
