"""What the local Slack's Web API does and refuses. Error names are those of docs.slack.dev, method by method."""

import json
from typing import Any

import pytest

from tests.sandbox.wires import APP_TOKEN, BOT_TOKEN, Wires


def section(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **fields}


async def post(wires: Wires, **body: Any) -> str:
    """Post to Ada's direct conversation, and the ts."""
    answer = await wires.slack("chat.postMessage", **{"channel": "D0ADA", "text": "x", **body})
    assert answer["ok"], answer
    ts: str = answer["ts"]
    return ts


@pytest.mark.parametrize(
    ("method", "token", "error"),
    [
        ("auth.test", "", "not_authed"),
        ("auth.test", "nonsense", "invalid_auth"),
        ("auth.test", "xoxb-", "invalid_auth"),
        ("auth.test", APP_TOKEN, "not_allowed_token_type"),
        ("apps.connections.open", BOT_TOKEN, "not_allowed_token_type"),
        ("apps.connections.open", "", "not_authed"),
        ("chat.shout", BOT_TOKEN, "unknown_method"),
    ],
)
async def test_tokens_are_judged_by_shape_and_kind(wires: Wires, method: str, token: str, error: str) -> None:
    assert await wires.slack(method, token) == {"ok": False, "error": error}


async def test_auth_test_names_the_bot_and_the_team(wires: Wires) -> None:
    found = await wires.slack("auth.test")
    assert (found["user_id"], found["bot_id"], found["team_id"]) == ("U0BOSSBOT", "B0BOSSBOT", "T0SANDBOX")


async def test_posting_shows_in_the_conversation_and_in_threads(wires: Wires) -> None:
    ts = await post(wires, text="root", blocks=[section("root")])
    reply = await wires.slack("chat.postMessage", channel="U0ADA", text="reply", thread_ts=ts)
    deeper = await wires.slack("chat.postMessage", channel="D0ADA", text="deeper", thread_ts=reply["ts"])
    assert reply["channel"] == "D0ADA"
    assert deeper["message"]["thread_ts"] == ts
    assert (await wires.slack("chat.postMessage", channel="#boss", text="x"))["channel"] == "C0BOSS"
    shown = (await wires.channel())["messages"]
    assert [message["text"] for message in shown] == ["root", "reply", "deeper"]
    assert (shown[0]["user"], shown[0]["reply_count"], shown[0]["thread_ts"]) == ("U0BOSSBOT", 2, None)
    assert shown[0]["blocks"][0]["block_id"]
    replies = await wires.slack("conversations.replies", channel="D0ADA", ts=ts)
    assert [message["text"] for message in replies["messages"]] == ["root", "reply", "deeper"]
    assert replies["messages"][0]["reply_count"] == 2
    history = await wires.slack("conversations.history", channel="D0ADA")
    assert [message["text"] for message in history["messages"]] == ["root"]


async def test_metadata_is_shown_to_those_who_ask_for_it(wires: Wires) -> None:
    metadata = {"event_type": "card", "event_payload": {"key": "k1"}}
    ts = await post(wires, metadata=metadata)
    for method, more in (("conversations.history", {}), ("conversations.replies", {"ts": ts})):
        found = await wires.slack(method, channel="D0ADA", **more)
        assert "metadata" not in found["messages"][0]
        found = await wires.slack(method, channel="D0ADA", include_all_metadata=True, **more)
        assert found["messages"][0]["metadata"] == metadata


async def test_history_comes_in_pages_and_spans(wires: Wires) -> None:
    stamps = [await post(wires, text=str(number)) for number in range(5)]
    first = await wires.slack("conversations.history", channel="D0ADA", limit=2)
    assert ([item["text"] for item in first["messages"]], first["has_more"]) == (["4", "3"], True)
    cursor = first["response_metadata"]["next_cursor"]
    second = await wires.slack("conversations.history", channel="D0ADA", limit=3, cursor=cursor)
    assert ([item["text"] for item in second["messages"]], second["has_more"]) == (["2", "1", "0"], False)
    span = {"channel": "D0ADA", "oldest": stamps[1], "latest": stamps[3]}
    assert [item["text"] for item in (await wires.slack("conversations.history", **span))["messages"]] == ["2"]
    inclusive = await wires.slack("conversations.history", **span, inclusive=True)
    assert [item["text"] for item in inclusive["messages"]] == ["3", "2", "1"]
    assert (await wires.slack("conversations.history", channel="D0ADA", cursor="x"))["error"] == "invalid_cursor"


async def test_updating_replaces_text_and_blocks(wires: Wires) -> None:
    ts = await post(wires, blocks=[section("a")])
    update = {"channel": "D0ADA", "ts": ts}
    assert (await wires.slack("chat.update", **update, text="y", blocks=[section("b")]))["ok"] is True
    (shown,) = (await wires.channel())["messages"]
    assert (shown["text"], shown["blocks"][0]["text"]["text"], shown["edit_count"]) == ("y", "b", 1)
    assert shown["edited"]["user"] == "U0BOSSBOT"
    await wires.slack("chat.update", **update, text="only text")
    assert "blocks" not in (await wires.channel())["messages"][0]
    assert (await wires.slack("chat.update", **update, text="x" * 4000))["ok"] is True
    assert (await wires.slack("chat.update", **update, text="x" * 4001))["error"] == "msg_too_long"
    assert (await wires.slack("chat.update", **update, text=""))["error"] == "no_text"


async def test_only_the_bots_own_messages_can_be_changed(wires: Wires) -> None:
    said = await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="mine")
    target = {"channel": "D0ADA", "ts": said["ts"]}
    assert (await wires.slack("chat.update", **target, text="yours"))["error"] == "cant_update_message"
    assert (await wires.slack("chat.delete", **target))["error"] == "cant_delete_message"
    ts = await post(wires)
    assert (await wires.slack("chat.delete", channel="D0ADA", ts=ts))["ok"] is True
    assert (await wires.channel())["deleted_ts"] == [ts]


async def test_a_very_long_text_is_cut_off(wires: Wires) -> None:
    ts = await post(wires, text="x" * 40_001)
    (shown,) = (await wires.channel())["messages"]
    assert (shown["ts"], len(shown["text"])) == (ts, 40_000)


async def test_an_ephemeral_is_for_one_person_and_not_in_the_history(wires: Wires) -> None:
    body = {"channel": "C0BOSS", "user": "U0EVE", "text": "only approvers decide"}
    assert (await wires.slack("chat.postEphemeral", **body))["message_ts"]
    channel = await wires.channel("C0BOSS")
    assert channel["messages"] == []
    assert [(item["for_user"], item["text"]) for item in channel["ephemerals"]] == [("U0EVE", "only approvers decide")]


async def test_reactions_are_set_once_and_no_more_than_23(wires: Wires) -> None:
    ts = await post(wires)
    react = {"channel": "D0ADA", "timestamp": ts, "name": "eyes"}
    assert (await wires.slack("reactions.add", **react))["ok"] is True
    assert (await wires.slack("reactions.add", **react))["error"] == "already_reacted"
    (shown,) = (await wires.channel())["messages"]
    assert shown["reactions"] == [{"name": "eyes", "users": ["U0BOSSBOT"], "count": 1}]
    found = await wires.slack("reactions.get", channel="D0ADA", timestamp=ts)
    assert found["message"]["reactions"] == shown["reactions"]
    assert (await wires.slack("reactions.remove", **react))["ok"] is True
    assert (await wires.slack("reactions.remove", **react))["error"] == "no_reaction"
    added = [await wires.slack("reactions.add", **{**react, "name": f"e{number}"}) for number in range(24)]
    assert [answer.get("error") for answer in added] == [None] * 23 + ["too_many_emoji"]


async def test_a_status_ends_with_the_next_message_an_empty_one_or_after_two_minutes(wires: Wires) -> None:
    ts = await post(wires)
    status = {"channel_id": "D0ADA", "thread_ts": ts, "status": "is thinking…"}

    async def shown() -> list[str]:
        return [item["status"] for item in (await wires.channel())["statuses"]]

    for end in ("message", "empty", "time"):
        assert (await wires.slack("assistant.threads.setStatus", **status))["ok"] is True
        assert await shown() == ["is thinking…"]
        if end == "message":
            await post(wires, thread_ts=ts)
        elif end == "empty":
            await wires.slack("assistant.threads.setStatus", **{**status, "status": ""})
        else:
            await wires.control("clock", advance_s=121)
        assert await shown() == [], end


async def test_people_and_places_can_be_looked_up(wires: Wires) -> None:
    ada = (await wires.slack("users.info", user="U0ADA"))["user"]
    assert (ada["name"], ada["real_name"], ada["profile"]["display_name"], ada["is_bot"]) == (
        "ada",
        "Ada Owner",
        "ada",
        False,
    )
    assert (await wires.slack("users.info", user="U0BOSSBOT"))["user"]["is_bot"] is True
    assert (await wires.slack("conversations.info", channel="D0BEN"))["channel"]["user"] == "U0BEN"
    assert (await wires.slack("conversations.info", channel="C0BOSS"))["channel"]["name"] == "boss"
    assert (await wires.slack("conversations.open", users="U0EVE"))["channel"]["id"] == "D0EVE"
    members = (await wires.slack("conversations.members", channel="C0BOSS"))["members"]
    assert members == ["U0ADA", "U0BEN", "U0EVE", "U0BOSSBOT"]


async def test_people_groups_and_places_come_in_lists(wires: Wires) -> None:
    first = await wires.slack("users.list", limit=3)
    rest = await wires.slack("users.list", limit=3, cursor=first["response_metadata"]["next_cursor"])
    names = [member["name"] for member in (*first["members"], *rest["members"])]
    assert (names, rest["response_metadata"]["next_cursor"]) == (["ada", "ben", "eve", "bossbot"], "")
    assert (await wires.slack("usergroups.users.list", usergroup="S0APPROVERS"))["users"] == ["U0ADA", "U0BEN"]
    public = (await wires.slack("conversations.list"))["channels"]
    assert [(found["id"], found["is_member"], found["num_members"]) for found in public] == [("C0BOSS", True, 4)]
    direct = (await wires.slack("conversations.list", types="im,mpim"))["channels"]
    assert [found["user"] for found in direct] == ["U0ADA", "U0BEN", "U0EVE"]
    await wires.control("slack/channel", channel="C0BOSS", is_archived=True)
    assert (await wires.slack("conversations.list", exclude_archived=True))["channels"] == []


async def test_a_message_may_have_another_name_attachments_and_a_place_in_the_channel(wires: Wires) -> None:
    root = await post(wires, channel="C0BOSS")
    look: dict[str, Any] = {
        "username": "Clerk",
        "icon_emoji": ":memo:",
        "mrkdwn": False,
        "attachments": [{"text": "more"}, {}],
    }
    sent = await wires.slack(
        "chat.postMessage", channel="C0BOSS", text="x", thread_ts=root, reply_broadcast=True, **look
    )
    message = sent["message"]
    assert (message["username"], message["icons"]) == ("Clerk", {"emoji": ":memo:"})
    assert (message["subtype"], message["attachments"]) == ("thread_broadcast", [{"text": "more"}])
    history = (await wires.slack("conversations.history", channel="C0BOSS"))["messages"]
    assert [item["ts"] for item in history] == [sent["ts"], root]
    assert (await wires.channel("C0BOSS"))["messages"][1]["mrkdwn"] is False
    link = await wires.slack("chat.getPermalink", channel="C0BOSS", message_ts=sent["ts"])
    path = f"/archives/C0BOSS/p{sent['ts'].replace('.', '')}?thread_ts={root}&cid=C0BOSS"
    assert link["permalink"] == f"https://sandbox.slack.com{path}"


async def test_nobody_can_answer_what_is_gone_or_was_for_one_person(wires: Wires) -> None:
    """docs.slack.dev, chat.postMessage: `cannot_reply_to_message`, a message that cannot have thread replies."""
    gone = await post(wires)
    await wires.slack("chat.delete", channel="D0ADA", ts=gone)
    private = await wires.slack("chat.postEphemeral", channel="D0ADA", user="U0ADA", text="x")
    for ts in (gone, private["message_ts"]):
        answer = await wires.slack("chat.postMessage", channel="D0ADA", text="y", thread_ts=ts)
        assert answer["error"] == "cannot_reply_to_message"


async def test_markdown_text_becomes_a_markdown_block(wires: Wires) -> None:
    await post(wires, text="", markdown_text="**hello**")
    (shown,) = (await wires.channel())["messages"]
    assert [(block["type"], block["text"]) for block in shown["blocks"]] == [("markdown", "**hello**")]


async def test_blocks_can_be_validated_without_posting(wires: Wires) -> None:
    blocks = [section("x")]
    view = {"type": "modal", "title": {"type": "plain_text", "text": "x"}, "blocks": blocks}
    for body in ({"blocks": blocks}, {"message": {"blocks": blocks}}, {"view": view}):
        assert await wires.slack("blocks.validate", **body) == {"ok": True}
    assert (await wires.channel())["messages"] == []


async def test_a_file_is_uploaded_shared_and_downloaded_unchanged(wires: Wires) -> None:
    data = bytes(range(256)) * 10
    asked = await wires.slack("files.getUploadURLExternal", filename="run.log", length=len(data))
    complete: dict[str, Any] = {
        "files": [{"id": asked["file_id"], "title": "The log"}],
        "channel_id": "C0BOSS",
        "initial_comment": "see",
    }
    assert (await wires.slack("files.completeUploadExternal", **complete))["error"] == "file_not_found"
    async with wires.session.post(asked["upload_url"], data=data[:-1]) as response:
        assert response.status == 400
    async with wires.session.post(asked["upload_url"], data=data) as response:
        assert response.status == 200
    shared = (await wires.slack("files.completeUploadExternal", **complete))["files"][0]
    (shown,) = (await wires.channel("C0BOSS"))["messages"]
    assert (shown["text"], shown["files"][0]["title"]) == ("see", "The log")
    async with wires.session.get(shared["url_private"]) as response:
        assert response.status == 403
    headers = {"Authorization": f"Bearer {BOT_TOKEN}"}
    async with wires.session.get(shared["url_private"], headers=headers) as response:
        assert await response.read() == data
    known = (await wires.slack("files.info", file=shared["id"]))["file"]
    assert (known["title"], known["size"], known["filetype"], known["channels"]) == (
        "The log",
        2560,
        "text",
        ["C0BOSS"],
    )
    assert (await wires.slack("files.completeUploadExternal", **complete))["error"] == "file_not_found"
    wrong = {**complete, "channel_id": "", "channels": "C0BOSS,C0NONE"}
    again = await wires.slack("files.getUploadURLExternal", filename="a", length=1)
    async with wires.session.post(again["upload_url"], data=b"x") as response:
        assert response.status == 200
    wrong["files"] = [{"id": again["file_id"]}]
    assert (await wires.slack("files.completeUploadExternal", **wrong))["error"] == "invalid_channel"


async def test_all_ways_of_passing_arguments_are_read(wires: Wires) -> None:
    url = f"{wires.base_url}/slack/api/chat.postMessage"
    headers = {"Authorization": f"Bearer {BOT_TOKEN}"}
    values = {"channel": "D0ADA", "text": "x", "blocks": json.dumps([{"type": "divider"}])}
    posts: list[dict[str, Any]] = [
        {"data": values, "headers": headers},
        {"data": {**values, "token": BOT_TOKEN}},
        {"params": {**values, "token": BOT_TOKEN}},
        {"json": {**values, "blocks": [{"type": "divider"}]}, "headers": headers},
    ]
    for number, request in enumerate(posts, start=1):
        async with wires.session.post(url, **request) as response:
            assert (await response.json())["message"]["blocks"][0]["type"] == "divider"
        assert len((await wires.channel())["messages"]) == number
    for data, error in ((b"{", "invalid_json"), (b"[]", "json_not_object")):
        kind = {**headers, "Content-Type": "application/json"}
        async with wires.session.post(url, data=data, headers=kind) as response:
            assert (await response.json())["error"] == error
