"""The plug-in boundary: what an adapter is. An adapter package imports `bossbot.channel` and `bossbot.text`, no more.

An adapter is named by an entry point of the group `bossbot.channels` that leads to a `Manifest`. The manifest must
import no SDK: an SDK costs seconds and is loaded by `Manifest.load()` only when the channel is enabled.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from bossbot.channel.card import Card
from bossbot.channel.inbound import ButtonPressed, Inbound
from bossbot.ids import PostRef, ThreadRef

Sink = Callable[[Inbound], Awaitable[None]]
"""Takes what arrived. It returns once the core has stored it, so that the adapter may then confirm it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are on the platform, as it says itself."""

    user_id: str
    name: str
    detail: str = ""


class Channel(Protocol):
    """A connection to one chat platform. All methods may be called from one event loop at once."""

    name: str

    async def check(self) -> Identity:
        """Asks the platform who we are. Raises `BadChannelConfig` (names key and fix) or another `ChannelError`."""
        ...

    async def run(self, sink: Sink) -> None:
        """Receives until cancelled. A network failure never ends it: it retries with a growing pause."""
        ...

    async def post(self, thread: ThreadRef, card: Card, *, key: str) -> PostRef:
        """Posts a card, in several platform messages where one cannot hold it; buttons stand under the last.

        `key` is the card's stable name in the outbox; platforms with message metadata may store it.
        """
        ...

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        """Makes an earlier post show this card. "Not modified" counts as success. Returns where it stands now."""
        ...

    async def draft(self, thread: ThreadRef, text: str, *, key: str) -> bool:
        """Shows Markdown that is still being written, until a post takes its place; again under `key` as it grows.

        False where the platform has no such thing in this thread: the core then edits a post.
        """
        ...

    async def answer(self, press: ButtonPressed, text: str, *, warn: bool = False) -> None:
        """Answers a press, seen only by the presser: a toast or an ephemeral message. `""` only ends the spinner."""
        ...

    async def typing(self, thread: ThreadRef) -> None:
        """Shows that work goes on; ends by itself. Failures are the adapter's to swallow as `ChannelError`."""
        ...

    async def close(self) -> None:
        """Closes connections."""
        ...


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an adapter says of itself. `load(options)` imports the SDK and makes the channel.

    `options` is the channel's table of the settings (`[channels.<name>]`) as plain values; `secrets` names the keys
    whose values must reach no log, `keys` the others that the adapter knows. A wrong option raises `BadChannelConfig`
    that names the key.
    """

    name: str
    secrets: tuple[str, ...]
    load: Callable[[Mapping[str, object]], Channel]
    keys: tuple[str, ...] = ("api_base",)
