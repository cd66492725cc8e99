"""The Slack adapter over a wire on which things go wrong."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from bossbot.channel import (
    Ambiguous,
    BadChannelConfig,
    Button,
    Card,
    ChannelForbidden,
    ChannelRefused,
    Code,
    Markdown,
    MessageReceived,
    Note,
    Plain,
    PostGone,
    RetryLater,
    ThreadRef,
    Unreachable,
)
from bossbot_slack import MANIFEST, sockets
from tests.adapters.platforms import APP_TOKEN, BOT_TOKEN, SlackPlatform, platform_on_sandbox, read
from tests.adapters.receiver import Receiver, until

BUTTONS = ((Button("Approve", "approve|a"), Button("Reject", "reject|a")),)
CHANNEL = "C0BOSS"


@pytest_asyncio.fixture
async def platform() -> AsyncIterator[SlackPlatform]:
    async with platform_on_sandbox("slack") as found:
        assert isinstance(found, SlackPlatform)
        yield found


def refused(error: str, status: int = 200, **more: object) -> dict[str, object]:
    return {"status": status, "body": {"ok": False, "error": error, **more}}


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


async def test_blocks_that_are_refused_go_out_as_plain_blocks_with_their_buttons(platform: SlackPlatform) -> None:
    platform.wire.trouble("chat.postMessage", **refused("invalid_blocks"))
    card = Card("Hi", blocks=(Markdown("**bold** <!channel>"),), buttons=BUTTONS)
    await platform.channel.post(platform.thread, card, key="k")
    ((_, shown),) = await platform.shown()
    assert shown.text == "Hi\n\nbold <!channel>"
    assert [label for label, _ in shown.buttons] == ["Approve", "Reject"]


async def test_where_no_block_is_accepted_the_text_goes_out_escaped(platform: SlackPlatform) -> None:
    for _ in range(2):
        platform.wire.trouble("chat.postMessage", **refused("invalid_blocks"))
    await platform.channel.post(platform.thread, Card("Hi", blocks=(Plain("<!channel>"),)), key="k")
    (message,) = [m for m in (await platform.conversation())["messages"] if m["user"] != platform.member]
    assert message["text"] == "Hi\n\n&lt;!channel&gt;"
    assert "blocks" not in message


HOSTILE = (
    "<!channel> <!here> <!everyone> <@U0EVE> <#C0BOSS|boss> <!subteam^S0APPROVERS>",
    "<https://evil.example|https://good.example>",
    "[https://good.example](https://evil.example) <https://evil.example|good.com>",
    "`<!channel>` ```\n<!channel>\n``` &lt;!channel&gt; <\u200b!channel> @channel @here",
)


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_text_acts_nowhere_on_a_card(platform: SlackPlatform, text: str) -> None:
    """Posted, edited, told in private, and in what goes out when Slack refuses the blocks."""
    blocks = (Markdown(text), Plain(text), Code(text))
    card = Card(text[:80], blocks=blocks, fallback=text, buttons=((Button(text[:20], "approve|a"),),))
    post = await platform.channel.post(platform.thread, card, key="k")
    await platform.channel.edit(post, Card(text, blocks=(Note(text), *blocks)))
    for _ in range(2):
        platform.wire.trouble("chat.postMessage", **refused("invalid_blocks"))
    await platform.channel.post(platform.thread, card, key="bare")
    sent = [message for message in (await platform.conversation())["messages"] if "bot_id" in message]
    assert len(sent) >= 2
    assert [message["live"] for message in sent] == [[]] * len(sent)


async def test_an_edit_too_long_for_bare_text_becomes_a_new_post(platform: SlackPlatform) -> None:
    post = await platform.channel.post(platform.thread, Card("Hi"), key="k")
    for _ in range(2):
        platform.wire.trouble("chat.update", **refused("msg_blocks_too_long"))
    with pytest.raises(PostGone):
        await platform.channel.edit(post, Card("Hi", blocks=(Plain("x" * 5000),)))


@pytest.mark.parametrize(
    ("word", "error"),
    [
        ("not_in_channel", ChannelForbidden),
        ("is_archived", ChannelForbidden),
        ("channel_not_found", ChannelForbidden),
        ("missing_scope", ChannelForbidden),
        ("invalid_auth", BadChannelConfig),
        ("token_revoked", BadChannelConfig),
        ("rate_limited", RetryLater),
        ("fatal_error", Ambiguous),
        ("internal_error", Ambiguous),
        ("some_new_word", ChannelRefused),
    ],
)
async def test_a_refusal_says_who_must_act(platform: SlackPlatform, word: str, error: type[Exception]) -> None:
    platform.wire.trouble("chat.postMessage", **refused(word, needed="chat:write"))
    with pytest.raises(error) as raised:
        await platform.channel.post(platform.thread, Card("x"), key="k")
    assert type(raised.value) is error
    assert word != "missing_scope" or "chat:write" in str(raised.value)


@pytest.mark.parametrize("status", [200, 503])
@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/json"])
async def test_an_answer_that_is_not_slacks_is_ambiguous(
    platform: SlackPlatform, status: int, content_type: str
) -> None:
    platform.wire.trouble("chat.postMessage", status=status, body="upstream error", content_type=content_type)
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("x"), key="k")


@pytest.mark.parametrize("word", ["message_not_found", "cant_update_message", "edit_window_closed"])
async def test_a_post_that_can_no_longer_be_edited_is_gone_and_taken_away(platform: SlackPlatform, word: str) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    platform.wire.trouble("chat.update", **refused(word))
    with pytest.raises(PostGone):
        await platform.channel.edit(post, Card("Done"))
    assert await platform.shown() == []


async def test_a_connection_that_was_never_made_may_be_tried_again(platform: SlackPlatform) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/api/"
        channel = MANIFEST.load({"bot_token": BOT_TOKEN, "app_token": APP_TOKEN, "api_base": base})
        try:
            with pytest.raises(Unreachable):
                await channel.post(platform.thread, Card("x"), key="k")
        finally:
            await channel.close()


async def test_a_connection_cut_after_the_request_is_ambiguous_and_not_repeated(platform: SlackPlatform) -> None:
    platform.wire.trouble("chat.postMessage", cut=True)
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("x"), key="k")
    assert platform.wire.methods().count("chat.postMessage") == 1


@pytest.mark.parametrize("thread", [None, "own"])
async def test_a_post_whose_answer_never_came_is_found_and_not_repeated(
    platform: SlackPlatform, thread: str | None
) -> None:
    if thread:
        await platform.say("begin")
        ts = (await platform.conversation())["messages"][0]["ts"]
        platform.thread = ThreadRef("slack", platform.thread.chat, ts)
    await platform.swallow_next()
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("Once", buttons=BUTTONS), key="k")
    post = await platform.channel.post(platform.thread, Card("Once", buttons=BUTTONS), key="k")
    ((message_id, _),) = await platform.shown()
    assert post.ids == (message_id,)


async def test_a_post_is_repeated_where_it_may_not_be_looked_up(platform: SlackPlatform) -> None:
    platform.wire.trouble("chat.postMessage", cut=True)
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("Once"), key="k")
    platform.wire.trouble("conversations.history", **refused("missing_scope"))
    await platform.channel.post(platform.thread, Card("Once"), key="k")
    assert len(await platform.shown()) == 1


async def test_a_post_that_was_cancelled_midway_is_looked_up_too(platform: SlackPlatform) -> None:
    await platform.swallow_next()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await platform.channel.post(platform.thread, Card("Once"), key="k")
    await platform.channel.post(platform.thread, Card("Once"), key="k")
    assert len(await platform.shown()) == 1


async def test_a_post_that_never_arrived_is_posted_when_asked_again(platform: SlackPlatform) -> None:
    platform.wire.trouble("chat.postMessage", cut=True)
    with pytest.raises(Ambiguous):
        await platform.channel.post(platform.thread, Card("Once"), key="k")
    await platform.channel.post(platform.thread, Card("Once"), key="k")
    assert len(await platform.shown()) == 1


async def test_a_post_carries_its_key_and_unfurls_nothing(platform: SlackPlatform) -> None:
    await platform.channel.post(platform.thread, Card("x"), key="card:1")
    (call,) = [call for method, call in platform.wire.calls if method == "chat.postMessage"]
    assert call["metadata"] == {"event_type": "bossbot_card", "event_payload": {"key": "card:1", "part": 0}}
    assert call["unfurl_links"] is call["unfurl_media"] is False
    assert "parse" not in call
    assert "link_names" not in call


async def test_only_changed_parts_of_a_long_card_are_edited(platform: SlackPlatform) -> None:
    blocks = (Code("x\n" * 10_000),)
    post = await platform.channel.post(platform.thread, Card("Run?", blocks=blocks, buttons=BUTTONS), key="k")
    assert len(post.ids) == 2
    await platform.channel.edit(post, Card("Run?", blocks=(*blocks, Plain("by Ada"))))
    assert [call["ts"] for method, call in platform.wire.calls if method == "chat.update"] == [post.ids[-1]]


async def test_a_message_in_a_channel_is_answered_in_its_thread_and_comes_once_by_id(platform: SlackPlatform) -> None:
    me = (await platform.channel.check()).user_id
    platform.thread = ThreadRef("slack", CHANNEL)
    async with Receiver(platform.channel) as received:
        await platform.receiving()
        await platform.say(f"<@{me}> build it")
        await until(lambda: len(received.items) == 2)  # `message` and `app_mention`
        message = received.items[0]
        assert isinstance(message, MessageReceived)
        assert len({item.delivery_id for item in received.items}) == 1
        assert received.items[0] == received.items[1]
        assert (message.text, message.addressed, message.private) == ("build it", True, False)
        post = await platform.channel.post(message.thread, Card("On it", buttons=BUTTONS), key="k")
        await platform.press(post.ids[0], "Approve")
        await until(lambda: bool(received.presses()))
        (press,) = received.presses()
        assert press.thread == message.thread
        await platform.channel.answer(press, "thanks")
    answer, shown = (await platform.conversation(CHANNEL))["ephemerals"][0], (await platform.shown())
    assert (answer["thread_ts"], answer["text"]) == (message.message_id, "thanks")
    assert [text.text for _, text in shown] == ["On it"]


async def test_the_actor_is_called_as_slack_says_and_by_id_where_it_does_not(platform: SlackPlatform) -> None:
    platform.wire.trouble("users.info", **refused("missing_scope"))
    async with Receiver(platform.channel) as received:
        await platform.receiving()
        await platform.say("one")
        await until(lambda: len(received.items) == 1)
    assert received.items[0].actor_name == "U0ADA"
    async with platform_on_sandbox("slack") as other, Receiver(other.channel) as named:
        assert isinstance(other, SlackPlatform)
        await other.receiving()
        await other.say("one")
        await until(lambda: len(named.items) == 1)
    assert "ada" in named.items[0].actor_name.lower()


async def test_an_event_is_acknowledged_only_after_it_is_stored(platform: SlackPlatform) -> None:
    async with Receiver(platform.channel, refuse=3) as received:
        await platform.receiving()
        await platform.say("precious")
        await until(lambda: received.refuse == 0)
        assert received.texts() == []
        await until(lambda: received.texts() == ["precious"])  # delivered again after 3 s without an acknowledgement


async def test_a_press_is_acknowledged_in_time_though_storing_it_takes_long(
    platform: SlackPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "PRESS_ACK_S", 0.2)
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    async with Receiver(platform.channel, delay_s=1.0) as received:
        await platform.receiving()
        body = {"channel": platform.thread.chat, "ts": post.ids[0], "user": platform.member, "label": "Approve"}
        outcome = await platform.control("slack/press", {**body, "wait_s": 0.8})
        assert outcome["acked"]
        assert received.presses() == []
        await until(lambda: len(received.presses()) == 1)


async def test_a_press_that_could_not_be_stored_is_not_acknowledged(platform: SlackPlatform) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    async with Receiver(platform.channel, refuse=1):
        await platform.receiving()
        body = {"channel": platform.thread.chat, "ts": post.ids[0], "user": platform.member, "label": "Approve"}
        outcome = await platform.control("slack/press", {**body, "wait_s": 0.8})
        assert not outcome["acked"]


async def test_a_socket_that_slack_takes_away_is_replaced(platform: SlackPlatform) -> None:
    async with Receiver(platform.channel) as received:
        await platform.receiving()
        await platform.control("faults", {"platform": "slack", "kind": "disconnect", "count": 1})
        await platform.say("still there?")
        await until(lambda: "still there?" in received.texts())


async def test_a_socket_that_falls_silent_is_noticed_and_replaced(
    platform: SlackPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "PING_EVERY_S", 0.4)
    monkeypatch.setattr(sockets, "LOOK_EVERY_S", 0.05)
    opened = await platform.api("slack/api/apps.connections.open", {}, APP_TOKEN)
    async with relay(platform.sandbox.base_url) as (address, frozen):
        path = opened["url"].partition("/slack/")[2]
        platform.wire.trouble("apps.connections.open", body={"ok": True, "url": f"ws://{address}/slack/{path}"})
        async with Receiver(platform.channel) as received:
            await platform.receiving()
            await until(lambda: platform.channel.connected)
            frozen.set()
            await until(lambda: not platform.channel.connected)
            await until(lambda: platform.channel.connected)
            await until(lambda: platform.wire.methods().count("apps.connections.open") == 2)
            await platform.say("still there?")
            await until(lambda: "still there?" in received.texts())


@asynccontextmanager
async def relay(base: str) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """A TCP relay to the sandbox; once frozen it keeps its connections open and passes nothing on."""
    host, port = base.removeprefix("http://").split(":")
    frozen = asyncio.Event()
    writers: list[asyncio.StreamWriter] = []

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            if not frozen.is_set():
                sink.write(data)
                await sink.drain()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        writers.extend((writer, far_writer))
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer), return_exceptions=True)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", frozen
    finally:
        for writer in writers:
            writer.close()
        server.close()


async def test_no_trouble_ends_receiving(platform: SlackPlatform, caplog: pytest.LogCaptureFixture) -> None:
    platform.channel._receiving._sleep = no_pause
    platform.wire.trouble("auth.test", cut=True)
    platform.wire.trouble("auth.test", **refused("invalid_auth"))
    platform.wire.trouble("apps.connections.open", cut=True)
    platform.wire.trouble("apps.connections.open", **refused("internal_error"))
    platform.wire.trouble("apps.connections.open", **refused("invalid_auth"))
    platform.wire.trouble("apps.connections.open", **refused("ratelimited", 429))
    platform.wire.trouble("apps.connections.open", body={"ok": True, "url": "ws://127.0.0.1:9/gone"})
    with caplog.at_level(logging.DEBUG), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sockets, "CONNECT_WITHIN_S", 3.0)
        async with Receiver(platform.channel) as received:
            async with asyncio.timeout(60):
                await platform.receiving()
            await platform.say("still there?")
            await until(lambda: received.texts() == ["still there?"])
    assert not platform.wire.troubles
    assert "[channels.slack] bot_token" in caplog.text
    assert "[channels.slack] app_token" in caplog.text
    assert "Traceback" not in caplog.text
    for token in (BOT_TOKEN, APP_TOKEN):
        assert token not in caplog.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "[channels.slack] bot_token: missing"),
        ({"bot_token": BOT_TOKEN}, "[channels.slack] app_token: missing"),
        ({"bot_token": APP_TOKEN, "app_token": BOT_TOKEN}, "[channels.slack] bot_token: must begin with xoxb-"),
        ({"bot_token": 7, "app_token": APP_TOKEN}, "[channels.slack] bot_token"),
        ({"bot_token": BOT_TOKEN, "app_token": APP_TOKEN, "api_base": "slack.com"}, "[channels.slack] api_base"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadChannelConfig) as raised:
        MANIFEST.load(options)
    assert said in str(raised.value)
    assert BOT_TOKEN not in str(raised.value)
    assert APP_TOKEN not in str(raised.value)


@pytest.mark.parametrize(("method", "key"), [("auth.test", "bot_token"), ("apps.connections.open", "app_token")])
async def test_a_token_that_slack_refuses_is_a_configuration_error(
    platform: SlackPlatform, method: str, key: str
) -> None:
    platform.wire.trouble(method, **refused("invalid_auth"))
    with pytest.raises(BadChannelConfig, match=rf"\[channels\.slack\] {key}"):
        await platform.channel.check()


async def test_a_missing_scope_is_named(platform: SlackPlatform) -> None:
    said = {"ok": True, "user_id": "U0BOSSBOT", "user": "bossbot", "bot_id": "B1", "team": "T", "team_id": "T1"}
    platform.wire.trouble("auth.test", body=said, headers={"x-oauth-scopes": "im:history"})
    with pytest.raises(BadChannelConfig, match=r"\[channels\.slack\] bot_token: the app lacks the scope chat:write"):
        await platform.channel.check()
    platform.wire.trouble("auth.test", body=said, headers={"x-oauth-scopes": "chat:write,im:history"})
    assert "app_mentions:read, channels:history, groups:history" in (await platform.channel.check()).detail


async def test_a_status_is_shown_in_threads_and_its_failure_does_not_matter(platform: SlackPlatform) -> None:
    await platform.say("begin")
    ts = (await platform.conversation())["messages"][0]["ts"]
    thread = ThreadRef("slack", platform.thread.chat, ts)
    await platform.channel.typing(thread)
    assert len((await platform.conversation())["statuses"]) == 1
    platform.wire.trouble("assistant.threads.setStatus", **refused("feature_disabled"))
    await platform.channel.typing(thread)


def test_reading_blocks_back_leaves_out_buttons() -> None:
    assert read([{"type": "actions", "elements": [{"type": "button", "text": {"text": "x"}}]}]) == ""
