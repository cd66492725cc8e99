"""Files: sending them as documents, photos and albums, editing them in, and getting them again.

Sources: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td; S = Telegram's own server, as others saw it.
"""

from typing import NamedTuple

from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode
from bossbot.sandbox.telegram_call import Call, find_chat, find_own_message
from bossbot.sandbox.telegram_errors import NOT_MODIFIED, refused
from bossbot.sandbox.telegram_files import File
from bossbot.sandbox.telegram_keyboards import check_on_server, kept_markup
from bossbot.sandbox.telegram_limits import DOWNLOAD_BYTES
from bossbot.sandbox.telegram_markup import read_markup
from bossbot.sandbox.telegram_options import read_caption, read_options
from bossbot.sandbox.telegram_posting import edited, named, new_message, posted
from bossbot.sandbox.telegram_text import Formatted, as_caption, parsed
from bossbot.sandbox.telegram_uploads import MediaKind, kept_upload

ALBUM_MAX = 10


class Media(NamedTuple):
    """A file with the text below it, as an album or an edit brings it."""

    kind: MediaKind
    file: File
    caption: Formatted


async def send_document(call: Call) -> Json:
    """`sendDocument`: an uploaded file, or the file_id of an earlier one; addresses are not fetched."""
    return await _send(call, "document")


async def send_photo(call: Call) -> Json:
    """`sendPhoto`: PNG, JPEG or GIF, shown as a picture."""
    return await _send(call, "photo")


async def send_media_group(call: Call) -> list[Json]:
    """`sendMediaGroup`: up to ten documents or photos that people see as one."""
    items = [_media(call, item) for item in call.params.json_array("media") or []]
    options = read_options(call)
    chat = find_chat(call)
    messages = [new_message(call, chat, options) for _ in items]
    if len(items) > ALBUM_MAX:
        raise refused("Too many messages to send as an album")  # T check_message_group_message_contents
    if not items:
        raise refused("There are no messages to send")  # T likewise
    if len({item.kind for item in items}) > 1:
        raise refused("Can't use the media of the specified type in the album")  # C MEDIA_GROUPED_INVALID
    album = {"media_group_id": str(call.world.telegram.new_album_id())} if len(items) > 1 else {}  # T one is no album
    for message, item in zip(messages, items, strict=True):
        message.text, message.entities = named(call, as_caption(item.caption))
        message.media = {**item.file.media, **album}
    return [posted(call, message) for message in messages]


async def edit_message_media(call: Call) -> Json:
    """`editMessageMedia`: another file and caption, also in the place of a text."""
    given = read_markup(call.params)
    try:
        value = decode(call.params.needed("media"))
    except BadJsonError:
        raise refused("Can't parse input media JSON object") from None  # C get_input_media
    item = _media(call, value)
    message = find_own_message(call, "message media")
    album_id = message.media.get("media_group_id")
    if album_id is not None and item.kind not in message.media:
        raise refused("Can't change media type in the album")  # T edit_message_media
    markup = kept_markup(given, message.chat, inline_only=True)
    text, entities = named(call, as_caption(item.caption))
    media = item.file.media if album_id is None else {**item.file.media, "media_group_id": album_id}
    if (message.media, message.text or "", message.entities, message.reply_markup) == (media, text, entities, markup):
        raise refused(NOT_MODIFIED)
    check_on_server(markup)
    message.media, message.rich = media, None
    message.text, message.entities = text, entities
    message.extras.pop("link_preview_options", None)
    return edited(call, message, markup)


async def get_file(call: Call) -> Json:
    """`getFile`: where to download a file from, up to 20 MB."""
    if not call.params.has("file_id"):
        raise refused("file_id not specified")  # C check_remote_file_id
    file = call.world.telegram.files.find(call.params.text("file_id"))
    if file is None:
        raise refused("invalid file_id")  # C TdOnCheckRemoteFileIdCallback
    if len(file.data) > DOWNLOAD_BYTES:
        raise refused("file is too big")  # C do_get_file
    return file.wire()


async def _send(call: Call, kind: MediaKind) -> Json:
    file = _file(call, kind, call.params.text(kind))
    caption = read_caption(call)
    options = read_options(call)
    message = new_message(call, find_chat(call), options)
    message.text, message.entities = named(call, as_caption(caption))
    message.media = file.media
    return posted(call, message)


def _media(call: Call, value: object) -> Media:
    """One InputMedia, read in the server's order (C `get_input_media`)."""
    item = as_object(value)
    if item is None:
        raise refused("Can't parse InputMedia: expected an Object")
    caption = parsed(str(item.get("caption") or ""), str(item.get("parse_mode") or ""), item.get("caption_entities"))
    if "type" not in item:
        raise refused("Can't parse InputMedia: Can't find field \"type\"")
    kind, given = item["type"], str(item.get("media") or "")
    if not given:
        raise refused("Can't parse InputMedia: media not found")
    if kind not in ("document", "photo"):
        raise refused(f'Can\'t parse InputMedia: type "{kind}" is unsupported')
    known: MediaKind = "document" if kind == "document" else "photo"
    return Media(known, _file(call, known, given), caption)


def _file(call: Call, kind: MediaKind, given: str) -> File:
    upload = call.params.files.get(given.removeprefix("attach://") if given else kind)
    if upload is not None:
        return kept_upload(call, kind, upload)
    if not given:
        raise refused(f"There is no {kind} in the request")  # C process_send_document_query
    known = call.world.telegram.files.find(given)
    if known is None or kind not in known.media:
        raise refused("wrong file identifier/HTTP URL specified")  # T process_send_message_fail_error
    return known


METHODS = {
    "sendDocument": send_document,
    "sendPhoto": send_photo,
    "sendMediaGroup": send_media_group,
    "editMessageMedia": edit_message_media,
    "getFile": get_file,
}
