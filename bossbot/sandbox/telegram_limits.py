"""Limits and words of the Bot API that no table of types tells, kept by hand beside telegram_table.json.

Sources: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td; D = Telegram's documentation.
"""

from typing import NamedTuple

RAW_TEXT_BYTES = 32_768
"""A text with its markup, in UTF-8 (C `get_formatted_text`)."""
TEXT_LENGTH = 4096
"""A text after parsing, in code points (T option message_text_length_max)."""
CAPTION_LENGTH = 1024
"""Likewise, for a file's caption (T option message_caption_length_max)."""
QUOTE_LENGTH = 1024
"""A quote in reply_parameters (D)."""
CALLBACK_DATA_BYTES = 64
"""A button's callback_data, in UTF-8 (D)."""
COPY_TEXT_LENGTH = 256
MARKUP_BYTES = 10_000
"""A keyboard as JSON (Telegram's server: REPLY_MARKUP_TOO_LONG)."""
ANSWER_LENGTH = 200
"""The text of an answer to a press (D)."""
TOPIC_NAME_LENGTH = 128
COMMANDS_MAX = 100
COMMAND_LENGTH = 32
COMMAND_DESCRIPTION_LENGTH = 256
MESSAGE_IDS_MAX = 100
"""For deleteMessages and its like (C `get_message_ids`)."""
DOWNLOAD_BYTES = 20 * 1024 * 1024
"""getFile (C MAX_DOWNLOAD_FILE_SIZE)."""
UPLOAD_BYTES = 50 * 1024 * 1024
"""A file that a bot sends (D, "Sending files"); Telegram's gateway answers 413."""
PARAMETERS_BYTES = 1 << 20
"""All parameters of a call without its files (T HttpReader MAX_TOTAL_PARAMETERS_LENGTH)."""
PLACEHOLDER_LENGTH = 64
"""input_field_placeholder (D)."""


class Range(NamedTuple):
    """A number outside is moved to the nearer end; an absent one is the default (C `get_integer_arg`)."""

    default: int
    low: int
    high: int


RANGES: dict[str, dict[str, Range]] = {
    "getUpdates": {"limit": Range(100, 1, 100), "timeout": Range(0, 0, 50)},
    "answerCallbackQuery": {"cache_time": Range(0, 0, 24 * 30 * 60 * 60)},
    "setWebhook": {"max_connections": Range(40, 1, 100)},
}
"""By method and parameter."""


class Words(NamedTuple):
    """How the server words its refusals of one JSON parameter."""

    name: str
    """For `Can't parse <name> JSON object`."""
    kind: str
    """What it says of a value of another kind (an array for an object)."""
    prefix: str = ""
    """What stands before the faults inside."""
    by_hand: bool = False
    """The inside has an order and words of its own, and a module that knows them."""
    empty_is_absent: bool = False


JSON_WORDS: dict[str, Words] = {
    "reply_markup": Words("reply keyboard markup", "Object expected as reply markup", by_hand=True),
    "reply_parameters": Words("reply parameters", "Object expected as reply parameters", empty_is_absent=True),
    "link_preview_options": Words("link preview options", "Object expected as link preview options"),
    "rich_message": Words("rich message", "Object expected as rich message", by_hand=True),
    "commands": Words("commands", "Expected an Array of BotCommand", "Can't parse BotCommand: "),
    "scope": Words("BotCommandScope", "BotCommandScope must be an Object", "Can't parse BotCommandScope: "),
    "reaction": Words("reaction types", "Expected an Array of ReactionType", "Can't parse ReactionType: "),
    "message_ids": Words("message_ids", "Expected an Array of message identifiers", by_hand=True),
    "media": Words("media", "Expected an Array of InputMedia", by_hand=True),
    "suggested_post_parameters": Words("suggested post parameters", "Object expected as suggested post parameters"),
}
"""By parameter. Others are told by their own names."""

UNION_WORDS = {
    "ReactionType": "invalid reaction type specified",
    "InputRichBlock": 'type "{type}" is unsupported',
    "RichText": "Unsupported rich text type",
}
"""What the server says of an object of a union whose `type` it does not know, where it has words of its own."""
ITEM_WORDS = {
    "InputRichBlock": "Object expected as InputRichMessageBlock",
    "InputRichBlockListItem": "Object expected as InputRichBlockListItem",
    "RichBlockTableCell": "RichBlockTableCell must be an object",
    "RichBlockCaption": "RichBlockCaption must be an object",
    "RichMessageButton": "InlineButton must be an Object",
    "RichText": "Invalid rich text specified",
}
"""What the server says of something else in the place of these, where it has words of its own."""
OPTIONAL = frozenset(
    {
        ("RichBlockTableCell", "align"), ("RichBlockTableCell", "valign"), ("RichTextDateTime", "date_time_format"),
        ("User", "is_bot"), ("User", "first_name"),
    }
)  # fmt: skip
"""Fields that the documentation requires (of what the server answers) and the server does not (of what it gets)."""
RICH_TEXT_LENGTH = 32_768
"""All texts of a rich message, in code points (T option rich_message_text_length_max)."""
RICH_SOURCE_LENGTH = 131_072
"""Markdown or HTML with its markup; how much Telegram takes is not known, this is four times what may be seen."""
RICH_BLOCKS = 500
"""Blocks, list items and table rows, nested ones too (T rich_message_block_count_max)."""
RICH_DEPTH = 16
"""Blocks in blocks and texts in texts (T rich_message_depth_max)."""
RICH_MEDIA = 50
"""T rich_message_media_count_max."""
RICH_TABLE_COLUMNS = 20
"""T rich_message_table_column_count_max."""
RICH_BUTTONS = 8
"""Buttons of one block (D)."""
_REACTIONS = """
❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤\u200d🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐
🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨\u200d💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾
🤷\u200d♂ 🤷 🤷\u200d♀ 😡
"""
REACTIONS = frozenset(_REACTIONS.split())
"""The emoji that may be left on a message (D ReactionTypeEmoji)."""
