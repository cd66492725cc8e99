"""aiogram's exceptions → channel errors, named by who must act. No message holds the token."""

from aiogram.exceptions import (
    AiogramError,
    RestartingTelegram,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiohttp import ClientConnectorError, ConnectionTimeoutError, InvalidURL

from bossbot.channel import (
    Ambiguous,
    BadChannelConfig,
    ChannelError,
    ChannelForbidden,
    ChannelRefused,
    PostGone,
    RetryLater,
    Unreachable,
)
from bossbot.text import redact

RESTART_PAUSE_S = 5.0  # what Telegram itself asks for while it restarts
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid", "message identifier is not")
_FORBIDDEN = (
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "chat_restricted",
    "need administrator rights",
)


def channel_error(error: AiogramError, token: str) -> ChannelError:
    """The channel error for an exception of an API call."""
    text = redact(str(getattr(error, "message", error)), known=(token,))[:300]
    match error:
        case TelegramRetryAfter():
            return RetryLater(f"Telegram asks to wait {error.retry_after} s", float(error.retry_after))
        case TelegramMigrateToChat():
            return ChannelRefused(f"the group became a supergroup: {error.migrate_to_chat_id}")
        case TelegramUnauthorizedError():
            return _wrong_token(text)
        case TelegramNotFound():
            return _wrong_token(text)  # the path is the token and a method that we know exists
        case TelegramForbiddenError():
            return ChannelForbidden(text)
        case TelegramConflictError():
            return ChannelRefused(text)
        case RestartingTelegram():
            return RetryLater("Telegram restarts", RESTART_PAUSE_S)
        case TelegramServerError():
            return Ambiguous(f"Telegram failed while it worked: {text}")
        case TelegramEntityTooLarge():
            return ChannelRefused(text)
        case TelegramNetworkError():
            return _network_error(error, text)
        case TelegramBadRequest():
            return _bad_request(text)
        case TelegramAPIError():
            return ChannelRefused(text)
        case _:
            return Ambiguous("Telegram's answer could not be read")


def is_not_modified(error: AiogramError) -> bool:
    """The message already shows this: what we wanted."""
    return isinstance(error, TelegramBadRequest) and "message is not modified" in error.message.lower()


def is_about_format(error: AiogramError) -> bool:
    """A refusal that plain text may get around: entities, links, buttons."""
    words = ("entit", "url", "parse", "button", "keyboard", "markup")
    return isinstance(error, TelegramBadRequest) and any(word in error.message.lower() for word in words)


def _wrong_token(text: str) -> BadChannelConfig:
    return BadChannelConfig(
        f"[channels.telegram] token: Telegram does not know this token ({text}); copy it anew from @BotFather"
    )


def _network_error(error: TelegramNetworkError, text: str) -> ChannelError:
    """Only a connection that was never made is certain not to have carried the request."""
    if isinstance(error.__cause__, ClientConnectorError | ConnectionTimeoutError | InvalidURL):
        return Unreachable(f"Telegram cannot be reached: {text}")
    return Ambiguous(f"no answer from Telegram: {text}")


def _bad_request(text: str) -> ChannelError:
    low = text.lower()
    if any(sign in low for sign in _GONE):
        return PostGone(text)
    return ChannelForbidden(text) if any(sign in low for sign in _FORBIDDEN) else ChannelRefused(text)
