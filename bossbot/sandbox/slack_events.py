"""What Slack tells the bot: events of messages, and presses, in the shapes of the real ones."""

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.people import (
    SLACK_APP_ID,
    SlackTeam,
)
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_state import Channel, ResponseUrl, SlackMessage
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


def send_event(world: World, team: SlackTeam, event: Json) -> list[Envelope]:
    """Wrap an event and deliver it, twice when the fault `duplicate` is set."""
    payload: Json = {
        "token": "sandbox",
        "team_id": team.id,
        "context_team_id": team.id,
        "api_app_id": SLACK_APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": world.slack.new_id("Ev"),
        "event_time": int(world.clock.now()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team.id,
                "user_id": team.bot_user_id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": world.slack.new_id("4-"),
    }
    return _deliver(world, "events_api", payload)


def send_press(
    world: World, channel: Channel, message: SlackMessage, user_id: str, block: Json, element: Json
) -> Envelope:
    """A `block_actions` interaction with its trigger and its response_url."""
    person = world.slack.person(user_id)
    name = person.name if person is not None else user_id
    url_id = world.slack.new_id("R")
    world.slack.response_urls[url_id] = ResponseUrl(channel, message, user_id, world.clock.now())
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_for is not None,
    }
    payload: Json = {
        "type": "block_actions",
        "user": {"id": user_id, "username": name, "name": name, "team_id": channel.team.id},
        "api_app_id": SLACK_APP_ID,
        "token": "sandbox",
        "container": container,
        "trigger_id": world.slack.new_trigger(),
        "team": {"id": channel.team.id, "domain": channel.team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
        "channel": {"id": channel.id, "name": "directmessage" if channel.place.is_im else channel.place.name},
        "state": {"values": {}},
        "response_url": f"{world.base_url}/slack/response/{url_id}",
        "actions": [_action(element, block, world.slack.new_ts())],
    }
    if message.thread_ts is not None:
        container["thread_ts"] = message.thread_ts
    if message.ephemeral_for is None:
        payload["message"] = channel.wire_message(message)
    return _deliver(world, "interactive", payload)[0]


def _action(element: Json, block: Json, action_ts: str) -> Json:
    action: Json = {key: element[key] for key in ("type", "action_id", "text", "value", "style") if key in element}
    return {**action, "block_id": block.get("block_id", ""), "action_ts": action_ts}


def _deliver(world: World, kind: str, payload: Json) -> list[Envelope]:
    if kind == "interactive":  # whoever presses waits for the envelope, so it is not held back
        twice = world.faults.take_for_delivery("slack", str(payload["type"]), "duplicate") is not None
        return [world.sockets.deliver(kind, payload) for _ in range(2 if twice else 1)]
    sent: list[Envelope] = []
    event = as_object(payload["event"]) or {}
    world.deliveries.send("slack", str(event.get("type")), lambda: sent.append(world.sockets.deliver(kind, payload)))
    return sent


def pressable(blocks: list[Json]) -> list[tuple[Json, Json]]:
    """The buttons of a message, each with its block: in `actions` and as a section's accessory."""
    found: list[tuple[Json, Json]] = []
    for block in blocks:
        elements = as_list(block.get("elements")) or [] if block.get("type") == "actions" else []
        for value in (*elements, block.get("accessory")):
            element = as_object(value)
            if element is not None and element.get("type") == "button":
                found.append((block, element))
    return found
