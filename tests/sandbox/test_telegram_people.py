"""What people do besides writing and pressing: files, edits, deletions, reactions."""

import base64
from typing import Any

import pytest

from tests.sandbox.wires import TOKEN, Wires

GROUP = -1000000000001
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARBAGAwMAFfgD/dnGAHUAAAAASUVORK5CYII="
)


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


async def download(wires: Wires, file_id: str) -> bytes:
    file = (await wires.telegram("getFile", file_id=file_id))["result"]
    async with wires.session.get(f"{wires.base_url}/telegram/file/bot{TOKEN}/{file['file_path']}") as response:
        assert response.status == 200
        return await response.read()


async def only_update(wires: Wires, kind: str) -> dict[str, Any]:
    (update,) = (await wires.telegram("getUpdates", offset=-1))["result"]
    found: dict[str, Any] = update[kind]
    return found


async def test_a_file_from_a_person_can_be_downloaded(wires: Wires) -> None:
    data = bytes(range(256)) * 100
    sent = await wires.control(
        "telegram/send_file", chat_id=1001, user_id=1001, name="trace.log", content_base64=encoded(data),
        mime_type="text/plain", caption="look at /this",
    )  # fmt: skip
    message = await only_update(wires, "message")
    assert (message["message_id"], message["caption"]) == (sent["message_id"], "look at /this")
    assert message["caption_entities"][0]["type"] == "bot_command"
    document = message["document"]
    assert (document["file_name"], document["mime_type"], document["file_size"]) == ("trace.log", "text/plain", 25600)
    assert await download(wires, document["file_id"]) == data


async def test_a_picture_from_a_person_is_a_photo_with_its_size(wires: Wires) -> None:
    await wires.control(
        "telegram/send_file", chat_id=GROUP, user_id=1002, name="x.png", content_base64=encoded(PNG), as_photo=True
    )
    (size,) = (await only_update(wires, "message"))["photo"]
    assert (size["width"], size["height"], size["file_size"]) == (3, 2, len(PNG))
    assert await download(wires, size["file_id"]) == PNG


async def test_more_than_20_mb_cannot_be_downloaded(wires: Wires) -> None:
    body = {"chat_id": 1001, "user_id": 1001, "name": "big.bin"}
    await wires.control("telegram/send_file", **body, content_base64=encoded(bytes(20 * 1024 * 1024 + 1)))
    document = (await only_update(wires, "message"))["document"]
    refused = await wires.telegram("getFile", file_id=document["file_id"])
    assert refused["description"] == "Bad Request: file is too big"  # Client.cpp do_get_file


async def test_an_edit_by_its_writer_comes_as_edited_message(wires: Wires) -> None:
    said = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="fisrt")
    edit = {"chat_id": 1001, "user_id": 1001, "message_id": said["message_id"]}
    await wires.control("clock", advance_s=5)
    done = await wires.control("telegram/edit", **edit, text="first @ada_owner")
    assert done["update_id"] == said["update_id"] + 1
    edited = await only_update(wires, "edited_message")
    assert (edited["message_id"], edited["text"]) == (said["message_id"], "first @ada_owner")
    assert edited["edit_date"] >= edited["date"] + 5
    assert edited["entities"][0]["type"] == "mention"
    (shown,) = (await wires.chat())["messages"]
    assert (shown["text"], shown["edited"]) == ("first @ada_owner", 1)


async def test_only_ones_own_messages_can_be_edited_and_deleted(wires: Wires) -> None:
    own = (await wires.control("telegram/say", chat_id=GROUP, user_id=1001, text="mine"))["message_id"]
    bots = (await wires.telegram("sendMessage", chat_id=GROUP, text="the bot's"))["result"]["message_id"]
    for user_id, message_id in ((1002, own), (1001, bots)):
        body = {"chat_id": GROUP, "user_id": user_id, "message_id": message_id}
        for path, more in (("edit", {"text": "x"}), ("delete", {})):
            status, answer = await wires.try_control(f"telegram/{path}", **body, **more)
            assert (status, "was not written by" in answer["error"]) == (400, True)
    await wires.control("telegram/delete", chat_id=GROUP, user_id=1001, message_id=own)
    assert (await wires.chat(GROUP))["deleted_message_ids"] == [own]
    refused = await wires.telegram("sendMessage", chat_id=GROUP, text="re", reply_parameters={"message_id": own})
    assert refused["description"] == "Bad Request: message to be replied not found"


async def test_reactions_come_to_a_bot_that_asked_for_them_and_may_see_them(wires: Wires) -> None:
    sent = (await wires.telegram("sendMessage", chat_id=GROUP, text="x"))["result"]["message_id"]
    react = {"chat_id": GROUP, "user_id": 1002, "message_id": sent}
    assert (await wires.control("telegram/react", **react, emoji="👍"))["update_id"] is None
    await wires.telegram("getUpdates", allowed_updates=["message", "message_reaction"])
    assert (await wires.control("telegram/react", **react, emoji="🔥"))["update_id"] is not None
    update = await only_update(wires, "message_reaction")
    assert (update["user"]["id"], update["message_id"], update["chat"]["id"]) == (1002, sent, GROUP)
    assert update["old_reaction"] == [{"type": "emoji", "emoji": "👍"}]
    assert update["new_reaction"] == [{"type": "emoji", "emoji": "🔥"}]
    (shown,) = (await wires.chat(GROUP))["messages"]
    assert shown["reacted"] == [{"user_id": 1002, "reaction": [{"type": "emoji", "emoji": "🔥"}]}]
    assert (await wires.control("telegram/react", **react, emoji=""))["update_id"] is not None
    assert "reacted" not in (await wires.chat(GROUP))["messages"][0]
    await wires.control("telegram/membership", chat_id=GROUP, bot_status="member")
    assert (await wires.control("telegram/react", **react, emoji="👀"))["update_id"] is None
    assert (await wires.try_control("telegram/react", **react, emoji="👀"))[0] == 400


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("send_file", {"name": "x", "content_base64": "!!"}, 400, "base64"),
        ("send_file", {"name": "x", "content_base64": ""}, 400, "1 to"),
        ("send_file", {"name": "a/b", "content_base64": "aGk="}, 400, "without a path"),
        ("send_file", {"name": "x", "content_base64": "aGk=", "as_photo": True}, 400, "PNG, JPEG or GIF"),
        ("send_file", {"name": "x", "content_base64": "aGk=", "caption": "x" * 1025}, 400, "0 to 1024"),
        ("send_file", {"name": "x", "content_base64": "aGk=", "reply_to": 9}, 404, "no message 9"),
        ("edit", {"message_id": 9, "text": "x"}, 404, "no message 9"),
        ("react", {"message_id": 9, "emoji": "x"}, 404, "no message 9"),
        ("delete", {"message_id": 9, "text": "x"}, 400, "text"),
    ],
)
async def test_a_wrong_request_is_told_what_is_wrong(
    wires: Wires, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    found, answer = await wires.try_control(f"telegram/{path}", chat_id=1001, user_id=1001, **body)
    assert (found, words in answer["error"]) == (status, True), answer


async def test_stop_below_a_draft_is_told_to_the_bot(wires: Wires) -> None:
    await wires.telegram("sendMessageDraft", chat_id=1001, draft_id=5, text="so far", can_stop=True)
    stop = {"chat_id": 1001, "user_id": 1001, "draft_id": 5}
    await wires.control("telegram/stop", **stop)
    told = await only_update(wires, "stopped_message_generation")
    assert (told["chat"]["id"], told["draft_id"]) == (1001, 5)
    status, answer = await wires.try_control("telegram/stop", **stop)
    assert (status, "its drafts: none" in answer["error"]) == (404, True)
