"""Buttons inside rich messages: in blocks of their own and in the midst of a text.

Sources: C = tdlib/telegram-bot-api, Client.cpp; D = Telegram's documentation.
"""

from collections.abc import Iterator

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_keyboards import check_button, check_button_on_server
from bossbot.sandbox.telegram_markup import RICH_STYLES, read_kind, read_style
from bossbot.sandbox.telegram_nested import WrongValueError


def buttons_of(value: object) -> Iterator[Json]:
    """Every button below a value: of blocks, list items, cells and texts, in their order."""
    for item in as_list(value) or []:
        yield from buttons_of(item)
    body = as_object(value) or {}
    if body.get("type") == "button":
        yield as_object(body.get("button")) or {}
    elif body.get("type") == "buttons":
        yield from (as_object(button) or {} for button in as_list(body.get("buttons")) or [])
    else:
        for inner in body.values():
            if isinstance(inner, list | dict):
                yield from buttons_of(inner)


def read_buttons(blocks: object) -> None:
    """The Bot API server's checks, before anything is known of the chat (C `get_inline_button`)."""
    for button in buttons_of(blocks):
        style = read_style(button, RICH_STYLES).get("style")
        kind = read_kind(button)
        if style == "link" and "callback_data" not in kind:
            raise WrongValueError("invalid button style specified")  # D


def check_buttons(blocks: object) -> None:
    """The checks of TDLib and of Telegram's server."""
    for button in buttons_of(blocks):
        if not plain(button.get("text")).strip():
            raise refused("Inline keyboard button text must be non-empty")
        check_button(button)
        check_button_on_server(button)


def plain(value: object) -> str:
    """The words of a rich text."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(plain(item) for item in value)
    body = as_object(value) or {}
    return plain(body.get("text")) or str(body.get("alternative_text") or body.get("expression") or "")
