"""Slack for bossbot. Importing this imports no SDK; slack-bolt is loaded by `MANIFEST.load`."""

from collections.abc import Mapping

from bossbot.channel import Channel, Manifest


def _load(options: Mapping[str, object]) -> Channel:
    from bossbot_slack.runtime import load

    return load(options)


MANIFEST = Manifest(name="slack", secrets=("bot_token", "app_token"), load=_load)
