"""What a send may ask besides its content: the message it answers, a quote of it, a keyboard, protection.

The Bot API server reads all of it before it looks at the chat (`Client::do_send_message`), and only then must
what is answered exist. Sources: C = tdlib/telegram-bot-api, Client.cpp; D = Telegram's documentation; S =
Telegram's own server, as others saw it.
"""

from typing import NamedTuple

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_call import Call
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_markup import read_markup
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_params import is_true, leading_integer
from bossbot.sandbox.telegram_text import Formatted, as_quote, parsed, utf16_length

READ = frozenset(
    {"suggested_post_parameters", "ephemeral_message_parameters", "reply_markup", "message_effect_id"}
)  # fmt: skip
"""What a send may ask, of which few ask anything."""


class ReplyOptions(NamedTuple):
    """What is answered; `message_id` 0 is nothing."""

    message_id: int
    may_miss: bool
    quote: Formatted
    position: int


NO_REPLY = ReplyOptions(0, may_miss=False, quote=Formatted("", []), position=0)


class SendOptions(NamedTuple):
    """Everything besides the content, read but not looked up yet."""

    reply: ReplyOptions
    markup: Json | None
    is_protected: bool
    effect_id: int


def read_options(call: Call) -> SendOptions:
    """The options of a send, in the server's order. Raises its refusal."""
    reply = _read_reply(call)
    params, given = call.params, call.params.values.keys() & READ & call.params.fields.keys()
    for name in ("suggested_post_parameters", "ephemeral_message_parameters"):
        if name in given:
            params.json(name)
    markup = read_markup(params) if "reply_markup" in given else None
    effect_id = params.integer("message_effect_id") if "message_effect_id" in given else 0
    return SendOptions(reply, markup, params.flag("protect_content"), effect_id)


def read_caption(call: Call) -> Formatted:
    """The text below a file, parsed (C `get_caption`)."""
    params = call.params
    return parsed(params.text("caption"), params.text("parse_mode"), params.lenient_json("caption_entities"))


def _read_reply(call: Call) -> ReplyOptions:
    params = call.params
    if not params.legacy("reply_parameters"):
        older = params.legacy("reply_to_message_id")
        may_miss = is_true(params.legacy("allow_sending_without_reply"))
        return NO_REPLY._replace(message_id=leading_integer(older), may_miss=may_miss) if older else NO_REPLY
    given = params.json_object("reply_parameters") or {}
    if given and "message_id" not in given:
        raise refused('Can\'t find field "message_id"')  # C
    quote = parsed(str(given.get("quote", "")), str(given.get("quote_parse_mode", "")), given.get("quote_entities"))
    return ReplyOptions(
        int(str(given.get("message_id", 0))),
        given.get("allow_sending_without_reply") is True,
        quote,
        int(str(given.get("quote_position", 0))),
    )


def answered(chat: Chat, options: ReplyOptions) -> Message | None:
    """The message that is answered. Raises when it is not there and must be."""
    if options.message_id <= 0:
        return None
    found = chat.messages.get(options.message_id)
    if found is None and not options.may_miss:
        raise refused("message to be replied not found")  # C
    return found


def quoted(message: Message, options: ReplyOptions) -> Json | None:
    """The Bot API's `TextQuote`; the send fails when the words are not in the answered message (D)."""
    if not options.quote.text:
        return None
    quote = as_quote(options.quote)
    text = message.text or ""
    places = [index for index in range(len(text)) if text.startswith(quote.text, index)]
    if not places:
        raise refused("QUOTE_TEXT_INVALID")  # S
    offsets = [utf16_length(text[:place]) for place in places]
    position = min(offsets, key=lambda offset: abs(offset - options.position))
    body: Json = {"text": quote.text, "position": position, "is_manual": True}
    return {**body, "entities": quote.entities} if quote.entities else body
