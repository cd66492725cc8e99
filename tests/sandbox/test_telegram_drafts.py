"""Drafts: what is still being written, for thirty seconds, with a Stop button."""

from typing import Any

from tests.sandbox.wires import Wires

DRAFT = {"chat_id": 1001, "draft_id": 5}
RICH = {"blocks": [{"type": "thinking", "text": "Reading"}]}


async def shown(wires: Wires) -> list[dict[str, Any]]:
    drafts: list[dict[str, Any]] = (await wires.chat())["drafts"]
    return drafts


async def updates(wires: Wires) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await wires.telegram("getUpdates"))["result"]
    return found


async def test_a_draft_shows_until_thirty_seconds_after_it_was_last_sent(wires: Wires) -> None:
    assert (await wires.telegram("sendMessageDraft", **DRAFT, text=""))["result"] is True
    assert [(draft["text"], draft["can_stop"]) for draft in await shown(wires)] == [("", False)]
    await wires.control("clock", advance_s=29)
    await wires.telegram("sendMessageDraft", **DRAFT, text="<b>so</b> far", parse_mode="HTML", can_stop=True)
    await wires.control("clock", advance_s=29)
    (draft,) = await shown(wires)
    assert (draft["draft_id"], draft["can_stop"], draft["stopped"], draft["rich_message"]) == (5, True, False, None)
    await wires.control("clock", advance_s=2)
    assert await shown(wires) == []


async def test_a_message_ends_the_drafts_of_its_own_topic_only(wires: Wires) -> None:
    topic = (await wires.telegram("createForumTopic", chat_id=1001, name="Work"))["result"]["message_thread_id"]
    await wires.telegram("sendMessageDraft", **DRAFT, text="outside")
    await wires.telegram("sendRichMessageDraft", **DRAFT, rich_message=RICH, message_thread_id=topic)
    assert len(await shown(wires)) == 2
    await wires.telegram("sendMessage", chat_id=1001, text="done")
    (left,) = await shown(wires)
    assert (left["message_thread_id"], left["rich_message"], left["text"]) == (topic, RICH, "")
    await wires.telegram("sendMessage", chat_id=1001, text="done", message_thread_id=topic)
    assert await shown(wires) == []


async def test_stop_takes_the_draft_away_and_tells_the_bot(wires: Wires) -> None:
    await wires.telegram("sendMessageDraft", **DRAFT, text="so far", can_stop=True)
    await wires.control("telegram/stop", chat_id=1001, user_id=1001, draft_id=5)
    assert await shown(wires) == []
    (update,) = await updates(wires)
    stopped = update["stopped_message_generation"]
    assert (stopped["chat"]["id"], stopped["draft_id"], "message_thread_id" in stopped) == (1001, 5, False)
    again = await wires.telegram("sendMessageDraft", **DRAFT, text="more", can_stop=True)
    assert (again["result"], await shown(wires)) == (True, [])
    await wires.telegram("sendMessage", chat_id=1001, text="what there was")
    await wires.telegram("sendMessageDraft", **DRAFT, text="a new answer")
    assert [draft["text"] for draft in await shown(wires)] == ["a new answer"]


async def test_a_draft_that_is_kept_on_stop_stays_without_its_button(wires: Wires) -> None:
    topic = (await wires.telegram("createForumTopic", chat_id=1001, name="Work"))["result"]["message_thread_id"]
    place = {"chat_id": 1001, "draft_id": 5, "message_thread_id": topic}
    await wires.telegram("sendRichMessageDraft", **place, rich_message=RICH, can_stop=True, keep_on_stop=True)
    stop = {"chat_id": 1001, "user_id": 1001, "draft_id": 5, "thread_id": topic}
    await wires.control("telegram/stop", **stop)
    (draft,) = await shown(wires)
    assert (draft["stopped"], draft["keep_on_stop"]) == (True, True)
    told = [update.get("stopped_message_generation") for update in await updates(wires)]
    assert [stopped["message_thread_id"] for stopped in told if stopped is not None] == [topic]
    assert (await wires.try_control("telegram/stop", **stop))[0] in (400, 404)
    await wires.control("clock", advance_s=31)
    assert await shown(wires) == []


async def test_nothing_can_be_stopped_that_shows_no_stop_button(wires: Wires) -> None:
    await wires.telegram("sendMessageDraft", **DRAFT, text="so far")
    for draft_id in (5, 6):
        status, _ = await wires.try_control("telegram/stop", chat_id=1001, user_id=1001, draft_id=draft_id)
        assert status in (400, 404)
    await wires.telegram("sendMessageDraft", **DRAFT, text="so far", can_stop=True)
    await wires.control("clock", advance_s=31)
    assert (await wires.try_control("telegram/stop", chat_id=1001, user_id=1001, draft_id=5))[0] in (400, 404)
    assert await updates(wires) == []
