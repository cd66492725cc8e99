"""One Web API call, and what its arguments name: a conversation, a thread."""

from dataclasses import dataclass

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_state import Channel
from bossbot.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Call:
    """One Web API call; `team` is the workspace that its token was given out for."""

    world: World
    args: Args
    team: SlackTeam


def find_channel(call: Call, name: str = "channel") -> Channel:
    """The conversation that the argument `name` names."""
    channel = call.world.slack.channel(call.args.text(name), call.team)
    if channel is None:
        raise SlackError("channel_not_found")
    return channel


def find_thread(call: Call, channel: Channel) -> str | None:
    """The thread that `thread_ts` names: any message of the conversation can begin one."""
    thread_ts = call.args.text("thread_ts")
    if not thread_ts:
        return None
    parent = channel.messages.get(thread_ts)
    if parent is None:
        raise SlackError("thread_not_found")
    return parent.thread_ts or parent.ts


def with_ids(call: Call, blocks: list[Json]) -> list[Json]:
    """Blocks with the ids that Slack gives to what has none."""
    return [_with_id(call, block) for block in blocks]


def _with_id(call: Call, block: Json) -> Json:
    body = {**block, "block_id": block.get("block_id") or call.world.slack.new_id("b")}
    elements = as_list(block.get("elements"))
    if block.get("type") == "actions" and elements is not None:
        body["elements"] = [_with_action_id(call, as_object(element) or {}) for element in elements]
    accessory = as_object(block.get("accessory"))
    if accessory is not None and accessory.get("type") != "image":
        body["accessory"] = _with_action_id(call, accessory)
    return body


def _with_action_id(call: Call, element: Json) -> Json:
    return {**element, "action_id": element.get("action_id") or call.world.slack.new_id("a")}
