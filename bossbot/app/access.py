"""Who may do what. An owner may decide, an approver may decide, a member may speak; everybody else may do nothing.

People are known by the platform's stable id, as the settings list them. An empty list means nobody: fails closed.
"""

from collections.abc import Mapping
from enum import IntEnum

from bossbot.ids import ActorRef
from bossbot.settings import ChannelSettings


class Role(IntEnum):
    """Each role may do what the ones before it may."""

    STRANGER = 0
    MEMBER = 1
    APPROVER = 2
    OWNER = 3


class Access:
    """The roles of the settings."""

    def __init__(self, channels: Mapping[str, ChannelSettings]) -> None:
        self._channels = channels

    def role(self, actor: ActorRef) -> Role:
        """The highest role that the settings give to this person on this channel."""
        settings = self._channels.get(actor.channel)
        if settings is None or not actor.user:
            return Role.STRANGER
        if actor.user in settings.owners:
            return Role.OWNER
        if actor.user in settings.approvers:
            return Role.APPROVER
        return Role.MEMBER if actor.user in settings.members else Role.STRANGER

    def listens(self, channel: str, chat: str) -> bool:
        """True if every message of this chat is for the manager, also without a mention."""
        settings = self._channels.get(channel)
        return settings is not None and chat in settings.listen
