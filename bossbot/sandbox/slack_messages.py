"""The chat.* methods that write whole messages, and what every change of a message brings with it."""

from dataclasses import replace

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_call import Call, find_channel, find_place, find_thread
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_content import UPDATE_TEXT, Content, checked_content, checked_metadata, links_names, look
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_events import post_changed_event, post_deleted_event, post_message_events
from bossbot.sandbox.slack_message import Look, SlackMessage
from bossbot.sandbox.world import World


def post_message(call: Call) -> Json:
    """`chat.postMessage`."""
    channel = find_place(call, by_name=True)
    content = checked_content(call.args)
    message = _new_message(call, content, look(call.args))
    message.thread_ts = find_thread(call, channel)
    message.broadcast = message.thread_ts is not None and call.args.flag("reply_broadcast")
    message.metadata = checked_metadata(call.args)
    add_message(call.world, channel, message)
    return {"channel": channel.id, "ts": message.ts, "message": channel.wire_message(message, with_metadata=True)}


def update(call: Call) -> Json:
    """`chat.update`: the bot's own messages. Blocks that are left out are taken away when text is given."""
    channel = find_place(call, archived="is_inactive")
    message = channel.messages.get(call.args.need("ts"))
    if message is None:
        raise SlackError("message_not_found")
    if not message.from_bot:
        raise SlackError("cant_update_message")
    if message.stream is not None and message.stream.state == "in_progress":
        raise SlackError("streaming_state_conflict")
    window_s = call.world.slack.manifest.edit_window_s
    if window_s is not None and call.world.clock.now() - float(message.ts) > window_s:
        raise SlackError("edit_window_closed")
    content = checked_content(call.args, UPDATE_TEXT)
    metadata = checked_metadata(call.args)
    message.look = replace(message.look, links_names=links_names(call.args))
    change_message(call.world, channel, message, content.text, call.named(content.blocks), content.attachments)
    if call.args.has("metadata"):
        message.metadata = metadata
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": message.wire(channel.team)}


def delete(call: Call) -> Json:
    """`chat.delete`: the bot's own messages."""
    channel = find_channel(call)
    message = channel.messages.get(call.args.need("ts"))
    if message is None:
        raise SlackError("message_not_found")
    if not message.from_bot:
        raise SlackError("cant_delete_message")
    remove_message(call.world, channel, message)
    return {"channel": channel.id, "ts": message.ts}


def post_ephemeral(call: Call) -> Json:
    """`chat.postEphemeral`: seen by one member of the conversation, and never in its history."""
    channel = find_place(call, by_name=True)
    user = call.args.need("user")
    if user not in channel.place.members:
        raise SlackError("user_not_in_channel")
    message = _new_message(call, checked_content(call.args), look(call.args))
    message.thread_ts = find_thread(call, channel)
    message.ephemeral_for = user
    add_ephemeral(call.world, channel, message)
    return {"message_ts": message.ts}


def get_permalink(call: Call) -> Json:
    """`chat.getPermalink`."""
    channel = find_channel(call)
    message = channel.messages.get(call.args.need("message_ts"))
    if message is None:
        raise SlackError("message_not_found")
    address = f"https://{call.team.domain}.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.thread_ts is not None:
        address += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": address}


def add_message(world: World, channel: Channel, message: SlackMessage) -> None:
    channel.add(message)
    channel.statuses.pop(message.thread_ts or "", None)
    post_message_events(world, channel, message)
    world.feed.changed("slack")


def add_ephemeral(world: World, channel: Channel, message: SlackMessage) -> None:
    channel.ephemerals[message.ts] = message
    world.feed.changed("slack")


def change_message(
    world: World,
    channel: Channel,
    message: SlackMessage,
    text: str,
    blocks: list[Json],
    attachments: list[Json] | None = None,
) -> None:
    """Another content for a message; attachments that are not given go."""
    before = message.wire(channel.team)
    if message.blocks:
        message.past_blocks.append(message.blocks)
    message.text, message.blocks, message.attachments = text, blocks, attachments or []
    message.edited = {"user": channel.team.bot_user_id, "ts": world.slack.new_ts()}
    message.edits += 1
    if message.ephemeral_for is None:
        post_changed_event(world, channel, message, before)
    world.feed.changed("slack")


def remove_message(world: World, channel: Channel, message: SlackMessage) -> None:
    if message.ephemeral_for is not None:
        channel.ephemerals.pop(message.ts, None)
    else:
        channel.remove(message)
        post_deleted_event(world, channel, message)
    world.feed.changed("slack")


def _new_message(call: Call, content: Content, shown: Look) -> SlackMessage:
    return SlackMessage(
        call.world.slack.new_ts(),
        call.team.bot_user_id,
        content.text,
        call.named(content.blocks),
        from_bot=True,
        attachments=content.attachments,
        look=shown,
    )


METHODS = {
    "chat.delete": delete,
    "chat.getPermalink": get_permalink,
    "chat.postEphemeral": post_ephemeral,
    "chat.postMessage": post_message,
    "chat.update": update,
}
