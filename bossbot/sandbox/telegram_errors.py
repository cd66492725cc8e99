"""How the Bot API refuses: an HTTP status, the words, and sometimes parameters.

The words and the rule that forms them are those of the official server
(tdlib/telegram-bot-api, `Client::fail_query_with_error`).
"""

from bossbot.sandbox.json_types import Json

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)
_PREFIXES = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 500: "Internal Server Error"}


class TelegramError(Exception):
    """A refused call: what the bot reads in the answer."""

    def __init__(self, code: int, description: str, parameters: Json | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def as_json(self) -> Json:
        body: Json = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters is not None:
            body["parameters"] = self.parameters
        return body

    @property
    def retry_after(self) -> int | None:
        value = (self.parameters or {}).get("retry_after")
        return value if isinstance(value, int) else None


def refused(message: str, code: int = 400) -> TelegramError:
    """The message under its prefix; its first letter becomes small unless it begins a NAME_LIKE_THIS."""
    prefix = _PREFIXES[code]
    if message.startswith(prefix):
        return TelegramError(code, message)
    if len(message) >= 2 and (message[1] == "_" or "A" <= message[1] <= "Z"):
        return TelegramError(code, f"{prefix}: {message}")
    return TelegramError(code, f"{prefix}: {message[:1].lower()}{message[1:]}")


def too_many_requests(retry_after: int) -> TelegramError:
    return TelegramError(429, f"Too Many Requests: retry after {retry_after}", {"retry_after": retry_after})


def conflict(message: str) -> TelegramError:
    return TelegramError(409, f"Conflict: {message}")
