"""One Web API call, and what its arguments name: a conversation, a thread, a message of the bot's."""

from dataclasses import dataclass

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_elements import with_ids
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Call:
    """One Web API call; `team` is the workspace that its token was given out for."""

    world: World
    args: Args
    team: SlackTeam

    def named(self, blocks: list[Json]) -> list[Json]:
        """Blocks with the ids that Slack gives to what has none."""
        return with_ids(blocks, self.world.slack.new_id)


def find_channel(call: Call, name: str = "channel", by_name: bool = False) -> Channel:
    """The conversation whose id is the argument `name`.

    Only methods that post new messages also take a `#name`, or a user's id for the direct conversation (`by_name`);
    all others know ids alone (slackapi/python-slack-sdk issues 528 and 696).
    """
    wanted = call.args.text(name)
    channel = call.world.slack.channel(wanted, call.team)
    if channel is None or not (by_name or channel.id == wanted):
        raise SlackError("channel_not_found")
    return channel


def find_place(call: Call, name: str = "channel", archived: str = "is_archived", by_name: bool = False) -> Channel:
    """The same for who wants to write there; `archived` is the method's error for a place that is closed."""
    channel = find_channel(call, name, by_name)
    if channel.is_archived:
        raise SlackError(archived)
    if not channel.has_bot:
        raise SlackError("not_in_channel")
    return channel


def find_thread(call: Call, channel: Channel) -> str | None:
    """The thread that `thread_ts` names: any message that everybody sees can begin one."""
    thread_ts = call.args.text("thread_ts")
    if not thread_ts:
        return None
    parent = channel.messages.get(thread_ts)
    if parent is None and (thread_ts in channel.ephemerals or thread_ts in channel.deleted):
        raise SlackError("cannot_reply_to_message")
    if parent is None:
        raise SlackError("thread_not_found")
    return parent.thread_ts or parent.ts
