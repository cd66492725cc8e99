"""Topics, as bots and people make and change them.

Sources of the words: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td, ForumTopicManager.cpp;
S = Telegram's own server, as others saw it.
"""

from typing import Any

import pytest

from tests.sandbox.wires import Wires

FORUM = -1000000000001


async def topic(wires: Wires, chat_id: int = FORUM, name: str = "Work") -> int:
    made = await wires.telegram("createForumTopic", chat_id=chat_id, name=name)
    thread_id: int = made["result"]["message_thread_id"]
    return thread_id


async def told(wires: Wires) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await wires.telegram("getUpdates", offset=-100))["result"]
    if found:
        await wires.telegram("getUpdates", offset=found[-1]["update_id"] + 1)
    return [update["message"] for update in found if "message" in update]


async def test_a_topic_is_announced_by_the_message_whose_id_it_has(wires: Wires) -> None:
    made = await wires.telegram("createForumTopic", chat_id=FORUM, name=" Work  here ", icon_color=7322096)
    thread_id = made["result"]["message_thread_id"]
    assert made["result"] == {"message_thread_id": thread_id, "name": "Work here", "icon_color": 7322096}
    (message,) = await told(wires)  # C need_skip_update_message: the bot is told of its own topics
    assert (message["message_id"], message["message_thread_id"]) == (thread_id, thread_id)
    assert message["forum_topic_created"] == {"name": "Work here", "icon_color": 7322096}
    assert len((await wires.telegram("createForumTopic", chat_id=FORUM, name="x" * 200))["result"]["name"]) == 128


async def test_a_message_in_a_topic_answers_the_one_that_opened_it(wires: Wires) -> None:
    thread_id = await topic(wires)
    sent = (await wires.telegram("sendMessage", chat_id=FORUM, text="x", message_thread_id=thread_id))["result"]
    assert sent["reply_to_message"]["forum_topic_created"]["name"] == "Work"  # C get_implicit_reply_to_message_id
    private = await topic(wires, 1001)
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="x", message_thread_id=private))["result"]
    assert "reply_to_message" not in sent
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (private, True)


async def test_names_and_icons_change(wires: Wires) -> None:
    for chat_id in (FORUM, 1001):
        thread_id = await topic(wires, chat_id)
        edit = {"chat_id": chat_id, "message_thread_id": thread_id}
        assert (await wires.telegram("editForumTopic", **edit, name="Done"))["result"] is True
        assert (await wires.telegram("editForumTopic", **edit))["result"] is True  # T: nothing to do
        same = await wires.telegram("editForumTopic", **edit, name="Done")
        assert same["description"] == "Bad Request: TOPIC_NOT_MODIFIED"  # S Telegram.Bot issue 1252
        assert (await wires.chat(chat_id))["topics"] == [{"message_thread_id": thread_id, "name": "Done"}]
        assert [list(message)[-1] for message in await told(wires)] == ["forum_topic_created", "forum_topic_edited"]


async def test_a_closed_topic_is_closed_to_plain_members(wires: Wires) -> None:
    thread_id = await topic(wires)
    where = {"chat_id": FORUM, "message_thread_id": thread_id}
    assert (await wires.telegram("closeForumTopic", **where))["result"] is True
    again = await wires.telegram("closeForumTopic", **where)
    assert again["description"] == "Bad Request: TOPIC_NOT_MODIFIED"
    assert (await wires.chat(FORUM))["topics"][0]["is_closed"] is True
    own = (await wires.telegram("sendMessage", **where, text="as administrator"))["result"]["message_id"]
    await wires.control("telegram/membership", chat_id=FORUM, bot_status="member")
    refused = await wires.telegram("sendMessage", **where, text="x")
    assert refused["description"] == "Bad Request: TOPIC_CLOSED"  # S qbittorrent_telegram_notification issue 12
    assert (await wires.telegram("deleteMessage", chat_id=FORUM, message_id=own))["result"] is True  # T delete_messages
    assert (await wires.telegram("reopenForumTopic", **where))["result"] is True  # its own topic
    assert (await wires.telegram("sendMessage", **where, text="x"))["ok"] is True
    services = [
        message for message in await told(wires) if {"forum_topic_closed", "forum_topic_reopened"} & set(message)
    ]
    assert len(services) == 2


async def test_a_closed_general_says_nothing_of_the_other_topics(wires: Wires) -> None:
    where = {"chat_id": FORUM, "message_thread_id": await topic(wires)}
    sent = (await wires.telegram("sendMessage", **where, text="x"))["result"]["message_id"]
    await wires.telegram("closeGeneralForumTopic", chat_id=FORUM)
    await wires.control("telegram/membership", chat_id=FORUM, bot_status="member")
    this = {"chat_id": FORUM, "message_id": sent}
    assert (await wires.telegram("sendMessage", chat_id=FORUM, text="x"))["description"] == "Bad Request: TOPIC_CLOSED"
    assert (await wires.telegram("editMessageText", **this, text="y"))["ok"] is True
    reaction = [{"type": "emoji", "emoji": "👍"}]
    assert (await wires.telegram("setMessageReaction", **this, reaction=reaction))["result"] is True
    assert (await wires.telegram("deleteMessage", **this))["result"] is True


async def test_a_deleted_topic_goes_with_its_messages(wires: Wires) -> None:
    for chat_id in (FORUM, 1001):
        thread_id = await topic(wires, chat_id)
        where = {"chat_id": chat_id, "message_thread_id": thread_id}
        sent = (await wires.telegram("sendMessage", **where, text="x"))["result"]["message_id"]
        stays = (await wires.telegram("sendMessage", chat_id=chat_id, text="y"))["result"]["message_id"]
        assert (await wires.telegram("deleteForumTopic", **where))["result"] is True
        chat = await wires.chat(chat_id)
        assert (chat["topics"], [message["message_id"] for message in chat["messages"]]) == ([], [stays])
        assert chat["deleted_message_ids"] == [thread_id, sent]
        gone = await wires.telegram("sendMessage", **where, text="x")
        assert gone["description"] == "Bad Request: message thread not found"  # C TdOnCheckForumTopicCallback


async def test_general_is_thread_1_and_is_not_named_in_sends(wires: Wires) -> None:
    refused = await wires.telegram("sendMessage", chat_id=FORUM, text="x", message_thread_id=1)
    assert refused["description"] == "Bad Request: message thread not found"  # C check_message_topic
    assert (await wires.telegram("sendChatAction", chat_id=FORUM, action="typing", message_thread_id=1))["ok"] is True
    sent = (await wires.telegram("sendMessage", chat_id=FORUM, text="x"))["result"]
    assert "message_thread_id" not in sent
    assert (await wires.telegram("editGeneralForumTopic", chat_id=FORUM, name="Lobby"))["result"] is True
    assert (await wires.telegram("closeGeneralForumTopic", chat_id=FORUM))["result"] is True
    closed = {"message_thread_id": 1, "name": "Lobby", "is_closed": True}
    assert (await wires.chat(FORUM))["topics"] == [closed]
    await wires.telegram("reopenGeneralForumTopic", chat_id=FORUM)
    assert (await wires.telegram("hideGeneralForumTopic", chat_id=FORUM))["result"] is True
    assert (await wires.chat(FORUM))["topics"] == [{**closed, "is_hidden": True}]
    assert (await wires.telegram("unhideGeneralForumTopic", chat_id=FORUM))["result"] is True
    names = [key for message in await told(wires) for key in message if "forum_topic" in key]
    assert names == [
        "forum_topic_edited", "forum_topic_closed", "forum_topic_reopened",
        "general_forum_topic_hidden", "general_forum_topic_unhidden",
    ]  # fmt: skip


async def test_people_make_topics_and_the_bot_is_told(wires: Wires) -> None:
    made = await wires.control("telegram/topic", chat_id=FORUM, user_id=1002, name="Ideas")
    thread = {"chat_id": FORUM, "user_id": 1002, "thread_id": made["thread_id"]}
    await wires.control("telegram/say", **thread, text="hello")
    for action, more in (("rename", {"name": "Plans"}), ("close", {}), ("reopen", {})):
        await wires.control("telegram/topic", **thread, action=action, **more)
    created, said, renamed, closed, reopened = await told(wires)
    assert (created["from"]["id"], created["forum_topic_created"]["name"]) == (1002, "Ideas")
    assert (said["message_thread_id"], said["is_topic_message"]) == (made["thread_id"], True)
    assert renamed["forum_topic_edited"] == {"name": "Plans"}
    assert (closed["forum_topic_closed"], reopened["forum_topic_reopened"]) == ({}, {})
    await wires.control("telegram/topic", **thread, action="delete")
    assert (await wires.chat(FORUM))["topics"] == []


async def test_what_no_forum_is_has_no_topics(wires: Wires) -> None:
    group = (await wires.control("telegram/chat", title="Plain", members=[1001]))["chat_id"]
    refused = await wires.telegram("createForumTopic", chat_id=group, name="x")
    assert refused["description"] == "Bad Request: the chat is not a forum"  # T is_forum
    thread_id = await topic(wires, 1001)
    refused = await wires.telegram("closeForumTopic", chat_id=1001, message_thread_id=thread_id)
    assert refused["description"] == "Bad Request: the chat is not a supergroup forum"  # T is_forum
    sent = await wires.telegram("sendMessage", chat_id=group, text="x", message_thread_id=77)
    assert "message_thread_id" not in sent["result"]  # C check_message_topic: ignored where there are no topics


async def test_a_plain_member_may_change_only_its_own_topics(wires: Wires) -> None:
    own = await topic(wires)
    others = (await wires.control("telegram/topic", chat_id=FORUM, user_id=1002, name="Ben's"))["thread_id"]
    await wires.control("telegram/membership", chat_id=FORUM, bot_status="member")
    refused = await wires.telegram("createForumTopic", chat_id=FORUM, name="x")
    assert refused["description"] == "Bad Request: not enough rights to create a topic"  # T create_forum_topic
    assert (await wires.telegram("closeForumTopic", chat_id=FORUM, message_thread_id=own))["ok"] is True
    for method, words in (
        ("closeForumTopic", "not enough rights to close or open the topic"),  # T toggle_forum_topic_is_closed
        ("editForumTopic", "not enough rights to edit the topic"),  # T edit_forum_topic
    ):
        refused = await wires.telegram(method, chat_id=FORUM, message_thread_id=others, name="x")
        assert refused["description"] == f"Bad Request: {words}"


@pytest.mark.parametrize(
    ("method", "body", "words"),
    [
        ("createForumTopic", {"name": " \n "}, "name must be non-empty"),  # T create_forum_topic
        ("createForumTopic", {"name": "x", "icon_color": 0x1000000}, "invalid icon color specified"),  # T likewise
        ("editForumTopic", {"name": "x"}, "invalid forum topic identifier specified"),  # T can_be_forum_topic_id
        (
            "editForumTopic",
            {"name": "x", "message_thread_id": 99},
            "TOPIC_ID_INVALID",
        ),  # S core.telegram.org/method/messages.editForumTopic
        ("deleteForumTopic", {"message_thread_id": 99}, "TOPIC_ID_INVALID"),
        ("deleteForumTopic", {"message_thread_id": 1}, "TOPIC_ID_INVALID"),  # General stays
        ("closeForumTopic", {"message_thread_id": -1}, "invalid forum topic identifier specified"),
    ],
)
async def test_a_refused_topic(wires: Wires, method: str, body: dict[str, Any], words: str) -> None:
    refused = await wires.telegram(method, chat_id=FORUM, **body)
    assert refused["description"] == f"Bad Request: {words}"
