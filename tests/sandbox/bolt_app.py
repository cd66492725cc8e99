"""An app of slack-bolt at the sandbox, as docs/sandbox.md tells how to point one at it."""

from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.wires import APP_TOKEN, BOT_TOKEN


class BoltApp:
    """A bot's three parts; who inherits adds listeners to `app`."""

    def __init__(self, sandbox: RunningSandbox) -> None:
        base = sandbox.slack_api_base
        self.client = AsyncWebClient(BOT_TOKEN, base_url=base)
        self.app = AsyncApp(client=self.client)
        self.handler: Any = AsyncSocketModeHandler(
            self.app, APP_TOKEN, web_client=AsyncWebClient(APP_TOKEN, base_url=base)
        )
