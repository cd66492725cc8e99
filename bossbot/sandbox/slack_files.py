"""Files: asked for, uploaded, completed, looked up; the methods files.*. Their bytes go by `slack_file_bytes`."""

import mimetypes
from pathlib import PurePath

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_call import Call, find_place, find_thread
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_checks import checked_blocks
from bossbot.sandbox.slack_content import look
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_events import post_file_event
from bossbot.sandbox.slack_message import SlackFile, SlackMessage
from bossbot.sandbox.slack_messages import add_message
from bossbot.sandbox.slack_params import invalid_arguments
from bossbot.sandbox.world import World

FILE_BYTES = 1 << 30
"""docs.slack.dev, Working with files: a file has 1 GB at most."""
SNIPPET_BYTES = 1 << 20
ALT_TEXT = 1_000
TYPES = {
    "": ("text", "Plain Text"), "txt": ("text", "Plain Text"), "log": ("text", "Plain Text"),
    "md": ("markdown", "Markdown (raw)"), "py": ("python", "Python"), "js": ("javascript", "JavaScript"),
    "diff": ("diff", "Diff"), "patch": ("diff", "Diff"), "sh": ("shell", "Shell"), "yml": ("yaml", "YAML"),
}  # fmt: skip
"""Slack's names for kinds of files, by the ending of the name; others are called by their ending."""


def get_upload_url(call: Call) -> Json:
    """`files.getUploadURLExternal`: where the bytes go; exactly `length` of them."""
    length = call.args.integer("length", 0, 0, 1 << 40)
    if not call.args.has("filename") or length == 0:
        raise SlackError("missing_argument")
    if length > FILE_BYTES:
        raise SlackError("file_upload_size_restricted")
    if call.args.has("snippet_type") and length > SNIPPET_BYTES:
        raise SlackError("snippet_too_large")
    alt_text = call.args.text("alt_txt")
    if len(alt_text) > ALT_TEXT:
        raise SlackError("alt_txt_too_large")
    name, now = call.args.text("filename"), int(call.world.clock.now())
    file = SlackFile(call.world.slack.new_id("F"), name, length, now, title=name, alt_text=alt_text)
    file.user = call.team.bot_user_id
    call.world.slack.files[file.id] = file
    return {"upload_url": f"{call.world.base_url}/slack/upload/{file.id}", "file_id": file.id}


def complete_upload(call: Call) -> Json:
    """`files.completeUploadExternal`: share what was uploaded, in conversations or with nobody."""
    wanted = as_list(call.args.json("files", "invalid_arguments"))
    if not wanted:
        raise invalid_arguments("missing required field: files")
    files = [_uploaded(call, as_object(item) or {}) for item in wanted]
    channels = _channels(call)
    comment = call.args.text("initial_comment")
    blocks = [] if comment else call.named(checked_blocks(call.args))
    threads = [find_thread(call, channel) for channel in channels]
    shown = look(call.args)
    for file in files:
        file.shared = True
    for channel, thread_ts in zip(channels, threads, strict=True):
        ts = call.world.slack.new_ts()
        message = SlackMessage(ts, call.team.bot_user_id, comment, blocks, thread_ts, from_bot=True, look=shown)
        for file in files:
            file.shares[channel.id] = ts
        message.files = [wire(call.world, file) for file in files]
        add_message(call.world, channel, message)
        for file in files:
            post_file_event(call.world, channel, file.id, file.user)
    return {"files": [wire(call.world, file) for file in files]}


def info(call: Call) -> Json:
    """`files.info`."""
    file = find_file(call.world, call.args.text("file"), call.team)
    if file is None or not file.shared:
        raise SlackError("file_not_found")
    return {
        "file": wire(call.world, file),
        "comments": [],
        "response_metadata": {"next_cursor": ""},
    }


def wire(world: World, file: SlackFile) -> Json:
    """A file object."""
    address = f"{world.base_url}/slack/files/{file.id}"
    suffix = PurePath(file.name).suffix.removeprefix(".").lower()
    kind, pretty = TYPES.get(suffix, (suffix, suffix.upper()))
    body: Json = {
        "id": file.id,
        "created": file.created_at,
        "timestamp": file.created_at,
        "name": file.name,
        "title": file.title,
        "mimetype": mimetypes.guess_type(file.name)[0] or "application/octet-stream",
        "filetype": kind,
        "pretty_type": pretty,
        "size": file.length,
        "user": file.user,
        "mode": "hosted",
        "is_external": False,
        "is_public": any(not name.startswith("D") for name in file.shares),
        "shares": _shares(file),
        "channels": [name for name in file.shares if not name.startswith("D")],
        "ims": [name for name in file.shares if name.startswith("D")],
        "url_private": address,
        "url_private_download": address,
        "permalink": address,
    }
    return {**body, "alt_txt": file.alt_text} if file.alt_text else body


def find_file(world: World, file_id: str, team: SlackTeam) -> SlackFile | None:
    """A file of this workspace's."""
    file = world.slack.files.get(file_id)
    return file if file is not None and team.has(file.user) else None


def _shares(file: SlackFile) -> Json:
    """Where the file was shared, as it tells a bot the ts of those messages."""
    found: dict[str, Json] = {"public": {}, "private": {}}
    for name, ts in file.shares.items():
        if ts:
            found["private" if name.startswith("D") else "public"][name] = [{"ts": ts, "reply_count": 0}]
    return {kind: places for kind, places in found.items() if places}


def _channels(call: Call) -> list[Channel]:
    """Where the files go: `channel_id`, or the names in `channels`."""
    if call.args.has("channel_id"):
        return [find_place(call, "channel_id")]
    found: list[Channel] = []
    for name in filter(None, call.args.text("channels").split(",")):
        channel = call.world.slack.channel(name, call.team)
        if channel is None or channel.id != name:
            raise SlackError("invalid_channel")
        found.append(channel)
    return found


def _uploaded(call: Call, wanted: Json) -> SlackFile:
    file = find_file(call.world, str(wanted.get("id")), call.team)
    if file is None or file.data is None or file.shared:
        raise SlackError("file_not_found")
    title = wanted.get("title")
    if isinstance(title, str) and title:
        file.title = title
    return file


METHODS = {
    "files.completeUploadExternal": complete_upload,
    "files.getUploadURLExternal": get_upload_url,
    "files.info": info,
}
