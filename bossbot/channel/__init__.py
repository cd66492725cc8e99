"""The only thing of bossbot that an adapter imports (with `bossbot.text`)."""

from bossbot.channel.actions import ACTION_ID_MAX_BYTES, Action, BadAction, Verb
from bossbot.channel.card import (
    Block,
    Button,
    ButtonStyle,
    Card,
    Code,
    Markdown,
    Note,
    Plain,
    Row,
    Rows,
    Tone,
)
from bossbot.channel.card_json import card_from_json, card_to_json
from bossbot.channel.errors import (
    Ambiguous,
    BadChannelConfig,
    ChannelError,
    ChannelForbidden,
    ChannelRefused,
    PostGone,
    RetryLater,
    Unreachable,
)
from bossbot.channel.inbound import ButtonPressed, Inbound, MessageReceived
from bossbot.channel.protocol import Channel, Identity, Manifest, Sink
from bossbot.ids import ActorRef, PostRef, ThreadRef

__all__ = [
    "ACTION_ID_MAX_BYTES",
    "Action",
    "ActorRef",
    "Ambiguous",
    "BadAction",
    "BadChannelConfig",
    "Block",
    "Button",
    "ButtonPressed",
    "ButtonStyle",
    "Card",
    "Channel",
    "ChannelError",
    "ChannelForbidden",
    "ChannelRefused",
    "Code",
    "Identity",
    "Inbound",
    "Manifest",
    "Markdown",
    "MessageReceived",
    "Note",
    "Plain",
    "PostGone",
    "PostRef",
    "RetryLater",
    "Row",
    "Rows",
    "Sink",
    "ThreadRef",
    "Tone",
    "Unreachable",
    "Verb",
    "card_from_json",
    "card_to_json",
]
