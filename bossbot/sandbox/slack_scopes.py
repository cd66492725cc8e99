"""Whether the app may do what it asks for: its scopes against those a call needs."""

from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_errors import missing_scope
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_state import SlackState
from bossbot.sandbox.slack_table import Signature

CUSTOMIZE = "chat:write.customize"
CUSTOMIZED = ("username", "icon_emoji", "icon_url")
TYPES = {"public_channel": "channels", "private_channel": "groups", "im": "im", "mpim": "mpim"}
"""What conversations.list calls a kind of conversation, and what scopes call it."""


def check_scopes(slack: SlackState, team: SlackTeam, args: Args, signature: Signature) -> None:
    """Raises `missing_scope` with what is needed and what is there."""
    for needed in _needed(slack, team, args, signature):
        if needed not in slack.manifest.scopes:
            raise missing_scope(needed, ",".join(sorted(slack.manifest.scopes)))


def _needed(slack: SlackState, team: SlackTeam, args: Args, signature: Signature) -> list[str]:
    if not signature.scope:
        return []
    if "*" in signature.scope:
        return [signature.scope.replace("*", kind) for kind in _kinds(slack, team, args)]
    customized = any(name in signature.arguments and args.has(name) for name in CUSTOMIZED)
    return [signature.scope, CUSTOMIZE] if customized else [signature.scope]


def _kinds(slack: SlackState, team: SlackTeam, args: Args) -> list[str]:
    """The kinds of conversation that a call is about; none when it names no conversation that there is."""
    if args.has("channel"):
        channel = slack.channel(args.text("channel"), team)
        return [] if channel is None else ["im" if channel.place.is_im else "channels"]
    wanted = args.text("types") or "public_channel"
    return [TYPES[name] for name in wanted.split(",") if name in TYPES]
