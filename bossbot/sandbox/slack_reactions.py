"""The reactions.* methods: emoji under a message."""

import re

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_call import Call, find_channel
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_events import post_reaction_event
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_state import TS

NAME = re.compile(r"[\w+'-]{1,100}(?:::skin-tone-[2-6])?")
EMOJI_MAX = 23
"""Different emoji that one message takes from one user (docs.slack.dev, reactions.add: too_many_emoji)."""


def add(call: Call) -> Json:
    """`reactions.add`."""
    name = _name(call)
    message = _reacted(call)
    user = call.team.bot_user_id
    users = message.reactions.get(name, [])
    if user in users:
        raise SlackError("already_reacted")
    if sum(user in found for found in message.reactions.values()) >= EMOJI_MAX:
        raise SlackError("too_many_emoji")
    message.reactions[name] = [*users, user]
    post_reaction_event(call.world, find_channel(call), message, user, name, added=True)
    call.world.feed.changed("slack")
    return {}


def remove(call: Call) -> Json:
    """`reactions.remove`."""
    name = _name(call)
    message = _reacted(call)
    user = call.team.bot_user_id
    users = message.reactions.get(name, [])
    if user not in users:
        raise SlackError("no_reaction")
    message.reactions[name] = [other for other in users if other != user]
    if not message.reactions[name]:
        del message.reactions[name]
    post_reaction_event(call.world, find_channel(call), message, user, name, added=False)
    call.world.feed.changed("slack")
    return {}


def get(call: Call) -> Json:
    """`reactions.get`."""
    message = _reacted(call)
    return {"type": "message", "channel": call.args.text("channel"), "message": message.wire(call.team)}


def _name(call: Call) -> str:
    name = call.args.need("name").strip(":")
    if NAME.fullmatch(name) is None:
        raise SlackError("invalid_name")
    return name


def _reacted(call: Call) -> SlackMessage:
    if not call.args.has("channel") or not call.args.has("timestamp"):
        raise SlackError("no_item_specified")
    channel = find_channel(call)
    if channel.is_archived:
        raise SlackError("is_archived")
    ts = call.args.text("timestamp")
    if TS.fullmatch(ts) is None:
        raise SlackError("bad_timestamp")
    message = channel.messages.get(ts)
    if message is None:
        raise SlackError("message_not_found")
    return message


METHODS = {"reactions.add": add, "reactions.get": get, "reactions.remove": remove}
