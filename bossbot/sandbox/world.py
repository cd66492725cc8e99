"""The sandbox's whole state in one place: two platforms, one clock, one log, one set of faults."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiohttp import web

from bossbot.sandbox.calls import CallLog
from bossbot.sandbox.clock import Clock
from bossbot.sandbox.connections import Connections
from bossbot.sandbox.deliveries import Deliveries
from bossbot.sandbox.events import Feed
from bossbot.sandbox.faults import Faults
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.limits import Budgets
from bossbot.sandbox.slack_requests import Requests
from bossbot.sandbox.slack_socket import SocketHub
from bossbot.sandbox.slack_state import SlackState
from bossbot.sandbox.telegram_state import TelegramState

if TYPE_CHECKING:
    from bossbot.sandbox.session_feed import FeedSource


@dataclass(slots=True)
class Switches:
    """What `POST /sandbox/settings` changes."""

    rate_limits: bool = True
    privacy_mode: bool = True

    def view(self) -> Json:
        return {"rate_limits": self.rate_limits, "privacy_mode": self.privacy_mode}


@dataclass(slots=True)
class World:
    """Handlers read and change it; everything runs in one event loop, so nothing is locked."""

    base_url: str
    clock: Clock = field(default_factory=Clock)
    feed: Feed = field(default_factory=Feed)
    faults: Faults = field(default_factory=Faults)
    budgets: Budgets = field(default_factory=Budgets)
    switches: Switches = field(default_factory=Switches)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    feed_source: "FeedSource | None" = None
    calls: CallLog = field(init=False)
    telegram: TelegramState = field(init=False)
    slack: SlackState = field(init=False)
    sockets: SocketHub = field(init=False)
    requests: Requests = field(init=False)
    deliveries: Deliveries = field(init=False)
    connections: Connections = field(init=False)

    def __post_init__(self) -> None:
        self.calls = CallLog(self.feed)
        self.telegram = TelegramState(self.clock)
        self.slack = SlackState(self.clock, self.base_url)
        self.sockets = SocketHub(self.clock, lambda: self.feed.changed("slack"))
        self.requests = Requests(self.clock)
        self.deliveries = Deliveries(self)
        self.connections = Connections(self.clock)

    def set_base_url(self, base_url: str) -> None:
        """The address, once the port is known."""
        self.base_url = base_url
        self.slack.base_url = base_url

    def reset(self) -> None:
        """Back to the empty chats; the bot's connections stay."""
        self.telegram.reset()
        self.slack.reset()
        self.sockets.forget_waiting()
        self.requests.forget()
        self.calls.clear()
        self.faults.clear()
        self.deliveries.forget()
        self.budgets.clear()
        self.switches = Switches()
        self.feed.changed("telegram")
        self.feed.changed("slack")

    def view(self) -> Json:
        """`GET /sandbox/state`."""
        return {
            "telegram": {**self.telegram.view(), "seq": self.feed.seq("telegram")},
            "slack": {
                **self.slack.view(),
                "sockets": self.sockets.count,
                "request_urls": self.requests.urls.view(),
                "seq": self.feed.seq("slack"),
            },
            "settings": self.switches.view(),
            "feed": self.feed_source is not None,
        }

    async def close(self) -> None:
        """Let every waiting request end."""
        self.closing.set()
        self.feed.close()
        self.telegram.queue.close()
        await self.telegram.webhook.remove()
        self.clock.stop()
        await self.connections.close()
        await self.requests.close()
        await self.sockets.close()


WORLD = web.AppKey("WORLD", World)
