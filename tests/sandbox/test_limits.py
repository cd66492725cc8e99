"""How fast a bot may talk, on a clock that the test drives."""

import pytest

from bossbot.sandbox.limits import Budgets, Rate, retry_after_s
from tests.sandbox.wires import Wires

GROUP = -1000000000001


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    budgets, rate = Budgets(), Rate(burst=3, per_s=0.5)
    for _ in range(3):
        assert budgets.wait_s("x", rate, 100.0) == 0
        budgets.take("x", rate, 100.0)
    assert budgets.wait_s("x", rate, 100.0) == 2
    assert budgets.wait_s("x", rate, 101.5) == 0.5
    assert budgets.wait_s("x", rate, 102.0) == 0
    assert budgets.wait_s("y", rate, 100.0) == 0


def test_the_wait_is_told_in_whole_seconds() -> None:
    assert [retry_after_s(wait) for wait in (0.01, 1.0, 1.2, 30.0)] == [1, 1, 2, 30]


async def test_sends_and_edits_share_one_budget_for_each_telegram_chat(wires: Wires) -> None:
    sent = await wires.telegram("sendMessage", chat_id=1001, text="0")
    edit = {"chat_id": 1001, "message_id": sent["result"]["message_id"]}
    for number in range(1, 20):
        assert (await wires.telegram("editMessageText", **edit, text=str(number)))["ok"] is True
    status, refused = await wires.telegram_http("sendMessage", chat_id=1001, text="too much")
    assert (status, refused["parameters"]["retry_after"]) == (429, 1)
    assert (await wires.telegram("sendMessage", chat_id=1002, text="another chat"))["ok"] is True
    await wires.control("clock", advance_s=1)
    assert (await wires.telegram("sendMessage", chat_id=1001, text="later"))["ok"] is True


async def test_a_group_gets_twenty_a_minute(wires: Wires) -> None:
    for number in range(20):
        assert (await wires.telegram("sendMessage", chat_id=GROUP, text=str(number)))["ok"] is True
    refused = await wires.telegram("sendMessage", chat_id=GROUP, text="21")
    assert refused["parameters"]["retry_after"] == 3
    await wires.control("clock", advance_s=60)
    assert (await wires.telegram("sendMessage", chat_id=GROUP, text="21"))["ok"] is True


def test_a_wait_grows_with_each_call_but_not_with_those_that_were_under_way() -> None:
    budgets = Budgets()
    assert budgets.punish("x", 2.4, 100.0) == 3
    assert budgets.punish("x", 2.0, 100.4) == pytest.approx(2.6)
    assert budgets.punish("x", 2.0, 101.0) == 5
    assert budgets.punish("x", 2.0, 101.0) == 8
    assert (budgets.punished_wait_s("x", 104.0), budgets.punished_wait_s("y", 104.0)) == (5, 0)
    assert budgets.punish("x", 1.0, 109.0) == 1
    for number in range(5000):
        budgets.punish("x", 3.0, 110.0 + number / 1000)
    assert budgets.punished_wait_s("x", 115.0) <= 3600


async def test_who_goes_on_during_the_wait_waits_longer(wires: Wires) -> None:
    for number in range(21):
        await wires.telegram("sendMessage", chat_id=GROUP, text=str(number))
    await wires.control("clock", advance_s=1)
    waits = [(await wires.telegram("sendMessage", chat_id=GROUP, text="x"))["parameters"]["retry_after"] for _ in "abc"]
    assert 3 < waits[0] < waits[1] < waits[2]
    assert (await wires.telegram("sendMessage", chat_id=1001, text="another chat"))["ok"] is True
    await wires.control("clock", advance_s=waits[-1])
    assert (await wires.telegram("sendMessage", chat_id=GROUP, text="x"))["ok"] is True


async def test_an_album_counts_as_many_messages_as_it_has(wires: Wires) -> None:
    file = await wires.control(
        "telegram/send_file", chat_id=1001, user_id=1001, name="a.txt", content_base64="aGk=", caption="hi"
    )
    file_id = (await wires.chat())["messages"][0]["document"]["file_id"]
    assert file["message_id"] == 1
    media = [{"type": "document", "media": file_id}] * 10
    for _ in range(2):
        assert (await wires.telegram("sendMediaGroup", chat_id=1001, media=media))["ok"] is True
    refused = await wires.telegram("sendMessage", chat_id=1001, text="x")
    assert refused["error_code"] == 429


async def test_slack_takes_one_message_a_second_and_channel_with_bursts(wires: Wires) -> None:
    for number in range(20):
        assert (await wires.slack("chat.postMessage", channel="D0ADA", text=str(number)))["ok"] is True
    status, refused = await wires.slack_http("chat.postMessage", channel="D0ADA", text="21")
    assert (status, refused["error"]) == (429, "ratelimited")
    assert (await wires.slack("chat.postMessage", channel="C0BOSS", text="elsewhere"))["ok"] is True
    await wires.control("clock", advance_s=1)
    assert (await wires.slack("chat.postMessage", channel="D0ADA", text="21"))["ok"] is True


async def test_slack_updates_are_counted_for_the_whole_workspace(wires: Wires) -> None:
    posted = await wires.slack("chat.postMessage", channel="D0ADA", text="0")
    for number in range(50):
        update = {"channel": "D0ADA", "ts": posted["ts"], "text": str(number)}
        assert (await wires.slack("chat.update", **update))["ok"] is True
    assert (await wires.slack("chat.update", channel="D0ADA", ts=posted["ts"], text="x"))["error"] == "ratelimited"


async def test_the_limits_can_be_switched_off(wires: Wires) -> None:
    assert (await wires.control("settings", rate_limits=False))["settings"]["rate_limits"] is False
    for number in range(60):
        assert (await wires.telegram("sendMessage", chat_id=GROUP, text=str(number)))["ok"] is True
    assert len((await wires.chat(GROUP))["messages"]) == 60
