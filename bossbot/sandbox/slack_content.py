"""What a message says, as the arguments of a call bring it: text, blocks, attachments, and another name or picture."""

from dataclasses import dataclass

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.slack_checks import check_blocks, checked_blocks
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_message import Look
from bossbot.sandbox.slack_params import Args, invalid_arguments
from bossbot.sandbox.slack_shape import Complaints
from bossbot.sandbox.slack_shapes import MARKDOWN

TEXT_CUT = 40_000
"""chat.postMessage cuts a longer text off (docs.slack.dev, Truncating content)."""
UPDATE_TEXT = 4_000
"""docs.slack.dev, chat.update: msg_too_long."""
ATTACHMENTS = 100
"""docs.slack.dev, chat.postMessage: too_many_attachments."""
METADATA_BYTES = 16_000


@dataclass(frozen=True, slots=True)
class Content:
    """Blocks have no ids of Slack's yet."""

    text: str
    blocks: list[Json]
    attachments: list[Json]


def checked_content(args: Args, longest: int | None = None) -> Content:
    """The content of a message; `markdown_text` may stand in its place, alone. Raises Slack's refusal.

    A text of more than `longest` characters is refused; without `longest` it is cut.
    """
    text, markdown = args.text("text"), args.text("markdown_text")
    blocks = checked_blocks(args)
    attachments = checked_attachments(args)
    if markdown:
        if text or blocks:
            raise SlackError("markdown_text_conflict")
        if len(markdown) > MARKDOWN:
            raise SlackError("msg_too_long")
        return Content(markdown, [{"type": "markdown", "text": markdown}], attachments)
    if longest is not None and len(text) > longest:
        raise SlackError("msg_too_long")
    if not text.strip() and not blocks and not attachments:
        raise SlackError("no_text")
    return Content(text[:TEXT_CUT], blocks, attachments)


def checked_attachments(args: Args) -> list[Json]:
    """The attachments that show something; those without any content are dropped, as on Slack."""
    value = args.json("attachments", "invalid_attachments")
    if value is None:
        return []
    values = as_list(value)
    if values is None or any(as_object(item) is None for item in values):
        raise SlackError("invalid_attachments")
    if len(values) > ATTACHMENTS:
        raise SlackError("too_many_attachments")
    attachments = [as_object(item) or {} for item in values]
    found = Complaints()
    for index, attachment in enumerate(attachments):
        blocks, at = attachment.get("blocks"), f"/attachments/{index}/blocks"
        if blocks is not None and as_list(blocks) is None:
            found.add("must be an array", at)
        check_blocks(as_list(blocks) or [], at, found)
    if found.messages:
        raise SlackError("invalid_attachments", tuple(found.messages))
    return [attachment for attachment in attachments if any(attachment.values())]


def checked_metadata(args: Args) -> Json | None:
    """`event_type` and `event_payload` (null, as slack-bolt may send it, is taken); None when there is no metadata."""
    value = args.json("metadata", "invalid_metadata_format")
    if value is None:
        return None
    metadata = as_object(value)
    if metadata is None or not isinstance(metadata.get("event_type"), str) or "event_payload" not in metadata:
        raise SlackError("invalid_metadata_schema")
    payload = metadata["event_payload"]
    if payload is not None and as_object(payload) is None:
        raise SlackError("invalid_metadata_schema")
    if len(encode(metadata)) > METADATA_BYTES:
        raise SlackError("metadata_too_large")
    return metadata


def look(args: Args) -> Look:
    """How the message is to be shown."""
    if args.flag("as_user"):
        raise SlackError("as_user_not_supported")
    icons: Json = {}
    if args.has("icon_emoji"):
        icons = {"emoji": args.text("icon_emoji")}
    elif args.has("icon_url"):
        icons = {"image_48": args.text("icon_url")}
    return Look(args.text("username"), icons, args.flag("mrkdwn", default=True), links_names(args))


def links_names(args: Args) -> bool:
    """Are plain names in the text to become mentions?"""
    parse = args.text("parse")
    if parse not in ("", "full", "none", "client"):
        raise invalid_arguments("must be a valid enum value [json-pointer:/parse]")
    return parse == "full" or args.flag("link_names")
