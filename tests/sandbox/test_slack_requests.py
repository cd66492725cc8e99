"""Events, interactions and commands over HTTP, as an app on this machine gets them."""

import asyncio
import hashlib
import hmac
import json
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import pytest
from aiohttp import web

from tests.sandbox.wires import Wires, until

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"


@dataclass
class App:
    """An app's addresses: `heard` are its requests, `answers` what it says to the next ones (default: 200, empty)."""

    url: str
    heard: list[tuple[str, web.BaseRequest, bytes]] = field(default_factory=list)
    answers: list[web.Response | None] = field(default_factory=list)

    def body(self, index: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.heard[index][2])
        return found

    def form(self, index: int) -> dict[str, str]:
        return dict(parse_qsl(self.heard[index][2].decode(), keep_blank_values=True))

    async def count(self, number: int) -> None:
        async def there() -> bool:
            return len(self.heard) >= number

        await until(there)


@pytest.fixture
async def app() -> AsyncIterator[App]:
    hanging = asyncio.Event()

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        body = await request.read()
        made.heard.append((request.path, request, body))
        if request.path == "/events" and b"url_verification" in body:
            return web.json_response({"challenge": json.loads(body)["challenge"]})
        said = made.answers.pop(0) if made.answers else web.Response()
        if said is None:
            await hanging.wait()
        return said or web.Response()

    runner = web.ServerRunner(web.Server(answer), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made = App(f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield made
    hanging.set()
    await runner.cleanup()


async def point(wires: Wires, app: App) -> None:
    """Point everything at the app, and forget the challenge."""
    urls = {"events": f"{app.url}/events", "interactivity": f"{app.url}/actions", "commands": f"{app.url}/commands"}
    answer = await wires.control("slack/request_urls", **urls, signing_secret=SECRET)
    assert answer["signing_secret"] == SECRET
    assert (await wires.state("slack"))["request_urls"] == urls
    app.heard.clear()


async def say(wires: Wires, text: str) -> None:
    await wires.control("slack/say", channel="D0ADA", user="U0ADA", text=text)


async def test_an_events_address_must_answer_the_challenge(wires: Wires, app: App) -> None:
    """docs.slack.dev, url_verification: "Once you receive the event, respond with the challenge attribute value"."""
    await wires.control("slack/request_urls", events=f"{app.url}/events")
    asked = app.body(0)
    assert (asked["type"], len(asked["challenge"]) > 20) == ("url_verification", True)
    status, answer = await wires.try_control("slack/request_urls", events=f"{app.url}/elsewhere")
    assert (status, "challenge" in answer["error"]) == (400, True)
    assert (await wires.state("slack"))["request_urls"]["events"] == f"{app.url}/events"


async def test_requests_are_signed_with_the_secret_and_the_real_time(wires: Wires, app: App) -> None:
    """docs.slack.dev, verifying requests: v0=HMAC-SHA256 of `v0:<timestamp>:<body>`, not older than five minutes."""
    await point(wires, app)
    await wires.control("clock", advance_s=4000)
    await say(wires, "hi")
    await app.count(1)
    _, request, body = app.heard[0]
    sent_at = request.headers["X-Slack-Request-Timestamp"]
    assert abs(int(sent_at) - time.time()) < 60
    expected = hmac.new(SECRET.encode(), f"v0:{sent_at}:".encode() + body, hashlib.sha256).hexdigest()
    assert request.headers["X-Slack-Signature"] == f"v0={expected}"
    assert (request.headers["Content-Type"], app.body(0)["event"]["text"]) == ("application/json", "hi")


async def test_an_event_that_was_not_taken_comes_again_three_times(wires: Wires, app: App) -> None:
    """docs.slack.dev, Events API: three retries, "nearly immediately", after 1 minute and after 5, with
    x-slack-retry-num and x-slack-retry-reason."""
    await point(wires, app)
    app.answers = [web.Response(status=500), web.Response(status=404), None, web.Response(status=500)]
    await say(wires, "x")
    await app.count(2)
    assert "X-Slack-Retry-Num" not in app.heard[0][1].headers
    told = [
        (request.headers["X-Slack-Retry-Num"], request.headers["X-Slack-Retry-Reason"])
        for _, request, _ in app.heard[1:]
    ]
    assert told == [("1", "http_error")]

    async def advance_until(number: int, seconds: float) -> None:
        async def there() -> bool:
            await wires.control("clock", advance_s=seconds)
            return len(app.heard) >= number

        await until(there)

    await advance_until(3, 60)
    await advance_until(4, 300)
    last = app.heard[3][1].headers
    assert (last["X-Slack-Retry-Num"], last["X-Slack-Retry-Reason"]) == ("3", "http_timeout")
    assert app.body(3)["event_id"] == app.body(0)["event_id"]
    for _ in range(3):
        await wires.control("clock", advance_s=1000)
    assert len(app.heard) == 4


async def test_an_app_can_ask_for_no_retry(wires: Wires, app: App) -> None:
    """docs.slack.dev, Events API: `x-slack-no-retry: 1` in the answer turns retries of this event off."""
    await point(wires, app)
    app.answers = [web.Response(status=500, headers={"X-Slack-No-Retry": "1"})]
    await say(wires, "x")
    await app.count(1)
    for _ in range(3):
        await wires.control("clock", advance_s=1000)
    await say(wires, "y")
    await app.count(2)
    assert app.body(1)["event"]["text"] == "y"


async def test_a_press_is_a_form_with_a_payload_and_its_answer_is_the_acknowledgement(wires: Wires, app: App) -> None:
    button = {"type": "button", "text": {"type": "plain_text", "text": "Go"}, "action_id": "go"}
    card: dict[str, Any] = {"channel": "D0ADA", "text": "?", "blocks": [{"type": "actions", "elements": [button]}]}
    posted = await wires.slack("chat.postMessage", **card)
    await point(wires, app)
    press = {"channel": "D0ADA", "ts": posted["ts"], "user": "U0ADA", "label": "Go", "wait_s": 60}
    pressed = await wires.control("slack/press", **press)
    assert (pressed["delivered"], pressed["acked"]) == (True, True)
    path, _, _ = app.heard[0]
    payload = json.loads(app.form(0)["payload"])
    assert (path, payload["type"], payload["actions"][0]["action_id"]) == ("/actions", "block_actions", "go")
    app.answers = [web.Response(status=404)]
    refused = await wires.control("slack/press", **press)
    assert (refused["delivered"], refused["acked"], refused["failure"]) == (True, False, "http_error")
    assert len(app.heard) == 2


async def test_a_command_is_a_form_of_its_fields_and_a_plain_text_answers_it(wires: Wires, app: App) -> None:
    """docs.slack.dev, slash commands: the fields of the form; a plain text or JSON in the 200 answers at once."""
    await point(wires, app)
    app.answers = [web.Response(text="working on it")]
    ran = await wires.control(
        "slack/command", channel="C0BOSS", user="U0ADA", command="/boss", text="do it & go", wait_s=60
    )
    assert (ran["acked"], ran["error"]) == (True, None)
    form = app.form(0)
    assert (form["command"], form["text"], form["user_id"], form["channel_name"]) == (
        "/boss",
        "do it & go",
        "U0ADA",
        "boss",
    )
    assert form["response_url"].startswith(wires.base_url)
    shown = (await wires.channel("C0BOSS"))["ephemerals"]
    assert [(item["text"], item["for_user"]) for item in shown] == [("working on it", "U0ADA")]


async def test_a_long_answer_is_read_to_its_end_and_an_endless_one_is_none(wires: Wires, app: App) -> None:
    await point(wires, app)
    run = {"channel": "C0BOSS", "user": "U0ADA", "command": "/boss", "wait_s": 60}
    app.answers = [web.Response(text="x" * 39_000 + "end"), web.Response(text="x" * 2_000_000)]
    assert (await wires.control("slack/command", **run))["error"] is None
    (shown,) = (await wires.channel("C0BOSS"))["ephemerals"]
    assert (len(shown["text"]), shown["text"][-3:]) == (39_003, "end")
    refused = await wires.control("slack/command", **run)
    assert (refused["acked"], refused["error"]) == (False, "dispatch_failed")


async def test_what_has_no_address_still_goes_over_the_socket(wires: Wires, app: App) -> None:
    ws = await wires.socket()
    await wires.control("slack/request_urls", commands=f"{app.url}/commands")
    await say(wires, "over the socket")
    assert (await ws.receive_json(timeout=60))["payload"]["event"]["text"] == "over the socket"
    await wires.control("slack/request_urls")
    assert set((await wires.state("slack"))["request_urls"].values()) == {None}


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1:1/x",
        "http://example.org/x",
        "http://127.0.0.1@example.org/",
        "ftp://localhost/",
        "x",
        "http://[::",
    ],
)
async def test_only_this_machine_is_called(wires: Wires, url: str) -> None:
    for name in ("events", "interactivity", "commands"):
        status, answer = await wires.try_control("slack/request_urls", **{name: url})
        assert (status, answer["error"].startswith(f"{name}: ")) == (400, True)


async def test_nobody_at_the_address_is_a_failed_connection_and_comes_again(wires: Wires, app: App) -> None:
    await point(wires, app)
    closed = f"http://127.0.0.1:{free_port()}/x"
    await wires.control("slack/request_urls", interactivity=closed, events=f"{app.url}/events")
    ran = await wires.control("slack/command", channel="D0ADA", user="U0ADA", command="/x")
    assert (ran["delivered"], ran["acked"]) == (False, False)
    shortcut = await wires.control("slack/shortcut", user="U0ADA", callback_id="new", wait_s=60)
    assert (shortcut["delivered"], shortcut["failure"]) == (False, "connection_failed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_a_reset_forgets_what_was_to_come_again(wires: Wires, app: App) -> None:
    await point(wires, app)
    app.answers = [web.Response(status=500), web.Response(status=500)]
    await say(wires, "x")
    await app.count(2)
    await wires.control("reset")
    await wires.control("clock", advance_s=400)
    await say(wires, "y")
    await app.count(3)
    assert app.body(2)["event"]["text"] == "y"
