"""Is this a keyboard that Telegram takes? The words are those of tdlib/telegram-bot-api.

Sources: `Client::get_reply_markup`, `get_inline_keyboard_button`, and Telegram's own server for
BUTTON_DATA_INVALID.
"""

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_errors import TelegramError, refused

DATA_BYTES = 64
"""A button's callback_data in UTF-8 (Bot API: 1-64 bytes)."""
MARKUP_BYTES = 10_000
STYLES = frozenset({"", "default", "primary", "danger", "success"})
BUTTON_KINDS = (
    "url", "callback_data", "callback_game", "pay", "switch_inline_query", "switch_inline_query_chosen_chat",
    "switch_inline_query_current_chat", "login_url", "web_app", "copy_text", "disabled",
)  # fmt: skip


def checked_markup(value: object) -> Json | None:
    """The keyboard as the server keeps it; None when there is none. Raises the server's refusal."""
    if value is None:
        return None
    markup = as_object(value)
    if markup is None:
        raise refused("Object expected as reply markup")
    rows = _rows(
        markup,
        "inline_keyboard",
        'Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
    )
    keyboard = _rows(markup, "keyboard", 'Field "keyboard" must be an Array of Arrays')
    if any(keyboard):
        return markup
    if any(rows):
        return _checked_inline(rows)
    if markup.get("remove_keyboard") is True or markup.get("force_reply") is True:
        return markup
    return None


def _rows(markup: Json, name: str, wrong: str) -> list[list[object]]:
    value = markup.get(name)
    if value is None:
        return []
    rows = as_list(value)
    if rows is None:
        raise refused(f'Field "{name}" must be of type Array')
    found = [as_list(row) for row in rows]
    if any(row is None for row in found):
        raise refused(wrong)
    return [row for row in found if row]


def _checked_inline(rows: list[list[object]]) -> Json:
    checked = [[_checked_button(button) for button in row] for row in rows]
    markup: Json = {"inline_keyboard": checked}
    if len(encode(markup)) > MARKUP_BYTES:
        raise refused("reply markup is too long")
    return markup


def _checked_button(value: object) -> Json:
    button = as_object(value)
    if button is None:
        raise _wrong("InlineKeyboardButton must be an Object")
    text = button.get("text")
    if text is None:
        raise _wrong('Can\'t find field "text"')
    if not isinstance(text, str):
        raise _wrong('Field "text" must be of type String')
    if str(button.get("style") or "").lower() not in STYLES:
        raise _wrong("invalid button style specified")
    kind = next((name for name in BUTTON_KINDS if button.get(name) not in (None, "")), None)
    if kind is None:
        raise _wrong("Text buttons are unallowed in the inline keyboard")
    if not text:
        raise refused("Inline keyboard button text must be non-empty")
    _check_kind(kind, button[kind])
    return {name: field for name, field in button.items() if field is not None}


def _check_kind(kind: str, value: object) -> None:
    if kind == "callback_data":
        if not isinstance(value, str):
            raise _wrong('Field "callback_data" must be of type String')
        if len(value.encode()) > DATA_BYTES:
            raise refused("BUTTON_DATA_INVALID")
    if kind == "url":
        _check_url(str(value))
    if kind == "copy_text":
        text = (as_object(value) or {}).get("text")
        if not isinstance(text, str) or not 1 <= len(text) <= 256:
            raise refused("BUTTON_COPY_TEXT_INVALID")


def _check_url(url: str) -> None:
    # TDLib checks the address of a link in a text by the same function (LinkManager::check_link).
    link: Json = {"type": "text_link", "offset": 0, "length": 1, "url": url}
    try:
        judge().fix("x", [link])
    except TelegramError as error:
        found = error.description.removeprefix("Bad Request: entity ")
        raise refused(f"Inline keyboard button {found}") from None


def _wrong(message: str) -> TelegramError:
    return refused(f"can't parse inline keyboard button: {message}")
