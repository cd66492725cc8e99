"""What an agent says of a thread: statuses, titles, prompts, sessions, and the native Stop."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.sandbox.slack_app import SocketApp
from tests.sandbox.wires import Wires, until

Json = dict[str, Any]


@pytest.fixture
async def thread(wires: Wires) -> Json:
    """A message of Ada's, as the methods name its thread."""
    said = await wires.control("slack/say", channel="D0ADA", user="U0ADA", text="go")
    return {"channel_id": "D0ADA", "thread_ts": said["ts"]}


@pytest.fixture
async def app(wires: Wires) -> AsyncIterator[SocketApp]:
    async with SocketApp(wires) as made:
        yield made


async def threads(wires: Wires) -> list[Json]:
    found: list[Json] = (await wires.channel())["threads"]
    return found


async def session(wires: Wires) -> Json:
    found: Json = (await threads(wires))[0]["session"]
    return found


async def test_a_session_begins_with_its_title_and_changes_its_status(wires: Wires, thread: Json) -> None:
    first = {"status": "processing", "title": "Ship", "initiator_user_id": "U0ADA", "username": "Clerk"}
    answer = await wires.slack("agents.sessions.setStatus", **thread, **first)
    assert answer == {"ok": True, "status": "processing", "title": "Ship"}
    assert await session(wires) == {**first, "can_stop": True}
    await wires.slack("agents.sessions.setStatus", **thread, status="suspended", title="ignored")
    assert await session(wires) == {**first, "status": "suspended", "can_stop": False}
    assert (await wires.slack("agents.sessions.rename", **thread, title="Shipped"))["ok"] is True
    assert (await session(wires))["title"] == "Shipped"
    for title in (" ", "x" * 201):
        assert (await wires.slack("agents.sessions.rename", **thread, title=title))["error"] == "invalid_name"


async def test_stop_tells_the_app_and_ends_its_streams_but_not_the_session(
    wires: Wires, thread: Json, app: SocketApp
) -> None:
    """docs.slack.dev, events/agent_session_stopped: the status does not change by itself."""
    here = {"channel": "D0ADA", "thread_ts": thread["thread_ts"]}
    await wires.slack("agents.sessions.setStatus", **thread, status="processing")
    streams = [(await wires.slack("chat.startStream", **here, markdown_text="x"))["ts"] for _ in range(2)]
    await wires.slack("chat.stopStream", channel="D0ADA", ts=streams[0])
    await wires.slack("agents.sessions.setStatus", **thread, status="processing")
    assert (await wires.control("slack/stop", **here, user="U0ADA"))["delivered"] is True

    async def told() -> list[Json]:
        return [heard["event"] for heard in app.events if heard["event"]["type"] == "agent_session_stopped"]

    (event,) = await until(told)
    assert {name: event[name] for name in ("channel", "thread_ts", "user", "streaming_message_ts")} == {
        **here,
        "user": "U0ADA",
        "streaming_message_ts": [streams[1]],
    }
    assert (await session(wires))["status"] == "processing"
    message = (await wires.channel())["messages"][-1]
    assert (message["ts"], message["stream"]["by"]) == (streams[1], "user")
    done = await wires.slack("chat.stopStream", channel="D0ADA", ts=streams[1], session_status="closed")
    assert (done["ok"], (await session(wires))["status"]) == (True, "closed")


async def test_stop_is_not_there_without_a_session_at_work(wires: Wires, thread: Json) -> None:
    press = {"channel": "D0ADA", "thread_ts": thread["thread_ts"], "user": "U0ADA"}
    assert (await wires.try_control("slack/stop", **press))[0] == 404
    await wires.slack("agents.sessions.setStatus", **thread, status="active")
    assert (await wires.try_control("slack/stop", **press))[0] == 404


async def test_an_app_that_does_not_hear_of_stop_is_warned_and_shows_none(wires: Wires, thread: Json) -> None:
    await wires.control("slack/manifest", events=["message.im"])
    answer = await wires.slack("agents.sessions.setStatus", **thread, status="processing")
    assert answer["warning"] == "missing_agent_session_stopped_event_subscription"
    assert answer["response_metadata"] == {"warnings": [answer["warning"]]}
    assert (await session(wires))["can_stop"] is False


async def test_a_finished_stream_makes_the_session_active(wires: Wires, thread: Json) -> None:
    """docs.slack.dev, chat.stopStream: `session_status` is `active` unless the call says otherwise."""
    await wires.slack("agents.sessions.setStatus", **thread, status="processing")
    here = {"channel": "D0ADA", "thread_ts": thread["thread_ts"]}
    ts = (await wires.slack("chat.startStream", **here, markdown_text="x"))["ts"]
    await wires.slack("chat.stopStream", channel="D0ADA", ts=ts)
    assert (await session(wires))["status"] == "active"


async def test_titles_and_prompts_show_with_their_thread(wires: Wires, thread: Json) -> None:
    prompts = [{"title": "Deploy", "message": "deploy it"}]
    assert (await wires.slack("assistant.threads.setTitle", **thread, title="Release"))["ok"] is True
    suggested = await wires.slack("assistant.threads.setSuggestedPrompts", **thread, prompts=prompts, title="Try")
    assert suggested["ok"] is True
    assert await threads(wires) == [
        {
            "thread_ts": thread["thread_ts"],
            "title": "Release",
            "prompts": {"title": "Try", "prompts": prompts},
            "session": None,
        }
    ]


async def test_loading_messages_may_come_with_commas_between_them(wires: Wires, thread: Json) -> None:
    for value in ("a,b", ["a", "b"]):
        answer = await wires.slack("assistant.threads.setStatus", **thread, status="works", loading_messages=value)
        assert answer["ok"], answer
        (shown,) = (await wires.channel())["statuses"]
        assert shown["loading_messages"] == ["a", "b"]
