"""Presses of buttons and the addresses to answer them at, seen from a bare WebSocket."""

import asyncio
from typing import Any

from tests.sandbox.slack_app import card, quiet, receive
from tests.sandbox.wires import Wires


async def test_a_press_carries_what_a_bot_needs_to_answer_it(wires: Wires) -> None:
    ts = await card(wires)
    ws = await wires.socket()
    await receive(ws)
    pressing = asyncio.create_task(
        wires.control("slack/press", channel="C0BOSS", ts=ts, label="approve", user="U0EVE", wait_s=60)
    )
    envelope = await receive(ws, ack=False)
    assert (envelope["type"], envelope["accepts_response_payload"], "retry_attempt" in envelope) == (
        "interactive",
        True,
        False,
    )
    payload = envelope["payload"]
    assert (payload["type"], payload["user"]["id"], payload["user"]["username"]) == ("block_actions", "U0EVE", "eve")
    (action,) = payload["actions"]
    assert (action["action_id"], action["value"], action["type"]) == ("ok", "v1", "button")
    assert action["block_id"] == payload["message"]["blocks"][0]["block_id"]
    assert (payload["container"]["message_ts"], payload["channel"]["id"], payload["trigger_id"] != "") == (
        ts,
        "C0BOSS",
        True,
    )
    await ws.send_json({"envelope_id": envelope["envelope_id"], "payload": {"response_action": "clear"}})
    pressed = await pressing
    assert (pressed["delivered"], pressed["acked"], pressed["failure"]) == (True, True, None)
    assert pressed["answer"] == {"response_action": "clear"}


async def test_a_press_that_nobody_acknowledges_does_not_come_again(wires: Wires) -> None:
    ts = await card(wires)
    press = {"channel": "C0BOSS", "ts": ts, "action_id": "ok", "user": "U0ADA"}
    alone = await wires.control("slack/press", **press, wait_s=1)
    assert alone == {"ok": True, "delivered": False, "acked": False, "answer": None, "failure": "connection_failed"}
    ws = await wires.socket()
    await receive(ws)
    pressing = asyncio.create_task(wires.control("slack/press", **press, wait_s=60))
    assert (await receive(ws, ack=False))["type"] == "interactive"
    await wires.control("clock", advance_s=3)
    late = await pressing
    assert (late["delivered"], late["acked"], late["failure"]) == (True, False, "timeout")
    await wires.control("clock", advance_s=600)
    assert await quiet(ws)


async def test_a_response_url_replaces_answers_and_runs_out(wires: Wires) -> None:
    ts = await card(wires)
    ws = await wires.socket()
    await receive(ws)
    await wires.control("slack/press", channel="C0BOSS", ts=ts, action_id="ok", user="U0EVE")
    url = (await receive(ws))["payload"]["response_url"]

    async def respond(**body: Any) -> int:
        async with wires.session.post(url, json=body) as response:
            return response.status

    assert await respond(text="only approvers decide") == 200
    assert await respond(text="for all", response_type="in_channel") == 200
    assert await respond(text="decided", replace_original=True) == 200
    assert await respond(text="") == 400
    channel = await wires.channel("C0BOSS")
    assert [item["text"] for item in channel["messages"]] == ["decided", "for all"]
    assert [(item["text"], item["for_user"]) for item in channel["ephemerals"]] == [("only approvers decide", "U0EVE")]
    assert await respond(delete_original=True) == 200
    assert [item["text"] for item in (await wires.channel("C0BOSS"))["messages"]] == ["for all"]
    assert await respond(text="five") == 200
    assert await respond(text="six") == 404
    async with wires.session.post(url, data=b"{") as response:
        assert (response.status, (await response.json())["error"]) == (400, "invalid_payload")
    answered = await wires.calls("slack", method="response_url")
    assert [call["error"] for call in answered if call["error"]] == ["no_text", "used_url", "invalid_payload"]


async def test_a_response_url_finds_no_message_that_is_gone(wires: Wires) -> None:
    ts = await card(wires)
    ws = await wires.socket()
    await receive(ws)
    await wires.control("slack/press", channel="C0BOSS", ts=ts, action_id="ok", user="U0ADA")
    url = (await receive(ws))["payload"]["response_url"]
    assert (await wires.slack("chat.delete", channel="C0BOSS", ts=ts))["ok"]
    for body in ({"replace_original": True, "text": "x"}, {"delete_original": True}):
        async with wires.session.post(url, json=body) as response:
            assert (response.status, (await response.json())["error"]) == (404, "message_not_found")
    assert (await wires.channel("C0BOSS"))["deleted_ts"] == [ts]


async def test_a_response_url_lives_for_half_an_hour(wires: Wires) -> None:
    ts = await card(wires)
    ws = await wires.socket()
    await receive(ws)
    await wires.control("slack/press", channel="C0BOSS", ts=ts, action_id="ok", user="U0ADA")
    url = (await receive(ws))["payload"]["response_url"]
    await wires.control("clock", advance_s=1801)
    async with wires.session.post(url, json={"text": "late"}) as response:
        assert (response.status, (await response.json())["error"]) == (404, "expired_url")


async def test_a_button_in_an_ephemeral_can_be_pressed(wires: Wires) -> None:
    element = {"type": "button", "text": {"type": "plain_text", "text": "Dismiss"}, "action_id": "no"}
    sent = await wires.slack(
        "chat.postEphemeral",
        channel="C0BOSS",
        user="U0BEN",
        text="?",
        blocks=[{"type": "actions", "elements": [element]}],
    )
    ws = await wires.socket()
    await wires.control("slack/press", channel="C0BOSS", ts=sent["message_ts"], label="Dismiss", user="U0BEN")
    payload = (await receive(ws))["payload"]
    assert (payload["container"]["is_ephemeral"], "message" in payload) == (True, False)
