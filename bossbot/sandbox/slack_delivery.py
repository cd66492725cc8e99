"""The way of events, interactions and commands to the bot: over HTTP where the app has an address, else a socket."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SLACK_APP_ID, SlackTeam
from bossbot.sandbox.slack_envelope import Envelope, new_envelope
from bossbot.sandbox.world import World

SUBSCRIPTIONS = {"im": "message.im", "channel": "message.channels"}
"""What an app subscribes to for the messages of each kind of conversation; other events go by their type."""


def send_event(world: World, team: SlackTeam, event: Json) -> list[Envelope]:
    """Tell the bot of something that happened in a workspace; what was sent at once is returned.

    Nothing is told of what the app has not subscribed to.
    The fault `two_event_ids` tells it a second time, as if it had happened twice.
    """
    kind = str(event.get("type"))
    if SUBSCRIPTIONS.get(str(event.get("channel_type")), kind) not in world.slack.manifest.events:
        return []
    twice = world.faults.take_for_delivery("slack", kind, "two_event_ids") is not None
    sent: list[Envelope] = []

    def tell(payload: Json) -> None:
        world.deliveries.send("slack", kind, lambda: sent.append(_send(world, "events_api", payload)))

    for _ in range(2 if twice else 1):
        tell(_wrapped(world, team, event))
    return sent


def send_interaction(world: World, payload: Json) -> Envelope:
    """A press, a choice, a submitted modal, a shortcut: somebody waits for its answer."""
    # Whoever presses waits for the envelope, so that it is never held back.
    twice = world.faults.take_for_delivery("slack", str(payload["type"]), "duplicate") is not None
    envelope = _send(world, "interactive", payload)
    if twice:
        _send(world, "interactive", payload)
    return envelope


def send_command(world: World, payload: Json) -> Envelope:
    """A slash command."""
    return _send(world, "slash_commands", payload)


def _send(world: World, kind: str, payload: Json) -> Envelope:
    envelope = new_envelope(kind, payload, world.clock)
    url = world.requests.urls.of(kind)
    if url is None:
        world.sockets.deliver(envelope)
    else:
        world.requests.deliver(envelope, url)
    return envelope


def _wrapped(world: World, team: SlackTeam, event: Json) -> Json:
    return {
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
