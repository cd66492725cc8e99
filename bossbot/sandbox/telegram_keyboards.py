"""What TDLib and Telegram's server say of a keyboard that was read, and how Telegram keeps it.

Sources: T = tdlib/td, ReplyMarkup.cpp; S = Telegram's own server, as others saw it; D = the documentation.
"""

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_errors import TelegramError, refused
from bossbot.sandbox.telegram_limits import CALLBACK_DATA_BYTES, COPY_TEXT_LENGTH, MARKUP_BYTES, PLACEHOLDER_LENGTH

ROW_BUTTONS = 12
ALL_BUTTONS = 300
"""What comes after them is left out (T `get_reply_markup`)."""
_PRIVATE_ONLY = {
    "request_contact": "Phone number can be requested in private chats only",
    "request_location": "Location can be requested in private chats only",
    "request_poll": "Poll can be requested in private chats only",
    "web_app": "Web App buttons can be used in private chats only",
    "request_users": "Users can be requested in private chats only",
    "request_user": "Users can be requested in private chats only",
    "request_chat": "Chats can be requested in private chats only",
    "request_managed_bot": "Managed bots can be requested in private chats only",
}  # T


def kept_markup(markup: Json | None, chat: Chat, inline_only: bool = False) -> Json | None:
    """The keyboard as TDLib keeps it: buttons without a face are left out, and no button is no keyboard."""
    if markup is None:
        return None
    if "inline_keyboard" in markup:
        rows = _kept_rows(markup["inline_keyboard"])
        for row in rows:
            for button in row:
                check_button(button)
        return {**markup, "inline_keyboard": rows} if rows else None
    if inline_only:
        raise refused("Inline keyboard expected")  # T
    if "keyboard" not in markup:
        return markup
    rows = _kept_rows(markup["keyboard"])
    for button in (button for row in rows for button in row):
        _check_key(button, chat)
    return {**markup, "keyboard": rows} if rows else None


def _kept_rows(value: object) -> list[list[Json]]:
    rows: list[list[Json]] = []
    left = ALL_BUTTONS
    for row in as_list(value) or []:
        faced = [
            button
            for item in as_list(row) or []
            if (button := as_object(item)) and (button.get("text") or button.get("icon_custom_emoji_id"))
        ]
        kept = faced[: min(ROW_BUTTONS, left)]
        left -= len(kept)
        if kept:
            rows.append(kept)
    return rows


def check_button(button: Json) -> None:
    """TDLib's checks of one inline button."""
    if not button.get("text"):
        raise refused("Inline keyboard button text must be non-empty")  # T
    if "callback_data" in button:
        return
    if "url" in button and not str(button["url"]).lower().startswith("tg://user?id="):
        _check_url(str(button["url"]), "", https_only=False)
    for name, words in (("login_url", "login "), ("web_app", "Web App ")):
        if name in button:
            _check_url(str((as_object(button[name]) or {}).get("url")), words, https_only=True)


def _check_url(url: str, words: str, https_only: bool) -> None:
    # TDLib checks the address of a link in a text by the same function (LinkManager::check_link).
    link: Json = {"type": "text_link", "offset": 0, "length": 1, "url": url}
    try:
        judge().fix("x", [link])
    except TelegramError as error:
        found = error.description.removeprefix("Bad Request: entity ")
        raise refused(f"Inline keyboard button {words}{found}") from None
    if https_only and "://" in url and not url.lower().startswith("https://"):
        raise refused(f"Inline keyboard button {words}URL '{url}' is invalid: Only HTTPS links are allowed")


def _check_key(button: Json, chat: Chat) -> None:
    if not button.get("text"):
        raise refused("Keyboard button text must be non-empty")  # T
    for name, words in _PRIVATE_ONLY.items():
        if name in button and not chat.is_private:
            raise refused(words)


def check_on_server(markup: Json | None) -> None:
    """What only Telegram's server knows; it comes after everything else."""
    if markup is None:
        return
    for row in as_list(markup.get("inline_keyboard")) or []:
        for button in as_list(row) or []:
            check_button_on_server(as_object(button) or {})
    placeholder = str(markup.get("input_field_placeholder", ""))
    if len(placeholder) > PLACEHOLDER_LENGTH:
        raise refused("REPLY_MARKUP_PLACEHOLDER_TOO_LONG")
    if len(encode(markup)) > MARKUP_BYTES:
        raise refused("reply markup is too long")  # C REPLY_MARKUP_TOO_LONG


def check_button_on_server(button: Json) -> None:
    data = button.get("callback_data")
    if isinstance(data, str):
        if len(data.encode("utf-8", "surrogatepass")) > CALLBACK_DATA_BYTES:
            raise refused("BUTTON_DATA_INVALID")  # S
        return
    copied = as_object(button.get("copy_text"))
    if copied is not None and not 1 <= len(str(copied.get("text", ""))) <= COPY_TEXT_LENGTH:
        raise refused("BUTTON_COPY_TEXT_INVALID")  # D
