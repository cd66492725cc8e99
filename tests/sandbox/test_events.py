"""The event stream: what changed, which calls were made, and taking it up again."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

from bossbot.sandbox.events import RING_SIZE, Feed
from tests.sandbox.wires import Wires


async def read(response: aiohttp.ClientResponse) -> AsyncIterator[tuple[int, str, Any]]:
    """The events of a stream: id, kind, data."""
    fields: dict[str, str] = {}
    while line := await asyncio.wait_for(response.content.readline(), 5):
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            yield int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields = {}


async def take(response: aiohttp.ClientResponse, count: int) -> list[tuple[int, str, Any]]:
    found = []
    async for event in read(response):
        found.append(event)
        if len(found) == count:
            break
    return found


async def test_changes_and_calls_arrive_as_they_happen(wires: Wires) -> None:
    async with wires.session.get(f"{wires.base_url}/sandbox/events") as stream:
        assert stream.content_type == "text/event-stream"
        await wires.telegram("sendMessage", chat_id=1001, text="hi")
        await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="hi")
        change, call, other = await take(stream, 3)
    assert (change[1], change[2]["platform"]) == ("change", "telegram")
    assert (call[1], call[2]["platform"], call[2]["method"], call[2]["ok"]) == ("call", "telegram", "sendMessage", True)
    assert (other[1], other[2]["platform"]) == ("change", "slack")
    assert [change[0], call[0], other[0]] == [change[0], change[0] + 1, change[0] + 2]


async def test_a_stream_is_taken_up_where_it_broke(wires: Wires) -> None:
    async with wires.session.get(f"{wires.base_url}/sandbox/events") as stream:
        await wires.telegram("sendMessage", chat_id=1001, text="one")
        first = (await take(stream, 1))[0]
    await wires.telegram("sendMessage", chat_id=1001, text="two")
    headers = {"Last-Event-ID": str(first[0])}
    async with wires.session.get(f"{wires.base_url}/sandbox/events", headers=headers) as stream:
        missed = await take(stream, 3)
    assert [event[0] for event in missed] == [first[0] + 1, first[0] + 2, first[0] + 3]
    assert missed[0][2]["payload"]["text"] == "one"
    assert missed[2][2]["payload"]["text"] == "two"


async def test_every_change_has_a_higher_number(wires: Wires) -> None:
    before = (await wires.state("telegram"))["seq"]
    await wires.telegram("sendChatAction", chat_id=1001, action="typing")
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text="x")
    assert (await wires.state("telegram"))["seq"] == before + 2


async def test_a_reader_that_slept_gets_what_the_ring_still_holds() -> None:
    feed = Feed()
    for number in range(RING_SIZE + 10):
        feed.publish("call", {"n": number})
    held = feed.after(0)
    assert (len(held), held[-1].id) == (RING_SIZE, RING_SIZE + 10)
    assert [entry.id for entry in feed.after(RING_SIZE + 8)] == [RING_SIZE + 9, RING_SIZE + 10]
    assert feed.after(RING_SIZE + 10) == []
