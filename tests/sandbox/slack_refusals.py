"""What the Web API refuses, as one table: a call, its error, and where that error is written down.

`docs:` stands for docs.slack.dev/reference/methods/<the method>, section "Errors", with the words that say when. In
arguments, `$bot` is a message of the bot's in D0ADA, `$said` one of Ada's, and `$stream`, `$ended`, `$stopped` and
`$expired` are streams in $said's thread: running, completed, stopped by Ada, and older than five minutes.
"""

from dataclasses import dataclass, field
from typing import Any

Args = dict[str, Any]


@dataclass(frozen=True)
class Refusal:
    error: str
    method: str
    args: Args
    source: str
    control: dict[str, Args] = field(default_factory=dict)
    """What a script does before the call: control route → body."""


def section(text: str) -> Args:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


HERE = {"channel": "D0ADA"}
POST = "chat.postMessage"
SHARED = {"channel": "C0BOSS"}
ARCHIVED = {"slack/channel": {"channel": "C0BOSS", "is_archived": True}}
PUT_OUT = {"slack/channel": {"channel": "C0BOSS", "has_bot": False}}
NO_AGENT = {"slack/manifest": {"is_agent": False}}
NOWHERE = {"channel": "C0NONE"}
NEVER = "1000000000.000001"
BY_USER = {"channel": "U0ADA", "ts": "$bot"}
BY_NAME = {"channel": "#boss", "ts": NEVER}
SESSION = {"channel_id": "D0ADA", "thread_ts": "$said"}
STATUS = "assistant.threads.setStatus"
FILE = "files.getUploadURLExternal"
METADATA = {"event_type": "a", "event_payload": {"b": "x" * 16_000}}

REFUSALS = [
    # Conversations
    Refusal("channel_not_found", POST, {**NOWHERE, "text": "x"}, "docs: Value passed for `channel` was invalid"),
    Refusal("channel_not_found", "conversations.info", NOWHERE, "docs: Value passed for `channel` was invalid"),
    Refusal("channel_not_found", "chat.update", {**BY_USER, "text": "x"}, "python-slack-sdk issue 528, by user id"),
    Refusal("channel_not_found", "chat.delete", BY_NAME, "slack-ruby-client issue 270, by name"),
    Refusal("channel_not_found", "conversations.info", BY_NAME, "docs: Conversation ID to learn more about"),
    Refusal("channel_not_found", "chat.startStream", BY_USER, "docs: An encoded ID that represents a channel"),
    Refusal("is_archived", POST, {**SHARED, "text": "x"}, "docs: Channel has been archived", ARCHIVED),
    Refusal("not_in_channel", POST, {**SHARED, "text": "x"}, "docs: a channel they are not in", PUT_OUT),
    Refusal("not_in_channel", "conversations.history", SHARED, "docs: token does not have access", PUT_OUT),
    Refusal(
        "is_inactive",
        "chat.update",
        {**SHARED, "ts": NEVER, "text": "x"},
        "docs: within a frozen, archived or deleted channel",
        ARCHIVED,
    ),
    Refusal("thread_not_found", "conversations.replies", {**HERE, "ts": NEVER}, "docs: Value for `ts` was missing"),
    Refusal("invalid_cursor", "conversations.members", {**HERE, "cursor": "x"}, "docs: `cursor` passed was not valid"),
    Refusal("invalid_types", "conversations.list", {"types": "cave"}, "docs: `type` could not be used"),
    Refusal("invalid_ts_oldest", "conversations.history", {**HERE, "oldest": "x"}, "docs: `oldest` was invalid"),
    Refusal("invalid_ts_latest", "conversations.history", {**HERE, "latest": "x"}, "docs: `latest` was invalid"),
    Refusal("users_list_not_supplied", "conversations.open", {}, "docs: Missing `users` in request"),
    Refusal("user_not_found", "conversations.open", {"users": "U0NONE"}, "docs: `user` was invalid"),
    Refusal("user_not_found", "users.info", {"user": "U0NONE"}, "docs: Value passed for `user` was invalid"),
    Refusal("no_such_subteam", "usergroups.users.list", {"usergroup": "S0NONE"}, "docs: No such User Group exists"),
    # Content
    Refusal("no_text", POST, HERE, "docs: No message text provided"),
    Refusal("no_text", POST, {**HERE, "text": " \n"}, "docs: No message text provided"),
    Refusal("no_text", POST, {**HERE, "attachments": [{}]}, "docs: No message text provided"),
    Refusal("no_text", "chat.postEphemeral", {**HERE, "user": "U0ADA"}, "docs: No message text provided"),
    Refusal("invalid_blocks", POST, {**HERE, "blocks": [{"type": "banner"}]}, "docs: Blocks are not valid"),
    Refusal("invalid_blocks_format", POST, {**HERE, "blocks": "{"}, "docs: not a valid JSON object"),
    Refusal("invalid_blocks_format", POST, {**HERE, "blocks": {"type": "divider"}}, "docs: not a valid JSON object"),
    Refusal(
        "msg_blocks_too_long",
        POST,
        {**HERE, "blocks": [section("x" * 3000)] * 5},
        "docs: Blocks submitted with this message are too long; the length from slackapi/bolt-js issue 2509",
    ),
    Refusal("invalid_attachments", POST, {**HERE, "attachments": "x"}, "docs, chat.update: invalid_attachments"),
    Refusal("invalid_attachments", POST, {**HERE, "attachments": ["x"]}, "docs, chat.update: invalid_attachments"),
    Refusal(
        "invalid_attachments",
        POST,
        {**HERE, "attachments": [{"blocks": [{"type": "banner"}]}]},
        "docs, chat.postEphemeral: invalid_attachments",
    ),
    Refusal(
        "invalid_attachments",
        POST,
        {**HERE, "attachments": [{"text": "x", "blocks": {"type": "divider"}}]},
        "docs, chat.postEphemeral: invalid_attachments",
    ),
    Refusal("too_many_attachments", POST, {**HERE, "attachments": [{"text": "x"}] * 101}, "docs: A maximum of 100"),
    Refusal(
        "markdown_text_conflict",
        POST,
        {**HERE, "text": "x", "markdown_text": "y"},
        "docs: cannot be used in conjunction with `blocks` or `text`",
    ),
    Refusal("msg_too_long", POST, {**HERE, "markdown_text": "x" * 12_001}, "docs, markdown_text: 12,000 characters"),
    Refusal("msg_too_long", "chat.update", {**HERE, "ts": "$bot", "text": "x" * 4_001}, "docs: exceed 4,000"),
    Refusal("invalid_metadata_format", POST, {**HERE, "text": "x", "metadata": "{"}, "docs: Invalid metadata format"),
    Refusal("invalid_metadata_schema", POST, {**HERE, "text": "x", "metadata": {}}, "docs: Invalid metadata schema"),
    Refusal("metadata_too_large", POST, {**HERE, "text": "x", "metadata": METADATA}, "docs: exceeds size limit"),
    Refusal("as_user_not_supported", POST, {**HERE, "text": "x", "as_user": True}, "docs: does not function with"),
    Refusal(
        "thread_not_found",
        POST,
        {**HERE, "text": "x", "thread_ts": NEVER},
        "docs/sandbox.md: stricter than Slack",
    ),
    # Messages that are there
    Refusal("message_not_found", "chat.update", {**HERE, "ts": NEVER, "text": "x"}, "docs: No message exists"),
    Refusal("message_not_found", "chat.delete", {**HERE, "ts": NEVER}, "docs: No message exists"),
    Refusal("message_not_found", "chat.getPermalink", {**HERE, "message_ts": NEVER}, "docs: No message exists"),
    Refusal("cant_update_message", "chat.update", {**HERE, "ts": "$said", "text": "x"}, "docs: not have permission"),
    Refusal("cant_delete_message", "chat.delete", {**HERE, "ts": "$said"}, "docs: not have permission"),
    Refusal(
        "edit_window_closed",
        "chat.update",
        {**HERE, "ts": "$bot", "text": "x"},
        "docs: due to the team message edit settings",
        {"slack/manifest": {"edit_window_s": 60}, "clock": {"advance_s": 61}},
    ),
    Refusal(
        "user_not_in_channel",
        "chat.postEphemeral",
        {**HERE, "user": "U0BEN", "text": "x"},
        "docs: Intended recipient is not in the specified channel",
    ),
    # Reactions
    Refusal("message_not_found", "reactions.add", {**HERE, "timestamp": NEVER, "name": "eyes"}, "docs: not exist"),
    Refusal("bad_timestamp", "reactions.add", {**HERE, "timestamp": "1.1", "name": "eyes"}, "docs: was invalid"),
    Refusal("invalid_name", "reactions.add", {**HERE, "timestamp": "$bot", "name": "no such"}, "docs: was invalid"),
    Refusal("no_reaction", "reactions.remove", {**HERE, "timestamp": "$bot", "name": "eyes"}, "docs: not reacted"),
    Refusal("no_item_specified", "reactions.get", HERE, "docs: no combination of channel and timestamp was specified"),
    Refusal(
        "is_archived",
        "reactions.add",
        {**SHARED, "timestamp": NEVER, "name": "eyes"},
        "docs: Channel specified has been archived",
        ARCHIVED,
    ),
    # Streams
    Refusal("missing_recipient_team_id", "chat.startStream", SHARED, "docs: Missing recipient team ID"),
    Refusal(
        "missing_recipient_user_id",
        "chat.startStream",
        {**SHARED, "recipient_team_id": "T0SANDBOX"},
        "docs: Missing recipient user ID",
    ),
    Refusal(
        "user_not_found",
        "chat.startStream",
        {**SHARED, "recipient_team_id": "T0SANDBOX", "recipient_user_id": "U0NONE"},
        "docs: User not found",
    ),
    Refusal("team_not_found", "chat.startStream", {**HERE, "recipient_team_id": "T0NONE"}, "docs: team_not_found"),
    Refusal("invalid_arguments", "chat.startStream", {**HERE, "task_display_mode": "film"}, "docs: timeline, plan"),
    Refusal("invalid_chunks", "chat.startStream", {**HERE, "chunks": [{"type": "film"}]}, "docs: are not valid"),
    Refusal("invalid_chunks", "chat.startStream", {**HERE, "chunks": "["}, "docs: are not valid"),
    Refusal("msg_too_long", "chat.startStream", {**HERE, "markdown_text": "x" * 12_001}, "docs: 12,000 characters"),
    Refusal("no_text", "chat.appendStream", {**HERE, "ts": "$stream"}, "docs: No message text provided"),
    Refusal(
        "msg_too_long",
        "chat.appendStream",
        {**HERE, "ts": "$stream", "markdown_text": "x" * 12_000},
        "CopilotKit/CopilotKit pull 6064: 12,000 in one streamed message, tried on a live workspace",
    ),
    Refusal(
        "msg_blocks_too_many",
        "chat.appendStream",
        {**HERE, "ts": "$stream", "chunks": [{"type": "blocks", "blocks": [{"type": "divider"}] * 50}]},
        "docs: blocks are limited to 50 per message",
    ),
    Refusal(
        "msg_blocks_too_long",
        "chat.appendStream",
        {**HERE, "ts": "$stream", "chunks": [{"type": "blocks", "blocks": [section("x" * 3000)] * 5}]},
        "docs: Blocks submitted with this message are too long",
    ),
    Refusal(
        "invalid_arguments",
        "chat.appendStream",
        {**HERE, "ts": "$stream", "markdown_text": "x", "chunks": [{"type": "markdown_text", "text": "y"}]},
        "vercel/chat pull 886: the one request that a live workspace refused",
    ),
    Refusal("message_not_found", "chat.appendStream", {**HERE, "ts": NEVER, "markdown_text": "x"}, "docs: not found"),
    Refusal(
        "message_not_owned_by_app",
        "chat.appendStream",
        {**HERE, "ts": "$said", "markdown_text": "x"},
        "docs: The message is not owned by the app",
    ),
    *(
        Refusal("message_not_in_streaming_state", method, {**HERE, "ts": ts, "markdown_text": "x"}, source)
        for method in ("chat.appendStream", "chat.stopStream")
        for ts, source in (
            ("$bot", "docs: not in the streaming state"),
            ("$ended", "docs: not in the streaming state"),
            ("$expired", "python-slack-sdk issue 1859 and vercel/chat issue 637: about five minutes"),
        )
    ),
    Refusal(
        "stopped_by_user",
        "chat.appendStream",
        {**HERE, "ts": "$stopped", "markdown_text": "x"},
        "docs: stopped by the user and no further appends are accepted",
    ),
    Refusal(
        "streaming_state_conflict",
        "chat.update",
        {**HERE, "ts": "$stream", "text": "x"},
        "docs: currently streaming text and cannot be edited",
    ),
    Refusal(
        "invalid_arguments", "chat.stopStream", {**HERE, "ts": "$stream", "session_status": "gone"}, "docs: values"
    ),
    # Agents
    Refusal("invalid_thread_ts", STATUS, {**SESSION, "thread_ts": "x", "status": "y"}, "docs: invalid_thread_ts"),
    Refusal("channel_not_found", STATUS, {**SESSION, "channel_id": "C0NONE", "status": "y"}, "docs: not found"),
    Refusal("invalid_arguments", STATUS, {**SESSION, "status": "y", "loading_messages": ["z"] * 11}, "docs: 10"),
    Refusal("invalid_thread_ts", "assistant.threads.setTitle", {**SESSION, "thread_ts": "x", "title": "y"}, "docs"),
    Refusal(
        "not_agent_app",
        "assistant.threads.setSuggestedPrompts",
        {"channel_id": "D0ADA", "prompts": [{"title": "a", "message": "b"}]},
        "docs: not_agent_app",
        NO_AGENT,
    ),
    Refusal(
        "invalid_arguments",
        "assistant.threads.setSuggestedPrompts",
        {**SESSION, "prompts": [{"title": "a", "message": "b"}] * 5},
        "docs, prompts: four at most",
    ),
    Refusal("feature_disabled", "agents.sessions.setStatus", {**SESSION, "status": "active"}, "docs", NO_AGENT),
    Refusal("invalid_status", "agents.sessions.setStatus", {**SESSION, "status": "busy"}, "docs: Must be one of"),
    Refusal(
        "thread_ts_required",
        "agents.sessions.setStatus",
        {"channel_id": "D0ADA", "status": "active"},
        "docs: required for thread-based sessions",
    ),
    Refusal(
        "user_not_found",
        "agents.sessions.setStatus",
        {**SESSION, "status": "active", "initiator_user_id": "U0BEN"},
        "docs: `initiator_user_id` does not exist or is not accessible",
    ),
    Refusal(
        "not_authorized",
        "agents.sessions.setStatus",
        {"channel_id": "C0BOSS", "thread_ts": NEVER, "status": "active"},
        "docs: not a member of the specified channel",
        PUT_OUT,
    ),
    Refusal(
        "invalid_arguments",
        "agents.sessions.setStatus",
        {**SESSION, "status": "active", "title": "x" * 201},
        "docs: 200",
    ),
    Refusal("session_not_found", "agents.sessions.rename", {**SESSION, "title": "x"}, "docs: No agent session exists"),
    # Files
    Refusal("missing_argument", FILE, {"length": 4}, "docs: A required argument is missing"),
    Refusal("missing_argument", FILE, {"filename": "a.txt", "length": 0}, "docs: A required argument is missing"),
    Refusal("file_upload_size_restricted", FILE, {"filename": "a", "length": 2 << 30}, "docs: 1 GB"),
    Refusal("snippet_too_large", FILE, {"filename": "a", "length": 2 << 20, "snippet_type": "python"}, "docs: 1 MB"),
    Refusal("alt_txt_too_large", FILE, {"filename": "a", "length": 4, "alt_txt": "x" * 1_001}, "docs: 1,000"),
    Refusal("file_not_found", "files.completeUploadExternal", {"files": [{"id": "F0NONE"}]}, "docs: not found"),
    Refusal("file_not_found", "files.info", {"file": "F0NONE"}, "docs: does not exist, or is not visible"),
    # Arguments
    Refusal("invalid_arguments", POST, {"text": "x"}, "docs: invalid arguments"),
    Refusal("invalid_arguments", POST, {**HERE, "text": "x", "parse": "wild"}, "docs: none, full, client"),
    Refusal("invalid_arguments", POST, {**HERE, "text": "x", "mrkdwn": "perhaps"}, "docs: boolean"),
    Refusal("invalid_arguments", "conversations.history", {**HERE, "limit": "many"}, "docs: integer"),
    Refusal("invalid_arg_name", POST, {**HERE, "text": "x", "wrong-name": "y"}, "docs: non-alphanumeric characters"),
    Refusal("invalid_arg_name", POST, {**HERE, "text": "x", "n" * 65: "y"}, "docs: very long names"),
    Refusal("invalid_array_arg", POST, {**HERE, "text": "x", "users[0]": "y"}, "docs: a name like foo[7]"),
    Refusal("unknown_method", "chat.shout", {}, "docs.slack.dev/apis/web-api: unknown_method"),
    # blocks.validate
    Refusal("invalid_arguments", "blocks.validate", {}, "docs: exactly one of `blocks`, `view`, or `message`"),
    Refusal("invalid_blocks", "blocks.validate", {"blocks": [{"type": "banner"}]}, "docs: failed validation"),
    Refusal("invalid_message", "blocks.validate", {"message": {"blocks": [{"type": "x"}]}}, "docs: failed validation"),
    Refusal("invalid_view", "blocks.validate", {"view": {"type": "toast", "blocks": []}}, "docs: failed validation"),
]
