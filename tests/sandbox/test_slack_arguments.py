"""How the local Slack reads a call: content types, charsets, kinds of arguments, scopes, rates.

Sources: docs.slack.dev/apis/web-api (content types, charset warnings), .../rate-limits, and the errors that every
method's page lists.
"""

from typing import Any

import pytest

from bossbot.sandbox.slack_table import METHODS, TIER_2, TIER_3, TIER_4
from tests.sandbox.wires import BOT_TOKEN, Wires

JSON = "application/json; charset=utf-8"
FORM = "application/x-www-form-urlencoded"
TEXT_IN_LATIN = "text=gr%FCn&channel=D0ADA"


async def raw(wires: Wires, method: str, data: bytes | str, kind: str | None) -> dict[str, Any]:
    """A POST with exactly this body and content type; None: without one."""
    headers = {"Authorization": f"Bearer {BOT_TOKEN}"} | ({} if kind is None else {"Content-Type": kind})
    skip = ("Content-Type",) if kind is None else ()
    url = f"{wires.base_url}/slack/api/{method}"
    async with wires.session.post(url, data=data, headers=headers, skip_auto_headers=skip) as response:
        found: dict[str, Any] = await response.json()
        return found


@pytest.mark.parametrize(
    ("data", "kind", "error"),
    [
        (b"{", JSON, "invalid_json"),
        (b'{"channel": "\xff"}', JSON, "invalid_json"),
        (b"[" * 100_000, JSON, "invalid_json"),
        (b'{"x":' * 102 + b"1" + b"}" * 102, JSON, "invalid_json"),
        (b"[]", JSON, "json_not_object"),
        (b"x", None, "missing_post_type"),
        (b"x", "application/xml", "invalid_post_type"),
        (b"channel=D0ADA", f"{FORM}; charset=klingon", "invalid_charset"),
        (b"channel=D0ADA&text", FORM, "invalid_form_data"),
        (b"channel=D0ADA&text=%FF", FORM, "invalid_form_data"),
    ],
)
async def test_a_body_that_cannot_be_read_is_named(wires: Wires, data: bytes, kind: str | None, error: str) -> None:
    answer = await raw(wires, "chat.postMessage", data, kind)
    assert (answer["ok"], answer["error"]) == (False, error)
    assert (await wires.channel())["messages"] == []


@pytest.mark.parametrize(
    ("data", "kind", "warning"),
    [
        ('{"channel": "D0ADA", "text": "x"}', "application/json", "missing_charset"),
        ('{"channel": "D0ADA", "text": "x"}', JSON, None),
        ("channel=D0ADA&text=x", f"{FORM};charset=utf-8", "superfluous_charset"),
        ("channel=D0ADA&text=x", FORM, None),
    ],
)
async def test_a_charset_that_is_missing_or_too_much_is_a_warning(
    wires: Wires, data: str, kind: str, warning: str | None
) -> None:
    answer = await raw(wires, "chat.postMessage", data, kind)
    assert (answer["ok"], answer.get("warning")) == (True, warning)
    assert answer.get("response_metadata") == (None if warning is None else {"warnings": [warning]})


async def test_a_form_in_latin_1_is_read_as_such(wires: Wires) -> None:
    answer = await raw(wires, "chat.postMessage", TEXT_IN_LATIN, f"{FORM}; charset=iso-8859-1")
    assert answer["message"]["text"] == "grün"


async def test_json_is_read_only_where_the_method_takes_it(wires: Wires) -> None:
    answer = await raw(wires, "users.info", '{"user": "U0ADA"}', JSON)
    assert answer["error"] == "invalid_arguments"
    assert answer["response_metadata"]["messages"] == ["[ERROR] missing required field: user"]
    assert (await wires.calls("slack"))[-1]["ignored"] == ["user"]
    assert (await raw(wires, "users.info", "user=U0ADA", FORM))["ok"] is True


async def test_all_faults_of_the_arguments_are_told_at_once(wires: Wires) -> None:
    answer = await wires.slack("chat.postMessage", mrkdwn="perhaps", unfurl_links=7)
    assert answer["response_metadata"]["messages"] == [
        "[ERROR] missing required field: channel",
        "[ERROR] must be a boolean [json-pointer:/mrkdwn]",
        "[ERROR] must be a boolean [json-pointer:/unfurl_links]",
    ]


async def test_arguments_that_the_method_does_not_know_are_ignored_and_logged_as_they_came(wires: Wires) -> None:
    answer = await wires.slack("chat.postMessage", channel="D0ADA", text="x", colour="red", blocks="[]", mrkdwn="1")
    assert answer["ok"] is True
    (call,) = await wires.calls("slack")
    assert call["payload"] == {"channel": "D0ADA", "text": "x", "colour": "red", "blocks": [], "mrkdwn": True}
    assert call["ignored"] == ["colour"]


@pytest.mark.parametrize(
    ("method", "args", "scope"),
    [
        ("chat.postMessage", {"channel": "D0ADA", "text": "x"}, "chat:write"),
        ("chat.postMessage", {"channel": "D0ADA", "text": "x", "username": "Clerk"}, "chat:write.customize"),
        ("conversations.history", {"channel": "D0ADA"}, "im:history"),
        ("conversations.history", {"channel": "C0BOSS"}, "channels:history"),
        ("conversations.list", {"types": "public_channel,im"}, "im:read"),
        ("conversations.list", {}, "channels:read"),
        ("users.info", {"user": "U0ADA"}, "users:read"),
        ("reactions.add", {"channel": "D0ADA", "timestamp": "1.1", "name": "eyes"}, "reactions:write"),
        ("files.info", {"file": "F0NONE"}, "files:read"),
        ("assistant.threads.setTitle", {"channel_id": "D0ADA", "thread_ts": "1.1", "title": "x"}, "assistant:write"),
    ],
)
async def test_a_scope_that_the_app_lacks_is_named(wires: Wires, method: str, args: dict[str, Any], scope: str) -> None:
    scopes = [name for name in (await wires.state("slack"))["scopes"] if name != scope]
    await wires.control("slack/manifest", scopes=scopes)
    answer = await wires.slack(method, **args)
    provided = ",".join(scopes)
    assert answer == {"ok": False, "error": "missing_scope", "needed": scope, "provided": provided}


async def test_each_method_has_its_tier_for_each_workspace(wires: Wires) -> None:
    """Tier 2 is 20 a minute: the 21st call waits for its share of a minute, whole seconds in `Retry-After`."""
    await wires.control("slack/install", bot_token="xoxb-9876543210-north")
    url, headers = f"{wires.base_url}/slack/api/users.list", {"Authorization": f"Bearer {BOT_TOKEN}"}
    for _ in range(20):
        assert (await wires.slack("users.list"))["ok"] is True
    async with wires.session.post(url, headers=headers) as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "3")
        assert await response.json() == {"ok": False, "error": "ratelimited"}
    assert (await wires.slack("users.list", "xoxb-9876543210-north"))["ok"] is True
    assert (await wires.slack("users.info", user="U0ADA"))["ok"] is True
    await wires.control("clock", advance_s=3)
    assert (await wires.slack("users.list"))["ok"] is True


async def test_slacks_own_fault_is_an_http_500(wires: Wires) -> None:
    await wires.control("faults", platform="slack", kind="500")
    assert await wires.slack_http("auth.test") == (500, {"ok": False, "error": "fatal_error"})


async def test_posts_are_counted_for_each_conversation_however_it_is_named(wires: Wires) -> None:
    names = ["D0ADA", "U0ADA"] * 10
    assert all([(await wires.slack("chat.postMessage", channel=name, text="x"))["ok"] for name in names])
    assert (await wires.slack("chat.postMessage", channel="D0ADA", text="x"))["error"] == "ratelimited"
    assert (await wires.slack("chat.postMessage", channel="D0BEN", text="x"))["ok"] is True


def test_tiers_are_those_of_the_documentation() -> None:
    tiers = {
        "chat.startStream": TIER_2, "chat.appendStream": TIER_4, "chat.stopStream": TIER_2, "chat.update": TIER_3,
        "chat.postEphemeral": TIER_4, "views.open": TIER_4, "agents.sessions.setStatus": TIER_3,
        "files.info": TIER_4, "reactions.add": TIER_3, "users.info": TIER_4, "conversations.replies": TIER_3,
    }  # fmt: skip
    assert {name: METHODS[name].rate for name in tiers} == tiers
    assert [rate.burst for rate in (TIER_2, TIER_3, TIER_4)] == [20, 50, 100]
