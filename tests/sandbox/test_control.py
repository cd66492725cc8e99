"""The control API: what a script can do, and what it is told when it cannot."""

import asyncio
import json
from typing import Any

import pytest

from bossbot.sandbox.labels import plain
from tests.sandbox.wires import BOT_TOKEN, TOKEN, Wires

GROUP = -1000000000001


def keyboard(*labels: str) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": label, "callback_data": f"data:{label}"} for label in labels]]}


def actions(*labels: str) -> list[dict[str, Any]]:
    elements = [
        {"type": "button", "text": {"type": "plain_text", "text": label}, "action_id": f"act:{label}", "value": label}
        for label in labels
    ]
    return [{"type": "actions", "elements": elements}]


async def test_people_and_places_stand_in_their_order_with_the_owner_first(wires: Wires) -> None:
    telegram, slack = await wires.state("telegram"), await wires.state("slack")
    assert [(user["id"], user["name"], user["role"]) for user in telegram["users"]] == [
        (1001, "Ada", "owner"),
        (1002, "Ben", "approver"),
        (1003, "Eve", "stranger"),
    ]
    assert [(chat["id"], chat["type"]) for chat in telegram["chats"]] == [
        (1001, "private"),
        (GROUP, "supergroup"),
        (1002, "private"),
        (1003, "private"),
    ]
    assert [(user["id"], user["name"], user["role"]) for user in slack["users"]] == [
        ("U0ADA", "ada", "owner"),
        ("U0BEN", "ben", "approver"),
        ("U0EVE", "eve", "stranger"),
    ]
    assert [(channel["id"], channel["name"]) for channel in slack["channels"]] == [
        ("D0ADA", "ada"),
        ("C0BOSS", "boss"),
        ("D0BEN", "ben"),
        ("D0EVE", "eve"),
    ]
    assert slack["bot_user_id"] == "U0BOSSBOT"


async def test_saying_something_shows_in_the_state(wires: Wires) -> None:
    said = await wires.control("telegram/say", chat_id=GROUP, user_id=1003, text="hello /start")
    answer = await wires.control("telegram/say", chat_id=GROUP, user_id=1002, text="hi", reply_to=said["message_id"])
    first, second = (await wires.chat(GROUP))["messages"]
    assert (first["message_id"], first["from"]["id"], first["text"]) == (said["message_id"], 1003, "hello /start")
    assert first["entities"] == [{"type": "bot_command", "offset": 6, "length": 6}]
    assert (second["message_id"], second["reply_to"]) == (answer["message_id"], said["message_id"])
    asked = await wires.control("slack/say", channel="C0BOSS", user="U0EVE", text="hello")
    await wires.control("slack/say", channel="C0BOSS", user="U0ADA", text="in thread", thread_ts=asked["ts"])
    first, second = (await wires.channel("C0BOSS"))["messages"]
    assert (first["ts"], first["user"], first["reply_count"]) == (asked["ts"], "U0EVE", 1)
    assert second["thread_ts"] == asked["ts"]


@pytest.mark.parametrize(
    ("label", "pressed"),
    [
        ("Approve", "data:Approve"),
        ("approve", "data:✅ Approve"),
        ("✅ Approve", "data:✅ Approve"),
        ("reject", "data:❌  Reject…"),
    ],
)
async def test_a_label_is_matched_exactly_first_then_loosely(wires: Wires, label: str, pressed: str) -> None:
    labels = ["✅ Approve", "❌  Reject…"] if label != "Approve" else ["✅ Approve", "Approve"]
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=keyboard(*labels))
    wanted = "reject…" if label == "reject" else label
    message_id = sent["result"]["message_id"]
    await wires.control("telegram/press", chat_id=1001, message_id=message_id, label=wanted, user_id=1002)
    query = (await wires.telegram("getUpdates"))["result"][0]["callback_query"]
    assert (query["data"], query["from"]["id"]) == (pressed, 1002)


async def test_an_unknown_or_ambiguous_label_names_the_labels_that_are_there(wires: Wires) -> None:
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=keyboard("✅ Yes", "☑️ yes", "No"))
    message_id = sent["result"]["message_id"]
    for label in ("maybe", "YES"):
        body = {"chat_id": 1001, "message_id": message_id, "user_id": 1001, "label": label}
        status, answer = await wires.try_control("telegram/press", **body)
        assert status == 404
        assert all(text in answer["error"] for text in ("✅ Yes", "☑️ yes", "No"))
    posted = await wires.slack("chat.postMessage", channel="D0ADA", text="?", blocks=actions("Yes", "No"))
    status, answer = await wires.try_control(
        "slack/press", channel="D0ADA", ts=posted["ts"], user="U0ADA", label="maybe"
    )
    assert (status, "'Yes', 'No'" in answer["error"]) == (404, True)
    status, answer = await wires.try_control(
        "slack/press", channel="D0ADA", ts=posted["ts"], user="U0ADA", action_id="act:Maybe"
    )
    assert (status, "'act:Yes'" in answer["error"]) == (404, True)


async def test_a_button_that_is_gone_or_disabled_cannot_be_pressed(wires: Wires) -> None:
    markup = keyboard("Go")
    markup["inline_keyboard"][0].append({"text": "Stop", "disabled": {}})
    markup["inline_keyboard"][0].append({"text": "Read", "url": "https://example.org"})
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=markup)
    press = {"chat_id": 1001, "message_id": sent["result"]["message_id"], "user_id": 1001}
    assert (await wires.try_control("telegram/press", **press, label="Stop"))[0] == 400
    assert (await wires.try_control("telegram/press", **press, label="Read"))[0] == 400
    await wires.telegram("editMessageText", chat_id=1001, message_id=press["message_id"], text="done")
    assert (await wires.try_control("telegram/press", **press, label="Go"))[0] == 404
    assert (await wires.state("telegram"))["pending_updates"] == 0


async def test_a_stale_screen_can_still_send_the_press_of_a_button_that_was_taken_away(wires: Wires) -> None:
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=keyboard("Approve"))
    message_id = sent["result"]["message_id"]
    await wires.telegram("editMessageText", chat_id=1001, message_id=message_id, text="decided")
    press = {"chat_id": 1001, "message_id": message_id, "user_id": 1002, "label": "approve", "stale": True}
    await wires.control("telegram/press", **press)
    query = (await wires.telegram("getUpdates"))["result"][0]["callback_query"]
    assert (query["data"], query["message"]["text"]) == ("data:Approve", "decided")
    posted = await wires.slack("chat.postMessage", channel="D0ADA", text="?", blocks=actions("Approve"))
    await wires.slack("chat.update", channel="D0ADA", ts=posted["ts"], text="decided", blocks=[])
    ws = await wires.socket()
    press = {"channel": "D0ADA", "ts": posted["ts"], "user": "U0BEN", "label": "Approve", "stale": True}
    await wires.control("slack/press", **press)
    while (envelope := await ws.receive_json(timeout=60))["type"] != "interactive":
        pass
    assert envelope["payload"]["actions"][0]["value"] == "Approve"


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("telegram/say", {"chat_id": 1, "user_id": 1001, "text": "x"}, 404, "-1000000000001"),
        ("telegram/say", {"chat_id": 1001, "user_id": 7, "text": "x"}, 404, "no user 7"),
        ("telegram/say", {"chat_id": 1001, "user_id": 1001, "text": "  "}, 400, "1 to 4096"),
        ("telegram/say", {"chat_id": 1001, "user_id": 1001, "text": "x" * 4097}, 400, "1 to 4096"),
        ("telegram/say", {"chat_id": 1001, "user_id": 1001}, 400, "text"),
        ("telegram/say", {"chat_id": "1001", "user_id": 1001, "text": "x"}, 400, "chat_id"),
        ("telegram/say", {"chat_id": 1001, "user_id": 1001, "text": "x", "reply": 1}, 400, "reply"),
        ("telegram/say", {"chat_id": 1001, "user_id": 1001, "text": "x", "reply_to": 9}, 404, "no message 9"),
        ("telegram/say", {"chat_id": 1001, "user_id": 1001, "text": "x", "thread_id": 9}, 404, "no topic 9"),
        ("telegram/press", {"chat_id": 1001, "message_id": 9, "user_id": 1001, "label": "x"}, 404, "no message 9"),
        ("slack/say", {"channel": "C0NONE", "user": "U0ADA", "text": "x"}, 404, "C0BOSS"),
        ("slack/say", {"channel": "C0BOSS", "user": "U0X", "text": "x"}, 404, "U0X"),
        ("slack/say", {"channel": "C0BOSS", "user": "U0ADA", "text": ""}, 400, "1 to 40000"),
        ("slack/say", {"channel": "C0BOSS", "user": "U0ADA", "text": "x", "thread_ts": "1.2"}, 404, "1.2"),
        ("slack/press", {"channel": "C0BOSS", "ts": "1.2", "user": "U0ADA", "label": "x"}, 404, "1.2"),
        ("faults", {"platform": "telegram", "kind": "boom"}, 400, "kind"),
        ("faults", {"platform": "telegram", "kind": "429", "count": 0}, 400, "count"),
        ("faults", {"platform": "telegram", "kind": "disconnect"}, 400, "telegram has no fault of kind"),
        ("faults", {"platform": "telegram", "kind": "429", "method": "chat.postMessage"}, 404, "chat.postMessage"),
        (
            "faults",
            {"platform": "telegram", "kind": "500", "seconds": 2},
            400,
            "takes no seconds; it takes count, method",
        ),
        ("faults", {"platform": "telegram", "kind": "blocked", "method": "getMe"}, 400, "sendMessage"),
        ("faults", {"platform": "slack", "kind": "delayed", "method": "chat.update"}, 400, "takes no method"),
        ("faults", {"platform": "slack", "kind": "delayed", "seconds": 0}, 400, "positive"),
        ("faults", {"platform": "telegram", "kind": "delayed", "event": "mesage"}, 404, "message"),
        ("clock", {"advance_s": 1e300}, 400, "advance_s"),
        ("reset", {"all": True}, 400, "all"),
        ("settings", {}, 400, "give rate_limits or privacy_mode"),
        ("settings", {"rate_limits": "no"}, 400, "rate_limits"),
        ("clock", {"advance_s": -1}, 400, "advance_s"),
    ],
)
async def test_a_wrong_request_is_told_what_is_wrong(
    wires: Wires, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    found, answer = await wires.try_control(path, **body)
    assert (found, answer["ok"]) == (status, False)
    assert words in answer["error"]


async def test_label_and_data_exclude_each_other(wires: Wires) -> None:
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=keyboard("Go"))
    press = {"chat_id": 1001, "message_id": sent["result"]["message_id"], "user_id": 1001}
    assert (await wires.try_control("telegram/press", **press))[0] == 400
    assert (await wires.try_control("telegram/press", **press, label="Go", data="data:Go"))[0] == 400
    assert (await wires.try_control("telegram/press", **press, data="data:Gone"))[0] == 404
    assert (await wires.try_control("telegram/press", **press, data="data:Go"))[0] == 200


async def test_an_unknown_or_missing_field_is_answered_with_those_there_are(wires: Wires) -> None:
    for body in ({"chat_id": 1001, "user_id": 1001, "txt": "x"}, {"chat_id": 1001}):
        status, answer = await wires.try_control("telegram/say", **body)
        assert (status, answer["error"].split("; ")[1]) == (
            400,
            "the fields are: chat_id, user_id, text, thread_id?, reply_to?",
        )


async def test_what_is_no_json_or_no_object_is_refused(wires: Wires) -> None:
    for data in (b"{", b"[]", b"\xff", b"1"):
        async with wires.session.post(
            f"{wires.base_url}/sandbox/telegram/say", data=data, headers={"Content-Type": "application/json"}
        ) as response:
            assert response.status == 400
            assert (await response.json())["ok"] is False


async def test_an_unknown_route_is_a_json_404(wires: Wires) -> None:
    status, answer = await wires.try_control("nothing")
    assert (status, answer["ok"]) == (404, False)


async def test_reset_empties_everything_and_repeats_no_id(wires: Wires) -> None:
    first = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="one")
    await wires.slack("chat.postMessage", channel="D0ADA", text="two")
    await wires.control("faults", platform="slack", kind="500")
    await wires.control("settings", rate_limits=False)
    await wires.control("reset")
    assert (await wires.chat())["messages"] == []
    assert (await wires.channel())["messages"] == []
    assert await wires.calls("slack") == []
    assert (await wires.telegram("getUpdates"))["result"] == []
    assert (await wires.slack("auth.test"))["ok"] is True
    again = await wires.control("telegram/say", chat_id=1001, user_id=1001, text="one")
    assert again["message_id"] > first["message_id"]
    assert again["update_id"] > first["update_id"]


async def test_calls_tell_time_method_payload_and_error_and_never_a_token(wires: Wires) -> None:
    await wires.telegram("sendMessage", chat_id=1001, text="hi", reply_markup=keyboard("Go"))
    await wires.telegram("sendMessage", chat_id=5, text="hi")
    await wires.slack("chat.postMessage", channel="D0ADA", text="hi", blocks=json.dumps(actions("Go")))
    await wires.slack("chat.postMessage", channel="C0NONE", text="hi")
    async with wires.session.post(
        f"{wires.base_url}/slack/api/chat.postMessage", data={"token": BOT_TOKEN, "channel": "D0ADA", "text": "x"}
    ) as response:
        assert (await response.json())["ok"] is True
    good, bad = await wires.calls("telegram")
    assert (good["method"], good["ok"], good["error"]) == ("sendMessage", True, None)
    assert good["payload"] == {"chat_id": 1001, "text": "hi", "reply_markup": keyboard("Go")}
    assert (bad["ok"], bad["error"]) == (False, "Bad Request: chat not found")
    assert good["t"] <= bad["t"]
    first, second, third = await wires.calls("slack")
    assert first["payload"] == {"channel": "D0ADA", "text": "hi", "blocks": actions("Go")}
    assert (second["ok"], second["error"]) == (False, "channel_not_found")
    assert third["payload"] == {"channel": "D0ADA", "text": "x"}
    assert len(await wires.calls("slack", method="chat.postMessage", since=str(third["t"]))) == 1
    everything = json.dumps([await wires.calls("telegram"), await wires.calls("slack")])
    assert TOKEN not in everything
    assert BOT_TOKEN not in everything


async def test_calls_of_no_platform_are_refused(wires: Wires) -> None:
    async with wires.session.get(f"{wires.base_url}/sandbox/calls") as response:
        assert response.status == 400


async def test_a_press_can_wait_for_its_answer(wires: Wires) -> None:
    sent = await wires.telegram("sendMessage", chat_id=1001, text="?", reply_markup=keyboard("Go"))
    press = {"chat_id": 1001, "message_id": sent["result"]["message_id"], "user_id": 1001, "label": "Go"}
    waiting = asyncio.create_task(wires.control("telegram/press", **press, wait_s=60))
    update = (await wires.telegram("getUpdates", timeout=5))["result"][0]
    answer = {"callback_query_id": update["callback_query"]["id"], "text": "Done", "show_alert": True}
    assert (await wires.telegram("answerCallbackQuery", **answer))["ok"] is True
    assert (await waiting)["answer"] == {"text": "Done", "show_alert": True}
    (shown,) = (await wires.chat())["callback_answers"]
    assert (shown["user_id"], shown["message_id"], shown["text"], shown["show_alert"]) == (
        1001,
        press["message_id"],
        "Done",
        True,
    )
    assert (await wires.control("telegram/press", **press))["answer"] is None


@pytest.mark.parametrize(
    ("label", "letters"),
    [("✅ Approve", "approve"), ("  A  b ", "a b"), ("👍🏽  Yes, all", "yes, all"), ("✅", "✅"), ("批准", "批准")],
)
def test_a_label_without_its_emoji_is_what_a_person_would_type(label: str, letters: str) -> None:
    assert plain(label) == letters
