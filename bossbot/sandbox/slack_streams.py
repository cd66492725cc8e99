"""chat.startStream, appendStream and stopStream: a message that grows while people read it."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_call import Call, find_place, find_thread
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_checks import checked_blocks
from bossbot.sandbox.slack_chunks import check_size, checked_chunks, markdown_of, streamed
from bossbot.sandbox.slack_content import checked_metadata, look
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_events import post_changed_event
from bossbot.sandbox.slack_message import SlackMessage, Stream
from bossbot.sandbox.slack_messages import add_message
from bossbot.sandbox.slack_params import invalid_arguments
from bossbot.sandbox.slack_sessions import STATUSES
from bossbot.sandbox.world import World

STREAM_LIFE_S = 300.0
"""A stream ends five minutes after its start, however busy (python-slack-sdk issue 1859, vercel/chat issue 637)."""
MODES = ("timeline", "plan")


def start(call: Call) -> Json:
    """`chat.startStream`."""
    channel = find_place(call)
    stream = _new_stream(call, channel)
    blocks = streamed([], checked_chunks(call.args), stream.task_display_mode == "plan")
    message = SlackMessage(
        call.world.slack.new_ts(),
        call.team.bot_user_id,
        markdown_of(blocks),
        call.named(blocks),
        find_thread(call, channel),
        from_bot=True,
        look=look(call.args),
        stream=stream,
    )
    call.world.clock.call_later(STREAM_LIFE_S, lambda: _expire(call.world, stream))
    add_message(call.world, channel, message)
    return {"channel": channel.id, "ts": message.ts}


def append(call: Call) -> Json:
    """`chat.appendStream`."""
    channel = find_place(call)
    message, stream = _streaming(call, channel)
    if stream.by == "user":
        raise SlackError("stopped_by_user")
    if stream.state != "in_progress":
        raise SlackError("message_not_in_streaming_state")
    chunks = checked_chunks(call.args)
    if not chunks:
        raise SlackError("no_text")
    _grow(call, message, streamed(message.blocks, chunks, stream.task_display_mode == "plan"))
    return {"channel": channel.id, "ts": message.ts}


def stop(call: Call) -> Json:
    """`chat.stopStream`: also of a stream that its reader has stopped, but not of one that has expired."""
    channel = find_place(call)
    message, stream = _streaming(call, channel)
    if stream.state != "in_progress":
        raise SlackError("message_not_in_streaming_state")
    status = call.args.text("session_status") or "active"
    if status not in STATUSES:
        raise invalid_arguments("must be a valid enum value [json-pointer:/session_status]")
    blocks = streamed(message.blocks, checked_chunks(call.args), stream.task_display_mode == "plan")
    blocks += checked_blocks(call.args)
    check_size(blocks)
    metadata = checked_metadata(call.args)
    if not blocks:
        raise SlackError("no_text")
    before = message.wire(channel.team)
    stream.state = "completed"
    message.metadata = metadata or message.metadata
    _grow(call, message, blocks)
    session = channel.sessions.get(message.thread_ts or "")
    if session is not None:
        session.status = status
    post_changed_event(call.world, channel, message, before)
    return {"channel": channel.id, "ts": message.ts, "message": channel.wire_message(message, with_metadata=True)}


def _new_stream(call: Call, channel: Channel) -> Stream:
    mode = call.args.text("task_display_mode") or "timeline"
    if mode not in MODES:
        raise invalid_arguments("must be a valid enum value [json-pointer:/task_display_mode]")
    team_id, user_id = call.args.text("recipient_team_id"), call.args.text("recipient_user_id")
    if not channel.place.is_im:
        if not team_id:
            raise SlackError("missing_recipient_team_id")
        if not user_id:
            raise SlackError("missing_recipient_user_id")
    if team_id and team_id != call.team.id:
        raise SlackError("team_not_found")
    if user_id and call.team.person(user_id) is None:
        raise SlackError("user_not_found")
    return Stream(mode, user_id or None, team_id or None)


def _streaming(call: Call, channel: Channel) -> tuple[SlackMessage, Stream]:
    message = channel.messages.get(call.args.need("ts"))
    if message is None:
        raise SlackError("message_not_found")
    if not message.from_bot:
        raise SlackError("message_not_owned_by_app")
    if message.stream is None:
        raise SlackError("message_not_in_streaming_state")
    return message, message.stream


def _grow(call: Call, message: SlackMessage, blocks: list[Json]) -> None:
    message.blocks = call.named(blocks)
    message.text = markdown_of(message.blocks)
    call.world.feed.changed("slack")


def _expire(world: World, stream: Stream) -> None:
    if stream.state == "in_progress":
        stream.state, stream.by = "errored", "expiry"
        world.feed.changed("slack")


METHODS = {"chat.appendStream": append, "chat.startStream": start, "chat.stopStream": stop}
