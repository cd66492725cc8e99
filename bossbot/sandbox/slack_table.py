"""The Web API's methods as one table: what each takes, the scopes it needs, and how often it may be called.

Sources, method by method: docs.slack.dev/reference/methods. An argument that is not here is ignored, as on Slack.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bossbot.sandbox.limits import Rate

Kind = Literal["string", "boolean", "integer", "array", "object"]
KINDS: dict[str, Kind] = {"": "string", "?": "boolean", "#": "integer", "[]": "array", "{}": "object"}


def tier(calls_a_minute: int) -> Rate:
    return Rate(burst=calls_a_minute, per_s=calls_a_minute / 60)


TIER_2, TIER_3, TIER_4 = tier(20), tier(50), tier(100)
"""That many a minute for each method and workspace (docs.slack.dev/apis/web-api/rate-limits)."""
PER_CHANNEL = Rate(burst=20, per_s=1.0)
"""One message a second and conversation, with short bursts (ibid., "special")."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One method. `scope` may hold a `*`, which stands for the kind of conversation: `im:history`.

    A budget of `channel` counts for each conversation that this argument names. JSON bodies of methods that take
    no JSON are not read.
    """

    arguments: Mapping[str, Kind]
    required: tuple[str, ...]
    scope: str
    rate: Rate | None
    channel: str
    takes_json: bool


def _method(
    words: str, scope: str = "", rate: Rate | None = None, channel: str = "", takes_json: bool = True
) -> Signature:
    """`words` are arguments: `!` marks a required one, and `?`, `#`, `[]`, `{}` what is no string."""
    arguments: dict[str, Kind] = {}
    required: list[str] = []
    for word in words.split():
        name = word.rstrip("!?#[]{}")
        sign = word[len(name) :]
        arguments[name] = KINDS[sign.removesuffix("!")]
        if sign.endswith("!"):
            required.append(name)
    return Signature(arguments, tuple(required), scope, rate, channel, takes_json)


_LOOK = "icon_emoji icon_url username"
_CONTENT = f"text blocks[] attachments[] markdown_text parse link_names? thread_ts {_LOOK}"
_STREAMED = "chunks[] markdown_text"
_PAGE = "cursor limit#"
_SPAN = f"{_PAGE} oldest latest inclusive? include_all_metadata?"

METHODS: dict[str, Signature] = {
    "agents.sessions.rename": _method("channel_id! title! thread_ts", "chat:write", TIER_3),
    "agents.sessions.setStatus": _method(
        f"channel_id! status! thread_ts title initiator_user_id {_LOOK}", "chat:write", TIER_3
    ),
    "apps.connections.open": _method("", "", TIER_3),
    "assistant.threads.setStatus": _method(
        f"channel_id! thread_ts! status! loading_messages[] {_LOOK}", "chat:write", PER_CHANNEL, "channel_id"
    ),
    "assistant.threads.setSuggestedPrompts": _method(
        "channel_id! prompts[]! thread_ts title", "assistant:write", TIER_4
    ),
    "assistant.threads.setTitle": _method("channel_id! thread_ts! title!", "assistant:write", TIER_4),
    "auth.test": _method(""),
    "blocks.validate": _method("blocks[] message{} view{}", "", TIER_4),
    "chat.appendStream": _method(f"channel! ts! {_STREAMED}", "chat:write", TIER_4),
    "chat.delete": _method("channel! ts! as_user?", "chat:write", TIER_3),
    "chat.getPermalink": _method("channel! message_ts!", takes_json=False),
    "chat.postEphemeral": _method(f"channel! user! metadata{{}} as_user? {_CONTENT}", "chat:write", TIER_4),
    "chat.postMessage": _method(
        f"channel! metadata{{}} as_user? mrkdwn? reply_broadcast? unfurl_links? unfurl_media? "
        f"current_draft_last_updated_ts {_CONTENT}",
        "chat:write",
        PER_CHANNEL,
        "channel",
    ),
    "chat.startStream": _method(
        f"channel! thread_ts recipient_user_id recipient_team_id task_display_mode {_STREAMED} {_LOOK}",
        "chat:write",
        TIER_2,
    ),
    "chat.stopStream": _method(f"channel! ts! blocks[] metadata{{}} session_status {_STREAMED}", "chat:write", TIER_2),
    "chat.update": _method(
        "channel! ts! text blocks[] attachments[] markdown_text metadata{} parse link_names? reply_broadcast? "
        "file_ids[] unfurled_attachments[] as_user?",
        "chat:write",
        TIER_3,
    ),
    "conversations.history": _method(f"channel! {_SPAN}", "*:history", TIER_3),
    "conversations.info": _method("channel! include_locale? include_num_members?", "*:read", TIER_3, takes_json=False),
    "conversations.list": _method(f"types exclude_archived? team_id {_PAGE}", "*:read", TIER_2, takes_json=False),
    "conversations.members": _method(f"channel! {_PAGE}", "*:read", TIER_4, takes_json=False),
    "conversations.open": _method("users channel return_im? prevent_creation?", "im:write", TIER_3),
    "conversations.replies": _method(f"channel! ts! {_SPAN}", "*:history", TIER_3, takes_json=False),
    "files.completeUploadExternal": _method(
        f"files[]! channel_id channels thread_ts initial_comment blocks[] {_LOOK}", "files:write", TIER_4
    ),
    "files.getUploadURLExternal": _method(
        "filename length# snippet_type alt_txt", "files:write", TIER_4, takes_json=False
    ),
    "files.info": _method(f"file! count# page# {_PAGE}", "files:read", TIER_4, takes_json=False),
    "reactions.add": _method("channel! timestamp! name!", "reactions:write", TIER_3),
    "reactions.get": _method("channel timestamp file file_comment full?", "reactions:read", TIER_3, takes_json=False),
    "reactions.remove": _method("name! channel timestamp file file_comment", "reactions:write", TIER_2),
    "usergroups.users.list": _method(
        "usergroup! include_disabled? team_id", "usergroups:read", TIER_2, takes_json=False
    ),
    "users.info": _method("user! include_locale?", "users:read", TIER_4, takes_json=False),
    "users.list": _method(f"include_locale? team_id {_PAGE}", "users:read", TIER_2, takes_json=False),
    "views.open": _method("view{}! trigger_id interactivity_pointer", "", TIER_4),
    "views.publish": _method("user_id! view{}! hash interactivity_pointer", "", TIER_4),
    "views.push": _method("view{}! trigger_id interactivity_pointer", "", TIER_4),
    "views.update": _method("view{}! view_id external_id hash", "", TIER_4),
}
BAD_JSON = {
    "blocks": "invalid_blocks_format",
    "chunks": "invalid_chunks",
    "attachments": "invalid_attachments",
    "metadata": "invalid_metadata_format",
}
"""The error for an argument that should be JSON and is none; others are `invalid_arguments`."""
