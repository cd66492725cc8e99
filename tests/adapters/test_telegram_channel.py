"""The Telegram adapter over a wire on which things go wrong."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bossbot.channel import (
    ActorRef,
    Ambiguous,
    BadChannelConfig,
    Button,
    ButtonPressed,
    Card,
    ChannelForbidden,
    ChannelRefused,
    Code,
    Inbound,
    Markdown,
    MessageReceived,
    Plain,
    PostGone,
    PostRef,
    RetryLater,
    ThreadRef,
    Unreachable,
)
from bossbot_telegram import MANIFEST
from tests.adapters.platforms import TELEGRAM_TOKEN, TelegramPlatform, platform_on_sandbox
from tests.adapters.receiver import Receiver, until

BUTTONS = ((Button("Approve", "approve|a"),),)
GROUP = -1000000000001


@pytest_asyncio.fixture
async def platform() -> AsyncIterator[TelegramPlatform]:
    async with platform_on_sandbox("telegram") as found:
        assert isinstance(found, TelegramPlatform)
        yield found


def refused(code: int, description: str, **parameters: object) -> dict[str, object]:
    body = {"ok": False, "error_code": code, "description": description}
    return {"status": code, "body": {**body, "parameters": parameters} if parameters else body}


async def test_a_message_whose_entities_are_refused_goes_out_as_plain_text(platform: TelegramPlatform) -> None:
    platform.wire.trouble("sendMessage", **refused(400, "Bad Request: can't parse entities: bad offset"))
    card = Card("Hi @admin", blocks=(Markdown("**bold**"),), buttons=BUTTONS)
    await platform.channel.post(platform.thread, card, key="k")
    ((_, shown),) = await platform.shown()
    assert shown.text.replace("\u2060", "") == "Hi @admin\n\nbold"
    assert shown.buttons == (("Approve", "approve|a"),)
    assert "entities" not in platform.wire.calls[-1][1]


async def test_a_message_whose_buttons_are_refused_goes_out_without_them(platform: TelegramPlatform) -> None:
    for _ in range(2):
        platform.wire.trouble("sendMessage", **refused(400, "Bad Request: BUTTON_DATA_INVALID"))
    await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    ((_, shown),) = await platform.shown()
    assert shown.text == "Run?"
    assert shown.buttons == ()


@pytest.mark.parametrize(
    ("code", "description", "error"),
    [
        (403, "Forbidden: bot was blocked by the user", ChannelForbidden),
        (403, "Forbidden: bot was kicked from the supergroup chat", ChannelForbidden),
        (400, "Bad Request: not enough rights to send text messages to the chat", ChannelForbidden),
        (400, "Bad Request: chat not found", ChannelRefused),
        (400, "Bad Request: message is too long", ChannelRefused),
        (401, "Unauthorized", BadChannelConfig),
        (404, "Not Found", BadChannelConfig),
        (409, "Conflict: terminated by other getUpdates request", ChannelRefused),
        (500, "Internal Server Error: restart", RetryLater),
        (502, "Bad Gateway", Ambiguous),
    ],
)
async def test_a_refusal_says_who_must_act(
    platform: TelegramPlatform, code: int, description: str, error: type[Exception]
) -> None:
    platform.wire.trouble("sendMessage", **refused(code, description))
    with pytest.raises(error) as raised:
        await platform.channel.post(platform.thread, Card("x"), key="k")
    assert type(raised.value) is error


async def test_a_message_with_more_buttons_than_telegram_takes_goes_out_without_them(
    platform: TelegramPlatform,
) -> None:
    many = tuple((Button("Choose this one", f"choose|{at:050}"),) for at in range(150))  # "reply markup is too long"
    await platform.channel.post(platform.thread, Card("Which?", buttons=many), key="k")
    ((_, shown),) = await platform.shown()
    assert (shown.text, shown.buttons) == ("Which?", ())


async def test_an_answer_that_is_no_json_is_ambiguous(platform: TelegramPlatform) -> None:
    platform.wire.trouble("sendMessage", status=502, body="<html>proxy</html>")
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("x"), key="k")


@pytest.mark.parametrize(
    "description", ["Bad Request: message to edit not found", "Bad Request: message can't be edited"]
)
async def test_a_post_that_can_no_longer_be_edited_is_gone_and_taken_away(
    platform: TelegramPlatform, description: str
) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    platform.wire.trouble("editMessageText", **refused(400, description))
    with pytest.raises(PostGone):
        await platform.channel.edit(post, Card("Done"))
    assert await platform.shown() == []


async def test_a_connection_that_was_never_made_may_be_tried_again(platform: TelegramPlatform) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
        channel = MANIFEST.load({"token": TELEGRAM_TOKEN, "api_base": address})
        try:
            with pytest.raises(Unreachable):
                await channel.post(platform.thread, Card("x"), key="k")
        finally:
            await channel.close()


async def test_a_connection_cut_after_the_request_is_ambiguous_and_not_repeated(platform: TelegramPlatform) -> None:
    platform.wire.trouble("sendMessage", cut=True)
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("x"), key="k")
    assert platform.wire.methods().count("sendMessage") == 1


async def test_a_group_that_became_a_supergroup_is_found_again(platform: TelegramPlatform) -> None:
    upgraded = refused(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=GROUP)
    platform.wire.trouble("sendMessage", **upgraded)
    thread = ThreadRef("telegram", "-42")
    post = await platform.channel.post(thread, Card("one"), key="k")
    assert post.chat == str(GROUP)
    await platform.channel.edit(post, Card("two"))
    assert (await platform.channel.post(thread, Card("three"), key="l")).chat == str(GROUP)
    texts = [message["text"] for message in (await platform.chat(GROUP))["messages"]]
    assert texts == ["two", "three"]


async def test_only_changed_parts_of_a_long_card_are_edited(platform: TelegramPlatform) -> None:
    blocks = (Code("x\n" * 5000),)
    post = await platform.channel.post(platform.thread, Card("Run?", blocks=blocks, buttons=BUTTONS), key="k")
    assert len(post.ids) == 3
    await platform.channel.edit(post, Card("Run?", blocks=(*blocks, Plain("by Ada"))))
    edits = [call for method, call in platform.wire.calls if method == "editMessageText"]
    assert [call["message_id"] for call in edits] == [post.ids[-1]]


async def test_a_part_that_vanished_while_posting_makes_the_post_anew(platform: TelegramPlatform) -> None:
    card = Card("Run?", blocks=(Code("x\n" * 3000),))
    await platform.limit_next(1, skip=1)
    with pytest.raises(RetryLater):
        await platform.channel.post(platform.thread, card, key="k")
    ((message_id, _),) = await platform.shown()
    await platform.remove(message_id)
    changed = Card("Run this?", blocks=(Code("x\n" * 3000),))
    post = await platform.channel.post(platform.thread, changed, key="k")
    assert post.ids == tuple(message_id for message_id, _ in await platform.shown())


async def test_the_same_key_in_another_chat_is_another_card(platform: TelegramPlatform) -> None:
    long = Card("Run?", blocks=(Code("x\n" * 3000),))
    await platform.limit_next(1, skip=1)
    with pytest.raises(RetryLater):
        await platform.channel.post(platform.thread, long, key="k")
    there = ThreadRef("telegram", str(GROUP))
    await platform.channel.post(there, Card("other"), key="k")
    assert [message["text"] for message in (await platform.chat(GROUP))["messages"]] == ["other"]


async def test_links_get_no_preview(platform: TelegramPlatform) -> None:
    await platform.channel.post(platform.thread, Card(blocks=(Markdown("https://example.com/x"),)), key="k")
    assert '"is_disabled": true' in str(platform.wire.calls[-1][1]["link_preview_options"])


async def test_a_press_too_old_to_be_answered_is_let_go(platform: TelegramPlatform) -> None:
    post = PostRef("telegram", "1001", ("1",))
    press = ButtonPressed("d", platform.thread, ActorRef("telegram", "1001"), "Ada", post, "approve|a", press="123")
    await platform.channel.answer(press, "too late")
    assert platform.wire.methods() == ["answerCallbackQuery"]


async def test_an_answer_is_cut_to_what_telegram_shows_and_a_warning_must_be_closed(platform: TelegramPlatform) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    async with Receiver(platform.channel) as received:
        await platform.press(post.ids[0], "Approve")
        await until(lambda: bool(received.items))
        (press,) = received.items
        assert isinstance(press, ButtonPressed)
        await platform.channel.answer(press, "no " * 100, warn=True)
    (answer,) = (await platform.chat())["callback_answers"]
    assert len(answer["text"]) <= 200
    assert answer["show_alert"]


async def test_in_a_group_mentions_and_replies_speak_to_us_and_talk_does_not(platform: TelegramPlatform) -> None:
    platform.thread = ThreadRef("telegram", str(GROUP))
    post = await platform.channel.post(platform.thread, Card("hello"), key="k")
    name = (await platform.channel.check()).name
    async with Receiver(platform.channel) as received:
        await platform.say("talk among people")
        await platform.say(f"{name} do it")
        await platform.say("yes", reply_to=int(post.ids[0]))
        await until(lambda: len(received.items) == 3)
    found = [item for item in received.items if isinstance(item, MessageReceived)]
    assert [(item.text, item.addressed, item.private) for item in found] == [
        ("talk among people", False, False),
        ("do it", True, False),
        ("yes", True, False),
    ]


async def test_a_topic_is_a_thread_of_its_own(platform: TelegramPlatform) -> None:
    method = f"telegram/bot{TELEGRAM_TOKEN}/createForumTopic"
    topic = (await platform.api(method, {"chat_id": GROUP, "name": "builds"}))["result"]["message_thread_id"]
    platform.thread = ThreadRef("telegram", str(GROUP), str(topic))
    async with Receiver(platform.channel) as received:
        await platform.say("here", thread_id=topic)
        await until(lambda: bool(received.items))
    (message,) = received.items
    assert message.thread == platform.thread
    post = await platform.channel.post(message.thread, Card("in the topic"), key="k")
    shown = next(found for found in (await platform.chat(GROUP))["messages"] if str(found["message_id"]) == post.ids[0])
    assert shown["message_thread_id"] == topic
    assert post.thread == str(topic)


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


async def test_no_trouble_ends_polling(platform: TelegramPlatform, caplog: pytest.LogCaptureFixture) -> None:
    platform.channel._polling._sleep = no_pause
    platform.wire.trouble("getMe", cut=True)
    platform.wire.trouble("getMe", **refused(401, "Unauthorized"))
    platform.wire.trouble("getUpdates", cut=True)
    platform.wire.trouble("getUpdates", status=502, body="<html>")
    platform.wire.trouble("getUpdates", **refused(500, "Internal Server Error: restart"))
    platform.wire.trouble("getUpdates", **refused(429, "Too Many Requests: retry after 3", retry_after=3))
    platform.wire.trouble("getUpdates", **refused(409, "Conflict: terminated by other getUpdates request"))
    platform.wire.trouble("getUpdates", **refused(409, "Conflict: can't use getUpdates while webhook is active"))
    with caplog.at_level(logging.DEBUG):
        async with Receiver(platform.channel) as received:
            await platform.say("still there?")
            await until(lambda: received.texts() == ["still there?"])
    assert not platform.wire.troubles
    assert "another program polls with this token" in caplog.text
    assert "deleteWebhook" in caplog.text
    assert "[channels.telegram] token" in caplog.text
    assert TELEGRAM_TOKEN.split(":")[1] not in caplog.text


async def test_an_update_that_cannot_be_read_does_not_hold_up_the_others(platform: TelegramPlatform) -> None:
    message = {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}, "text": "readable"}
    batch = [
        {"update_id": 1, "message": {"message_id": "what?", "date": {}, "chat": []}},
        {"update_id": 2, "message": {**message, "from": {"id": 5, "is_bot": False, "first_name": "A"}}},
    ]
    platform.wire.trouble("getUpdates", body={"ok": True, "result": batch})
    async with Receiver(platform.channel) as received:
        await until(lambda: received.texts() == ["readable"])
        await until(lambda: any(call.get("offset") == "3" for _, call in platform.wire.calls))


async def test_an_update_is_confirmed_only_after_it_is_stored(platform: TelegramPlatform) -> None:
    await platform.say("precious")
    begun = asyncio.Event()

    async def dies(_: Inbound) -> None:
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(platform.channel.run(dies))
    await begun.wait()
    task.cancel()
    await asyncio.wait({task})
    async with Receiver(platform.channel) as received:
        await until(lambda: received.texts() == ["precious"])
        await until(lambda: platform.wire.calls[-1][1].get("offset") is not None)
    async with Receiver(platform.channel) as again:
        await platform.say("next")
        await until(lambda: bool(again.items))
    assert again.texts() == ["next"]


async def test_a_message_that_the_core_can_never_take_is_dropped_in_the_end(platform: TelegramPlatform) -> None:
    platform.channel._polling._sleep = no_pause
    seen: list[str] = []

    async def sink(item: Inbound) -> None:
        assert isinstance(item, MessageReceived)
        if item.text == "poison":
            raise ValueError(item.text)
        seen.append(item.text)

    task = asyncio.create_task(platform.channel.run(sink))
    await platform.say("poison")
    await platform.say("fine")
    await until(lambda: seen == ["fine"])
    task.cancel()
    await asyncio.wait({task})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "[channels.telegram] token: missing"),
        ({"token": "  "}, "[channels.telegram] token: missing"),
        ({"token": 5}, "[channels.telegram] token: must be"),
        ({"token": "hello-secret"}, "[channels.telegram] token: not a bot token"),
        ({"token": TELEGRAM_TOKEN, "api_base": "api.telegram.org"}, "[channels.telegram] api_base"),
        ({"token": TELEGRAM_TOKEN, "api_base": ["x"]}, "[channels.telegram] api_base"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadChannelConfig) as raised:
        MANIFEST.load(options)
    assert said in str(raised.value)
    assert "hello-secret" not in str(raised.value)


def test_options_of_the_core_are_left_to_the_core() -> None:
    assert (
        MANIFEST.load({"token": TELEGRAM_TOKEN, "owners": ["1"], "enabled": True, "listen": "mentions"}).name
        == "telegram"
    )


async def test_a_token_that_telegram_does_not_know_is_a_configuration_error(platform: TelegramPlatform) -> None:
    platform.wire.trouble("getMe", **refused(401, "Unauthorized"))
    with pytest.raises(BadChannelConfig, match=r"\[channels\.telegram\] token") as raised:
        await platform.channel.check()
    assert TELEGRAM_TOKEN.split(":")[1] not in str(raised.value)


# --- text in progress ---


async def test_a_draft_is_shown_in_a_private_chat_and_gives_way_to_the_message(platform: TelegramPlatform) -> None:
    assert await platform.channel.draft(platform.thread, "Half of **it**", key="msg:1")
    assert await platform.channel.draft(platform.thread, "Half of **it** and more", key="msg:1")
    ids = {body["draft_id"] for method, body in platform.wire.calls if method == "sendMessageDraft"}
    assert len(ids) == 1
    await platform.channel.post(platform.thread, Card(blocks=(Markdown("All of it."),)), key="msg:1")
    ((_, shown),) = await platform.shown()
    assert shown.text == "All of it."


async def test_a_group_has_no_drafts_and_is_not_asked(platform: TelegramPlatform) -> None:
    assert not await platform.channel.draft(ThreadRef("telegram", str(GROUP)), "Half of it", key="msg:1")
    assert [method for method, _ in platform.wire.calls if method == "sendMessageDraft"] == []


async def test_a_draft_that_is_refused_is_no_error_and_a_limit_says_how_long(platform: TelegramPlatform) -> None:
    platform.wire.trouble("sendMessageDraft", **refused(400, "Bad Request: can't send drafts here"))
    assert not await platform.channel.draft(platform.thread, "Half", key="msg:1")
    platform.wire.trouble("sendMessageDraft", **refused(429, "Too Many Requests: retry after 7", retry_after=7))
    with pytest.raises(RetryLater) as limited:
        await platform.channel.draft(platform.thread, "Half", key="msg:1")
    assert limited.value.after_s == 7
