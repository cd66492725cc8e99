"""What Slack tells the bot of messages: posted, changed, deleted, reacted to, in the shapes of the real events."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_delivery import send_event
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.world import World


def mentions_bot(text: str, team: SlackTeam) -> bool:
    return f"<@{team.bot_user_id}>" in text


def post_message_events(world: World, channel: Channel, message: SlackMessage) -> list[Envelope]:
    """`message` for every post, and `app_mention` besides where the bot is addressed in a channel."""
    body: Json = {
        **message.wire(channel.team),
        "channel": channel.id,
        "event_ts": message.ts,
        "channel_type": channel.channel_type,
    }
    if message.files:
        body["subtype"] = "file_share"
    if message.thread_ts is not None and message.thread_ts in channel.messages:
        body["parent_user_id"] = channel.messages[message.thread_ts].user
    sent = send_event(world, channel.team, body)
    if not message.from_bot and not channel.place.is_im and mentions_bot(message.text, channel.team):
        mention = {key: value for key, value in body.items() if key not in ("channel_type", "parent_user_id")}
        sent += send_event(world, channel.team, {**mention, "type": "app_mention"})
    return sent


def post_changed_event(world: World, channel: Channel, message: SlackMessage, before: Json) -> None:
    ts = world.slack.new_ts()
    send_event(
        world,
        channel.team,
        {
            "type": "message",
            "subtype": "message_changed",
            "message": message.wire(channel.team),
            "previous_message": before,
            "channel": channel.id,
            "hidden": True,
            "ts": ts,
            "event_ts": ts,
            "channel_type": channel.channel_type,
        },
    )


def post_deleted_event(world: World, channel: Channel, message: SlackMessage) -> None:
    ts = world.slack.new_ts()
    send_event(
        world,
        channel.team,
        {
            "type": "message",
            "subtype": "message_deleted",
            "previous_message": message.wire(channel.team),
            "channel": channel.id,
            "hidden": True,
            "deleted_ts": message.ts,
            "ts": ts,
            "event_ts": ts,
            "channel_type": channel.channel_type,
        },
    )


def post_reaction_event(
    world: World, channel: Channel, message: SlackMessage, user: str, name: str, added: bool
) -> list[Envelope]:
    """`reaction_added` or `reaction_removed`."""
    return send_event(
        world,
        channel.team,
        {
            "type": "reaction_added" if added else "reaction_removed",
            "user": user,
            "reaction": name,
            "item": {"type": "message", "channel": channel.id, "ts": message.ts},
            "item_user": message.user,
            "event_ts": world.slack.new_ts(),
        },
    )


def post_file_event(world: World, channel: Channel, file_id: str, user: str) -> list[Envelope]:
    """`file_shared`: a file is in a conversation now."""
    event: Json = {"type": "file_shared", "channel_id": channel.id, "file_id": file_id, "user_id": user}
    return send_event(world, channel.team, {**event, "file": {"id": file_id}, "event_ts": world.slack.new_ts()})
