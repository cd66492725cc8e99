"""Telegram updates become what arrived, in words that are the same for all platforms."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from aiogram.types import Update, User

from bossbot.channel import ActorRef, ButtonPressed, MessageReceived, PostRef, ThreadRef
from bossbot_telegram.inbound import inbound

ME = User(id=99, is_bot=True, first_name="Boss", username="BossBot")
ADA = {"id": 7, "is_bot": False, "first_name": "Ada", "last_name": "Owner"}
US = {"id": 99, "is_bot": True, "first_name": "Boss", "username": "BossBot"}
PRIVATE = {"id": 7, "type": "private", "first_name": "Ada"}
GROUP = {"id": -1001, "type": "supergroup", "title": "Team"}
DATE = 1_790_000_000


def said(text: str | None, chat: Mapping[str, object] = GROUP, **more: object) -> MessageReceived | None:
    message = {"message_id": 5, "date": DATE, "chat": dict(chat), "from": ADA, "text": text, **more}
    found = inbound(Update.model_validate({"update_id": 1, "message": message}), ME)
    assert found is None or isinstance(found, MessageReceived)
    return found


def heard(text: str, chat: Mapping[str, object] = GROUP, **more: object) -> MessageReceived:
    found = said(text, chat, **more)
    assert found is not None
    return found


def entity(kind: str, text: str, part: str, **more: object) -> dict[str, object]:
    def units(string: str) -> int:
        return len(string.encode("utf-16-le")) // 2

    return {"type": kind, "offset": units(text[: text.index(part)]), "length": units(part), **more}


def test_a_private_message_speaks_to_us() -> None:
    assert said("hello", PRIVATE) == MessageReceived(
        delivery_id="tg:7:5",
        thread=ThreadRef("telegram", "7"),
        actor=ActorRef("telegram", "7"),
        actor_name="Ada Owner",
        message_id="5",
        text="hello",
        sent_at=datetime.fromtimestamp(DATE, UTC),
        addressed=True,
        private=True,
    )


def test_talk_in_a_group_is_heard_but_not_for_us() -> None:
    message = heard("hello all")
    assert not message.addressed
    assert not message.private


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("@bossbot stop", "stop"),
        ("please @BossBot stop", "please stop"),
        ("😀 你好 @BossBot", "😀 你好"),
    ],
)
def test_a_mention_speaks_to_us_and_leaves_the_text(text: str, rest: str) -> None:
    at = "@bossbot" if "@bossbot" in text else "@BossBot"
    message = heard(text, entities=[entity("mention", text, at)])
    assert message.addressed
    assert message.text == rest


def test_a_mention_of_another_or_a_word_like_ours_does_not_speak_to_us() -> None:
    text = "@bossbot2 stop"
    assert not heard(text, entities=[entity("mention", text, "@bossbot2")]).addressed
    assert not heard("mail me@bossbot now").addressed


def test_a_mention_by_name_without_username_speaks_to_us() -> None:
    message = heard("Boss stop", entities=[entity("text_mention", "Boss stop", "Boss", user=US)])
    assert message.addressed
    assert message.text == "stop"


@pytest.mark.parametrize(
    ("text", "shown", "addressed"),
    [
        ("/status", "/status", True),
        ("/stop@bossbot now", "/stop now", True),
        ("/stop@other_bot now", "/stop@other_bot now", False),
        ("path /etc/hosts", "path /etc/hosts", False),
    ],
)
def test_commands_speak_to_the_bot_they_name(text: str, shown: str, addressed: bool) -> None:
    message = heard(text)
    assert (message.text, message.addressed) == (shown, addressed)


def reply(sender: Mapping[str, object], **more: object) -> dict[str, object]:
    return {"message_id": 3, "date": DATE, "chat": dict(GROUP), "from": dict(sender), "text": "x", **more}


def test_a_reply_to_us_speaks_to_us() -> None:
    message = heard("yes", reply_to_message=reply(US))
    assert message.addressed
    assert message.reply_to == "3"
    assert not heard("yes", reply_to_message=reply(ADA)).addressed


def test_a_topic_that_we_opened_does_not_make_every_message_in_it_a_reply() -> None:
    opened = reply(US, forum_topic_created={"name": "x", "icon_color": 1}, text=None)
    message = heard("yes", reply_to_message=opened, is_topic_message=True, message_thread_id=3)
    assert not message.addressed
    assert message.thread == ThreadRef("telegram", "-1001", "3")


def test_only_topics_are_threads() -> None:
    assert heard("x", message_thread_id=3).thread == ThreadRef("telegram", "-1001")
    assert heard("x", message_thread_id=3, is_topic_message=True).thread.thread == "3"


def test_a_caption_is_text() -> None:
    message = said(None, PRIVATE, caption="see this", photo=[])
    assert message is not None
    assert message.text == "see this"


@pytest.mark.parametrize(
    "more",
    [
        {"from": {"id": 8, "is_bot": True, "first_name": "Other"}},
        {"from": None, "sender_chat": GROUP},
        {"text": None, "new_chat_title": "T"},
        {"text": "@BossBot", "entities": [{"type": "mention", "offset": 0, "length": 8}]},
    ],
)
def test_bots_channels_service_messages_and_empty_ones_are_nothing_for_us(more: dict[str, object]) -> None:
    assert said(**{"text": "hello", "chat": PRIVATE, **more}) is None  # type: ignore[arg-type]


def pressed(message: dict[str, object] | None, data: str | None = "approve|a") -> object:
    query = {"id": "q1", "from": ADA, "chat_instance": "c", "message": message, "data": data}
    return inbound(Update.model_validate({"update_id": 2, "callback_query": query}), ME)


def test_a_press_names_the_post_the_person_and_the_action() -> None:
    message = reply(US, is_topic_message=True, message_thread_id=9)
    assert pressed(message) == ButtonPressed(
        delivery_id="tg:cb:q1",
        thread=ThreadRef("telegram", "-1001", "9"),
        actor=ActorRef("telegram", "7"),
        actor_name="Ada Owner",
        post=PostRef("telegram", "-1001", ("3",), "9"),
        action="approve|a",
        press="q1",
    )


def test_a_press_on_a_message_too_old_to_be_shown_still_counts() -> None:
    found = pressed({"message_id": 3, "date": 0, "chat": dict(GROUP)})
    assert isinstance(found, ButtonPressed)
    assert found.post == PostRef("telegram", "-1001", ("3",))


def test_a_press_without_message_or_data_is_nothing_for_us() -> None:
    assert pressed(None) is None
    assert pressed(reply(US), None) is None


def test_other_updates_are_nothing_for_us() -> None:
    assert inbound(Update(update_id=3), ME) is None
