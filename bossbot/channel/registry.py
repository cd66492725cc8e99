"""Finds adapters by their entry points, without importing any SDK."""

from importlib.metadata import entry_points

from bossbot.channel.errors import BadChannelConfig
from bossbot.channel.protocol import Manifest

GROUP = "bossbot.channels"


def manifest(name: str) -> Manifest:
    """The manifest of the channel called `name`; `BadChannelConfig` names the installed ones when there is none."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = ", ".join(sorted(found)) or "none (reinstall bossbot)"
        raise BadChannelConfig(f"[channels.{name}]: no adapter of this name is installed; installed: {known}")
    loaded: object = found[name].load()
    if not isinstance(loaded, Manifest):
        raise BadChannelConfig(f"[channels.{name}]: entry point {found[name].value} is not a channel Manifest")
    return loaded
