"""Presses of buttons inside rich messages, and what a slow screen still shows."""

from typing import Any

from tests.sandbox.wires import Wires


def rich(label: Any, data: str) -> dict[str, Any]:
    inline = {"type": "button", "button": {"text": "in the text", "callback_data": "inline"}}
    own = {"type": "buttons", "buttons": [{"text": label, "callback_data": data}]}
    return {
        "blocks": [{"type": "paragraph", "text": ["Press ", inline]}, {"type": "list", "items": [{"blocks": [own]}]}]
    }


async def pressed(wires: Wires) -> str:
    (update,) = (await wires.telegram("getUpdates", offset=-1))["result"]
    data: str = update["callback_query"]["data"]
    return data


async def test_buttons_inside_rich_messages_are_pressed_by_their_words_or_data(wires: Wires) -> None:
    label = ["Go ", {"type": "bold", "text": "on"}]
    sent = (await wires.telegram("sendRichMessage", chat_id=1001, rich_message=rich(label, "go")))["result"]
    press = {"chat_id": 1001, "message_id": sent["message_id"], "user_id": 1002}
    for how, data in (({"label": "Go on"}, "go"), ({"label": "in the text"}, "inline"), ({"data": "inline"}, "inline")):
        await wires.control("telegram/press", **press, **how)
        assert await pressed(wires) == data
    status, answer = await wires.try_control("telegram/press", **press, label="Stop")
    assert (status, "'in the text', 'Go on'" in answer["error"]) == (404, True)


async def test_a_stale_screen_still_has_the_buttons_of_the_rich_message_before(wires: Wires) -> None:
    sent = (await wires.telegram("sendRichMessage", chat_id=1001, rich_message=rich("Old", "old")))["result"]
    edit = {"chat_id": 1001, "message_id": sent["message_id"]}
    assert (await wires.telegram("editMessageText", **edit, rich_message=rich("New", "new")))["ok"] is True
    press = {"chat_id": 1001, "message_id": sent["message_id"], "user_id": 1001, "label": "Old"}
    assert (await wires.try_control("telegram/press", **press))[0] == 404
    await wires.control("telegram/press", **press, stale=True)
    assert await pressed(wires) == "old"
