"""The kinds of trouble that only Telegram makes, in its words."""

from bossbot.sandbox.faults import Kind
from bossbot.sandbox.telegram_errors import TelegramError, refused, too_many_requests

SENDS = frozenset(
    {
        "sendMessage", "sendDocument", "sendPhoto", "sendMediaGroup", "sendRichMessage", "sendMessageDraft",
        "sendRichMessageDraft", "sendChatAction", "forwardMessage", "forwardMessages", "copyMessage", "copyMessages",
    }
)  # fmt: skip

KINDS = (
    Kind(
        "429", "call", "too many requests, with `retry_after` seconds in body and header",
        options={"retry_after": 1}, refusal=lambda fault: too_many_requests(fault.retry_after),
    ),
    Kind(
        "500", "call", "the platform's internal error",
        refusal=lambda _: TelegramError(500, "Internal Server Error: restart"),
    ),
    Kind(
        "502", "call", "the platform's gateway finds no server behind it",
        refusal=lambda _: TelegramError(502, "Bad Gateway"),
    ),
    Kind(
        "blocked", "call", "the person has blocked the bot: 403",
        methods=SENDS, refusal=lambda _: refused("bot was blocked by the user", 403),
    ),
    Kind(
        "deactivated", "call", "the person's account is gone: 403",
        methods=SENDS, refusal=lambda _: refused("user is deactivated", 403),
    ),
)  # fmt: skip
