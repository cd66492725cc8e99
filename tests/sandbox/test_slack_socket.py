"""Socket Mode, seen from a bare WebSocket: envelopes, acks, what comes again and what does not."""

import asyncio

import aiohttp
import pytest

from tests.sandbox.slack_app import card, quiet, receive, say
from tests.sandbox.wires import APP_TOKEN, Wires, until


async def test_a_direct_message_is_one_message_event(wires: Wires) -> None:
    ws = await wires.socket()
    ts = await say(wires, "hi <b> & @ben https://a.bc/d.")
    envelope = await receive(ws)
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("events_api", False)
    assert (envelope["retry_attempt"], envelope["retry_reason"]) == (0, "")
    payload = envelope["payload"]
    assert (payload["type"], payload["team_id"], payload["api_app_id"]) == ("event_callback", "T0SANDBOX", "A0BOSSBOT")
    assert payload["authorizations"][0]["user_id"] == "U0BOSSBOT"
    event = payload["event"]
    assert (event["type"], event["channel_type"], event["channel"], event["user"]) == (
        "message",
        "im",
        "D0ADA",
        "U0ADA",
    )
    assert (event["ts"], event["text"]) == (ts, "hi &lt;b&gt; &amp; <@U0BEN> <https://a.bc/d>.")
    assert event["blocks"][0]["elements"][0]["elements"] == [
        {"type": "text", "text": "hi <b> & "},
        {"type": "user", "user_id": "U0BEN"},
        {"type": "text", "text": " "},
        {"type": "link", "url": "https://a.bc/d"},
        {"type": "text", "text": "."},
    ]
    assert await quiet(ws)


@pytest.mark.parametrize("text", ["<@U0BOSSBOT> go", "hey @bossbot go"])
async def test_a_mention_in_a_channel_is_told_twice_under_two_event_ids(wires: Wires, text: str) -> None:
    ws = await wires.socket()
    ts = await say(wires, text, "C0BOSS")
    message, mention = await receive(ws), await receive(ws)
    assert [item["payload"]["event"]["type"] for item in (message, mention)] == ["message", "app_mention"]
    assert message["payload"]["event"]["ts"] == mention["payload"]["event"]["ts"] == ts
    assert message["payload"]["event_id"] != mention["payload"]["event_id"]
    assert "channel_type" not in mention["payload"]["event"]


async def test_a_mention_in_a_direct_message_is_only_a_message(wires: Wires) -> None:
    ws = await wires.socket()
    await say(wires, "<@U0BOSSBOT> go")
    assert (await receive(ws))["payload"]["event"]["type"] == "message"
    assert await quiet(ws)


async def test_an_answer_in_a_thread_names_the_thread_and_whose_it_is(wires: Wires) -> None:
    root = await say(wires, "root", "C0BOSS")
    ws = await wires.socket()
    await receive(ws)
    await say(wires, "reply", "C0BOSS", thread_ts=root)
    event = (await receive(ws))["payload"]["event"]
    assert (event["thread_ts"], event["parent_user_id"]) == (root, "U0ADA")


async def test_the_bots_own_posts_edits_and_deletions_are_told_to_it_too(wires: Wires) -> None:
    ws = await wires.socket()
    ts = await card(wires)
    event = (await receive(ws))["payload"]["event"]
    assert (event["bot_id"], event["user"]) == ("B0BOSSBOT", "U0BOSSBOT")
    await wires.slack("chat.update", channel="C0BOSS", ts=ts, text="done")
    event = (await receive(ws))["payload"]["event"]
    assert (event["subtype"], event["message"]["text"], event["previous_message"]["text"]) == (
        "message_changed",
        "done",
        "?",
    )
    assert (event["hidden"], "user" in event) == (True, False)
    await wires.slack("chat.delete", channel="C0BOSS", ts=ts)
    event = (await receive(ws))["payload"]["event"]
    assert (event["subtype"], event["deleted_ts"]) == ("message_deleted", ts)


async def test_an_event_without_ack_comes_again_with_attempt_and_reason(wires: Wires) -> None:
    ws = await wires.socket()
    await say(wires, "x")
    first = await receive(ws, ack=False)
    await wires.control("clock", advance_s=3)
    second = await receive(ws, ack=False)
    assert (second["retry_attempt"], second["retry_reason"]) == (1, "timeout")
    assert second["envelope_id"] == first["envelope_id"]
    assert second["payload"] == first["payload"]
    await wires.control("clock", advance_s=3)
    assert await quiet(ws)
    await wires.control("clock", advance_s=60)
    third = await receive(ws, ack=False)
    assert third["retry_attempt"] == 2
    await wires.control("clock", advance_s=3)
    await wires.control("clock", advance_s=300)
    last = await receive(ws, ack=False)
    assert last["retry_attempt"] == 3
    await wires.control("clock", advance_s=3)
    await wires.control("clock", advance_s=3600)
    assert await quiet(ws)


async def test_a_reset_forgets_what_was_to_come_again(wires: Wires) -> None:
    ws = await wires.socket()
    await say(wires, "x")
    await receive(ws, ack=False)
    await wires.control("clock", advance_s=3)
    await receive(ws, ack=False)
    await wires.control("clock", advance_s=3)
    await wires.control("reset")
    await wires.control("clock", advance_s=600)
    assert await quiet(ws)


async def test_an_acknowledged_event_does_not_come_again(wires: Wires) -> None:
    ws = await wires.socket()
    await say(wires, "x")
    await receive(ws)
    await asyncio.sleep(0.1)
    await wires.control("clock", advance_s=400)
    assert await quiet(ws)


async def test_events_wait_for_a_socket_and_arrive_in_order(wires: Wires) -> None:
    for text in ("one", "two", "three"):
        await say(wires, text)
    ws = await wires.socket()
    envelopes = [await receive(ws) for _ in range(3)]
    assert [item["payload"]["event"]["text"] for item in envelopes] == ["one", "two", "three"]
    assert [item["retry_attempt"] for item in envelopes] == [1, 1, 1]
    await say(wires, "four")
    assert (await receive(ws))["retry_attempt"] == 0


async def test_events_do_not_wait_longer_than_an_hour(wires: Wires) -> None:
    await say(wires, "old")
    await wires.control("clock", advance_s=3601)
    await say(wires, "new")
    ws = await wires.socket()
    assert (await receive(ws))["payload"]["event"]["text"] == "new"
    assert await quiet(ws)


async def test_what_a_lost_socket_had_not_acknowledged_goes_to_the_next(wires: Wires) -> None:
    first = await wires.socket()
    await say(wires, "x")
    lost = await receive(first, ack=False)
    await first.close()
    second = await wires.socket()
    again = await receive(second)
    assert again["payload"]["event_id"] == lost["payload"]["event_id"]
    assert again["retry_attempt"] == 1


async def test_an_envelope_goes_to_one_of_several_sockets(wires: Wires) -> None:
    sockets = [await wires.socket() for _ in range(3)]
    assert (await wires.state("slack"))["sockets"] == 3
    for number in range(6):
        await say(wires, str(number))
    texts: list[str] = []

    async def read(ws: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            texts.append((await ws.receive_json())["payload"]["event"]["text"])

    async def all_six() -> bool:
        return len(texts) >= 6

    reading = [asyncio.create_task(read(ws)) for ws in sockets]
    await until(all_six)
    await asyncio.sleep(0.2)  # none comes twice
    for task in reading:
        task.cancel()
    assert sorted(texts) == ["0", "1", "2", "3", "4", "5"]


async def test_more_than_ten_sockets_are_sent_away(wires: Wires) -> None:
    sockets = [await wires.socket() for _ in range(10)]
    opened = await wires.slack("apps.connections.open", APP_TOKEN)
    ws = await wires.session.ws_connect(opened["url"])
    assert (await ws.receive_json(timeout=60))["reason"] == "too_many_websockets"
    assert not any(socket.closed for socket in sockets)


async def test_a_ticket_lets_one_connection_in(wires: Wires) -> None:
    opened = await wires.slack("apps.connections.open", APP_TOKEN)
    assert opened["url"].startswith("ws://127.0.0.1:")
    await wires.session.ws_connect(opened["url"])
    for url in (opened["url"], opened["url"].split("?")[0]):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await wires.session.ws_connect(url)
        assert refused.value.status == 401


async def test_a_disconnect_is_announced_and_then_happens_while_a_new_socket_serves(wires: Wires) -> None:
    old = await wires.socket()
    answer = await wires.control("faults", platform="slack", kind="disconnect")
    assert answer["disconnected"] == 1
    assert (await receive(old))["reason"] == "refresh_requested"
    new = await wires.socket()
    await say(wires, "x")
    assert (await receive(new))["payload"]["event"]["text"] == "x"
    await wires.control("clock", advance_s=2)
    assert (await old.receive(timeout=60)).type is aiohttp.WSMsgType.CLOSE
    assert (await wires.state("slack"))["sockets"] == 1
