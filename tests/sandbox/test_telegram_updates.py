"""getUpdates: what waits, what is confirmed, who may poll."""

import asyncio
import time
from typing import Any

from tests.sandbox.wires import TOKEN, Wires

KEYBOARD = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}


async def say(wires: Wires, *texts: str) -> list[int]:
    said = [await wires.control("telegram/say", chat_id=1001, user_id=1001, text=text) for text in texts]
    return [answer["update_id"] for answer in said]


async def poll(wires: Wires, **query: Any) -> list[str]:
    updates = (await wires.telegram("getUpdates", **query))["result"]
    return [update["message"]["text"] for update in updates]


async def test_updates_wait_until_a_higher_offset_confirms_them(wires: Wires) -> None:
    first, second, third = await say(wires, "a", "b", "c")
    assert [second, third] == [first + 1, first + 2]
    assert await poll(wires) == ["a", "b", "c"]
    assert await poll(wires, offset=first) == ["a", "b", "c"]
    assert await poll(wires, offset=second) == ["b", "c"]
    assert await poll(wires, limit=1, offset=third) == ["c"]
    assert (await wires.telegram("getWebhookInfo"))["result"]["pending_update_count"] == 1


async def test_a_negative_offset_keeps_the_last_ones_and_forgets_the_rest(wires: Wires) -> None:
    await say(wires, "a", "b", "c")
    assert await poll(wires, offset=-2) == ["b", "c"]
    assert (await wires.state("telegram"))["pending_updates"] == 2


async def test_a_long_poll_ends_with_the_update_it_waited_for(wires: Wires) -> None:
    polling = asyncio.create_task(poll(wires, timeout=50))
    await asyncio.sleep(0.1)
    said = time.monotonic()
    await say(wires, "there")
    assert await polling == ["there"]
    assert time.monotonic() - said < 40


async def test_a_long_poll_without_updates_ends_empty_in_time(wires: Wires) -> None:
    started = time.monotonic()
    assert await poll(wires, timeout=1) == []
    assert 0.9 < time.monotonic() - started < 40


async def test_the_waiting_poller_is_ended_by_the_next_one(wires: Wires) -> None:
    # Client::abort_long_poll: the one that waits is refused, the newer one goes on.
    older = asyncio.create_task(wires.telegram_http("getUpdates", timeout=50))
    await asyncio.sleep(0.1)
    newer = asyncio.create_task(wires.telegram_http("getUpdates", timeout=50, offset=1))
    status, refused = await older
    assert (status, refused["error_code"], refused["description"]) == (
        409,
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )
    await say(wires, "for the newer")
    assert (await newer)[1]["result"][0]["message"]["text"] == "for the newer"


async def test_a_poller_that_repeats_its_offset_is_slowed_down(wires: Wires) -> None:
    # Client::process_get_updates_query: the same offset again within 3 s waits 3 s.
    held_up = True
    while held_up:  # a machine that takes as long as that between the two has said nothing
        assert await poll(wires, offset=7) == []
        answered = time.monotonic()
        repeated = asyncio.create_task(poll(wires, offset=7))
        await asyncio.sleep(0.2)
        held_up = repeated.done() and time.monotonic() - answered > 2
    assert not repeated.done()
    await say(wires, "x")
    assert await repeated == ["x"]


async def test_a_message_waits_for_a_day_and_a_press_for_150_seconds(wires: Wires) -> None:
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=KEYBOARD)
    press = {"chat_id": 1001, "message_id": sent["result"]["message_id"], "user_id": 1001, "label": "Go"}
    await wires.control("telegram/press", **press)
    await say(wires, "x")
    await wires.control("clock", advance_s=149)
    assert (await wires.state("telegram"))["pending_updates"] == 2
    await wires.control("clock", advance_s=2)
    assert await poll(wires) == ["x"]
    await wires.control("clock", advance_s=86_400)
    assert (await wires.state("telegram"))["pending_updates"] == 0


async def test_allowed_updates_are_remembered_and_empty_means_the_default(wires: Wires) -> None:
    assert (await wires.telegram("getUpdates", allowed_updates=["callback_query"]))["result"] == []
    assert await say(wires, "unheard") == [None]
    assert (await wires.telegram("getWebhookInfo"))["result"]["allowed_updates"] == ["callback_query"]
    await wires.telegram("getUpdates", allowed_updates=[], offset=-1)
    (heard,) = await say(wires, "heard")
    assert heard is not None
    assert await poll(wires, offset=1) == ["heard"]


async def test_names_that_are_no_updates_are_ignored_and_what_is_no_array_changes_nothing(wires: Wires) -> None:
    # Client::get_allowed_update_types
    async def allowed() -> Any:
        return (await wires.telegram("getWebhookInfo"))["result"].get("allowed_updates")

    for offset, (wanted, kept) in enumerate(
        (
            (["message", "Callback_Query", "nonsense"], ["callback_query", "message"]),
            ("nonsense", ["callback_query", "message"]),
            (["message", 7], ["callback_query", "message"]),
            (["nonsense"], None),
        )
    ):
        await wires.telegram("getUpdates", allowed_updates=wanted, offset=offset)
        assert await allowed() == kept


async def test_an_offset_far_ahead_confirms_nothing(wires: Wires) -> None:
    # TQueue::get: an id more than ten ahead of the newest is taken for none
    (update_id,) = await say(wires, "a")
    assert await poll(wires, offset=update_id + 100) == ["a"]
    assert await poll(wires, offset=update_id + 5) == []


async def test_dropping_pending_updates_drops_them(wires: Wires) -> None:
    await say(wires, "a", "b")
    assert (await wires.telegram("deleteWebhook", drop_pending_updates=True))["result"] is True
    assert await poll(wires) == []


async def test_all_ways_of_passing_parameters_are_read(wires: Wires) -> None:
    url = f"{wires.base_url}/telegram/bot{TOKEN}/SENDMESSAGE"
    markup = '{"inline_keyboard":[[{"text":"Go","callback_data":"go"}]]}'
    values = {"chat_id": "1001", "text": "hi", "reply_markup": markup, "disable_notification": "true"}
    multipart = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in values.items()
    )
    posts: list[dict[str, Any]] = [
        {"params": values},
        {"data": values},
        {"data": multipart + "--x--\r\n", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
        {"json": {**values, "chat_id": 1001}},
    ]
    for number, post in enumerate(posts, start=1):
        async with wires.session.post(url, **post) as response:
            result = (await response.json())["result"]
        assert (result["message_id"], result["text"]) == (number, "hi")
        assert result["reply_markup"]["inline_keyboard"][0][0]["callback_data"] == "go"
    async with wires.session.get(url, params=values) as response:
        assert (await response.json())["result"]["message_id"] == 5
    logged = [call["payload"] for call in await wires.calls("telegram")]
    assert all(payload["chat_id"] == 1001 and payload["disable_notification"] in (True, "true") for payload in logged)
    assert all(payload["reply_markup"]["inline_keyboard"] for payload in logged)


async def test_what_stood_in_a_body_that_cannot_be_read_is_missing(wires: Wires) -> None:
    # HttpReader::parse_json_parameters: its error is logged, and the call goes on without the body.
    url = f"{wires.base_url}/telegram/bot{TOKEN}/sendMessage"
    for data in (b"{", b"[1]", b'{"text": "x"', b"\xff"):
        async with wires.session.post(url, data=data, headers={"Content-Type": "application/json"}) as response:
            assert (await response.json())["description"] == "Bad Request: message text is empty"
    async with wires.session.post(url, data=b"text=x", headers={"Content-Type": "text/plain"}) as response:
        assert (await response.json())["description"] == "Bad Request: message text is empty"


async def test_tokens_and_methods_are_judged_as_the_real_server_does(wires: Wires) -> None:
    for token in ("1:short", "nonsense", "0123:" + "a" * 35, "x" * 40 + ":" + "a" * 35):
        async with wires.session.get(f"{wires.base_url}/telegram/bot{token}/getMe") as response:
            assert response.status == 401
            assert (await response.json())["description"] == "Unauthorized: invalid token specified"
    async with wires.session.get(f"{wires.base_url}/telegram/getMe") as response:
        assert (response.status, (await response.json())["description"]) == (404, "Not Found")
    status, answer = await wires.telegram_http("sendSmoke")
    assert (status, answer["description"]) == (404, "Not Found: method not found")
    me = (await wires.telegram("getMe"))["result"]
    assert (me["id"], me["is_bot"], me["username"]) == (123456789, True, "bossbot_sandbox_bot")
