"""What can go wrong while talking to a platform, named by who must act."""


class ChannelError(Exception):
    """Base of all channel errors. The message never holds a token."""


class ChannelRefused(ChannelError):
    """The platform refused this content for good (too long, bad markup, chat gone). Sending it again cannot help."""


class ChannelForbidden(ChannelRefused):
    """We may not post there: blocked by the person, kicked, channel archived, scope missing."""


class PostGone(ChannelRefused):
    """The post to be edited no longer exists or can no longer be edited; the outbox posts anew."""


class RetryLater(ChannelError):
    """The platform asks us to wait: hold this chat for `after_s` seconds, keep only the newest edit."""

    def __init__(self, message: str, after_s: float) -> None:
        super().__init__(message)
        self.after_s = after_s


class Unreachable(ChannelError):
    """The request certainly did not arrive (connection refused, DNS): safe to repeat."""


class Ambiguous(ChannelError):
    """The request may have arrived but no answer came: a new post must not be blindly repeated; an edit may be."""


class BadChannelConfig(ChannelError):
    """The platform refused our identity (wrong token, missing scope). Names the configuration key and the fix."""
