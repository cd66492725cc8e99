"""People on Slack in a script's hands: edits, deletions, reactions, files, the agent view, and a second workspace."""

import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.sandbox.slack_app import SocketApp
from tests.sandbox.wires import BOT_TOKEN, Wires, until

NORTH_TOKEN = "xoxb-0123456789-north"


@pytest.fixture
async def app(wires: Wires) -> AsyncIterator[SocketApp]:
    async with SocketApp(wires) as made:
        yield made


async def said(wires: Wires, text: str, channel: str = "C0BOSS", user: str = "U0ADA", **more: Any) -> str:
    ts: str = (await wires.control("slack/say", channel=channel, user=user, text=text, **more))["ts"]
    return ts


async def test_a_person_edits_and_deletes_what_they_wrote(wires: Wires, app: SocketApp) -> None:
    place = {"channel": "C0BOSS", "ts": await said(wires, "frist"), "user": "U0ADA"}
    await wires.control("slack/edit", **place, text="first <b>")

    async def changed() -> dict[str, Any]:
        return next((item["event"] for item in app.events if item["event"].get("subtype") == "message_changed"), {})

    event = await until(changed)
    assert (event["message"]["text"], event["previous_message"]["text"]) == ("first &lt;b&gt;", "frist")
    assert event["message"]["edited"]["user"] == "U0ADA"
    await wires.control("slack/delete", **place)

    async def deleted() -> dict[str, Any]:
        return next((item["event"] for item in app.events if item["event"].get("subtype") == "message_deleted"), {})

    assert (await until(deleted))["deleted_ts"] == place["ts"]
    channel = await wires.channel("C0BOSS")
    assert (channel["messages"], channel["deleted_ts"]) == ([], [place["ts"]])


async def test_a_reaction_of_a_person_is_told_with_whose_message_it_is_on(wires: Wires, app: SocketApp) -> None:
    posted = await wires.slack("chat.postMessage", channel="C0BOSS", text="like it?")
    react = {"channel": "C0BOSS", "ts": posted["ts"], "user": "U0BEN", "name": "eyes"}
    await wires.control("slack/react", **react)
    event = (await app.event("reaction_added"))["event"]
    assert (event["user"], event["reaction"], event["item_user"]) == ("U0BEN", "eyes", "U0BOSSBOT")
    assert event["item"] == {"type": "message", "channel": "C0BOSS", "ts": posted["ts"]}
    (shown,) = (await wires.channel("C0BOSS"))["messages"]
    assert shown["reactions"] == [{"name": "eyes", "users": ["U0BEN"], "count": 1}]
    assert (await wires.try_control("slack/react", **react))[0] == 400
    await wires.control("slack/react", **react, remove=True)
    assert (await app.event("reaction_removed"))["event"]["reaction"] == "eyes"
    assert (await wires.try_control("slack/react", **react, remove=True))[0] == 400


async def test_a_file_of_a_person_comes_as_a_message_and_the_bot_can_read_it(wires: Wires, app: SocketApp) -> None:
    data = bytes(range(256))
    sent = {"channel": "D0ADA", "user": "U0ADA", "name": "a.bin", "base64": base64.b64encode(data).decode()}
    uploaded = await wires.control("slack/upload", **sent, comment="look")
    assert (await app.event("file_shared"))["event"]["file_id"] == uploaded["file_id"]
    event = (await app.event("message"))["event"]
    (file,) = event["files"]
    assert (event["subtype"], event["text"], event["user"], file["name"]) == ("file_share", "look", "U0ADA", "a.bin")
    async with wires.session.get(file["url_private"], headers={"Authorization": f"Bearer {BOT_TOKEN}"}) as response:
        assert await response.read() == data


async def test_the_bot_hears_of_its_own_reactions_and_files(wires: Wires, app: SocketApp) -> None:
    """As on Slack (openclaw pull 18714), so that a bot that answers itself is found out here."""
    posted = await wires.slack("chat.postMessage", channel="C0BOSS", text="x")
    react = {"channel": "C0BOSS", "timestamp": posted["ts"], "name": "eyes"}
    for method, kind in (("reactions.add", "reaction_added"), ("reactions.remove", "reaction_removed")):
        assert (await wires.slack(method, **react))["ok"]
        event = (await app.event(kind))["event"]
        assert (event["user"], event["reaction"], event["item"]["ts"]) == ("U0BOSSBOT", "eyes", posted["ts"])
    asked = await wires.slack("files.getUploadURLExternal", filename="a.txt", length="1")
    async with wires.session.post(asked["upload_url"], data=b"x") as response:
        assert response.status == 200
    files = [{"id": asked["file_id"]}]
    assert (await wires.slack("files.completeUploadExternal", files=files, channel_id="C0BOSS"))["ok"]
    event = (await app.event("file_shared"))["event"]
    assert (event["user_id"], event["file_id"]) == ("U0BOSSBOT", asked["file_id"])


async def test_the_agent_view_tells_where_its_person_looks(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, app_home_opened and app_context_changed: `context.entities` of type slack#/types/channel_id."""
    opened = await wires.control("slack/open", user="U0ADA", context_channel="C0BOSS")
    event = (await app.event("app_home_opened"))["event"]
    entity = {"type": "slack#/types/channel_id", "value": "C0BOSS", "team_id": "T0SANDBOX"}
    assert (event["tab"], event["channel"], event["context"]) == ("messages", "D0ADA", {"entities": [entity]})
    assert opened["channel"] == "D0ADA"
    await wires.control("slack/look", user="U0ADA")
    assert (await app.event("app_context_changed"))["event"]["context"] == {}


async def test_the_assistant_view_begins_a_thread_and_offers_the_prompts_that_the_app_suggests(
    wires: Wires, app: SocketApp
) -> None:
    """docs.slack.dev, assistant_thread_started: assistant_thread with user_id, context, channel_id and thread_ts."""
    began = await wires.control("slack/assistant", user="U0ADA", context_channel="C0BOSS")
    thread = (await app.event("assistant_thread_started"))["event"]["assistant_thread"]
    assert thread == {
        "user_id": "U0ADA",
        "context": {"channel_id": "C0BOSS", "team_id": "T0SANDBOX", "enterprise_id": None},
        "channel_id": "D0ADA",
        "thread_ts": began["thread_ts"],
    }
    place = {"channel_id": "D0ADA", "thread_ts": began["thread_ts"]}
    prompts = [{"title": "Plan", "message": "Make a plan"}]
    assert (await wires.slack("assistant.threads.setSuggestedPrompts", **place, prompts=prompts))["ok"] is True
    prompt = {"user": "U0ADA", "thread_ts": began["thread_ts"]}
    status, answer = await wires.try_control("slack/prompt", **prompt, title="Play")
    assert (status, "'Plan'" in answer["error"]) == (404, True)
    await wires.control("slack/prompt", **prompt, title="Plan")
    event = (await app.event("message"))["event"]
    assert (event["text"], event["thread_ts"], event["user"]) == ("Make a plan", began["thread_ts"], "U0ADA")
    await wires.control("slack/assistant", user="U0ADA", thread_ts=began["thread_ts"])
    changed = (await app.event("assistant_thread_context_changed"))["event"]["assistant_thread"]
    assert (changed["thread_ts"], changed["context"]) == (began["thread_ts"], {})


async def test_the_native_stop_is_there_while_the_agent_works(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, agent_session_stopped: "A user clicked the stop button on an agent session."."""
    ts = await said(wires, "@bossbot work")
    stop = {"channel": "C0BOSS", "thread_ts": ts, "user": "U0BEN"}
    assert (await wires.try_control("slack/stop", **stop))[0] == 404
    session = {"channel_id": "C0BOSS", "thread_ts": ts, "status": "processing"}
    assert (await wires.slack("agents.sessions.setStatus", **session))["ok"] is True
    await wires.control("slack/stop", **stop)
    event = (await app.event("agent_session_stopped"))["event"]
    assert (event["channel"], event["thread_ts"], event["user"]) == ("C0BOSS", ts, "U0BEN")


async def test_an_app_hears_only_what_it_has_subscribed_to(wires: Wires, app: SocketApp) -> None:
    await wires.control("slack/manifest", events=["app_mention"])
    await said(wires, "@bossbot one")
    await said(wires, "two", "D0ADA")
    await said(wires, "@bossbot three")

    async def heard() -> bool:
        return len(app.events) >= 2

    await until(heard)
    assert [item["event"]["type"] for item in app.events] == ["app_mention", "app_mention"]


async def test_scopes_and_channels_can_be_taken_away(wires: Wires) -> None:
    """docs.slack.dev, chat.postMessage: `missing_scope`, `is_archived`, `not_in_channel`."""
    post = {"channel": "C0BOSS", "text": "x"}
    scopes = (await wires.control("slack/manifest"))["scopes"]
    await wires.control("slack/manifest", scopes=[scope for scope in scopes if scope != "chat:write"])
    refused = await wires.slack("chat.postMessage", **post)
    assert (refused["error"], refused["needed"]) == ("missing_scope", "chat:write")
    await wires.control("slack/manifest", scopes=scopes)
    await wires.control("slack/channel", channel="C0BOSS", is_archived=True)
    assert (await wires.slack("chat.postMessage", **post))["error"] == "is_archived"
    await wires.control("slack/channel", channel="C0BOSS", is_archived=False, has_bot=False)
    assert (await wires.slack("chat.postMessage", **post))["error"] == "not_in_channel"
    await wires.control("reset")
    assert (await wires.slack("chat.postMessage", **post))["ok"] is True


async def test_a_second_workspace_is_reached_by_its_own_token_and_nothing_else(wires: Wires, app: SocketApp) -> None:
    installed = await wires.control("slack/install", bot_token=NORTH_TOKEN)
    assert (installed["team_id"], installed["bot_user_id"]) == ("T0NORTH", "U0NORTHBOT")
    assert [team["id"] for team in (await wires.state("slack"))["teams"]] == ["T0SANDBOX", "T0NORTH"]
    found = await wires.slack("auth.test", NORTH_TOKEN)
    assert (found["team_id"], found["user_id"], found["bot_id"]) == ("T0NORTH", "U0NORTHBOT", "B0NORTHBOT")
    for token, channel, error in (
        (NORTH_TOKEN, "C0NORTH", None),
        (NORTH_TOKEN, "C0BOSS", "channel_not_found"),
        (BOT_TOKEN, "C0NORTH", "channel_not_found"),
        (BOT_TOKEN, "U0FAY", "channel_not_found"),
    ):
        assert (await wires.slack("chat.postMessage", token, channel=channel, text="x")).get("error") == error
    assert (await wires.slack("users.info", BOT_TOKEN, user="U0FAY"))["error"] == "user_not_found"
    (shown,) = (await wires.channel("C0NORTH"))["messages"]
    assert (shown["user"], shown["bot_id"]) == ("U0NORTHBOT", "B0NORTHBOT")


async def test_a_file_stays_in_its_workspace(wires: Wires) -> None:
    await wires.control("slack/install", bot_token=NORTH_TOKEN)
    sent = await wires.control("slack/upload", channel="D0FAY", user="U0FAY", name="a.txt", text="secret")
    share = {"files": [{"id": sent["file_id"]}], "channel_id": "C0BOSS"}
    assert (await wires.slack("files.info", BOT_TOKEN, file=sent["file_id"]))["error"] == "file_not_found"
    assert (await wires.slack("files.completeUploadExternal", BOT_TOKEN, **share))["error"] == "file_not_found"
    found = await wires.slack("files.info", NORTH_TOKEN, file=sent["file_id"])
    for token, status in ((BOT_TOKEN, 404), (NORTH_TOKEN, 200)):
        headers = {"Authorization": f"Bearer {token}"}
        async with wires.session.get(found["file"]["url_private"], headers=headers) as response:
            assert response.status == status


async def test_events_and_presses_carry_the_workspace_they_come_from(wires: Wires, app: SocketApp) -> None:
    await wires.control("slack/install", bot_token=NORTH_TOKEN)
    await said(wires, "@bossbot here", "C0NORTH", "U0FAY")
    mention = await app.event("app_mention")
    assert (mention["team_id"], mention["event"]["text"]) == ("T0NORTH", "<@U0NORTHBOT> here")
    assert mention["authorizations"][0]["user_id"] == "U0NORTHBOT"
    await wires.control("slack/shortcut", user="U0GUS", callback_id="go", wait_s=60)
    sent = await app.last("shortcut")
    assert (sent["team"], sent["user"]["team_id"]) == ({"id": "T0NORTH", "domain": "north"}, "T0NORTH")
    view = {"type": "modal", "title": {"type": "plain_text", "text": "t"}, "blocks": []}
    stolen = await wires.slack("views.open", BOT_TOKEN, trigger_id=sent["trigger_id"], view=view)
    assert stolen["error"] == "invalid_trigger_id"
    mine = await wires.slack("views.open", NORTH_TOKEN, trigger_id=sent["trigger_id"], view=view)
    assert mine["view"]["team_id"] == "T0NORTH"
    foreign = await wires.slack("views.update", BOT_TOKEN, view_id=mine["view"]["id"], view=view)
    assert foreign["error"] == "not_found"
    status, answer = await wires.try_control("slack/say", channel="C0NORTH", user="U0ADA", text="x")
    assert (status, "U0FAY, U0GUS" in answer["error"]) == (404, True)


async def test_without_installing_there_is_one_workspace_and_every_token_is_its(wires: Wires) -> None:
    assert (await wires.slack("auth.test", NORTH_TOKEN))["team_id"] == "T0SANDBOX"
    await wires.control("slack/install", bot_token=NORTH_TOKEN)
    await wires.control("reset")
    assert (await wires.slack("auth.test", NORTH_TOKEN))["team_id"] == "T0SANDBOX"
    assert [team["id"] for team in (await wires.state("slack"))["teams"]] == ["T0SANDBOX"]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("edit", {"channel": "C0BOSS", "ts": "{ts}", "user": "U0BEN", "text": "x"}, 400, "U0ADA's"),
        ("edit", {"channel": "C0BOSS", "ts": "1.2", "user": "U0ADA", "text": "x"}, 404, "1.2"),
        ("edit", {"channel": "C0BOSS", "ts": "{ts}", "user": "U0ADA", "text": ""}, 400, "1 to 40000"),
        ("delete", {"channel": "C0BOSS", "ts": "{ts}", "user": "U0BEN"}, 400, "U0ADA's"),
        ("delete", {"channel": "C0BOSS", "ts": "{ts}", "user": "U0ADA", "why": 1}, 400, "why"),
        ("react", {"channel": "C0BOSS", "ts": "1.2", "user": "U0ADA", "name": "eyes"}, 404, "1.2"),
        ("upload", {"channel": "C0BOSS", "user": "U0ADA", "name": "a"}, 400, "text or as base64"),
        ("upload", {"channel": "C0BOSS", "user": "U0ADA", "name": "a", "text": "x", "base64": "eA=="}, 400, "either"),
        ("upload", {"channel": "C0BOSS", "user": "U0ADA", "name": "a", "base64": "%"}, 400, "base64"),
        ("upload", {"channel": "C0BOSS", "user": "U0ADA", "name": "a", "text": ""}, 400, "1 to"),
        ("upload", {"channel": "C0BOSS", "user": "U0ADA", "name": " ", "text": "x"}, 400, "name"),
        ("open", {"user": "U0NONE"}, 404, "U0NONE"),
        ("open", {"user": "U0ADA", "tab": "about"}, 400, "tab"),
        ("look", {"user": "U0ADA", "channel": "C0NONE"}, 404, "C0BOSS"),
        ("install", {"bot_token": "nonsense"}, 400, "xoxb-"),
        ("manifest", {"scopes": ["world:rule"]}, 400, "world:rule"),
        ("manifest", {"events": ["boom"]}, 400, "app_mention"),
        ("channel", {"channel": "D0ADA", "is_archived": True}, 400, "direct"),
        ("request_urls", {"signing_secret": ""}, 400, "signing_secret"),
    ],
)
async def test_a_wrong_request_is_told_what_is_wrong(
    wires: Wires, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    ts = await said(wires, "mine")
    wanted = {key: ts if value == "{ts}" else value for key, value in body.items()}
    found, answer = await wires.try_control(f"slack/{path}", **wanted)
    assert (found, words in answer["error"]) == (status, True), answer
