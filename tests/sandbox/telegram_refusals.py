"""What Telegram refuses, call by call, with its words and where they are from.

Sources: `Client.cpp f` is a function of the official Bot API server (tdlib/telegram-bot-api), `Name.cpp f` one of
TDLib (tdlib/td, which that server is built on), `JsonObject` its reader of JSON fields; `docs` are rules of
Telegram's documentation under the name that its server gives them; `seen` was answered by Telegram's own server,
and told by those who met it; `ours` is a rule of the documentation whose wording nobody has told.

`$own`, `$said`, `$doc`, `$rich` stand for the ids of the bot's text, of a person's text, of the bot's document and
of its rich message, all in chat 1001; `$file` for the document's, `$query` for that of a press.
"""

from typing import Any, NamedTuple

GROUP = -1000000000001


class Refusal(NamedTuple):
    """A call and the words that it is refused with (after "Bad Request: ")."""

    words: str
    source: str
    method: str
    params: dict[str, Any]


def send(words: str, source: str, **params: Any) -> Refusal:
    return Refusal(words, source, "sendMessage", {"chat_id": 1001, "text": "x", **params})


def edit(words: str, source: str, **params: Any) -> Refusal:
    return Refusal(words, source, "editMessageText", {"chat_id": 1001, "message_id": "$own", "text": "y", **params})


def inline(**fields: Any) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "x", **fields}]]}


def key(**fields: Any) -> dict[str, Any]:
    return {"keyboard": [[{"text": "x", **fields}]]}


def call(words: str, source: str, method: str, **params: Any) -> Refusal:
    return Refusal(words, source, method, params)


TEXT = "Client.cpp get_formatted_text"
INLINE = "can't parse inline keyboard button: "
SENDS = [
    send("message text is empty", "Client.cpp get_input_message_text", text=""),
    send("text must be non-empty", "MessageEntity.cpp get_formatted_text", text=" \n "),
    send("text must be non-empty", "misc.cpp is_empty_string", text="\u200b\u00a0"),
    send("message is too long", "MessageContent.cpp create_input_message_content", text="x" * 4097),
    send("text is too long", TEXT, text="x" * 32769),
    send("unsupported parse_mode", TEXT, parse_mode="XML"),
    send("chat_id is empty", "Client.cpp check_chat", chat_id=""),
    send("chat not found", "Client.cpp TdOnCheckChatCallback", chat_id=99),
    send("chat not found", "Client.cpp TdOnCheckChatCallback", chat_id="@nobody"),
    send("business connection not found", "Client.cpp check_business_connection", business_connection_id="x"),
    send("message thread not found", "Client.cpp check_message_topic", message_thread_id=77),
    send("message thread not found", "Client.cpp check_message_topic", chat_id=GROUP, message_thread_id=1),
    send("can't use message effects in the chat", "MessageSendOptions.cpp get_message_send_options",
         chat_id=GROUP, message_effect_id="5104841245755180586"),
    send("can't parse link preview options JSON object", "Client.cpp get_link_preview_options",
         link_preview_options="{"),
    send("object expected as link preview options", "Client.cpp get_link_preview_options", link_preview_options=[]),
    send('field "is_disabled" must be of type Boolean', "JsonObject", link_preview_options={"is_disabled": "yes"}),
    send("can't parse suggested post parameters JSON object", "Client.cpp get_input_suggested_post_info",
         suggested_post_parameters="{"),
    send("object expected as suggested post parameters", "Client.cpp get_input_suggested_post_info",
         suggested_post_parameters=5),
]  # fmt: skip
REPLIES = [
    send("message to be replied not found", "Client.cpp check_reply_parameters", reply_parameters={"message_id": 77}),
    send("message to be replied not found", "Client.cpp check_reply_parameters", reply_to_message_id=77),
    send("can't parse reply parameters JSON object", "Client.cpp get_reply_parameters", reply_parameters="{"),
    send("can't parse reply parameters JSON object", "JsonBuilder.cpp do_json_decode (Too big object depth)",
         reply_parameters="[" * 150 + "]" * 150),
    send("object expected as reply parameters", "Client.cpp get_reply_parameters", reply_parameters=[]),
    send('can\'t find field "message_id"', "JsonObject", reply_parameters={"quote": "x"}),
    send('field "message_id" must be a valid Number', "JsonObject", reply_parameters={"message_id": "x"}),
    send('field "message_id" must be a Number', "JsonObject", reply_parameters={"message_id": None}),
    send('field "quote" must be of type String', "JsonObject", reply_parameters={"message_id": 1, "quote": []}),
    send("unsupported parse_mode", TEXT, reply_parameters={"message_id": 1, "quote": "x", "quote_parse_mode": "X"}),
    send("QUOTE_TEXT_INVALID", "seen", reply_parameters={"message_id": "$said", "quote": "never said"}),
    send("QUOTE_TEXT_INVALID", "docs", reply_parameters={"message_id": "$said", "quote": "x" * 1025}),
]  # fmt: skip
ENTITIES = [
    send(f"can't parse MessageEntity: {words}", source, entities=[entity])
    for words, source, entity in (
        ("expected an Object", "Client.cpp get_text_entity", 1),
        ('Can\'t find field "offset"', "JsonObject", {"type": "bold", "length": 1}),
        ('Can\'t find field "length"', "JsonObject", {"type": "bold", "offset": 0}),
        ('Can\'t find field "type"', "JsonObject", {"length": 1, "offset": 0}),
        ('Field "offset" must be a valid Number', "JsonObject", {"type": "bold", "offset": 0.5, "length": 1}),
        ('Field "offset" must be a Number', "JsonObject", {"type": "bold", "offset": None, "length": 1}),
        ('Field "type" must be of type String', "JsonObject", {"type": True, "offset": 0, "length": 1}),
        ("Type is not specified", "Client.cpp get_text_entity_type", {"type": "", "offset": 0, "length": 1}),
        ("Unsupported type specified", "Client.cpp get_text_entity_type", {"type": "wavy", "offset": 0, "length": 1}),
        ('Can\'t find field "url"', "JsonObject", {"type": "text_link", "offset": 0, "length": 1}),
        ('Can\'t find field "user"', "JsonObject", {"type": "text_mention", "offset": 0, "length": 1}),
        ('Can\'t find field "custom_emoji_id"', "JsonObject", {"type": "custom_emoji", "offset": 0, "length": 1}),
        ('Can\'t find field "unix_time"', "JsonObject", {"type": "date_time", "offset": 0, "length": 1}),
        ("Invalid date-time format specified", "Client.cpp get_text_entity_type",
         {"type": "date_time", "offset": 0, "length": 1, "unix_time": 1, "date_time_format": "x"}),
    )
]  # fmt: skip
MARKUP = "Client.cpp get_reply_markup"
BUTTON = "Client.cpp get_inline_keyboard_button"
KIND = "Client.cpp get_inline_keyboard_button_type"
KEYBOARDS = [
    send("can't parse reply keyboard markup JSON object", MARKUP, reply_markup="{"),
    send("object expected as reply markup", MARKUP, reply_markup="[]"),
    send("object expected as reply markup", MARKUP, reply_markup="null"),
    send('field "inline_keyboard" must be of type Array', "JsonObject", reply_markup={"inline_keyboard": {}}),
    send('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays', MARKUP,
         reply_markup={"inline_keyboard": [{}]}),
    send('field "keyboard" must be of type Array', "JsonObject", reply_markup={"keyboard": {}}),
    send('field "keyboard" must be an Array of Arrays', MARKUP, reply_markup={"keyboard": [{}]}),
    send(INLINE + "InlineKeyboardButton must be an Object", BUTTON, reply_markup={"inline_keyboard": [["x"]]}),
    send(INLINE + 'Can\'t find field "text"', "JsonObject", reply_markup={"inline_keyboard": [[{"url": "t.me"}]]}),
    send(INLINE + 'Field "text" must be of type String', "JsonObject",
         reply_markup={"inline_keyboard": [[{"text": {}}]]}),
    send(INLINE + "invalid button style specified", "Client.cpp get_button_style",
         reply_markup=inline(callback_data="x", style="purple")),
    send(INLINE + 'Field "icon_custom_emoji_id" must be a valid Number', "JsonObject",
         reply_markup=inline(callback_data="x", icon_custom_emoji_id="smile")),
    send(INLINE + "Text buttons are unallowed in the inline keyboard", KIND, reply_markup=inline()),
    send(INLINE + "Text buttons are unallowed in the inline keyboard", KIND, reply_markup=inline(callback_data="")),
    send(INLINE + 'Field "callback_data" must be of type String', "JsonObject",
         reply_markup=inline(callback_data=None)),
    send(INLINE + 'Field "url" must be of type String', "JsonObject", reply_markup=inline(url=None, callback_data="x")),
    send(INLINE + 'Field "web_app" must be of type Object', "JsonObject", reply_markup=inline(web_app="https://a.bc")),
    send(INLINE + 'Can\'t find field "url"', "JsonObject", reply_markup=inline(web_app={})),
    send(INLINE + 'Can\'t find field "text"', "JsonObject", reply_markup=inline(copy_text={})),
    send(INLINE + "LoginUrl bot username is invalid", KIND,
         reply_markup=inline(login_url={"url": "https://a.bc", "bot_username": "a b"})),
    send("inline keyboard button text must be non-empty", "ReplyMarkup.cpp get_inline_keyboard_button",
         reply_markup={"inline_keyboard": [[{"text": "", "icon_custom_emoji_id": "5", "callback_data": "x"}]]}),
    send("BUTTON_DATA_INVALID", "seen", reply_markup=inline(callback_data="x" * 65)),
    send("BUTTON_DATA_INVALID", "seen", reply_markup=inline(callback_data="批" * 22)),
    send("BUTTON_COPY_TEXT_INVALID", "docs", reply_markup=inline(copy_text={"text": "x" * 257})),
    send("reply markup is too long", "Client.cpp fail_query_with_error (REPLY_MARKUP_TOO_LONG)",
         reply_markup={"inline_keyboard": [[{"text": "x" * 99, "callback_data": "d"}]] * 100}),
    send("can't parse keyboard button: KeyboardButton must be a String or an Object", "Client.cpp get_keyboard_button",
         reply_markup={"keyboard": [[5]]}),
    send('can\'t parse keyboard button: Can\'t find field "text"', "JsonObject", reply_markup={"keyboard": [[{}]]}),
    send("can't parse keyboard button: invalid button style specified", "Client.cpp get_button_style",
         reply_markup=key(style="link")),
    send('can\'t parse keyboard button: Field "request_contact" must be of type Boolean', "JsonObject",
         reply_markup=key(request_contact=1)),
    send("keyboard button text must be non-empty", "ReplyMarkup.cpp get_keyboard_button",
         reply_markup={"keyboard": [[{"text": "", "icon_custom_emoji_id": "5"}]]}),
    send('field "resize_keyboard" must be of type Boolean', "JsonObject",
         reply_markup={"keyboard": [["x"]], "resize_keyboard": 1}),
    send('field "force_reply" must be of type Boolean', "JsonObject", reply_markup={"force_reply": "true"}),
    send('field "input_field_placeholder" must be of type String', "JsonObject",
         reply_markup={"force_reply": True, "input_field_placeholder": []}),
    send("REPLY_MARKUP_PLACEHOLDER_TOO_LONG", "ours",
         reply_markup={"force_reply": True, "input_field_placeholder": "x" * 65}),
    *(
        send(words, "ReplyMarkup.cpp get_keyboard_button", chat_id=GROUP, reply_markup=key(**fields))
        for words, fields in (
            ("phone number can be requested in private chats only", {"request_contact": True}),
            ("location can be requested in private chats only", {"request_location": True}),
            ("poll can be requested in private chats only", {"request_poll": {}}),
            ("web App buttons can be used in private chats only", {"web_app": {"url": "https://a.bc"}}),
            ("users can be requested in private chats only", {"request_users": {"request_id": 1}}),
            ("users can be requested in private chats only", {"request_user": {"request_id": 1}}),
            ("chats can be requested in private chats only",
                 {"request_chat": {"request_id": 1, "chat_is_channel": True}}),
            ("managed bots can be requested in private chats only", {"request_managed_bot": {"request_id": 1}}),
        )
    ),
]  # fmt: skip
SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
EDITS = [
    edit("message text is empty", "Client.cpp get_input_message_text", text=""),
    edit(SAME, "Client.cpp fail_query_with_error (MESSAGE_NOT_MODIFIED)", text="mine  "),
    edit("message to edit not found", "Client.cpp check_message", message_id=7777),
    edit("message can't be edited", "MessagesManager.cpp edit_message_text", message_id="$said"),
    edit("there is no text in the message to edit", "MessagesManager.cpp edit_message_text", message_id="$doc"),
    edit("inline keyboard expected", "ReplyMarkup.cpp get_reply_markup", reply_markup={"force_reply": True}),
    edit("BUTTON_DATA_INVALID", "seen", reply_markup=inline(callback_data="x" * 65)),
    edit("rich message must be non-empty", "Client.cpp get_input_rich_message", rich_message=""),
    edit("rich message must be non-empty", "Client.cpp get_input_rich_message", rich_message={}),
    call("message identifier is not specified", "Client.cpp get_inline_message_id", "editMessageText", text="x"),
    call("invalid inline message identifier specified", "InlineMessageManager.cpp get_input_bot_inline_message_id",
         "editMessageText", text="x", inline_message_id="x"),
    call(SAME, "Client.cpp fail_query_with_error (MESSAGE_NOT_MODIFIED)", "editMessageReplyMarkup",
         chat_id=1001, message_id="$own"),
    call(SAME, "Client.cpp fail_query_with_error (MESSAGE_NOT_MODIFIED)", "editMessageText", chat_id=1001,
         message_id="$rich", rich_message={"blocks": [{"type": "paragraph", "text": "rich"}]}),
    call("there is no caption in the message to edit", "MessagesManager.cpp edit_message_caption", "editMessageCaption",
         chat_id=1001, message_id="$own", caption="x"),
    call(SAME, "Client.cpp fail_query_with_error (MESSAGE_NOT_MODIFIED)", "editMessageCaption", chat_id=1001,
         message_id="$doc", caption="the file"),
    call("message caption is too long", "MessageContent.cpp get_input_message_content", "editMessageCaption",
         chat_id=1001, message_id="$doc", caption="x" * 1025),
    call("chat identifier is not specified", "Client.cpp process_delete_message_query", "deleteMessage", message_id=1),
    call("message identifier is not specified", "Client.cpp process_delete_message_query", "deleteMessage",
         chat_id=1001),
    call("message to delete not found", "Client.cpp check_message", "deleteMessage", chat_id=1001, message_id=7777),
    *(
        call(words, "Client.cpp get_message_ids", "deleteMessages", chat_id=1001, **params)
        for words, params in (
            ("message identifiers are not specified", {}),
            ("message identifiers are not specified", {"message_ids": []}),
            ("can't parse message_ids JSON object", {"message_ids": "["}),
            ("expected an Array of message identifiers", {"message_ids": 5}),
            ("message identifier must be a Number", {"message_ids": [True]}),
            ("can't parse message identifier as a Number", {"message_ids": ["x"]}),
            ("invalid message identifier specified", {"message_ids": [0]}),
            ("too many message identifiers specified", {"message_ids": list(range(1, 102))}),
        )
    ),
]  # fmt: skip
SCOPE = "Client.cpp get_bot_command_scope"
COMMANDS = "BotCommand.cpp set_commands"
GO = {"command": "go", "description": "x"}
SIGNS = [
    call("query is too old and response timeout expired or query ID is invalid", "Client.cpp QUERY_ID_INVALID",
         "answerCallbackQuery", callback_query_id="7"),
    call("MESSAGE_TOO_LONG", "seen", "answerCallbackQuery", callback_query_id="$query", text="x" * 201),
    call("URL_INVALID", "seen", "answerCallbackQuery", callback_query_id="$query", url="https://a.bc"),
    call("wrong parameter action in request", "Client.cpp process_send_chat_action_query", "sendChatAction",
         chat_id=1001, action="dancing"),
    call("message to react not found", "Client.cpp check_message", "setMessageReaction", chat_id=1001, message_id=7777),
    *(
        call(words, source, "setMessageReaction", chat_id=1001, message_id="$said", reaction=reaction)
        for words, source, reaction in (
            ("can't parse reaction types JSON object", "Client.cpp get_reaction_types", "["),
            ("expected an Array of ReactionType", "Client.cpp get_reaction_types", {}),
            ("can't parse ReactionType: expected an Object", "Client.cpp get_reaction_type", ["👍"]),
            ('can\'t parse ReactionType: Can\'t find field "type"', "JsonObject", [{"emoji": "👍"}]),
            ("can't parse ReactionType: invalid reaction type specified", "Client.cpp get_reaction_type",
             [{"type": "x"}]),
            ('can\'t parse ReactionType: Can\'t find field "emoji"', "JsonObject", [{"type": "emoji"}]),
            ("REACTION_INVALID", "seen", [{"type": "emoji", "emoji": "🥦"}]),
            ("REACTION_INVALID", "seen", [{"type": "emoji", "emoji": "👍"}, {"type": "emoji", "emoji": "👎"}]),
            ("REACTION_INVALID", "docs", [{"type": "custom_emoji", "custom_emoji_id": "5"}]),
        )
    ),
    *(
        call(words, source, "setMyCommands", **params)
        for words, source, params in (
            ("can't parse commands JSON object", "Client.cpp get_bot_commands", {"commands": "["}),
            ("expected an Array of BotCommand", "Client.cpp get_bot_commands", {"commands": {}}),
            ("can't parse BotCommand: expected an Object", "Client.cpp get_bot_command", {"commands": ["go"]}),
            ('can\'t parse BotCommand: Can\'t find field "description"', "JsonObject",
             {"commands": [{"command": "go"}]}),
            ("command must be non-empty", COMMANDS, {"commands": [{"command": "/", "description": "x"}]}),
            ("command length must not exceed 32", COMMANDS, {"commands": [{"command": "x" * 33, "description": "x"}]}),
            ("command description must be non-empty", COMMANDS, {"commands": [{"command": "go", "description": " "}]}),
            ("command description length must not exceed 256", COMMANDS,
             {"commands": [{"command": "go", "description": "x" * 257}]}),
            ("BOT_COMMAND_INVALID", "seen", {"commands": [{"command": "Plan", "description": "x"}]}),
            ("BOT_COMMAND_INVALID", "seen", {"commands": [{"command": "a-b", "description": "x"}]}),
            ("BOT_COMMANDS_TOO_MUCH", "seen", {"commands": [GO] * 101}),
            ("invalid language code specified", "BotInfoManager.cpp validate_bot_language_code",
             {"language_code": "eng"}),
            ("can't parse BotCommandScope JSON object", SCOPE, {"scope": "{"}),
            ("botCommandScope must be an Object", SCOPE, {"scope": []}),
            ("can't parse BotCommandScope: Unsupported type specified", SCOPE, {"scope": {"type": "x"}}),
            ('can\'t parse BotCommandScope: Can\'t find field "chat_id"', "JsonObject", {"scope": {"type": "chat"}}),
            ("can't parse BotCommandScope: Empty chat_id specified", SCOPE, {"scope": {"type": "chat", "chat_id": ""}}),
            ("can't parse BotCommandScope: Invalid user_id specified", SCOPE,
             {"scope": {"type": "chat_member", "chat_id": GROUP, "user_id": 0}}),
            ("chat not found", "Client.cpp TdOnCheckChatCallback", {"scope": {"type": "chat", "chat_id": 99}}),
        )
    ),
]  # fmt: skip
REFUSALS = [*SENDS, *REPLIES, *ENTITIES, *KEYBOARDS, *EDITS, *SIGNS]
