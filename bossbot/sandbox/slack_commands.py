"""A slash command, from its typing to what its acknowledgement shows."""

import asyncio
import re
from dataclasses import dataclass

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.slack_call import Call
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_interactions import slash_command
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_response import post_answer
from bossbot.sandbox.slack_state import ResponseUrl
from bossbot.sandbox.world import World

NAME = re.compile(r"/[a-z0-9_.-]{1,31}")
"""A command's name (docs.slack.dev, implementing slash commands): small letters, at most 32 characters."""

UNDELIVERED = ("connection_failed", "http_error")
"""Failures that a person reads as `dispatch_failed` (slackapi/bolt-js issues 579 and 2216, bolt-python issue 951)."""


@dataclass(slots=True)
class Command:
    """A command on its way. `error` is what its person is told when it failed."""

    envelope: Envelope
    error: str | None = None


def run_command(world: World, channel: Channel, user: str, name: str, text: str) -> Command:
    """Send a command; what its acknowledgement says is shown, to its person alone unless it is `in_channel`."""
    command = Command(slash_command(world, channel, user, name, text))

    def answered(answer: "asyncio.Future[Json | None]") -> None:
        if not answer.cancelled():
            target = ResponseUrl(channel, None, user, world.clock.now())
            command.error = _show(world, target, answer.result(), command.envelope.reason)

    command.envelope.answer.add_done_callback(answered)
    return command


def _show(world: World, target: ResponseUrl, heard: Json | None, reason: str) -> str | None:
    if heard is None:
        return "dispatch_failed" if reason in UNDELIVERED else "operation_timeout"
    if not heard.keys() - {"response_type"}:  # at most: show the command itself to all, which is not drawn here
        return None
    try:
        post_answer(Call(world, Args(heard, ""), target.channel.team), target)
    except SlackError as refusal:
        return f"invalid_command_response: {refusal.error}"
    return None
