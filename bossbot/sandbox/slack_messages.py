"""The chat.* and reactions.* methods: what changes the messages of a conversation."""

from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.slack_call import Call, find_channel, find_thread, with_ids
from bossbot.sandbox.slack_checks import UPDATE_TEXT, checked_blocks, checked_text
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_events import post_changed_event, post_deleted_event, post_message_events
from bossbot.sandbox.slack_state import Channel, SlackMessage
from bossbot.sandbox.world import World


def post_message(call: Call) -> Json:
    """`chat.postMessage`."""
    channel = find_channel(call)
    blocks = checked_blocks(call.args)
    text = checked_text(call.args, blocks, None)
    message = SlackMessage(
        call.world.slack.new_ts(),
        call.team.bot_user_id,
        text,
        with_ids(call, blocks),
        find_thread(call, channel),
        True,
    )
    message.metadata = _metadata(call)
    add_message(call.world, channel, message)
    return {"channel": channel.id, "ts": message.ts, "message": channel.wire_message(message, with_metadata=True)}


def update(call: Call) -> Json:
    """`chat.update`: the bot's own messages. Blocks that are left out are taken away when text is given."""
    channel = find_channel(call)
    message = channel.messages.get(call.args.need("ts"))
    if message is None:
        raise SlackError("message_not_found")
    if not message.from_bot:
        raise SlackError("cant_update_message")
    blocks = checked_blocks(call.args)
    text = checked_text(call.args, blocks, UPDATE_TEXT)
    change_message(call.world, channel, message, text, with_ids(call, blocks))
    if call.args.has("metadata"):
        message.metadata = _metadata(call)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": message.wire(call.team)}


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
    channel = find_channel(call)
    user = call.args.need("user")
    if user not in channel.place.members:
        raise SlackError("user_not_in_channel")
    blocks = checked_blocks(call.args)
    text = checked_text(call.args, blocks, None)
    message = SlackMessage(
        call.world.slack.new_ts(), call.team.bot_user_id, text, with_ids(call, blocks), from_bot=True
    )
    message.thread_ts = find_thread(call, channel)
    message.ephemeral_for = user
    add_ephemeral(call.world, channel, message)
    return {"message_ts": message.ts}


def add_reaction(call: Call) -> Json:
    """`reactions.add`."""
    name = call.args.need("name").strip(":")
    if not name.replace("_", "").replace("-", "").replace("+", "").replace("'", "").isalnum():
        raise SlackError("invalid_name")
    message = _reacted(call)
    users = message.reactions.setdefault(name, [])
    if call.team.bot_user_id in users:
        raise SlackError("already_reacted")
    users.append(call.team.bot_user_id)
    call.world.feed.changed("slack")
    return {}


def remove_reaction(call: Call) -> Json:
    """`reactions.remove`."""
    name = call.args.need("name").strip(":")
    message = _reacted(call)
    users = message.reactions.get(name, [])
    if call.team.bot_user_id not in users:
        raise SlackError("no_reaction")
    users.remove(call.team.bot_user_id)
    if not users:
        del message.reactions[name]
    call.world.feed.changed("slack")
    return {}


def add_message(world: World, channel: Channel, message: SlackMessage) -> None:
    channel.messages[message.ts] = message
    channel.statuses.pop(message.thread_ts or "", None)
    post_message_events(world, channel, message)
    world.feed.changed("slack")


def add_ephemeral(world: World, channel: Channel, message: SlackMessage) -> None:
    channel.ephemerals[message.ts] = message
    world.feed.changed("slack")


def change_message(world: World, channel: Channel, message: SlackMessage, text: str, blocks: list[Json]) -> None:
    before = message.wire(channel.team)
    if message.blocks:
        message.past_blocks.append(message.blocks)
    message.text, message.blocks = text, blocks
    message.edited = {"user": channel.team.bot_user_id, "ts": world.slack.new_ts()}
    message.edits += 1
    if message.ephemeral_for is None:
        post_changed_event(world, channel, message, before)
    world.feed.changed("slack")


def remove_message(world: World, channel: Channel, message: SlackMessage) -> None:
    if message.ephemeral_for is not None:
        channel.ephemerals.pop(message.ts, None)
    else:
        channel.messages.pop(message.ts, None)
        channel.deleted.append(message.ts)
        post_deleted_event(world, channel, message)
    world.feed.changed("slack")


def _metadata(call: Call) -> Json | None:
    value = call.args.json("metadata", "invalid_metadata_format")
    if value is None:
        return None
    metadata = as_object(value)
    if metadata is None or not isinstance(metadata.get("event_type"), str):
        raise SlackError("invalid_metadata_schema")
    if as_object(metadata.get("event_payload")) is None:
        raise SlackError("invalid_metadata_schema")
    return metadata


def _reacted(call: Call) -> SlackMessage:
    message = find_channel(call).messages.get(call.args.need("timestamp"))
    if message is None:
        raise SlackError("message_not_found")
    return message


METHODS = {
    "chat.postMessage": post_message,
    "chat.update": update,
    "chat.delete": delete,
    "chat.postEphemeral": post_ephemeral,
    "reactions.add": add_reaction,
    "reactions.remove": remove_reaction,
}
