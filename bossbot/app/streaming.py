"""Streaming: the text of an answer while it is written. Transient: none of it stands in the log.

Where the platform has drafts, a draft is shown, and the answer takes its place by itself. Elsewhere a post is made
under the key that the answer will have, and edited: the answer is then its last edit. What is not finished (a stopped
turn, an agent that died) says so, since the log knows that the text was begun.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from bossbot.app.mailbox import Mailbox
from bossbot.app.sessions import Sessions, Spawn
from bossbot.channel import Card, Channel, ChannelError, Markdown, Note, RetryLater
from bossbot.domain.commands import BeginText
from bossbot.ids import MessageId, SessionId, ThreadRef
from bossbot.store.outbox import Show

log = logging.getLogger(__name__)

SHOWN_CHARS = 3_000
"""Of a long text its end is shown: that is where it grows."""

INTERVAL_S = 1.0


class Writing(Protocol):
    """A text that grows (`bossbot.agent.writing`)."""

    @property
    def message_id(self) -> MessageId: ...
    @property
    def text(self) -> str: ...


class Streams:
    """The texts that are being written in all sessions. One task a session shows the newest, now and then."""

    def __init__(
        self,
        sessions: Sessions,
        channels: Mapping[str, Channel],
        spawn: Spawn,
        sleep: Callable[[float], Awaitable[None]],
        interval_s: float,
    ) -> None:
        self._sessions, self._channels, self._spawn, self._sleep = sessions, channels, spawn, sleep
        self._interval_s = max(INTERVAL_S, interval_s) if interval_s else 0.0
        self._newest: dict[SessionId, Writing] = {}
        self._at_work: set[SessionId] = set()

    def write(self, session_id: SessionId, writing: Writing) -> None:
        """It has grown. Does not block."""
        self._newest[session_id] = writing
        if session_id not in self._at_work:
            self._at_work.add(session_id)
            self._spawn(self._work(session_id), name=f"streaming {session_id}")

    async def _work(self, session_id: SessionId) -> None:
        try:
            mailbox = await self._sessions.get(session_id)
            while (writing := self._newest.pop(session_id, None)) is not None:
                pause_s = await self._show(mailbox, writing)
                await self._sleep(max(pause_s, self._interval_s))
        except Exception:  # the answer itself does not depend on any of this
            log.exception("session %s: a text in progress could not be shown", session_id)
        finally:
            self._at_work.discard(session_id)

    async def _show(self, mailbox: Mailbox, writing: Writing) -> float:
        """Shows it in every thread; returns how long a platform asks us to wait."""
        text = writing.text
        if not text.strip() or mailbox.state.said(writing.message_id):
            return 0.0
        posts, pause_s = [], 0.0
        for thread in mailbox.state.threads:
            channel = self._channels.get(thread.channel)
            if channel is None:
                continue
            try:
                drafted = await channel.draft(thread, _shown(text), key=writing.message_id)
            except RetryLater as error:
                pause_s = max(pause_s, error.after_s)
            except ChannelError as error:
                log.debug("a draft was not shown: %s", error)
            else:
                posts += [] if drafted else [thread]
        if posts:
            await self._post(mailbox, writing.message_id, posts, text)
        return pause_s

    async def _post(self, mailbox: Mailbox, message_id: MessageId, threads: list[ThreadRef], text: str) -> None:
        if mailbox.state.turn is None or mailbox.state.turn.writing != message_id:
            await mailbox.post(BeginText(message_id))
        card = Card(blocks=(Markdown(_shown(text)), Note("✍️ …")))
        await mailbox.show(message_id, tuple(Show(f"msg:{message_id}", thread, card) for thread in threads))


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else "…" + text[-SHOWN_CHARS:]
