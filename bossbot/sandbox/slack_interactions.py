"""What the bot is told when people press, choose, submit, close, and type commands, in the shapes of the real ones."""

import itertools

from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.people import SLACK_APP_ID, SlackTeam
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_delivery import send_command, send_interaction
from bossbot.sandbox.slack_elements import Part, parts
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_state import RESPONSE_URL_LIFE_S, ResponseUrl
from bossbot.sandbox.slack_view import View
from bossbot.sandbox.world import World

TOLD = ("type", "action_id", "text", "value", "style", "placeholder")
"""What an action repeats of its element."""


def press_in_message(
    world: World, channel: Channel, message: SlackMessage, user: str, part: Part, entry: Json | None = None
) -> Envelope:
    """`block_actions` of a message: a press, or with `entry` a choice."""
    payload: Json = {
        **_interaction(world, "block_actions", user, channel.team),
        **_in_message(channel, message),
        "state": {"values": world.slack.message_values(message, user)},
        "response_url": new_response_url(world, channel, user, message),
        "actions": [_action(world, part, entry)],
    }
    return send_interaction(world, payload)


def press_in_view(world: World, view: View, part: Part, entry: Json | None = None) -> Envelope:
    """`block_actions` of a modal or home tab."""
    return send_interaction(
        world,
        {
            **_interaction(world, "block_actions", view.user, view.team, view),
            **_in_view(view),
            "actions": [_action(world, part, entry)],
        },
    )


def question(world: World, where: tuple[Channel, SlackMessage] | View, user: str, part: Part, typed: str) -> Envelope:
    """`block_suggestion`: what can be chosen in an external select for what was typed so far."""
    team, place = (where.team, _in_view(where)) if isinstance(where, View) else (where[0].team, _in_message(*where))
    block, element = part
    payload = _interaction(world, "block_suggestion", user, team)
    del payload["trigger_id"]
    asked: Json = {"action_id": element.get("action_id"), "block_id": block.get("block_id"), "value": typed}
    return send_interaction(world, {**payload, **place, **asked})


def submission(world: World, view: View) -> Envelope:
    """`view_submission`: a response_url comes with it for each select that was declared so."""
    return send_interaction(
        world,
        {
            **_interaction(world, "view_submission", view.user, view.team, view),
            "view": view.wire(),
            "response_urls": _response_urls(world, view),
        },
    )


def closing(world: World, view: View, is_cleared: bool) -> Envelope:
    """`view_closed`: it was closed, alone or with the whole modal."""
    payload = _interaction(world, "view_closed", view.user, view.team, view)
    del payload["trigger_id"]
    return send_interaction(world, {**payload, "view": view.wire(), "is_cleared": is_cleared})


def global_shortcut(world: World, team: SlackTeam, user: str, callback_id: str) -> Envelope:
    payload = _interaction(world, "shortcut", user, team)
    return send_interaction(world, {**payload, "callback_id": callback_id, "action_ts": world.slack.new_ts()})


def message_shortcut(world: World, channel: Channel, message: SlackMessage, user: str, callback_id: str) -> Envelope:
    return send_interaction(
        world,
        {
            **_interaction(world, "message_action", user, channel.team),
            "callback_id": callback_id,
            "action_ts": world.slack.new_ts(),
            "message_ts": message.ts,
            "channel": _channel(channel),
            "message": channel.wire_message(message),
            "response_url": new_response_url(world, channel, user, message),
        },
    )


def slash_command(world: World, channel: Channel, user: str, command: str, text: str) -> Envelope:
    """A command; all its fields are texts, since it is a form over HTTP."""
    person = channel.team.person(user)
    return send_command(
        world,
        {
            "token": "sandbox",
            "team_id": channel.team.id,
            "team_domain": channel.team.domain,
            "channel_id": channel.id,
            "channel_name": str(_channel(channel)["name"]),
            "user_id": user,
            "user_name": user if person is None else person.name,
            "command": command,
            "text": text,
            "api_app_id": SLACK_APP_ID,
            "is_enterprise_install": "false",
            "response_url": new_response_url(world, channel, user),
            "trigger_id": world.slack.triggers.new(user, channel.team),
        },
    )


def new_response_url(world: World, channel: Channel, user: str, message: SlackMessage | None = None) -> str:
    """An address at which the bot may answer this person; `message` is what was pressed."""
    urls, now = world.slack.response_urls, world.clock.now()
    for old in [key for key, url in itertools.islice(urls.items(), 2) if now - url.made_at > RESPONSE_URL_LIFE_S]:
        del urls[old]  # the oldest stand first
    url_id = world.slack.new_id("R")
    urls[url_id] = ResponseUrl(channel, message, user, now)
    return f"{world.base_url}/slack/response/{url_id}"


def _interaction(world: World, kind: str, user: str, team: SlackTeam, view: View | None = None) -> Json:
    person = world.slack.person(user)
    name = user if person is None else person.name
    return {
        "type": kind,
        "user": {"id": user, "username": name, "name": name, "team_id": team.id},
        "api_app_id": SLACK_APP_ID,
        "token": "sandbox",
        "trigger_id": world.slack.triggers.new(user, team, None if view is None else view.id),
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def _action(world: World, part: Part, entry: Json | None) -> Json:
    block, element = part
    action = {key: element[key] for key in TOLD if key in element}
    return {
        **action,
        **(entry or {}),
        "block_id": block.get("block_id", ""),
        "action_ts": world.slack.new_ts(),
    }


def _in_message(channel: Channel, message: SlackMessage) -> Json:
    """Where somebody acts: in a message; one that only they see is not told whole."""
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_for is not None,
    }
    if message.thread_ts is not None:
        container["thread_ts"] = message.thread_ts
    place: Json = {"container": container, "channel": _channel(channel)}
    return place if message.ephemeral_for is not None else {**place, "message": channel.wire_message(message)}


def _in_view(view: View) -> Json:
    return {"container": {"type": "view", "view_id": view.id}, "view": view.wire()}


def _channel(channel: Channel) -> Json:
    return {"id": channel.id, "name": "directmessage" if channel.place.is_im else channel.place.name}


def _response_urls(world: World, view: View) -> list[Json]:
    found: list[Json] = []
    for block, element in parts(view.blocks):
        block_id, action_id = str(block.get("block_id")), str(element.get("action_id"))
        entry = view.values.get(block_id, {}).get(action_id, {})
        chosen = entry.get("selected_conversation") or entry.get("selected_channel")
        channel = world.slack.channel(str(chosen), view.team)
        if element.get("response_url_enabled") is True and channel is not None:
            url = new_response_url(world, channel, view.user)
            found.append({"response_url": url, "block_id": block_id, "action_id": action_id, "channel_id": channel.id})
    return found


def halves(block: Json, element: Json) -> list[Part]:
    """The two buttons of a `feedback_buttons` element; any other element by itself."""
    if element.get("type") != "feedback_buttons":
        return [(block, element)]
    found = [as_object(element.get(name)) or {} for name in ("positive_button", "negative_button")]
    return [(block, {**half, "type": "feedback_buttons", "action_id": element.get("action_id")}) for half in found]


def pressable(blocks: list[Json]) -> list[Part]:
    """What can be pressed in these blocks, each with its block."""
    found = [half for block, element in parts(blocks) for half in halves(block, element)]
    return [part for part in found if part[1].get("type") in ("button", "icon_button", "feedback_buttons")]
