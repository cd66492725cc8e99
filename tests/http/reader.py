"""A reader of feeds, as a small program would write one."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

TOKEN = "a-token-that-only-tests-know"


def bearer(token: str = TOKEN) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@dataclass
class Reader:
    """Reads one feed and remembers how far; `connect` goes on from there."""

    feed: str = "feed"
    token: str = TOKEN
    query: Mapping[str, str] = field(default_factory=dict)
    last_id: str = ""
    ids: list[int] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    comments: int = 0
    grown: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, address: str, *, until: int | None = None) -> None:
        """Reads until the server goes away, or until there are so many events."""
        headers = bearer(self.token) | ({"Last-Event-ID": self.last_id} if self.last_id else {})
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.get(f"{address}/{self.feed}", params=self.query) as response,
        ):
            assert response.status == 200, await response.text()
            assert response.content_type == "text/event-stream"
            async for block in blocks(response):
                self._take(block)
                if until is not None and len(self.events) >= until:
                    return

    def _take(self, block: dict[str, str]) -> None:
        self.last_id = block.get("id", self.last_id)
        self.comments += "" in block
        if "data" in block:
            self.ids.append(int(block["id"]))
            self.events.append(json.loads(block["data"]))
            self.grown.set()


async def blocks(response: aiohttp.ClientResponse) -> AsyncIterator[dict[str, str]]:
    """Field → value of each block; a comment has the empty name."""
    block: dict[str, str] = {}
    async for line in response.content:
        text = line.decode().rstrip("\n")
        if text:
            name, _, value = text.partition(":")
            block[name] = value.removeprefix(" ")
        elif block:
            yield block
            block = {}
