"""Finding what a request of a script means on Slack; what is not there is told with what is."""

from bossbot.sandbox.control import ControlError
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_view import View
from bossbot.sandbox.world import World


def find_channel(world: World, name: str) -> Channel:
    """A conversation. Raises `ControlError` with those that there are."""
    channel = world.slack.channel(name)
    if channel is None:
        raise ControlError(404, f"there is no channel {name!r}; there are {', '.join(world.slack.channels)}")
    return channel


def find_person(world: World, channel: Channel, user_id: str) -> str:
    """Somebody of the conversation's workspace."""
    if channel.team.person(user_id) is None:
        known = ", ".join(person.id for person in channel.team.people)
        raise ControlError(404, f"there is no user {user_id!r} in the workspace {channel.team.name}; there are {known}")
    return user_id


def find_message(channel: Channel, ts: str) -> SlackMessage:
    """A message that everybody sees."""
    message = channel.messages.get(ts)
    if message is None:
        raise ControlError(404, f"channel {channel.id} has no message {ts}")
    return message


def find_thread(channel: Channel, thread_ts: str) -> str:
    """The first message of the thread that this message belongs to or begins."""
    parent = channel.messages.get(thread_ts)
    if parent is None:
        raise ControlError(404, f"channel {channel.id} has no message {thread_ts} to answer in a thread")
    return parent.thread_ts or parent.ts


def find_shown(world: World, channel_id: str | None, ts: str | None, user: str) -> tuple[Channel, SlackMessage]:
    """A message in which somebody acts, ephemeral ones too."""
    if channel_id is None or ts is None:
        raise ControlError(400, "give channel and ts, or view_id")
    channel = find_channel(world, channel_id)
    find_person(world, channel, user)
    message = channel.messages.get(ts) or channel.ephemerals.get(ts)
    if message is None:
        raise ControlError(404, f"channel {channel.id} has no message {ts}")
    return channel, message


def find_view(world: World, view_id: str | None, user: str) -> View:
    """An open view, in the hands of whom it belongs to."""
    view = world.slack.views.get(view_id or "")
    if view is None:
        there = ", ".join(f"{item.id} ({item.user})" for item in world.slack.views.all()) or "none"
        raise ControlError(404, f"no view {view_id!r} is open; open are: {there}")
    if view.user != user:
        raise ControlError(400, f"view {view.id} is {view.user}'s, and nobody else sees it")
    return view
