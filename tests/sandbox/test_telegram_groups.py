"""Groups, people and what the bot may do there.

Sources of the words: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td, MessagesManager.cpp.
"""

from typing import Any

import pytest
from aiogram.types import ChatPermissions

from tests.sandbox.wires import Wires

GROUP = -1000000000001


async def updates(wires: Wires) -> list[dict[str, Any]]:
    """What waits, and confirms it: the next call finds only what is new."""
    found: list[dict[str, Any]] = (await wires.telegram("getUpdates"))["result"]
    if found:
        await wires.telegram("getUpdates", offset=found[-1]["update_id"] + 1)
    return found


async def new_group(wires: Wires, **more: Any) -> int:
    made = await wires.control("telegram/chat", title="Crew", members=[1001, 1002], **more)
    await updates(wires)
    chat_id: int = made["chat_id"]
    return chat_id


async def send(wires: Wires, chat_id: int, **more: Any) -> dict[str, Any]:
    return await wires.telegram("sendMessage", chat_id=chat_id, text="x", **more)


async def test_a_group_is_made_and_the_bot_learns_of_it(wires: Wires) -> None:
    made = await wires.control("telegram/chat", title="Crew", members=[1002, 1001], bot_status="administrator")
    member, joined = (await wires.telegram("getUpdates"))["result"]
    change = member["my_chat_member"]
    assert (change["chat"]["id"], change["from"]["id"]) == (made["chat_id"], 1002)
    assert (change["old_chat_member"]["status"], change["new_chat_member"]["status"]) == ("left", "administrator")
    assert change["new_chat_member"]["can_manage_topics"] is True
    assert joined["message"]["new_chat_members"][0]["username"] == "bossbot_sandbox_bot"
    chat = await wires.chat(made["chat_id"])
    assert (chat["type"], chat["title"], chat["members"], chat["bot_status"]) == (
        "supergroup", "Crew", [1002, 1001], "administrator",
    )  # fmt: skip
    assert (await send(wires, made["chat_id"]))["ok"] is True


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("just talk", False),
        ("/plan it", True),
        ("please /plan it", True),
        ("/plan@bossbot_sandbox_bot", True),
        ("/plan@other_bot", False),
        ("hey @bossbot_sandbox_bot, look", True),
        ("hey @BossBot_Sandbox_Bot 😀", True),
        ("😀 @somebody_else", False),
    ],
)
async def test_with_privacy_mode_a_plain_member_hears_what_is_for_it(wires: Wires, text: str, heard: bool) -> None:
    group = await new_group(wires)
    said = await wires.control("telegram/say", chat_id=group, user_id=1001, text=text)
    assert (said["update_id"] is not None, len(await updates(wires))) == (heard, int(heard))


async def test_with_privacy_mode_it_hears_replies_to_itself(wires: Wires) -> None:
    group = await new_group(wires)
    own = (await send(wires, group))["result"]["message_id"]
    others = (await wires.control("telegram/say", chat_id=group, user_id=1002, text="mine"))["message_id"]
    for message_id, heard in ((own, True), (others, False)):
        said = await wires.control("telegram/say", chat_id=group, user_id=1001, text="re", reply_to=message_id)
        assert (said["update_id"] is not None) is heard


async def test_an_administrator_or_a_bot_without_privacy_mode_hears_everything(wires: Wires) -> None:
    group = await new_group(wires)
    talk = {"chat_id": group, "user_id": 1001, "text": "just talk"}
    assert (await wires.telegram("getMe"))["result"]["can_read_all_group_messages"] is False
    await wires.control("telegram/membership", chat_id=group, bot_status="administrator")
    assert (await wires.control("telegram/say", **talk))["update_id"] is not None
    await wires.control("telegram/membership", chat_id=group, bot_status="member")
    assert (await wires.control("telegram/say", **talk))["update_id"] is None
    await wires.control("settings", privacy_mode=False)
    assert (await wires.telegram("getMe"))["result"]["can_read_all_group_messages"] is True
    assert (await wires.control("telegram/say", **talk))["update_id"] is not None


async def test_a_bot_that_was_removed_hears_nothing_and_cannot_write(wires: Wires) -> None:
    for kind, status, words in (
        ("supergroup", "kicked", "Forbidden: bot was kicked from the supergroup chat"),  # C check_chat_access
        ("supergroup", "left", "Forbidden: bot is not a member of the supergroup chat"),
        ("group", "kicked", "Forbidden: bot was kicked from the group chat"),
        ("group", "left", "Forbidden: bot is not a member of the group chat"),
    ):
        group = await new_group(wires, type=kind)
        sent = (await send(wires, group))["result"]["message_id"]
        await wires.control("telegram/membership", chat_id=group, bot_status=status)
        (told,) = await updates(wires)
        assert told["my_chat_member"]["new_chat_member"]["status"] == status
        assert (await wires.control("telegram/say", chat_id=group, user_id=1001, text="/plan"))["update_id"] is None
        code, refused = await wires.telegram_http("sendMessage", chat_id=group, text="x")
        assert (code, refused["description"]) == (403, words)
        edit = await wires.telegram("editMessageText", chat_id=group, message_id=sent, text="y")
        assert edit["description"] == words


async def test_people_who_block_the_bot_cannot_be_written_to(wires: Wires) -> None:
    sent = (await send(wires, 1001))["result"]["message_id"]
    await wires.control("telegram/membership", chat_id=1001, bot_status="kicked")
    (told,) = await updates(wires)
    assert told["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    for method, body in (
        ("sendMessage", {"text": "x"}),
        ("editMessageText", {"text": "y", "message_id": sent}),
        ("sendChatAction", {"action": "typing"}),
        ("sendMessageDraft", {"draft_id": 1, "text": "x"}),
    ):
        code, refused = await wires.telegram_http(method, chat_id=1001, **body)
        assert (code, refused["description"]) == (403, "Forbidden: bot was blocked by the user")  # C USER_IS_BLOCKED
    gone = await wires.telegram("deleteMessage", chat_id=1001, message_id=sent)
    assert gone["result"] is True  # T delete_messages: no writing
    status, answer = await wires.try_control("telegram/say", chat_id=1001, user_id=1001, text="x")
    assert (status, "membership" in answer["error"]) == (400, True)
    await wires.control("telegram/membership", chat_id=1001, bot_status="member")
    again = (await send(wires, 1001))["result"]["message_id"]
    assert [message["message_id"] for message in (await wires.chat())["messages"]] == [again]


async def test_a_bot_cannot_begin_a_conversation(wires: Wires) -> None:
    made = await wires.control("telegram/user", first_name="Kim", username="kim")
    assert (await send(wires, made["chat_id"]))["description"] == "Bad Request: chat not found"  # C
    await wires.control("telegram/chat", title="Both", members=[1001, made["user_id"]])
    code, refused = await wires.telegram_http("sendMessage", chat_id=made["chat_id"], text="x")
    words = "Forbidden: bot can't initiate conversation with a user"  # T process_send_message_fail_error
    assert (code, refused["description"]) == (403, words)
    await updates(wires)
    await wires.control("telegram/say", chat_id=made["chat_id"], user_id=made["user_id"], text="/start")
    (heard,) = await updates(wires)
    assert heard["message"]["from"] == {
        "id": made["user_id"], "is_bot": False, "first_name": "Kim", "username": "kim", "language_code": "en",
    }  # fmt: skip
    assert (await send(wires, made["chat_id"]))["ok"] is True


async def test_a_group_becomes_a_supergroup_with_another_id(wires: Wires) -> None:
    group = await new_group(wires, type="group")
    sent = (await send(wires, group))["result"]["message_id"]
    new = (await wires.control("telegram/migrate", chat_id=group))["chat_id"]
    assert str(new).startswith("-100")
    old_side, new_side = [update["message"] for update in await updates(wires)]
    assert (old_side["chat"]["id"], old_side["migrate_to_chat_id"]) == (group, new)
    assert (new_side["chat"]["id"], new_side["migrate_from_chat_id"]) == (new, group)
    code, refused = await wires.telegram_http("sendMessage", chat_id=group, text="x")
    assert (code, refused) == (
        400,
        {
            "ok": False,
            "error_code": 400,
            "description": "Bad Request: group chat was upgraded to a supergroup chat",  # C check_chat_access
            "parameters": {"migrate_to_chat_id": new},
        },
    )
    assert (await wires.telegram("editMessageText", chat_id=group, message_id=sent, text="y"))["ok"] is True
    assert (await send(wires, new))["ok"] is True
    status, answer = await wires.try_control("telegram/say", chat_id=group, user_id=1001, text="x")
    assert (status, str(new) in answer["error"]) == (400, True)
    assert (await wires.chat(group))["migrate_to_chat_id"] == new


async def test_what_is_told_of_a_chat_is_all_that_the_server_tells(wires: Wires) -> None:
    group = await new_group(wires, type="group")
    no_gifts = dict.fromkeys(
        ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
    )
    assert (await send(wires, group))["result"]["chat"] == {  # C JsonChat
        "id": group,
        "type": "group",
        "title": "Crew",
        "all_members_are_administrators": True,
        "accepted_gift_types": no_gifts,
    }
    permissions = (await wires.telegram("getChat", chat_id=group))["result"]["permissions"]
    assert ChatPermissions.model_fields.keys() - permissions.keys() == set()
    me = (await wires.telegram("getMe"))["result"]
    assert {"supports_guest_queries", "supports_join_request_queries", "can_manage_bots"} <= me.keys()  # C JsonUser
    ada = (await wires.telegram("getChat", chat_id=1001))["result"]
    assert (ada["active_usernames"], ada["can_send_gift"], ada["accepted_gift_types"]) == (
        ["ada_owner"],
        True,
        no_gifts,
    )


async def test_who_is_in_a_chat_can_be_asked(wires: Wires) -> None:
    group = await new_group(wires, bot_status="administrator")
    chat = (await wires.telegram("getChat", chat_id=group))["result"]
    assert (chat["id"], chat["title"], chat["permissions"]["can_send_messages"]) == (group, "Crew", True)
    statuses = {
        user_id: (await wires.telegram("getChatMember", chat_id=group, user_id=user_id))["result"]["status"]
        for user_id in (1001, 1002, 1003, 123456789)
    }
    assert statuses == {1001: "creator", 1002: "member", 1003: "left", 123456789: "administrator"}
    administrators = (await wires.telegram("getChatAdministrators", chat_id=group))["result"]
    assert [member["user"]["id"] for member in administrators] == [1001, 123456789]
    assert (await wires.telegram("getChatMemberCount", chat_id=group))["result"] == 3
    for method, body, words in (
        ("getChatMember", {"chat_id": group}, "invalid user_id specified"),  # C get_user_id
        ("getChatMember", {"chat_id": group, "user_id": 7}, "user not found"),  # C TdOnCheckUserCallback
        ("getChatAdministrators", {"chat_id": 1001}, "there are no administrators in the private chat"),  # C
        ("leaveChat", {"chat_id": 1001}, "can't leave private chats"),  # T DialogParticipantManager leave_dialog
    ):
        assert (await wires.telegram(method, **body))["description"] == f"Bad Request: {words}"


async def test_a_bot_that_leaves_is_told_so_and_is_out(wires: Wires) -> None:
    group = await new_group(wires)
    assert (await wires.telegram("leaveChat", chat_id=group))["result"] is True
    (told,) = await updates(wires)
    change = told["my_chat_member"]
    assert (change["from"]["id"], change["new_chat_member"]["status"]) == (123456789, "left")
    refused = await send(wires, group)
    assert refused["description"] == "Forbidden: bot is not a member of the supergroup chat"


async def test_reset_brings_the_default_world_back(wires: Wires) -> None:
    first = await new_group(wires)
    await wires.control("telegram/user", first_name="Kim")
    await wires.control("telegram/membership", chat_id=1001, bot_status="kicked")
    await wires.control("reset")
    state = await wires.state("telegram")
    assert ([user["id"] for user in state["users"]], len(state["chats"])) == ([1001, 1002, 1003], 4)
    assert (await send(wires, 1001))["ok"] is True
    assert await new_group(wires) != first


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("user", {"first_name": ""}, 400, "first_name must have 1 to 64"),
        ("chat", {"title": "x", "members": []}, 400, "the first adds the bot"),
        ("chat", {"title": "x", "members": [7]}, 404, "no user 7"),
        ("chat", {"title": "x", "members": [1001], "type": "group", "is_forum": True}, 400, "only a supergroup"),
        ("membership", {"chat_id": 1001, "bot_status": "left"}, 400, "kicked"),
        ("membership", {"chat_id": 1001, "bot_status": "member"}, 400, "already"),
        ("membership", {"chat_id": 1001, "bot_status": "owner"}, 400, "bot_status"),
        ("migrate", {"chat_id": GROUP}, 400, "only a group becomes"),
        ("topic", {"chat_id": 1001, "user_id": 1001, "name": "x"}, 400, "forums only"),
        ("topic", {"chat_id": GROUP, "user_id": 1001}, 400, "name must have 1 to 128"),
        ("topic", {"chat_id": GROUP, "user_id": 1001, "action": "close"}, 400, "thread_id"),
        ("topic", {"chat_id": GROUP, "user_id": 1001, "action": "close", "thread_id": 9}, 404, "no topic 9"),
    ],
)
async def test_a_wrong_change_of_the_world_is_told_what_is_wrong(
    wires: Wires, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    found, answer = await wires.try_control(f"telegram/{path}", **body)
    assert (found, words in answer["error"]) == (status, True), answer
