"""Slash commands and shortcuts: what the bot gets, and what its answers show."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.sandbox.slack_app import SocketApp
from tests.sandbox.wires import Wires


@pytest.fixture
async def app(wires: Wires) -> AsyncIterator[SocketApp]:
    async with SocketApp(wires) as made:
        yield made


RUN = {"channel": "C0BOSS", "user": "U0EVE", "command": "/boss", "wait_s": 60}


async def test_a_command_tells_who_typed_what_and_where(wires: Wires, app: SocketApp) -> None:
    assert await wires.control("slack/command", **RUN, text="plan this <b>") == {
        "ok": True,
        "delivered": True,
        "acked": True,
        "answer": None,
        "failure": None,
        "error": None,
    }
    (sent,) = app.heard
    assert (sent["command"], sent["text"], sent["user_id"], sent["user_name"]) == (
        "/boss",
        "plan this <b>",
        "U0EVE",
        "eve",
    )
    assert (sent["channel_id"], sent["channel_name"], sent["team_id"]) == ("C0BOSS", "boss", "T0SANDBOX")
    assert (sent["api_app_id"], sent["is_enterprise_install"], sent["trigger_id"] != "") == ("A0BOSSBOT", "false", True)
    await wires.control("slack/command", channel="D0ADA", user="U0ADA", command="/boss", wait_s=60)
    assert app.heard[-1]["channel_name"] == "directmessage"
    assert (await wires.channel("C0BOSS"))["ephemerals"] == []


@pytest.mark.parametrize("response_type", ["ephemeral", "in_channel", None])
async def test_an_acknowledgement_with_a_text_is_shown(wires: Wires, app: SocketApp, response_type: str | None) -> None:
    """docs.slack.dev, slash commands: `response_type` is "ephemeral" unless it is "in_channel"."""
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "*done*"}}]
    app.answers = [{"text": "done", "blocks": blocks, **({"response_type": response_type} if response_type else {})}]
    await wires.control("slack/command", **RUN)
    channel = await wires.channel("C0BOSS")
    shown = channel["messages"] if response_type == "in_channel" else channel["ephemerals"]
    assert [(item["text"], item["blocks"][0]["text"]["text"]) for item in shown] == [("done", "*done*")]
    assert len(channel["messages"]) + len(channel["ephemerals"]) == 1


async def test_an_acknowledgement_may_only_show_the_command_to_all(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, slash commands: `response_type` alone displays the command in the channel, and no answer."""
    app.answers = [{"response_type": "in_channel"}]
    shown = await wires.control("slack/command", **RUN)
    assert (shown["acked"], shown["error"]) == (True, None)
    channel = await wires.channel("C0BOSS")
    assert (channel["messages"], channel["ephemerals"]) == ([], [])


async def test_a_command_without_answer_fails_for_its_person_and_does_not_come_again(
    wires: Wires, app: SocketApp
) -> None:
    """docs.slack.dev, slash commands: without a 200 within three seconds the user sees `operation_timeout`."""
    app.answers = [None]
    await wires.control("slack/command", **{**RUN, "wait_s": 0})
    await wires.control("clock", advance_s=3)
    await wires.control("clock", advance_s=600)
    assert len(app.heard) == 1
    app.answers = [{"text": "", "blocks": [{"type": "nonsense"}]}]
    wrong = await wires.control("slack/command", **RUN)
    assert (wrong["acked"], wrong["error"]) == (True, "invalid_command_response: invalid_blocks")


async def test_nobody_at_the_other_end_is_a_failed_dispatch(wires: Wires) -> None:
    """slackapi/bolt-js issue 2216: an app that is not connected."""
    alone = await wires.control("slack/command", **RUN)
    assert (alone["delivered"], alone["acked"], alone["error"]) == (False, False, "dispatch_failed")


async def test_a_commands_response_url_answers_five_times_and_has_nothing_to_replace(
    wires: Wires, app: SocketApp
) -> None:
    """docs.slack.dev, response_url: up to five times within thirty minutes."""
    await wires.control("slack/command", **RUN)
    url = app.heard[0]["response_url"]

    async def respond(**body: Any) -> int:
        async with wires.session.post(url, json=body) as response:
            return response.status

    assert await respond(delete_original=True) == 404
    assert await respond(text="later", replace_original=True) == 200
    for number in range(4):
        assert await respond(text=str(number), response_type="in_channel") == 200
    assert await respond(text="too much") == 404
    channel = await wires.channel("C0BOSS")
    assert [item["text"] for item in channel["ephemerals"]] == ["later"]
    assert [item["text"] for item in channel["messages"]] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("command", ["boss", "/", "/Boss", "/bo ss", "/" + "x" * 32])
async def test_what_is_no_command_is_refused(wires: Wires, command: str) -> None:
    status, answer = await wires.try_control("slack/command", channel="C0BOSS", user="U0ADA", command=command)
    assert (status, "slash" in answer["error"]) == (400, True)


async def test_a_message_shortcut_carries_the_message(wires: Wires, app: SocketApp) -> None:
    said = await wires.control("slack/say", channel="C0BOSS", user="U0EVE", text="fix this")
    place = {"channel": "C0BOSS", "ts": said["ts"]}
    await wires.control("slack/shortcut", user="U0ADA", callback_id="take", **place, wait_s=60)
    sent = await app.last("message_action")
    assert (sent["callback_id"], sent["message"]["text"], sent["message_ts"]) == ("take", "fix this", said["ts"])
    assert (sent["user"]["id"], sent["channel"]["id"], sent["response_url"] != "") == ("U0ADA", "C0BOSS", True)
    await wires.control("slack/shortcut", user="U0ADA", callback_id="new", wait_s=60)
    assert not {"channel", "message", "response_url"} & set(await app.last("shortcut"))
    status, answer = await wires.try_control("slack/shortcut", user="U0ADA", callback_id="x", channel="C0BOSS")
    assert (status, "both" in answer["error"]) == (400, True)
