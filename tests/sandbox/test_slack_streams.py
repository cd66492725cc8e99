"""Messages that grow while people read them: chunks, what they become, and how streams end."""

from typing import Any

import pytest
from slack_sdk.models.messages.chunk import Chunk
from slack_sdk.web.async_client import AsyncWebClient

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.wires import BOT_TOKEN, Wires

Json = dict[str, Any]
HERE = {"channel": "D0ADA"}


def text(words: str) -> Json:
    return {"type": "markdown_text", "text": words}


def task(number: int, status: str, **more: Any) -> Json:
    return {"type": "task_update", "id": f"t{number}", "title": f"Task {number}", "status": status, **more}


async def begun(wires: Wires, **args: Any) -> Json:
    answer = await wires.slack("chat.startStream", **{**HERE, **args})
    assert answer["ok"], answer
    return {"channel": answer["channel"], "ts": answer["ts"]}


async def shown(wires: Wires, channel: str = "D0ADA") -> Json:
    message: Json = (await wires.channel(channel))["messages"][-1]
    return message


async def test_text_grows_in_one_block_until_something_else_comes(wires: Wires) -> None:
    stream = await begun(wires, markdown_text="Hel")
    await wires.slack("chat.appendStream", **stream, markdown_text="lo ")
    await wires.slack(
        "chat.appendStream", **stream, chunks=[text("you"), {"type": "blocks", "blocks": [{"type": "divider"}]}]
    )
    stopped = await wires.slack("chat.stopStream", **stream, markdown_text="bye", blocks=[{"type": "divider"}])
    message = await shown(wires)
    assert [(block["type"], block.get("text")) for block in message["blocks"]] == [
        ("markdown", "Hello you"),
        ("divider", None),
        ("markdown", "bye"),
        ("divider", None),
    ]
    assert (message["text"], message["stream"]["state"]) == ("Hello youbye", "completed")
    assert stopped["message"]["blocks"] == message["blocks"]


async def test_tasks_are_cards_that_change_in_their_place(wires: Wires) -> None:
    stream = await begun(wires, chunks=[task(1, "in_progress", details="*look*"), text("between"), task(2, "pending")])
    source = {"type": "url", "url": "https://a.bc", "text": "A"}
    await wires.slack("chat.appendStream", **stream, chunks=[task(1, "complete", output="done", sources=[source])])
    blocks = (await shown(wires))["blocks"]
    assert [block["type"] for block in blocks] == ["task_card", "markdown", "task_card"]
    assert (blocks[0]["status"], blocks[0]["sources"], blocks[2]["status"]) == ("complete", [source], "pending")
    said = {name: blocks[0][name]["elements"][0]["elements"][0]["text"] for name in ("details", "output")}
    assert said == {"details": "*look*", "output": "done"}


async def test_in_plan_mode_all_tasks_stand_in_one_plan(wires: Wires) -> None:
    stream = await begun(wires, task_display_mode="plan", chunks=[task(1, "in_progress"), task(2, "pending")])
    plan = {"type": "plan_update", "title": "Ship it"}
    await wires.slack("chat.appendStream", **stream, chunks=[plan, task(1, "complete"), text("more")])
    block, words = (await shown(wires))["blocks"]
    assert (block["type"], block["title"], words["type"]) == ("plan", "Ship it", "markdown")
    assert [(card["task_id"], card["status"]) for card in block["tasks"]] == [("t1", "complete"), ("t2", "pending")]


async def test_a_stream_in_a_channel_has_a_recipient_and_a_thread(wires: Wires) -> None:
    root = (await wires.control("slack/say", channel="C0BOSS", user="U0BEN", text="go"))["ts"]
    who = {"recipient_team_id": "T0SANDBOX", "recipient_user_id": "U0BEN"}
    await begun(wires, channel="C0BOSS", thread_ts=root, markdown_text="x", **who)
    message = await shown(wires, "C0BOSS")
    expected = {"state": "in_progress", "by": None, "task_display_mode": "timeline", **who}
    assert (message["thread_ts"], message["stream"]) == (root, expected)


async def test_a_stream_ends_after_five_minutes_and_can_then_be_edited(wires: Wires) -> None:
    stream = await begun(wires, markdown_text="x")
    await wires.control("clock", advance_s=299)
    assert (await wires.slack("chat.appendStream", **stream, markdown_text="y"))["ok"] is True
    await wires.control("clock", advance_s=2)
    assert (await shown(wires))["stream"]["by"] == "expiry"
    assert (await wires.slack("chat.update", **stream, text="the rest"))["ok"] is True
    assert (await shown(wires))["text"] == "the rest"


async def test_an_empty_stream_can_be_started_but_not_finished_empty(wires: Wires) -> None:
    stream = await begun(wires)
    assert (await wires.slack("chat.stopStream", **stream))["error"] == "no_text"
    assert (await wires.slack("chat.stopStream", **stream, markdown_text="x"))["ok"] is True


async def test_a_refused_append_leaves_the_message_as_it_was(wires: Wires) -> None:
    stream = await begun(wires, markdown_text="x")
    chunks = [text("y"), {"type": "blocks", "blocks": [{"type": "divider"}] * 50}]
    assert (await wires.slack("chat.appendStream", **stream, chunks=chunks))["error"] == "msg_blocks_too_many"
    assert (await shown(wires))["text"] == "x"


CHUNKS = [
    text("x"),
    task(1, "error", details="d", output="o", sources=[{"type": "url", "url": "https://a.bc", "text": "A"}]),
    {"type": "plan_update", "title": "x"},
    {"type": "blocks", "blocks": [{"type": "divider"}]},
]
BAD = [
    ({"type": "film"}, "unsupported type: film [json-pointer:/chunks/0/type]"),
    ("x", "must be an object [json-pointer:/chunks/0]"),
    (text(""), "must be more than 0 characters [json-pointer:/chunks/0/text]"),
    (text("x" * 12_001), "must be less than 12001 characters [json-pointer:/chunks/0/text]"),
    (task(1, "lost"), "must be a valid enum value [json-pointer:/chunks/0/status]"),
    ({"type": "task_update", "id": "1", "status": "error"}, "missing required field: title [json-pointer:/chunks/0]"),
    ({**text("x"), "colour": "red"}, "invalid additional property: colour [json-pointer:/chunks/0]"),
    ({"type": "blocks", "blocks": "x"}, "must be an array [json-pointer:/chunks/0/blocks]"),
    ({"type": "blocks", "blocks": []}, "no fewer than 1 items allowed [json-pointer:/chunks/0/blocks]"),
    (
        {"type": "blocks", "blocks": [{"type": "banner"}]},
        "unsupported type: banner [json-pointer:/chunks/0/blocks/0/type]",
    ),
]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk["type"])
async def test_each_kind_of_chunk_is_taken(wires: Wires, chunk: Json) -> None:
    assert Chunk.parse(chunk).to_dict() == chunk  # type: ignore[union-attr]
    await begun(wires, chunks=[chunk])


@pytest.mark.parametrize(("chunk", "complaint"), BAD)
async def test_a_wrong_chunk_is_refused_with_its_place(wires: Wires, chunk: Any, complaint: str) -> None:
    answer = await wires.slack("chat.startStream", **HERE, chunks=[chunk])
    assert (answer["error"], answer["errors"]) == ("invalid_chunks", [complaint])


async def test_slack_sdks_own_helper_streams_with_its_buffer(sandbox: RunningSandbox, wires: Wires) -> None:
    root = (await wires.control("slack/say", channel="C0BOSS", user="U0ADA", text="go"))["ts"]
    client = AsyncWebClient(BOT_TOKEN, base_url=sandbox.slack_api_base)
    stream = await client.chat_stream(
        channel="C0BOSS", thread_ts=root, recipient_team_id="T0SANDBOX", recipient_user_id="U0ADA", buffer_size=4
    )
    for words in ("one ", "two ", "three"):
        await stream.append(markdown_text=words)
    await stream.append(chunks=[task(1, "complete")])
    await stream.stop(markdown_text="!")
    message = await shown(wires, "C0BOSS")
    assert (message["text"], message["stream"]["state"]) == ("one two three!", "completed")
    assert [block["type"] for block in message["blocks"]] == ["markdown", "task_card", "markdown"]
