"""Typing: while a manager works and nobody is asked anything, its threads show so. It ends by itself everywhere."""

import logging
from collections.abc import Awaitable, Callable, Mapping

from bossbot.app.sessions import Sessions
from bossbot.channel import Channel, ChannelError

log = logging.getLogger(__name__)

INTERVAL_S = 4.5
"""Telegram shows a chat action for five seconds (Bot API, sendChatAction)."""


async def show_typing(
    sessions: Sessions, channels: Mapping[str, Channel], sleep: Callable[[float], Awaitable[None]]
) -> None:
    """Runs until cancelled."""
    while True:
        await sleep(INTERVAL_S)
        for mailbox in sessions.all_open():
            state = mailbox.state
            if state.turn is None or state.pending_approvals:
                continue
            for thread in state.threads:
                channel = channels.get(thread.channel)
                if channel is None:
                    continue
                try:
                    await channel.typing(thread)
                except ChannelError as error:
                    log.debug("typing: %s", error)
