"""A socket's life, seen from a bare WebSocket: hello, pings, warnings, its end, and what faults do to it."""

import asyncio
from typing import Any

import aiohttp
import pytest

from tests.sandbox.slack_app import quiet, receive, say
from tests.sandbox.wires import APP_TOKEN, Wires, until

Ws = aiohttp.ClientWebSocketResponse


async def connect(wires: Wires, more: str = "", **options: Any) -> Ws:
    """A connection that has not read its hello yet."""
    opened = await wires.slack("apps.connections.open", APP_TOKEN)
    url: str = opened["url"]
    ws: Ws = await wires.session.ws_connect(url + more, **options)
    return ws


async def test_hello_tells_the_app_the_connections_and_how_long_this_one_will_live(wires: Wires) -> None:
    """docs.slack.dev, Socket Mode: hello has connection_info.app_id, num_connections and debug_info with host and
    approximate_connection_time (18060 in its example)."""
    first, second = await connect(wires), await connect(wires)
    assert (await receive(first))["num_connections"] == 1
    hello = await receive(second)
    assert (hello["type"], hello["num_connections"], hello["connection_info"]) == (
        "hello",
        2,
        {"app_id": "A0BOSSBOT"},
    )
    assert hello["debug_info"]["approximate_connection_time"] == 18060
    assert hello["debug_info"]["host"]


@pytest.mark.parametrize(("more", "life_s"), [("", 18060), ("&debug_reconnects=true", 360)])
async def test_a_socket_is_warned_ten_seconds_before_it_is_refreshed(wires: Wires, more: str, life_s: int) -> None:
    """docs.slack.dev, Socket Mode: "warning" comes about ten seconds before, then "refresh_requested"; with
    debug_reconnects=true the connection lasts 360 s."""
    ws = await connect(wires, more)
    assert (await receive(ws))["debug_info"]["approximate_connection_time"] == life_s
    await wires.control("clock", advance_s=life_s - 12)
    assert await quiet(ws)
    await wires.control("clock", advance_s=3)
    warning = await receive(ws)
    assert (warning["type"], warning["reason"]) == ("disconnect", "warning")
    await say(wires, "still heard")
    assert (await receive(ws))["payload"]["event"]["text"] == "still heard"
    await wires.control("clock", advance_s=10)
    assert (await receive(ws))["reason"] == "refresh_requested"
    await wires.control("clock", advance_s=3)
    assert (await ws.receive(timeout=60)).type is aiohttp.WSMsgType.CLOSE


async def test_a_warning_on_demand_closes_nothing_and_link_disabled_does(wires: Wires) -> None:
    ws = await wires.socket()
    await wires.control("faults", platform="slack", kind="disconnect_warning")
    assert (await receive(ws))["reason"] == "warning"
    await say(wires, "one")
    assert (await receive(ws))["payload"]["event"]["text"] == "one"
    await wires.control("faults", platform="slack", kind="link_disabled")
    assert (await receive(ws))["reason"] == "link_disabled"
    assert (await wires.state("slack"))["sockets"] == 0
    await wires.control("clock", advance_s=3)
    assert (await ws.receive(timeout=60)).type is aiohttp.WSMsgType.CLOSE


async def test_a_ping_of_the_bot_is_answered(wires: Wires) -> None:
    ws = await connect(wires, autoping=False)
    await receive(ws)
    await ws.ping(b"are you there")
    pong = await ws.receive(timeout=60)
    assert (pong.type, bytes(pong.data)) == (aiohttp.WSMsgType.PONG, b"are you there")


async def test_a_silent_socket_stays_open_and_moves_nothing_and_its_events_go_to_another(wires: Wires) -> None:
    silent = await connect(wires, autoping=False)
    await receive(silent)
    answer = await wires.control("faults", platform="slack", kind="silent")
    assert answer["silenced"] == 1
    await silent.ping()
    await say(wires, "x")
    with pytest.raises(TimeoutError):
        await silent.receive(timeout=0.3)
    assert not silent.closed
    other = await wires.socket()
    await wires.control("clock", advance_s=3)
    again = await receive(other)
    assert (again["payload"]["event"]["text"], again["retry_attempt"], again["retry_reason"]) == ("x", 1, "timeout")


async def test_the_bot_can_close_a_silent_socket(wires: Wires) -> None:
    silent = await wires.socket()
    await wires.control("faults", platform="slack", kind="silent")
    await silent.close()

    async def gone() -> bool:
        return bool((await wires.state("slack"))["sockets"] == 0)

    await until(gone)


async def test_one_event_under_two_event_ids_has_the_same_ts_twice(wires: Wires) -> None:
    ws = await wires.socket()
    await wires.control("faults", platform="slack", kind="two_event_ids")
    await say(wires, "once")
    first, second = (await receive(ws))["payload"], (await receive(ws))["payload"]
    assert first["event"] == second["event"]
    assert first["event_id"] != second["event_id"]


async def test_events_can_change_places_and_come_late(wires: Wires) -> None:
    ws = await wires.socket()
    await wires.control("faults", platform="slack", kind="reordered")
    for text in ("one", "two"):
        await say(wires, text)
    assert [(await receive(ws))["payload"]["event"]["text"] for _ in range(2)] == ["two", "one"]
    await wires.control("faults", platform="slack", kind="delayed", seconds=20)
    for text in ("three", "four"):
        await say(wires, text)
    assert (await receive(ws))["payload"]["event"]["text"] == "four"
    await wires.control("clock", advance_s=20)
    assert (await receive(ws))["payload"]["event"]["text"] == "three"


async def test_frames_that_are_no_acknowledgements_are_passed_over(wires: Wires) -> None:
    ws = await wires.socket()
    for nonsense in ("", "{", "[]", "1", '{"envelope_id": 7}', '{"envelope_id": "none"}', '{"payload": []}'):
        await ws.send_str(nonsense)
    await ws.send_bytes(b"\xff\x00")
    await say(wires, "x")
    frame = await receive(ws, ack=False)
    await ws.send_json({"envelope_id": frame["envelope_id"], "payload": "no object"})
    await asyncio.sleep(0)
    await say(wires, "y")
    assert (await receive(ws))["payload"]["event"]["text"] == "y"


@pytest.mark.parametrize("kind", ["expired_trigger", "is_archived", "missing_scope"])
async def test_refusals_can_be_ordered_and_happen_once(wires: Wires, kind: str) -> None:
    """docs.slack.dev: `expired_trigger_id` of views.open, `is_archived` of chat.postMessage, `missing_scope`."""
    calls: dict[str, tuple[str, dict[str, Any], str]] = {
        "expired_trigger": ("views.open", {"trigger_id": "1.2.3", "view": {}}, "expired_trigger_id"),
        "is_archived": ("chat.postMessage", {"channel": "D0ADA", "text": "x"}, "is_archived"),
        "missing_scope": ("chat.postMessage", {"channel": "D0ADA", "text": "x"}, "missing_scope"),
    }
    method, body, error = calls[kind]
    await wires.control("faults", platform="slack", kind=kind)
    assert (await wires.slack(method, **body))["error"] == error
    assert (await wires.slack(method, **body)).get("error") != error
