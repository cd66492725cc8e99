"""The feeds: every event once, in order, each in its feed, for whoever has the token and nobody else."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from bossbot.domain import events as ev
from bossbot.http.feeds import PACE, Pace
from bossbot.http.server import MOST_READERS, HttpError, serving
from bossbot.ids import TaskId
from bossbot.settings import HttpSettings
from bossbot.store.chain import GENESIS, link_hash
from bossbot.store.memory import MemoryStore
from bossbot.store.opening import open_store
from bossbot.store.records import Link
from bossbot.store.testing import OTHER, SESSION, TOPIC, event, message, opening
from bossbot.store.transfer import event_line, header_line, read_export
from tests.http.reader import TOKEN, Reader, bearer
from tests.postgres import Postgres

PATIENCE_S = 60.0
HTTP = HttpSettings(enabled=True, port=0, token=TOKEN)


@asynccontextmanager
async def served(
    store: MemoryStore | None = None, settings: HttpSettings = HTTP, pace: Pace = PACE
) -> AsyncIterator[tuple[MemoryStore, str]]:
    store = store or MemoryStore()
    async with serving(settings, store, pace) as address:
        yield store, address


def work(number: int) -> list[ev.Event]:
    """One event of each feed."""
    task = TaskId("task_1")
    return [
        message(number),
        event(ev.TaskProgress(task_id=task, summary=f"step {number}"), number + 1, task=task),
        event(ev.ToolCallFinished(tool_use_id=f"tool_{number}", tool="Bash"), number + 2),
        event(ev.WorkerHeartbeat(worker_id="w", status="idle"), number + 3),
    ]


async def status(address: str, path: str = "/feed", headers: dict[str, str] | None = None) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(address + path, headers=headers) as response:
        if response.status == 200:
            return 200, ""
        return response.status, (await response.json())["error"]


async def test_a_feed_tells_what_was_and_then_what_happens() -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, opening())
        reader = Reader()
        reading = asyncio.create_task(reader.read(address, until=6))
        await asyncio.wait_for(reader.grown.wait(), PATIENCE_S)
        await store.append(SESSION, 2, work(3))
        await asyncio.wait_for(reading, PATIENCE_S)
        assert reader.events == [e.model_dump() for e in await store.load(SESSION)]
        assert reader.ids == [1, 2, 3, 4, 5, 6]


async def test_each_event_is_in_exactly_one_of_the_three_feeds() -> None:
    async with served() as (store, address):
        unknown = ev.Event.model_validate({**opening()[0].model_dump(), "type": "tomorrows.event", "payload": {}})
        await store.append(SESSION, 0, [*opening(), *work(3), unknown])
        found = {}
        for name, count in (("session_feed", 4), ("task_feed", 2), ("worker_feed", 1)):
            reader = Reader(name)
            await asyncio.wait_for(reader.read(address, until=count), PATIENCE_S)
            found[name] = [e["type"] for e in reader.events]
        assert found == {
            "session_feed": ["session.created", "session.thread.bound", "session.message.added", "tomorrows.event"],
            "task_feed": ["task.progress", "tool.call.finished"],
            "worker_feed": ["worker.heartbeat"],
        }


async def test_a_feed_of_one_session_has_no_other() -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, opening())
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        await store.append(SESSION, 2, [message(3)])
        reader = Reader(query={"session": SESSION})
        await asyncio.wait_for(reader.read(address, until=3), PATIENCE_S)
        assert (reader.ids, {e["session_id"] for e in reader.events}) == ([1, 2, 5], {SESSION})


async def test_a_reader_that_comes_back_goes_on_behind_what_it_has_seen() -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, [*opening(), *work(3)])
        reader = Reader("task_feed")
        await asyncio.wait_for(reader.read(address, until=1), PATIENCE_S)
    await store.append(SESSION, 6, work(7))
    async with served(store) as (_, again):
        await asyncio.wait_for(reader.read(again, until=4), PATIENCE_S)
    assert reader.ids == [4, 5, 8, 9]


async def test_what_is_not_in_a_feed_is_not_read_again_by_a_reader_that_comes_back() -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, opening())
        reader = Reader("worker_feed")
        reading = asyncio.create_task(reader.read(address))
        async with asyncio.timeout(PATIENCE_S):
            while reader.last_id != "2":  # noqa: ASYNC110  another program's memory
                await asyncio.sleep(0.01)
        reading.cancel()
        assert reader.events == []


async def test_only_what_is_new_can_be_asked_for() -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, opening())
        reader = Reader(query={"after": "now"})
        reading = asyncio.create_task(reader.read(address, until=1))
        async with asyncio.timeout(PATIENCE_S):
            while reader.last_id != "2":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await store.append(SESSION, 2, [message(3)])
        await asyncio.wait_for(reading, PATIENCE_S)
        assert reader.ids == [3]


async def test_an_idle_feed_sends_heartbeats() -> None:
    async with served(pace=Pace(heartbeat_s=0.05)) as (_, address):
        reader = Reader()
        reading = asyncio.create_task(reader.read(address))
        async with asyncio.timeout(PATIENCE_S):
            while reader.comments < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        reading.cancel()


async def test_a_reader_that_takes_nothing_is_let_go() -> None:
    async with served(pace=Pace(stalled_s=0.3)) as (store, address):
        long = [message(number, "all work and no play " * 4_000) for number in range(3, 203)]
        await store.append(SESSION, 0, [*opening(), *long])
        host, _, port = address.removeprefix("http://").partition(":")
        stream, writer = await asyncio.open_connection(host, int(port), limit=1024)
        writer.write(f"GET /feed HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        await writer.drain()
        assert (await stream.readline()).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(3.0)  # it reads nothing
        received = 0
        async with asyncio.timeout(PATIENCE_S):
            try:
                while chunk := await stream.read(65_536):
                    received += len(chunk)
            except ConnectionResetError:
                pass
        assert received < 200 * 80_000
        writer.close()


async def test_the_server_ends_though_readers_are_connected() -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, opening())
        reader = Reader()
        reading = asyncio.create_task(reader.read(address))
        await asyncio.wait_for(reader.grown.wait(), PATIENCE_S)
        begun = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - begun < PATIENCE_S / 2
    await asyncio.gather(reading, return_exceptions=True)
    assert reading.done()


# --- who is let in ---


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        bearer(TOKEN[:-1]),
        bearer(TOKEN + "x"),
        bearer(""),
        {"Authorization": "Bearer \x80\xff"},
    ],
)
async def test_nobody_comes_in_without_the_token(headers: dict[str, str]) -> None:
    async with served() as (_, address):
        for path in ("/feed", "/session_feed", "/nothing"):
            code, text = await status(address, path, headers)
            assert code == 401
            assert TOKEN not in text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1@evil.example"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
async def test_a_page_from_elsewhere_is_refused_even_with_the_token(headers: dict[str, str]) -> None:
    async with served() as (_, address):
        code, text = await status(address, headers=bearer() | headers)
        assert code == 403
        assert "Host" in text or "page from elsewhere" in text


async def test_another_name_of_the_bot_can_be_allowed() -> None:
    async with served(settings=HTTP.model_copy(update={"names": ("Boss.Example",)})) as (store, address):
        await store.append(SESSION, 0, opening())
        assert (await status(address, headers=bearer() | {"Host": "boss.example"}))[0] == 200
        assert (await status(address, headers=bearer() | {"Host": "localhost:1"}))[0] == 200
        assert (await status(address, headers=bearer() | {"Host": "boss.example.evil"}))[0] == 403


@pytest.mark.parametrize(
    ("path", "last_id", "code", "word"),
    [
        ("/feed?session=ps_none", None, 404, "no session 'ps_none'"),
        ("/feed?sesion=ps_1", None, 400, "'sesion' is not known"),
        ("/feed?after=soon", None, 400, "number of an event"),
        ("/feed?after=-1", None, 400, "number of an event"),
        ("/feed", "9" * 30, 400, "number of an event"),
        ("/feed", "٣", 400, "number of an event"),
        ("/feed", "7", 409, "the newest is 2"),
        ("/feeds", None, 404, "/session_feed"),
    ],
)
async def test_a_wrong_question_says_what_would_be_right(path: str, last_id: str | None, code: int, word: str) -> None:
    async with served() as (store, address):
        await store.append(SESSION, 0, opening())
        headers = bearer() | ({"Last-Event-ID": last_id} if last_id else {})
        found = await status(address, path, headers)
        assert found[0] == code
        assert word in found[1]


async def test_a_session_that_no_database_could_name_is_not_there(postgres: Postgres) -> None:
    store = await open_store(await postgres.fresh())
    try:
        async with serving(HTTP, store) as address:
            for name in ("%00", "ps_1%00", "%ED%A0%80", "", "x" * 5_000):
                assert (await status(address, f"/feed?session={name}", bearer()))[0] == 404
    finally:
        await store.close()


async def test_too_many_readers_are_told_to_come_back_later() -> None:
    connector = aiohttp.TCPConnector(limit=0)
    async with served() as (_, address), aiohttp.ClientSession(headers=bearer(), connector=connector) as session:
        reading = [await session.get(f"{address}/feed") for _ in range(MOST_READERS)]
        assert {response.status for response in reading} == {200}
        code, text = await status(address, headers=bearer())
        assert (code, "come back later" in text) == (503, True)
        reading[0].close()
        async with asyncio.timeout(PATIENCE_S):
            while (await status(address, headers=bearer()))[0] != 200:  # noqa: ASYNC110  the server's own memory
                await asyncio.sleep(0.02)
        for response in reading:
            response.close()


async def test_a_feed_cannot_be_written_to() -> None:
    async with (
        served() as (_, address),
        aiohttp.ClientSession(headers=bearer()) as session,
        session.post(f"{address}/feed", data=b"x" * 100) as response,
    ):
        assert (response.status, response.headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize("token", ["", "short", "ключ-который-длинный", "a token with a\nline break"])
async def test_without_a_good_token_nothing_is_served(token: str) -> None:
    with pytest.raises(HttpError, match=r"\[http\] token: .* BOSSBOT_HTTP__TOKEN"):
        async with served(settings=HTTP.model_copy(update={"token": token})):
            raise AssertionError("it listens")


async def test_a_port_that_is_taken_is_named() -> None:
    async with served() as (_, address):
        port = int(address.rpartition(":")[2])
        with pytest.raises(HttpError, match=f"{port}: another program uses it"):
            async with served(settings=HTTP.model_copy(update={"port": port})):
                raise AssertionError("it listens")


async def test_an_event_in_an_older_form_is_told_in_todays() -> None:
    """The first form of a request for approval held what the tool was called with."""
    asked = {"id": "apr_1", "session_id": SESSION, "kind": "dangerous_command", "summary": "rm", "risk_level": "high"}
    payload = {**asked, "request_id": "r", "tool": "Bash", "tool_input": {"command": "curl -u me:hunter2"}}
    envelope = json.dumps({**message(1).model_dump(), "type": "approval.requested", "payload": payload})
    link = Link(1, envelope, link_hash(GENESIS, envelope), payload_version=1)
    async with served() as (store, address):
        await store.adopt(read_export([header_line(SESSION, 1, link.hash), event_line(link)]))
        reader = Reader()
        await asyncio.wait_for(reader.read(address, until=1), PATIENCE_S)
        assert "hunter2" not in json.dumps(reader.events)
        assert reader.events[0]["payload"]["summary"] == "rm"
        assert await store.verify(SESSION) == []
