"""A bot's own list of entities: read as the Bot API server reads it, and put into TDLib's words and back.

Sources of the refusals: tdlib/telegram-bot-api, Client.cpp (`get_text_entity`, `get_text_entity_type`).
"""

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.telegram_nested import WrongValueError, check_field

SERVER_FINDS = frozenset(
    {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"}
)
"""Entities that a bot need not send: they are ignored in its list and found in the text."""
_KINDS = {
    "mention": "Mention", "hashtag": "Hashtag", "cashtag": "Cashtag", "bot_command": "BotCommand", "url": "Url",
    "email": "EmailAddress", "phone_number": "PhoneNumber", "bold": "Bold", "italic": "Italic",
    "underline": "Underline", "strikethrough": "Strikethrough", "spoiler": "Spoiler", "code": "Code", "pre": "Pre",
    "pre_code": "PreCode", "text_link": "TextUrl", "text_mention": "MentionName", "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote", "expandable_blockquote": "ExpandableBlockQuote",
    "bank_card_number": "BankCardNumber", "date_time": "DateTime",
}  # fmt: skip
_NAMES = {f"textEntityType{kind}": name for name, kind in _KINDS.items()}
_MORE: dict[str, tuple[tuple[str, str, bool], ...]] = {
    "pre": (("language", "String", False),),
    "text_link": (("url", "String", True),),
    "text_mention": (("user", "User", True),),
    "custom_emoji": (("custom_emoji_id", "Integer", True),),
    "date_time": (("unix_time", "Integer", True), ("date_time_format", "String", False)),
}
"""What an entity of a type has besides its place: field, type, whether it must be there."""
_DATE_FORMAT = frozenset("tTdDwW")


def read_entities(value: object) -> list[Json]:
    """The entities of a list, without those that the server finds by itself.

    What is no array is no list of entities: the server ignores it (`get_formatted_text`).
    """
    found: list[Json] = []
    for item in as_list(value) or []:
        entity = as_object(item)
        if entity is None:
            raise WrongValueError("expected an Object")
        read = _read(entity)
        if read["type"] not in SERVER_FINDS:
            found.append(read)
    return found


def _read(entity: Json) -> Json:
    read: Json = {}
    for name, word in (("offset", "Integer"), ("length", "Integer"), ("type", "String")):
        _take(entity, read, name, word, required=True)
    kind = str(read["type"])
    if not kind:
        raise WrongValueError("Type is not specified")
    if kind not in _KINDS or kind == "pre_code":
        raise WrongValueError("Unsupported type specified")
    for name, word, required in _MORE.get(kind, ()):
        _take(entity, read, name, word, required)
    if kind == "date_time":
        _check_date_format(str(read.get("date_time_format", "")))
    return {"type": read.pop("type"), **read}


def _take(entity: Json, read: Json, name: str, word: str, required: bool) -> None:
    if name not in entity:
        if required:
            raise WrongValueError(f'Can\'t find field "{name}"')
        return
    value = entity[name]
    check_field(name, value, (word,))
    if word == "Integer" and name != "custom_emoji_id":
        value = int(str(value))
    read[name] = value if isinstance(value, dict | int) and word != "String" else str(value)


def _check_date_format(text: str) -> None:
    if text not in ("r", "R") and not _DATE_FORMAT.issuperset(text):
        raise WrongValueError("Invalid date-time format specified")


def to_tdlib(entity: Json) -> Json:
    """An entity that was read, as TDLib's `textEntity`."""
    name = str(entity["type"])
    kind = "PreCode" if name == "pre" and entity.get("language") else _KINDS[name]
    described: Json = {"@type": f"textEntityType{kind}"}
    if kind == "PreCode":
        described["language"] = entity["language"]
    if name == "text_mention":
        described["user_id"] = (as_object(entity["user"]) or {}).get("id")
    if name == "date_time":
        described["unix_time"] = entity["unix_time"]
        described["formatting_type"] = _date_format(str(entity.get("date_time_format", "")))
    described.update({key: entity[key] for key in ("url", "custom_emoji_id") if key in entity})
    return {"@type": "textEntity", "offset": entity["offset"], "length": entity["length"], "type": described}


def _date_format(text: str) -> Json | None:
    if not text:
        return None
    if text in ("r", "R"):
        return {"@type": "dateTimeFormattingTypeRelative"}
    found: Json = {"@type": "dateTimeFormattingTypeAbsolute", "show_day_of_week": "w" in text.lower()}
    for part, letter in (("time_precision", "t"), ("date_precision", "d")):
        last = [character for character in text if character.lower() == letter][-1:]
        if last:
            precision = "Short" if last == [letter] else "Long"
            found[part] = {"@type": f"dateTimePartPrecision{precision}"}
    return found


def from_tdlib(value: object) -> list[Json]:
    """TDLib's entities in the words of the Bot API; those that the Bot API does not know are left out."""
    found = []
    for item in as_list(value) or ():
        given = as_object(item) or {}
        kind = as_object(given["type"]) or {}
        name = _NAMES.get(str(kind["@type"]))
        if name is not None:
            entity: Json = {"type": name, "offset": given["offset"], "length": given["length"]}
            found.append(entity if len(kind) == 1 else _described(entity, name, kind))
    return found


def _described(entity: Json, name: str, kind: Json) -> Json:
    """With what an entity of its type has besides its place."""
    if name == "pre_code":
        entity["type"] = "pre"
    entity.update({key: kind[key] for key in ("language", "url", "custom_emoji_id", "unix_time") if key in kind})
    if name == "text_mention":
        entity["user"] = {"id": kind["user_id"], "is_bot": False, "first_name": str(kind["user_id"])}
    if name == "date_time" and kind.get("formatting_type") is not None:
        entity["date_time_format"] = _date_words(as_object(kind["formatting_type"]) or {})
    return entity


def _date_words(kind: Json) -> str:
    if kind.get("@type") == "dateTimeFormattingTypeRelative":
        return "r"
    words = "w" if kind.get("show_day_of_week") is True else ""
    for part, letter in (("date_precision", "d"), ("time_precision", "t")):
        precision = str((as_object(kind.get(part)) or {}).get("@type", "")).removeprefix("dateTimePartPrecision")
        words += {"Short": letter, "Long": letter.upper()}.get(precision, "")
    return words
