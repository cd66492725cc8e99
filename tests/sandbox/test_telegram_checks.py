"""What the local Telegram takes, and what becomes of it; what it refuses is in telegram_refusals.py.

C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td; S = Telegram's own server, seen by others.
"""

from typing import Any

import pytest

from tests.sandbox.wires import Wires

GROUP = -1000000000001


def button(**fields: Any) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "x", **fields}]]}


async def test_what_is_just_within_the_limits_is_taken(wires: Wires) -> None:
    for body in (
        {"text": "x" * 4096},
        {"text": "😀" * 4096},
        {"text": "x", "reply_markup": button(callback_data="x" * 64)},
        {"text": "x", "reply_markup": button(callback_data="批" * 21, style="danger")},
        {"text": "x", "reply_markup": button(copy_text={"text": "x" * 256})},
        {"text": "x", "reply_parameters": {"message_id": 77, "allow_sending_without_reply": True}},
        {"text": "x", "reply_markup": {"force_reply": True}},
        {"text": "x", "entities": "no array"},
    ):
        assert (await wires.telegram("sendMessage", chat_id=1001, **body))["ok"] is True, body


async def test_people_who_are_mentioned_by_their_ids_are_told_whole_and_unknown_ones_not_at_all(wires: Wires) -> None:
    ben = {
        "id": 1002, "is_bot": False, "first_name": "Ben", "last_name": "Approver", "username": "ben_approver",
        "language_code": "en",
    }  # fmt: skip
    mention = [{"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 1002}}]
    told = [{**mention[0], "user": ben}]
    nobody = [{"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 77}}]
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="Ben", entities=mention))["result"]
    assert sent["entities"] == told
    same = {"chat_id": 1001, "message_id": sent["message_id"], "text": "Ben"}
    refused = await wires.telegram("editMessageText", **same, entities=mention)
    assert refused["description"].startswith("Bad Request: message is not modified")
    edited = await wires.telegram("editMessageText", **same, entities=nobody)
    assert (edited["result"]["text"], "entities" in edited["result"]) == ("Ben", False)


async def test_a_reply_to_what_is_deleted_does_not_tell_of_it_any_more(wires: Wires) -> None:
    said = (await wires.control("telegram/say", chat_id=1001, user_id=1001, text="q"))["message_id"]
    reply = {"reply_parameters": {"message_id": said}}
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="a", **reply))["result"]
    assert sent["reply_to_message"]["text"] == "q"
    await wires.control("telegram/delete", chat_id=1001, user_id=1001, message_id=said)
    this = {"chat_id": 1001, "message_id": sent["message_id"]}
    edited = await wires.telegram("editMessageText", **this, text="b")
    assert (edited["result"]["text"], "reply_to_message" in edited["result"]) == ("b", False)  # C JsonMessage


async def test_an_effect_is_told_in_a_private_chat_and_what_is_no_number_is_none(wires: Wires) -> None:
    for given, told in (("5104841245755180586", "5104841245755180586"), ("hearts", None), ("0", None)):
        sent = await wires.telegram("sendMessage", chat_id=1001, text="x", message_effect_id=given)
        assert sent["result"].get("effect_id") == told  # C process_send_message_query: to_integer
    assert (await wires.telegram("sendMessage", chat_id=GROUP, text="x", message_effect_id="hearts"))["ok"] is True


async def test_texts_are_checked_before_the_chat_and_lengths_after_it(wires: Wires) -> None:
    # C parses first; the length is TDLib's business, which gets a chat that exists.
    refused = await wires.telegram("sendMessage", chat_id=99, text="")
    assert refused["description"] == "Bad Request: message text is empty"
    refused = await wires.telegram("sendMessage", chat_id=99, text="x" * 4097)
    assert refused["description"] == "Bad Request: chat not found"


async def test_an_edit_without_a_change_is_refused(wires: Wires) -> None:
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="x", reply_markup=button(callback_data="a")))[
        "result"
    ]
    edit = {"chat_id": 1001, "message_id": sent["message_id"]}
    words = (
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same "
        "as a current content and reply markup of the message"
    )
    same = await wires.telegram("editMessageText", **edit, text="x  ", reply_markup=button(callback_data="a"))
    assert same["description"] == words
    same = await wires.telegram("editMessageReplyMarkup", **edit, reply_markup=button(callback_data="a"))
    assert same["description"] == words
    assert (await wires.telegram("editMessageReplyMarkup", **edit))["ok"] is True
    assert (await wires.telegram("editMessageReplyMarkup", **edit))["description"] == words
    edited = (await wires.telegram("editMessageText", **edit, text="y"))["result"]
    assert ("reply_markup" in edited, edited["text"], edited["edit_date"] >= edited["date"]) == (False, "y", True)
    (shown,) = (await wires.chat())["messages"]
    assert (shown["edited"], shown["text"]) == (2, "y")


async def test_only_the_bots_own_texts_can_be_edited(wires: Wires) -> None:
    said = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="mine")
    edit = {"chat_id": 1001, "text": "yours"}
    for message_id, description in (
        (said["message_id"], "Bad Request: message can't be edited"),  # T edit_message_text
        (77, "Bad Request: message to edit not found"),  # C check_message
        (0, "Bad Request: message to edit not found"),
    ):
        answer = await wires.telegram("editMessageText", **edit, message_id=message_id)
        assert answer["description"] == description
    answer = await wires.telegram("editMessageText", text="x")
    assert answer["description"] == "Bad Request: message identifier is not specified"
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="x"))["result"]
    answer = await wires.telegram(
        "editMessageText", chat_id=1001, message_id=sent["message_id"], text="y", reply_markup={"force_reply": True}
    )
    assert answer["description"] == "Bad Request: inline keyboard expected"


async def test_deleting(wires: Wires) -> None:
    said = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="mine")
    for body, description in (
        ({"message_id": 1}, "Bad Request: chat identifier is not specified"),
        ({"chat_id": 1001}, "Bad Request: message identifier is not specified"),
        ({"chat_id": 1001, "message_id": 77}, "Bad Request: message to delete not found"),
    ):
        assert (await wires.telegram("deleteMessage", **body))["description"] == description
    assert (await wires.telegram("deleteMessage", chat_id=1001, message_id=said["message_id"]))["result"] is True
    assert (await wires.chat())["deleted_message_ids"] == [said["message_id"]]
    old = (await wires.telegram("sendMessage", chat_id=1001, text="x"))["result"]
    await wires.control("clock", advance_s=48 * 3600 + 1)
    refused = await wires.telegram("deleteMessage", chat_id=1001, message_id=old["message_id"])
    assert refused["description"] == "Bad Request: message can't be deleted for everyone"  # T delete_messages


async def test_nothing_is_deleted_after_two_days_and_some_things_never(wires: Wires) -> None:
    """T `can_delete_channel_message`, `can_revoke_message`."""
    small = (await wires.control("telegram/chat", title="Crew", members=[1001], type="group"))["chat_id"]
    for chat_id in (GROUP, small):
        await wires.telegram("sendMessage", chat_id=chat_id, text="old")
        said = await wires.control("telegram/say", chat_id=chat_id, user_id=1001, text="/old")
        if chat_id == small:
            others = await wires.telegram("deleteMessage", chat_id=small, message_id=said["message_id"])
            assert others["description"] == "Bad Request: message can't be deleted for everyone"
    topic = (await wires.telegram("createForumTopic", chat_id=GROUP, name="Work"))["result"]["message_thread_id"]
    opening = await wires.telegram("deleteMessage", chat_id=GROUP, message_id=topic)
    assert opening["description"] == "Bad Request: message can't be deleted"
    await wires.control("clock", advance_s=48 * 3600 + 1)
    for chat_id, words in ((GROUP, "message can't be deleted"), (small, "message can't be deleted for everyone")):
        own = next(message for message in (await wires.chat(chat_id))["messages"] if message.get("text") == "old")
        refused = await wires.telegram("deleteMessage", chat_id=chat_id, message_id=own["message_id"])
        assert refused["description"] == f"Bad Request: {words}"


@pytest.mark.parametrize("markup", [{"keyboard": [["Yes"]]}, {"remove_keyboard": True}, {"force_reply": True}])
async def test_a_message_with_another_keyboard_than_an_inline_one_stays_as_it_is(
    markup: dict[str, Any], wires: Wires
) -> None:
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="x", reply_markup=markup))["result"]
    own = {"chat_id": 1001, "message_id": sent["message_id"]}
    for method, more in (("editMessageText", {"text": "y"}), ("editMessageReplyMarkup", {})):
        answer = await wires.telegram(method, **own, **more)
        assert answer["description"] == "Bad Request: message can't be edited"  # T can_edit_message


async def test_a_press_is_answered_once_and_within_150_seconds(wires: Wires) -> None:
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=button(callback_data="a")))[
        "result"
    ]
    press = {"chat_id": 1001, "message_id": sent["message_id"], "user_id": 1001, "label": "x"}
    words = "Bad Request: query is too old and response timeout expired or query ID is invalid"  # C QUERY_ID_INVALID
    first = (await wires.control("telegram/press", **press))["callback_query_id"]
    assert (await wires.telegram("answerCallbackQuery", callback_query_id=first))["result"] is True
    assert (await wires.telegram("answerCallbackQuery", callback_query_id=first))["description"] == words
    assert (await wires.telegram("answerCallbackQuery", callback_query_id="7"))["description"] == words
    second = (await wires.control("telegram/press", **press))["callback_query_id"]
    too_long = await wires.telegram("answerCallbackQuery", callback_query_id=second, text="x" * 201)
    assert too_long["description"] == "Bad Request: MESSAGE_TOO_LONG"  # S
    await wires.control("clock", advance_s=151)
    assert (await wires.telegram("answerCallbackQuery", callback_query_id=second))["description"] == words


async def test_typing_ends_by_itself_and_with_the_next_message(wires: Wires) -> None:
    assert (await wires.telegram("sendChatAction", chat_id=1001, action="dancing"))["description"] == (
        "Bad Request: wrong parameter action in request"  # C
    )
    await wires.telegram("sendChatAction", chat_id=1001, action="typing")
    assert (await wires.chat())["action"]["action"] == "typing"
    await wires.telegram("sendMessage", chat_id=1001, text="x")
    assert (await wires.chat())["action"] is None
    await wires.telegram("sendChatAction", chat_id=1001, action="typing")
    await wires.control("clock", advance_s=6)
    assert (await wires.chat())["action"] is None


async def test_topics_exist_before_they_are_written_to(wires: Wires) -> None:
    for chat_id in (GROUP, 1001):
        topic = (await wires.telegram("createForumTopic", chat_id=chat_id, name="Work"))["result"]
        thread_id = topic["message_thread_id"]
        sent = (await wires.telegram("sendMessage", chat_id=chat_id, text="x", message_thread_id=thread_id))["result"]
        assert (sent["message_thread_id"], sent["is_topic_message"]) == (thread_id, True)
        answered = await wires.control("telegram/say", chat_id=chat_id, user_id=1001, text="y", thread_id=thread_id)
        shown = (await wires.chat(chat_id))["messages"][-1]
        assert (shown["message_id"], shown["message_thread_id"]) == (answered["message_id"], thread_id)
        assert (await wires.chat(chat_id))["topics"] == [{"message_thread_id": thread_id, "name": "Work"}]


async def test_reactions_and_commands(wires: Wires) -> None:
    said = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="x")
    react = {"chat_id": 1001, "message_id": said["message_id"]}
    thumb = {"type": "emoji", "emoji": "👍"}
    assert (await wires.telegram("setMessageReaction", **react, reaction=[thumb]))["result"] is True
    assert (await wires.chat())["messages"][0]["reactions"] == [thumb]
    refused = await wires.telegram("setMessageReaction", **react, reaction=[thumb, thumb])
    assert refused["description"] == "Bad Request: REACTION_INVALID"  # S
    await wires.telegram("setMessageReaction", **react, reaction=[])
    assert "reactions" not in (await wires.chat())["messages"][0]


async def test_menus_are_kept_by_scope_and_language(wires: Wires) -> None:
    commands = [{"command": "/plan", "description": " Show the plan "}, {"command": "go", "description": "x"}]
    kept = [{"command": "plan", "description": "Show the plan"}, {"command": "go", "description": "x"}]
    assert (await wires.telegram("setMyCommands", commands=commands))["result"] is True
    assert (await wires.state("telegram"))["commands"] == {'{"type":"default"}': kept}
    assert (await wires.telegram("getMyCommands"))["result"] == kept
    elsewhere = {"scope": {"type": "chat", "chat_id": 1001}, "language_code": "de"}
    assert (await wires.telegram("getMyCommands", **elsewhere))["result"] == []
    assert (await wires.telegram("setMyCommands", commands=commands[1:], **elsewhere))["result"] is True
    assert (await wires.telegram("getMyCommands", **elsewhere))["result"] == kept[1:]
    assert (await wires.telegram("deleteMyCommands"))["result"] is True
    assert (await wires.telegram("getMyCommands"))["result"] == []
    assert (await wires.telegram("getMyCommands", **elsewhere))["result"] == kept[1:]


async def test_files_go_up_and_come_down_unchanged(wires: Wires) -> None:
    data = bytes(range(256)) * 40
    form = (
        b'--x\r\nContent-Disposition: form-data; name="chat_id"\r\n\r\n1001\r\n'
        b'--x\r\nContent-Disposition: form-data; name="caption"\r\n\r\nthe log\r\n'
        b'--x\r\nContent-Disposition: form-data; name="document"\r\n\r\nattach://f\r\n'
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="run.log"\r\nContent-Type: text/plain\r\n\r\n'
        + data
        + b"\r\n--x--\r\n"
    )
    base = f"{wires.base_url}/telegram/bot123456789:{'a' * 35}"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    async with wires.session.post(f"{base}/sendDocument", data=form, headers=headers) as response:
        sent = (await response.json())["result"]
    assert (sent["document"]["file_name"], sent["document"]["file_size"], sent["caption"]) == (
        "run.log",
        len(data),
        "the log",
    )
    assert (await wires.calls("telegram"))[0]["payload"]["f"] == {"file_name": "run.log", "size": len(data)}
    file = (await wires.telegram("getFile", file_id=sent["document"]["file_id"]))["result"]
    url = f"{wires.base_url}/telegram/file/bot123456789:{'a' * 35}/{file['file_path']}"
    async with wires.session.get(url) as response:
        assert await response.read() == data
    again = await wires.telegram("sendDocument", chat_id=1001, document=sent["document"]["file_id"])
    assert again["ok"] is True
    edit = {"chat_id": 1001, "message_id": sent["message_id"], "text": "x"}
    refused = await wires.telegram("editMessageText", **edit)
    assert refused["description"] == "Bad Request: there is no text in the message to edit"  # T
    for body, description in (
        ({}, "Bad Request: there is no document in the request"),  # C
        ({"document": "unknown"}, "Bad Request: wrong file identifier/HTTP URL specified"),  # C
        (
            {"document": sent["document"]["file_id"], "caption": "x" * 1025},
            "Bad Request: message caption is too long",
        ),  # T
    ):
        assert (await wires.telegram("sendDocument", chat_id=1001, **body))["description"] == description
    assert (await wires.telegram("getFile", file_id="x"))["ok"] is False
