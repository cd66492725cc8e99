"""One card, several platform messages: posting, growing, shrinking, and going on after a failure midway.

An adapter whose platform limits the length of a message gives `Parts` its three calls and keeps its promises by them.
"""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

from bossbot.channel.card import Card
from bossbot.channel.errors import ChannelError, PostGone
from bossbot.ids import PostRef, ThreadRef

REMEMBERED = 2000  # messages of which we know what they show, so that unchanged ones are not edited

P = TypeVar("P")


class Messages(Protocol[P]):
    """What a platform can do with one message. Failures are `ChannelError`s."""

    def render(self, card: Card) -> Sequence[P]:
        """The messages of a card, at least one."""
        ...

    async def send(self, post: PostRef, part: P, key: str) -> PostRef:
        """Sends the next message of a post; returns the post with its id at the end (the chat may have a new name)."""
        ...

    async def change(self, post: PostRef, message_id: str, part: P) -> None:
        """Makes a message show another part. `PostGone` when it is no longer there."""
        ...

    async def delete(self, post: PostRef, message_id: str) -> None:
        """Takes a message away."""
        ...


class Parts(Generic[P]):
    """The posts of one channel. Where a post stands is told by the `PostRef`s that are returned and given back."""

    def __init__(self, channel: str, messages: Messages[P]) -> None:
        self._channel = channel
        self._messages = messages
        self._begun: dict[tuple[ThreadRef, str], PostRef] = {}
        self._shown: OrderedDict[tuple[str, str], P] = OrderedDict()

    def begun(self, thread: ThreadRef, key: str) -> PostRef:
        """What stands already of a post that failed midway; it has no ids when nothing does."""
        nothing = PostRef(self._channel, thread.chat, (), thread.thread)
        return self._begun.get((thread, key), nothing)

    async def post(self, thread: ThreadRef, card: Card, key: str, begun: PostRef) -> PostRef:
        """Posts a card, going on from what was begun; where that is gone, all of it anew."""
        place = (thread, key)
        try:
            shown = await self._show(begun, card, key, place)
        except PostGone:
            self._begun.pop(place, None)
            await self._delete(begun, begun.ids)
            shown = await self._show(self.begun(thread, key), card, key, place)
        self._begun.pop(place, None)
        return shown

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        """Edits message by message; sends what is new at the end, deletes what is no longer needed."""
        try:
            return await self._show(post, card, "", None)
        except PostGone:
            await self._delete(post, post.ids)  # what is left of it must not stand beside its successor
            raise

    async def _show(self, post: PostRef, card: Card, key: str, place: tuple[ThreadRef, str] | None) -> PostRef:
        parts = self._messages.render(card)
        for at, part in enumerate(parts):
            if at < len(post.ids):
                await self._change(post, post.ids[at], part, last=at == len(parts) - 1)
                continue
            post = await self._messages.send(post, part, key)
            self._remember(post.chat, post.ids[-1], part)
            if place is not None:
                self._begun[place] = post
        await self._delete(post, post.ids[len(parts) :])
        return replace(post, ids=post.ids[: len(parts)])

    async def _change(self, post: PostRef, message_id: str, part: P, *, last: bool) -> None:
        """The last message is always edited, so that a vanished card is noticed; others only if they changed."""
        if last or self._shown.get((post.chat, message_id)) != part:
            await self._messages.change(post, message_id, part)
            self._remember(post.chat, message_id, part)

    async def _delete(self, post: PostRef, ids: Sequence[str]) -> None:
        """A message that cannot be deleted is left where it is: the card's own message says more."""
        for message_id in ids:
            with suppress(ChannelError):
                await self._messages.delete(post, message_id)

    def _remember(self, chat: str, message_id: str, part: P) -> None:
        self._shown[chat, message_id] = part
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)
