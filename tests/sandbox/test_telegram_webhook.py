"""Webhooks, as a server that receives them sees them.

Sources of the words: C = tdlib/telegram-bot-api, Client.cpp; W = its WebhookActor.cpp.
"""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession, MultipartWriter, web

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.server import start_sandbox
from bossbot.sandbox.telegram_updates import UpdateQueue
from bossbot.sandbox.telegram_webhook import Hook, Webhook
from tests.sandbox.receiver import Receiver, agree, has_failed, receiving
from tests.sandbox.wires import Wires, until

GROUP = -1000000000001


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as found:
        yield found


async def say(wires: Wires, *texts: str, user_id: int = 1001) -> None:
    for text in texts:
        await wires.control("telegram/say", chat_id=user_id, user_id=user_id, text=text)


async def pending(wires: Wires) -> int:
    count: int = (await wires.telegram("getWebhookInfo"))["result"]["pending_update_count"]
    return count


async def test_updates_come_with_the_secret_and_are_then_gone(wires: Wires, receiver: Receiver) -> None:
    await say(wires, "early")
    done = await wires.telegram("setWebhook", url=receiver.url, secret_token="s_3-cret", max_connections=7)
    assert done == {"ok": True, "result": True, "description": "Webhook was set"}  # C webhook_verified
    await say(wires, "later")
    assert await receiver.heard(2) == ["early", "later"]
    assert receiver.headers[0]["X-Telegram-Bot-Api-Secret-Token"] == "s_3-cret"
    assert receiver.headers[0]["Content-Type"] == "application/json"
    await until(lambda: none_waits(wires))
    info = (await wires.telegram("getWebhookInfo"))["result"]
    assert (info["url"], info["max_connections"], info["has_custom_certificate"]) == (receiver.url, 7, False)
    assert "last_error_message" not in info


async def none_waits(wires: Wires) -> bool:
    return await pending(wires) == 0


async def test_polling_and_a_webhook_exclude_each_other(wires: Wires, receiver: Receiver) -> None:
    poll = asyncio.create_task(wires.telegram_http("getUpdates", timeout=50))
    await asyncio.sleep(0.1)
    await wires.telegram("setWebhook", url=receiver.url)
    assert (await poll)[1]["description"] == "Conflict: terminated by setWebhook request"  # C abort_long_poll
    status, refused = await wires.telegram_http("getUpdates")
    assert (status, refused["description"]) == (
        409,
        "Conflict: can't use getUpdates method while webhook is active; "
        "use deleteWebhook to delete the webhook first",  # C process_get_updates_query
    )
    gone = await wires.telegram("deleteWebhook")
    assert gone["description"] == "Webhook was deleted"  # C do_set_webhook
    await say(wires, "polled")
    assert (await wires.telegram("getUpdates"))["result"][0]["message"]["text"] == "polled"
    assert (await wires.telegram("deleteWebhook"))["description"] == "Webhook is already deleted"


async def test_a_refused_update_comes_again_at_once_and_then_ever_later(wires: Wires, receiver: Receiver) -> None:
    async def fail(_: dict[str, Any]) -> web.Response:
        return web.Response(status=503, reason="Service Unavailable")

    receiver.answer = fail
    await wires.telegram("setWebhook", url=receiver.url)
    began_at = time.monotonic()
    await say(wires, "again")
    await receiver.heard(2)  # at once
    for pause_s, count in ((2, 3), (4, 4), (8, 5)):
        await asyncio.sleep(0.05)
        assert len(receiver.updates) == count - 1 or time.monotonic() - began_at > 1  # a machine that was held up
        began_at = time.monotonic()
        await wires.control("clock", advance_s=pause_s)
        await receiver.heard(count)
    info = (await wires.telegram("getWebhookInfo"))["result"]
    assert info["last_error_message"] == "Wrong response from the webhook: 503 Service Unavailable"  # W handle
    assert info["pending_update_count"] == 1
    assert len({update["update_id"] for update in receiver.updates}) == 1


async def test_retry_after_is_kept_to(wires: Wires, receiver: Receiver) -> None:
    async def busy(_: dict[str, Any]) -> web.Response:
        return web.Response(status=429, headers={"Retry-After": "3000"})

    receiver.answer = busy
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "wait")
    await receiver.heard(1)
    await until(lambda: has_failed(wires))
    await wires.control("clock", advance_s=2000)  # what is left is more than any machine can lose meanwhile
    await asyncio.sleep(0.05)
    assert len(receiver.updates) == 1
    await wires.control("clock", advance_s=1001)
    await receiver.heard(2)


async def test_a_webhook_that_is_set_while_another_one_goes_gets_what_waits(receiver: Receiver) -> None:
    release = asyncio.Event()

    async def slow(_: dict[str, Any]) -> web.Response:
        await release.wait()
        return web.Response()

    receiver.answer = slow
    clock = Clock()
    queue = UpdateQueue(clock)
    webhook = Webhook(clock, queue)
    await webhook.set(Hook(receiver.url, 1))
    queue.put("message", {"text": "x"}, clock.now() + 3600)
    await receiver.heard(1)
    receiver.answer = agree
    release.set()
    await asyncio.gather(webhook.remove(), webhook.remove(), webhook.set(Hook(receiver.url, 1, "the-new-one")))
    queue.put("message", {"text": "y"}, clock.now() + 3600)
    assert (await receiver.heard(3))[-1] == "y"
    assert receiver.headers[-1]["X-Telegram-Bot-Api-Secret-Token"] == "the-new-one"
    await webhook.remove()
    clock.stop()


async def test_a_chat_keeps_its_order_and_does_not_wait_for_another(wires: Wires, receiver: Receiver) -> None:
    release = asyncio.Event()

    async def slow_for_ada(update: dict[str, Any]) -> web.Response:
        if update["message"]["chat"]["id"] == 1001:
            await release.wait()
        return web.Response()

    receiver.answer = slow_for_ada
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "ada 1", "ada 2")
    await say(wires, "ben 1", "ben 2", user_id=1002)
    assert await receiver.heard(3) == ["ada 1", "ben 1", "ben 2"]
    release.set()
    assert (await receiver.heard(4))[3] == "ada 2"


async def test_one_connection_sends_one_update_after_the_other(wires: Wires, receiver: Receiver) -> None:
    under_way, most = 0, 0

    async def count(_: dict[str, Any]) -> web.Response:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.02)
        under_way -= 1
        return web.Response()

    receiver.answer = count
    await say(wires, "a")
    await say(wires, "b", user_id=1002)
    await say(wires, "c", user_id=1003)
    await wires.telegram("setWebhook", url=receiver.url, max_connections=1)
    await receiver.heard(3)
    assert most == 1


async def test_nobody_there_is_an_error_that_the_info_tells(wires: Wires, receiver: Receiver) -> None:
    dead = receiver.url.replace("/hook", "/elsewhere")
    await say(wires, "lost")
    await wires.telegram("setWebhook", url=dead)
    await until(lambda: has_failed(wires))
    info = (await wires.telegram("getWebhookInfo"))["result"]
    assert info["last_error_message"] == "Wrong response from the webhook: 404 Not Found"
    await wires.control("clock", advance_s=2)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        assert (await wires.telegram("setWebhook", url=url))["ok"] is True
        await until(lambda: has_failed(wires))
    info = (await wires.telegram("getWebhookInfo"))["result"]
    assert info["last_error_message"] == "Connection refused"  # W on_connection_error


def bodies() -> list[Any]:
    call = {"method": "sendMessage", "chat_id": "1001", "text": "by answer"}
    form = "method=sendMessage&chat_id=1001&text=by+answer"
    with MultipartWriter("form-data") as multipart:  # as aiogram's webhook handler answers
        for name, value in call.items():
            multipart.append(value).set_content_disposition("form-data", name=name)
    return [
        lambda: web.json_response({**call, "chat_id": 1001}),
        lambda: web.Response(text=form, content_type="application/x-www-form-urlencoded"),
        lambda: web.Response(body=multipart, headers={"Content-Type": multipart.headers["Content-Type"]}),
    ]


@pytest.mark.parametrize("kind", range(3))
async def test_an_answer_may_be_a_call(wires: Wires, receiver: Receiver, kind: int) -> None:
    async def call(_: dict[str, Any]) -> web.Response:
        made: web.Response = bodies()[kind]()
        return made

    receiver.answer = call
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "hello")

    async def answered() -> bool:
        return [message["text"] for message in (await wires.chat())["messages"]] == ["hello", "by answer"]

    await until(answered)
    (logged,) = await wires.calls("telegram", method="sendMessage")
    assert (logged["ok"], logged["payload"]["by_webhook"]) == (True, True)


async def test_an_answer_cannot_ask_or_change_the_webhook(wires: Wires, receiver: Receiver) -> None:
    async def call(_: dict[str, Any]) -> web.Response:
        return web.json_response({"method": "deleteWebhook"})

    receiver.answer = call
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "hello")
    await receiver.heard(1)
    await until(lambda: none_waits(wires))
    assert (await wires.telegram("getWebhookInfo"))["result"]["url"] == receiver.url
    assert await wires.calls("telegram", method="deleteWebhook") == []


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"--x"),
        ("application/x-www-form-urlencoded", b"method=sendMessage&chat_id=1001&text=%ff"),
        ("application/json", b'{"method": "sendMessage", "chat_id": NaN}'),
    ],
)
async def test_an_answer_that_cannot_be_read_is_passed_over(
    kind: str, body: bytes, wires: Wires, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    async def nonsense(_: dict[str, Any]) -> web.Response:
        return web.Response(body=body, content_type=kind)

    receiver.answer = nonsense
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "one")
    await say(wires, "two")
    assert await receiver.heard(2) == ["one", "two"]
    await until(lambda: none_waits(wires))
    assert [message["text"] for message in (await wires.chat())["messages"]] == ["one", "two"]
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_webhook_outlives_a_reset(wires: Wires, receiver: Receiver) -> None:
    await wires.telegram("setWebhook", url=receiver.url)
    await wires.control("reset")
    await say(wires, "still here")
    assert await receiver.heard(1) == ["still here"]


async def test_a_duplicate_is_sent_twice(wires: Wires, receiver: Receiver) -> None:
    await wires.telegram("setWebhook", url=receiver.url)
    await wires.control("faults", platform="telegram", kind="duplicate")
    await say(wires, "twice")
    await receiver.heard(2)
    assert receiver.updates[0] == receiver.updates[1]


async def test_a_webhook_that_is_gone_for_23_hours_is_given_up(wires: Wires, receiver: Receiver) -> None:
    async def gone(_: dict[str, Any]) -> web.Response:
        return web.Response(status=410)

    receiver.answer = gone
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "x")
    await receiver.heard(2)
    await wires.control("clock", advance_s=23 * 3600 + 1)

    async def given_up() -> bool:
        return not (await wires.telegram("getWebhookInfo"))["result"]["url"]

    await until(given_up)  # W handle, WEBHOOK_DROP_TIMEOUT


async def test_an_update_is_dropped_when_it_outlives_its_time(wires: Wires, receiver: Receiver) -> None:
    async def fail(_: dict[str, Any]) -> web.Response:
        return web.Response(status=500)

    receiver.answer = fail
    await wires.telegram("setWebhook", url=receiver.url)
    await say(wires, "old")
    await receiver.heard(2)
    await wires.control("clock", advance_s=86_401)
    assert await pending(wires) == 0


async def test_a_webhook_that_never_answers_does_not_hold_the_sandbox_up(receiver: Receiver) -> None:
    hangs = asyncio.Event()

    async def hang(_: dict[str, Any]) -> web.Response:
        await hangs.wait()
        return web.Response()

    receiver.answer = hang
    running = await start_sandbox(port=0)
    async with ClientSession() as session:
        wires = Wires(session, running.base_url)
        await wires.telegram("setWebhook", url=receiver.url)
        await say(wires, "x")
        await receiver.heard(1)
        await asyncio.wait_for(running.close(), 60)
    hangs.set()
