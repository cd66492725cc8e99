"""Slack events and interactions become what arrived, in words that are the same for all platforms."""

import time
from datetime import UTC, datetime

import pytest

from bossbot.channel import ActorRef, ButtonPressed, MessageReceived, PostRef, ThreadRef
from bossbot_slack.inbound import message, plain, press, sender

TS = "1790000000.000100"


def said(text: str, channel: str = "C1", **more: object) -> MessageReceived | None:
    event = {"type": "message", "user": "U1", "channel": channel, "ts": TS, "text": text, **more}
    return message(event, "UBOT", "ada")


def heard(text: str, channel: str = "C1", **more: object) -> MessageReceived:
    found = said(text, channel, **more)
    assert found is not None
    return found


def test_a_direct_message_speaks_to_us_and_is_answered_at_the_top() -> None:
    assert said("hi", "D1", channel_type="im") == MessageReceived(
        delivery_id=f"sl:D1:{TS}",
        thread=ThreadRef("slack", "D1"),
        actor=ActorRef("slack", "U1"),
        actor_name="ada",
        message_id=TS,
        text="hi",
        sent_at=datetime.fromtimestamp(1790000000.0001, UTC),
        addressed=True,
        private=True,
    )


def test_a_direct_message_in_a_thread_stays_there() -> None:
    assert heard("hi", "D1", thread_ts="1.2").thread == ThreadRef("slack", "D1", "1.2")


def test_a_message_in_a_channel_begins_a_thread_of_its_own() -> None:
    found = heard("hi all")
    assert found.thread == ThreadRef("slack", "C1", TS)
    assert not found.addressed
    assert not found.private
    assert heard("hi", thread_ts="1.2").thread == ThreadRef("slack", "C1", "1.2")


@pytest.mark.parametrize(
    ("text", "rest"),
    [("<@UBOT> stop", "stop"), ("hey <@UBOT|boss> stop", "hey stop"), ("stop <@UBOT>", "stop")],
)
def test_a_mention_speaks_to_us_and_leaves_the_text(text: str, rest: str) -> None:
    found = heard(text)
    assert found.addressed
    assert found.text == rest


def test_a_message_of_very_many_blanks_is_read_at_once() -> None:
    began = time.process_time()
    found = heard("a" + " " * 400_000 + "<@UBOT> " + "b <@UBOT>" * 2_000)
    assert time.process_time() - began < 10  # seconds of work; by the square of the length it would be minutes
    assert found.text.startswith("a b b")


def test_a_mention_of_another_does_not_speak_to_us() -> None:
    assert not heard("<@UBOT2> stop").addressed


def test_both_events_of_one_message_are_one_delivery() -> None:
    assert heard("<@UBOT> a").delivery_id == heard("<@UBOT> a", type="app_mention").delivery_id


@pytest.mark.parametrize(
    "more",
    [
        {"bot_id": "B1"},
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"subtype": "channel_join"},
        {"subtype": "bot_message"},
        {"hidden": True},
        {"user": None},
        {"user": "UBOT"},
        {"text": " "},
        {"text": "<@UBOT>"},
    ],
)
def test_bots_edits_and_empty_messages_are_nothing_for_us(more: dict[str, object]) -> None:
    assert said(**{"text": "hi", **more}) is None  # type: ignore[arg-type]


def test_files_and_broadcast_replies_are_messages() -> None:
    assert sender({"user": "U1", "subtype": "file_share"}) == "U1"
    assert sender({"user": "U1", "subtype": "thread_broadcast"}) == "U1"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("&amp;lt;", "&lt;"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("<https://a.example|a.example>", "a.example"),
        ("<https://a.example|click>", "click (https://a.example)"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("<@U1|ada> <@U2>", "@ada @U2"),
        ("<#C1|general>", "#general"),
        ("<!here> <!subteam^S1|@devs>", "@here @devs"),
        ("<!date^1^{date}|today>", "today"),
        ("if a &lt; b: x", "if a < b: x"),
    ],
)
def test_slacks_tokens_become_what_the_person_saw(raw: str, shown: str) -> None:
    assert plain(raw) == shown


def payload(**more: object) -> dict[str, object]:
    return {
        "type": "block_actions",
        "trigger_id": "t.1",
        "user": {"id": "U1", "username": "ada"},
        "channel": {"id": "C1"},
        "container": {"message_ts": TS, "channel_id": "C1"},
        "message": {"ts": TS, "thread_ts": "1.2"},
        "actions": [{"action_id": "approve|a", "value": "approve|a", "action_ts": "5.6"}],
        **more,
    }


def test_a_press_names_the_post_the_person_and_the_action() -> None:
    assert press(payload()) == ButtonPressed(
        delivery_id="sl:act:C1:5.6:approve|a:U1",
        thread=ThreadRef("slack", "C1", "1.2"),
        actor=ActorRef("slack", "U1"),
        actor_name="ada",
        post=PostRef("slack", "C1", (TS,), "1.2"),
        action="approve|a",
        press="t.1",
    )


def test_the_value_says_what_was_pressed_where_the_id_had_to_differ() -> None:
    found = press(payload(actions=[{"action_id": "approve|a#2", "value": "approve|a", "action_ts": "5.6"}]))
    assert found is not None
    assert found.action == "approve|a"


def test_a_press_on_a_card_that_was_answered_in_a_thread_still_stands_where_the_card_does() -> None:
    """Slack gives the first message of a thread its own ts as `thread_ts`."""
    answered = {"message": {"ts": TS, "thread_ts": TS}, "container": {"message_ts": TS, "thread_ts": TS}}
    direct = press(payload(channel={"id": "D1"}, **answered))
    shared = press(payload(**answered))
    assert direct is not None
    assert shared is not None
    assert (direct.thread, direct.post) == (ThreadRef("slack", "D1", None), PostRef("slack", "D1", (TS,), None))
    assert (shared.thread, shared.post) == (ThreadRef("slack", "C1", TS), PostRef("slack", "C1", (TS,), None))


@pytest.mark.parametrize("missing", ["user", "channel", "actions"])
def test_a_press_that_lacks_something_is_nothing_for_us(missing: str) -> None:
    assert press(payload(**{missing: None})) is None
    assert press(payload(actions=[])) is None
