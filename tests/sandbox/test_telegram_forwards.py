"""Messages that go once more: forwarded, copied, with another file in their place.

Sources of the words: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td, MessagesManager.cpp.
"""

from typing import Any

import pytest
from aiohttp import FormData

from tests.sandbox.test_telegram_media import upload
from tests.sandbox.test_telegram_people import PNG
from tests.sandbox.wires import TOKEN, Wires

TEAM = -1000000000001
TO_BEN = {"chat_id": 1002, "from_chat_id": 1001}
KEYS = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}


async def sent(wires: Wires, **more: Any) -> int:
    answer = await wires.telegram("sendMessage", **{"chat_id": 1001, "text": "*a*", "parse_mode": "MarkdownV2", **more})
    message_id: int = answer["result"]["message_id"]
    return message_id


async def test_a_forward_tells_who_wrote_it_first_and_cannot_be_edited(wires: Wires) -> None:
    said = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="hello")
    first = (await wires.telegram("forwardMessage", **TO_BEN, message_id=said["message_id"]))["result"]
    assert (first["text"], first["from"]["is_bot"], first["chat"]["id"]) == ("hello", True, 1002)
    origin = first["forward_origin"]
    assert (origin["type"], origin["sender_user"]["id"]) == ("user", 1001)
    assert (first["forward_from"], first["forward_date"]) == (origin["sender_user"], origin["date"])  # C JsonMessage
    onward = {"chat_id": TEAM, "from_chat_id": 1002, "message_id": first["message_id"]}
    assert (await wires.telegram("forwardMessage", **onward))["result"]["forward_origin"] == origin
    edit = await wires.telegram("editMessageText", chat_id=1002, message_id=first["message_id"], text="other")
    assert edit["description"] == "Bad Request: message can't be edited"  # T can_edit_message


async def test_a_copy_is_a_message_of_the_bots_own(wires: Wires) -> None:
    original = await sent(wires, reply_markup=KEYS)
    topic = (await wires.telegram("createForumTopic", chat_id=TEAM, name="Work"))["result"]["message_thread_id"]
    place = {"chat_id": TEAM, "from_chat_id": 1001, "message_id": original, "message_thread_id": topic}
    answer = (await wires.telegram("copyMessage", **place, reply_markup=KEYS))["result"]
    copy = (await wires.chat(TEAM))["messages"][-1]
    assert answer == {"message_id": copy["message_id"]}
    assert (copy["text"], copy["message_thread_id"], copy["reply_markup"]) == ("a", topic, KEYS)
    assert copy["entities"] == [{"type": "bold", "offset": 0, "length": 1}]
    assert "forward_origin" not in copy
    await wires.telegram("copyMessage", **TO_BEN, message_id=original)
    assert "reply_markup" not in (await wires.chat(1002))["messages"][-1]


async def test_a_copied_file_keeps_its_caption_or_gets_another(wires: Wires) -> None:
    file = (await upload(wires, "sendDocument", "document", b"data", caption="old"))["result"]
    for more, caption in (({}, "old"), ({"caption": "new"}, "new"), ({"caption": ""}, None)):
        await wires.telegram("copyMessage", **TO_BEN, message_id=file["message_id"], **more)
        copy = (await wires.chat(1002))["messages"][-1]
        assert (copy["document"], copy.get("caption")) == (file["document"], caption)
    ids = {"message_ids": [file["message_id"]], "remove_caption": True}
    (told,) = (await wires.telegram("copyMessages", **TO_BEN, **ids))["result"]
    copy = (await wires.chat(1002))["messages"][-1]
    assert (copy["message_id"], copy.get("caption")) == (told["message_id"], None)


async def test_many_go_at_once_and_those_that_are_missing_are_passed_over(wires: Wires) -> None:
    first, second = await sent(wires), await sent(wires, text="b")
    gone = await wires.telegram("forwardMessages", **TO_BEN, message_ids=[first, second, 900])
    assert len(gone["result"]) == 2
    assert [message["text"] for message in (await wires.chat(1002))["messages"]] == ["a", "b"]
    for method in ("forwardMessages", "copyMessages"):
        for ids, words in (
            ([second, first], "message identifiers must be in a strictly increasing order"),  # T forward_messages
            ([900], "messages can't be forwarded"),  # C TdOnForwardMessagesCallback
            ([], "message identifiers are not specified"),  # C get_message_ids
        ):
            answer = await wires.telegram(method, **TO_BEN, message_ids=ids)
            assert answer["description"] == f"Bad Request: {words}"


@pytest.mark.parametrize(
    ("method", "what", "last_words"),
    [
        ("forwardMessage", "message to forward", "the message can't be forwarded"),
        ("copyMessage", "message to copy", "the message can't be copied"),
    ],
)
async def test_what_cannot_go_is_refused(method: str, what: str, last_words: str, wires: Wires) -> None:
    protected = await sent(wires, protect_content=True)
    await wires.telegram("createForumTopic", chat_id=1001, name="Work")
    service = (await wires.chat())["messages"][-1]["message_id"]
    for params, words in (
        ({"from_chat_id": ""}, 'parameter "from_chat_id" is required'),  # C get_required_string_arg
        ({"from_chat_id": 99}, "chat not found"),  # C check_chat
        ({"message_id": 900}, f"{what} not found"),  # C check_message
        ({"message_id": service}, last_words),  # T forward_message
        ({"chat_id": 99}, "chat not found"),
    ):
        answer = await wires.telegram(method, **{**TO_BEN, "message_id": protected, **params})
        assert answer["description"] == f"Bad Request: {words}"
    answer = await wires.telegram(method, **TO_BEN, message_id=protected)
    assert answer["ok"] is (method == "copyMessage")  # T can_forward_message: a bot may copy its own


async def edit_media(wires: Wires, message_id: int, media: str, file: bytes | None = None) -> dict[str, Any]:
    form = FormData({"chat_id": "1001", "message_id": str(message_id), "media": media})
    if file is not None:
        form.add_field("it", file, filename="new.txt")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/editMessageMedia", data=form) as response:
        answer: dict[str, Any] = await response.json()
        return answer


async def test_a_file_takes_the_place_of_a_file_or_a_text(wires: Wires) -> None:
    new = '{"type": "document", "media": "attach://it", "caption": "*b*", "parse_mode": "MarkdownV2"}'
    file = (await upload(wires, "sendPhoto", "photo", PNG))["result"]["message_id"]
    for message_id in (await sent(wires), file):
        edited = (await edit_media(wires, message_id, new, b"other"))["result"]
        assert (edited["document"]["file_name"], edited["caption"]) == ("new.txt", "b")
        assert edited["caption_entities"] == [{"type": "bold", "offset": 0, "length": 1}]
        assert ("text" in edited, "photo" in edited, edited["edit_date"] > 0) == (False, False, True)
        same = f'{{"type": "document", "media": "{edited["document"]["file_id"]}", "caption": "b"}}'
        assert "edit_date" in (await edit_media(wires, message_id, same))["result"]  # the mark is gone
        again = await edit_media(wires, message_id, same)
        assert again["description"].startswith("Bad Request: message is not modified: specified new message content")


async def test_media_that_cannot_be_edited_in_are_refused(wires: Wires) -> None:
    message_id = await sent(wires)
    said = (await wires.control("telegram/say", chat_id=1001, user_id=1001, text="x"))["message_id"]
    for media, words in (
        ("", 'parameter "media" is required'),  # C get_required_string_arg
        ("{", "can't parse input media JSON object"),  # C get_input_media
        ("[]", "can't parse InputMedia: expected an Object"),
        ("{}", "can't parse InputMedia: Can't find field \"type\""),  # JsonObject
        ('{"type": "document"}', "can't parse InputMedia: media not found"),
        ('{"type": "sticker", "media": "x"}', 'can\'t parse InputMedia: type "sticker" is unsupported'),
        ('{"type": "document", "media": "x"}', "wrong file identifier/HTTP URL specified"),  # T
    ):
        answer = await edit_media(wires, message_id, media)
        assert answer["description"] == f"Bad Request: {words}"
    answer = await edit_media(wires, said, '{"type": "document", "media": "attach://it"}', b"x")
    assert answer["description"] == "Bad Request: message media can't be edited"  # T edit_message_media


async def test_an_album_keeps_its_kind(wires: Wires) -> None:
    item = '{"type": "photo", "media": "attach://a"}'
    form = FormData({"chat_id": "1001", "media": f"[{item}, {item}]"})
    form.add_field("a", PNG, filename="a.png")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/sendMediaGroup", data=form) as response:
        photo, _ = (await response.json())["result"]
    other = await edit_media(wires, photo["message_id"], '{"type": "document", "media": "attach://it"}', b"x")
    assert other["description"] == "Bad Request: can't change media type in the album"  # T edit_message_media
    same = (await edit_media(wires, photo["message_id"], '{"type": "photo", "media": "attach://it"}', PNG))["result"]
    assert same["media_group_id"] == photo["media_group_id"]
