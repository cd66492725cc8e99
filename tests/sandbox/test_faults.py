"""Trouble on demand, as a bot's own HTTP client meets it."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from tests.sandbox.wires import Wires, until

PATIENT, IMPATIENT = aiohttp.ClientTimeout(total=60), aiohttp.ClientTimeout(total=0.3)


async def telegram_send(wires: Wires, within: aiohttp.ClientTimeout = PATIENT) -> aiohttp.ClientResponse:
    url = f"{wires.base_url}/telegram/bot{'1:' + 'a' * 35}/sendMessage"
    return await wires.session.post(url, json={"chat_id": 1001, "text": "hi"}, timeout=within)


async def slack_send(wires: Wires, within: aiohttp.ClientTimeout = PATIENT) -> aiohttp.ClientResponse:
    url = f"{wires.base_url}/slack/api/chat.postMessage"
    headers = {"Authorization": "Bearer xoxb-0123456789"}
    body = {"channel": "D0ADA", "text": "hi"}
    return await wires.session.post(url, json=body, headers=headers, timeout=within)


SENDS = {"telegram": telegram_send, "slack": slack_send}
METHODS = {"telegram": "sendMessage", "slack": "chat.postMessage"}


async def shown(wires: Wires, platform: str) -> int:
    place = await wires.chat() if platform == "telegram" else await wires.channel()
    return len(place["messages"])


async def test_telegram_429_has_its_wait_in_body_and_header_and_ends_after_its_count(wires: Wires) -> None:
    await wires.control("faults", platform="telegram", kind="429", count=2, retry_after=7, method="sendMessage")
    assert (await wires.telegram("getMe"))["ok"] is True
    for _ in range(2):
        response = await telegram_send(wires)
        assert (response.status, response.headers["Retry-After"]) == (429, "7")
        assert await response.json() == {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 7",
            "parameters": {"retry_after": 7},
        }
    assert (await telegram_send(wires)).status == 200
    assert await shown(wires, "telegram") == 1


async def test_telegrams_own_kinds_of_trouble_have_its_words(wires: Wires) -> None:
    await wires.control("faults", platform="telegram", kind="blocked")
    assert (await wires.telegram("getMe"))["ok"] is True  # it meets sends only
    for kind, status, words in (
        (None, 403, "Forbidden: bot was blocked by the user"),  # Client.cpp USER_IS_BLOCKED
        ("deactivated", 403, "Forbidden: user is deactivated"),  # Client.cpp check_chat_access
        ("500", 500, "Internal Server Error: restart"),
        ("502", 502, "Bad Gateway"),
    ):
        if kind is not None:
            await wires.control("faults", platform="telegram", kind=kind)
        response = await telegram_send(wires)
        assert (response.status, (await response.json())["description"]) == (status, words)
    assert await shown(wires, "telegram") == 0


async def test_slack_429_is_ratelimited_with_retry_after(wires: Wires) -> None:
    await wires.control("faults", platform="slack", kind="429", retry_after=3)
    response = await slack_send(wires)
    assert (response.status, response.headers["Retry-After"]) == (429, "3")
    assert (await response.json())["error"] == "ratelimited"
    assert (await slack_send(wires)).status == 200


@pytest.mark.parametrize("platform", ["telegram", "slack"])
async def test_500_is_an_error_of_the_platform_and_does_nothing(wires: Wires, platform: str) -> None:
    await wires.control("faults", platform=platform, kind="500")
    response = await SENDS[platform](wires)
    assert response.status == 500
    assert (await response.json())["ok"] is False
    assert await shown(wires, platform) == 0
    assert [call["fault"] for call in await wires.calls(platform)] == ["500"]


@pytest.mark.parametrize("platform", ["telegram", "slack"])
async def test_reset_cuts_the_connection_and_does_nothing(wires: Wires, platform: str) -> None:
    await wires.control("faults", platform=platform, kind="reset")
    with pytest.raises((aiohttp.ClientOSError, aiohttp.ServerDisconnectedError)):
        await SENDS[platform](wires)
    assert await shown(wires, platform) == 0
    (call,) = await wires.calls(platform)
    assert (call["ok"], call["error"]) == (False, "fault: reset")


@pytest.mark.parametrize("platform", ["telegram", "slack"])
async def test_a_timeout_after_acceptance_takes_effect_without_an_answer(wires: Wires, platform: str) -> None:
    await wires.control("faults", platform=platform, kind="timeout", method=METHODS[platform])
    with pytest.raises(asyncio.TimeoutError):
        await SENDS[platform](wires, IMPATIENT)
    (call,) = await until(lambda: wires.calls(platform))
    assert await shown(wires, platform) == 1
    assert (call["ok"], call["error"], call["fault"]) == (True, None, "timeout")


@pytest.mark.parametrize("platform", ["telegram", "slack"])
async def test_a_timeout_before_acceptance_does_nothing(wires: Wires, platform: str) -> None:
    await wires.control("faults", platform=platform, kind="timeout_before")
    with pytest.raises(asyncio.TimeoutError):
        await SENDS[platform](wires, IMPATIENT)
    (call,) = await until(lambda: wires.calls(platform))
    assert await shown(wires, platform) == 0
    assert (call["ok"], call["error"]) == (False, "fault: timeout_before")


async def test_a_duplicate_telegram_update_comes_twice_in_one_answer(wires: Wires) -> None:
    await wires.control("faults", platform="telegram", kind="duplicate")
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text="once")
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text="only")
    updates = (await wires.telegram("getUpdates"))["result"]
    assert [update["message"]["text"] for update in updates] == ["once", "once", "only"]
    assert updates[0]["update_id"] == updates[1]["update_id"] < updates[2]["update_id"]


async def test_a_duplicate_slack_event_has_one_event_id_and_two_envelopes(wires: Wires) -> None:
    ws = await wires.socket()
    await wires.control("faults", platform="slack", kind="duplicate")
    await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="once")
    first, second = await ws.receive_json(timeout=60), await ws.receive_json(timeout=60)
    assert first["payload"]["event_id"] == second["payload"]["event_id"]
    assert first["envelope_id"] != second["envelope_id"]


async def test_faults_that_wait_can_be_listed_and_are_forgotten_by_reset(wires: Wires) -> None:
    await wires.control("faults", platform="slack", kind="429", count=3, method="chat.update", retry_after=2)
    async with wires.session.get(f"{wires.base_url}/sandbox/faults") as response:
        listed = (await response.json())["faults"]
    assert listed == [{"platform": "slack", "kind": "429", "count": 3, "method": "chat.update", "retry_after": 2}]
    await wires.control("reset")
    async with wires.session.get(f"{wires.base_url}/sandbox/faults") as response:
        assert (await response.json())["faults"] == []


async def test_a_platform_that_is_down_is_down_for_every_method(wires: Wires) -> None:
    await wires.control("faults", platform="telegram", kind="reset", count=100)
    for method in ("getMe", "getUpdates", "sendMessage"):
        with pytest.raises((aiohttp.ClientOSError, aiohttp.ServerDisconnectedError)):
            await wires.telegram(method)
    started = time.monotonic()
    await wires.control("reset")
    assert (await wires.telegram("getMe"))["ok"] is True
    assert time.monotonic() - started < 40


async def test_every_kind_is_listed_with_what_it_does_and_takes(wires: Wires) -> None:
    async with wires.session.get(f"{wires.base_url}/sandbox/faults") as response:
        kinds = (await response.json())["kinds"]
    assert {kind["platform"] for kind in kinds} == {"telegram", "slack"}
    assert all(kind["description"] and kind["takes"][0] == "count" for kind in kinds)
    (delayed,) = [kind for kind in kinds if (kind["platform"], kind["kind"]) == ("telegram", "delayed")]
    assert (delayed["takes"], delayed["defaults"]) == (["count", "event", "seconds"], {"seconds": 30.0})
    (blocked,) = [kind for kind in kinds if kind["kind"] == "blocked"]
    assert "sendMessage" in blocked["methods"]


async def test_a_delayed_update_arrives_when_its_time_has_passed(wires: Wires) -> None:
    await wires.control("faults", platform="telegram", kind="delayed", seconds=40, event="message")
    late = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="late")
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text="soon")
    assert late["update_id"] is None
    assert await heard(wires) == ["soon"]
    await wires.control("clock", advance_s=41)
    assert await heard(wires) == ["soon", "late"]


async def test_reordered_deliveries_change_places(wires: Wires) -> None:
    await wires.control("faults", platform="telegram", kind="reordered", seconds=40)
    for text in ("first", "second"):
        await wires.control("telegram/say", chat_id=1001, user_id=1001, text=text)
    assert await heard(wires) == ["second", "first"]
    await wires.control("faults", platform="telegram", kind="reordered", seconds=40)
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text="alone")
    assert await heard(wires) == ["second", "first"]
    await wires.control("clock", advance_s=41)
    assert await heard(wires) == ["second", "first", "alone"]


async def heard(wires: Wires) -> list[str]:
    """What waits; asking at another offset each time, since Telegram slows down who repeats one."""
    offset = len(await wires.calls("telegram", method="getUpdates"))
    return [update["message"]["text"] for update in (await wires.telegram("getUpdates", offset=offset))["result"]]


async def test_a_jump_of_the_clock_lets_a_press_expire_under_its_answer(wires: Wires) -> None:
    keyboard = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=keyboard))["result"]
    press = {"chat_id": 1001, "message_id": sent["message_id"], "user_id": 1001, "label": "Go"}
    query_id = (await wires.control("telegram/press", **press))["callback_query_id"]
    await wires.control("faults", platform="telegram", kind="clock_jump", method="answerCallbackQuery")
    refused = await wires.telegram("answerCallbackQuery", callback_query_id=query_id)
    assert refused["description"].startswith("Bad Request: query is too old")


@pytest.mark.parametrize("platform", ["telegram", "slack"])
async def test_a_cut_after_acceptance_takes_effect(wires: Wires, platform: str) -> None:
    await wires.control("faults", platform=platform, kind="reset_after")
    with pytest.raises((aiohttp.ClientOSError, aiohttp.ServerDisconnectedError)):
        await SENDS[platform](wires)
    assert await shown(wires, platform) == 1


async def test_a_closed_port_refuses_connections_and_opens_again(wires: Wires) -> None:
    await wires.telegram("getMe")
    async with aiohttp.ClientSession() as script:  # its connection stays open: it is not the bot's
        control = f"{wires.base_url}/sandbox"
        async with script.post(
            f"{control}/faults", json={"platform": "telegram", "kind": "refused", "seconds": 40}
        ) as done:
            assert (await done.json()) == {"ok": True, "seconds": 40.0}
        async with aiohttp.ClientSession() as bot:
            with pytest.raises(aiohttp.ClientConnectorError):
                await bot.get(f"{wires.base_url}/telegram/bot1:{'a' * 35}/getMe")
        async with script.post(f"{control}/clock", json={"advance_s": 41}) as done:
            assert done.status == 200
        assert await until(lambda: answers(wires))


async def answers(wires: Wires) -> bool:
    with contextlib.suppress(aiohttp.ClientError):
        return bool((await wires.telegram("getMe"))["ok"])
    return False


async def telegram_file(wires: Wires) -> str:
    """The address of a file that a person has sent."""
    sent = {"chat_id": 1001, "user_id": 1001, "name": "a.txt", "content_base64": "aGVsbG8="}
    await wires.control("telegram/send_file", **sent)
    file_id = (await wires.chat())["messages"][-1]["document"]["file_id"]
    path = (await wires.telegram("getFile", file_id=file_id))["result"]["file_path"]
    return f"{wires.base_url}/telegram/file/bot1:{'a' * 35}/{path}"


async def slack_file(wires: Wires) -> str:
    await wires.control("slack/upload", channel="D0ADA", user="U0ADA", name="a.txt", text="hello")
    address: str = (await wires.channel())["messages"][-1]["files"][0]["url_private"]
    return address


@pytest.mark.parametrize(("platform", "address"), [("telegram", telegram_file), ("slack", slack_file)])
async def test_downloads_meet_trouble_too_and_are_in_the_log(
    platform: str, address: Callable[[Wires], Awaitable[str]], wires: Wires
) -> None:
    url, headers = await address(wires), {"Authorization": "Bearer xoxb-0123456789"}
    for kind, status in (("429", 429), ("500", 500)):
        await wires.control("faults", platform=platform, kind=kind, method="download")
        async with wires.session.get(url, headers=headers) as response:
            assert response.status == status
    # aiohttp asks a second time by itself where a connection that was used before is cut.
    await wires.control("faults", platform=platform, kind="reset", method="download", count=2)
    with pytest.raises(aiohttp.ClientConnectionError):
        await wires.session.get(url, headers=headers)
    async with wires.session.get(url, headers=headers) as response:
        assert (response.status, await response.read()) == (200, b"hello")
    logged = await wires.calls(platform, method="download")
    assert [call.get("fault") for call in logged if call["ok"]] == [None]
    assert {call.get("fault") for call in logged if not call["ok"]} == {"429", "500", "reset"}


async def test_an_upload_to_slack_can_fail_before_and_after_it_was_taken(wires: Wires) -> None:
    asked = await wires.slack("files.getUploadURLExternal", filename="a", length=3)
    for kind, taken in (("reset", False), ("reset_after", True)):
        await wires.control("faults", platform="slack", kind=kind, method="upload")
        with pytest.raises(aiohttp.ClientConnectionError):
            await wires.session.post(asked["upload_url"], data=b"abc")
        shared = await wires.slack("files.completeUploadExternal", files=[{"id": asked["file_id"]}])
        assert shared["ok"] is taken


async def test_slacks_other_word_for_too_many_posts(wires: Wires) -> None:
    await wires.control("faults", platform="slack", kind="rate_limited", retry_after=9)
    assert (await wires.slack("auth.test"))["ok"] is True  # it meets posts only
    response = await slack_send(wires)
    assert (response.status, response.headers["Retry-After"]) == (429, "9")
    assert (await response.json())["error"] == "rate_limited"  # docs.slack.dev chat.postMessage
    assert (await slack_send(wires)).status == 200
