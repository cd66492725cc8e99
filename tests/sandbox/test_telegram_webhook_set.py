"""Setting a webhook: what is taken, what is refused, and what it changes.

Sources of the words: C = tdlib/telegram-bot-api, Client.cpp; W = its WebhookActor.cpp.
"""

import asyncio
import shutil
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData

from tests.sandbox.receiver import Receiver, has_failed, receiving
from tests.sandbox.wires import TOKEN, Wires, until


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as found:
        yield found


async def say(wires: Wires, text: str) -> None:
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text=text)


async def test_allowed_updates_and_pending_ones(wires: Wires, receiver: Receiver) -> None:
    await say(wires, "dropped")
    await wires.telegram(
        "setWebhook", url=receiver.url, drop_pending_updates=True, allowed_updates=["callback_query", "nonsense"]
    )
    await say(wires, "unheard")
    assert (await wires.telegram("getWebhookInfo"))["result"]["allowed_updates"] == ["callback_query"]
    await wires.control("clock", advance_s=2)
    again = await wires.telegram("setWebhook", url=receiver.url, allowed_updates=[])
    assert again["description"] == "Webhook is already set"  # C process_set_webhook_query
    await say(wires, "heard")
    assert await receiver.heard(1) == ["heard"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_https_wants_a_certificate_that_it_can_check(wires: Wires, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = await asyncio.create_subprocess_exec(
        *make, *about, "-keyout", str(key), "-out", str(certificate), stderr=asyncio.subprocess.DEVNULL
    )
    assert await made.wait() == 0
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    async with receiving(context) as receiver:
        await say(wires, "secret")
        await wires.telegram("setWebhook", url=receiver.url.removeprefix("https://"))  # T parse_url: https by default
        await until(lambda: has_failed(wires))
        info = (await wires.telegram("getWebhookInfo"))["result"]
        assert "SSL error" in info["last_error_message"]
        assert "self-signed certificate" in info["last_error_message"]
        await wires.control("clock", advance_s=2)
        form = FormData({"url": receiver.url})
        form.add_field("certificate", certificate.read_bytes(), filename="certificate.pem")
        async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/setWebhook", data=form) as response:
            assert (await response.json())["ok"] is True
        assert await receiver.heard(1) == ["secret"]
        assert (await wires.telegram("getWebhookInfo"))["result"]["has_custom_certificate"] is True


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"url": "ftp://127.0.0.1/"}, "invalid webhook URL specified"),  # C do_set_webhook
    ({"url": "http://"}, "invalid webhook URL specified"),
    ({"url": "http://127.0.0.1:99999/"}, "invalid webhook URL specified"),
    ({"url": "http://a b/"}, "invalid webhook URL specified"),
    ({"url": "http://example.org/hook"}, "bad webhook: An HTTPS URL must be provided for webhook"),  # W start_up
    (
        {"url": "https://example.org:8080/hook"},
        "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",  # W start_up
    ),
    ({"url": "example.org"}, "bad webhook: the sandbox sends to this machine only, not to example.org: use 127.0.0.1"),
    ({"url": "http://127.0.0.1/", "secret_token": "x" * 257}, "secret token is too long"),  # C do_set_webhook
    ({"url": "http://127.0.0.1/", "secret_token": "a b"}, "secret token contains unallowed characters"),  # C
]


@pytest.mark.parametrize(("body", "words"), REFUSED)
async def test_a_webhook_that_is_refused(wires: Wires, body: dict[str, Any], words: str) -> None:
    status, answer = await wires.telegram_http("setWebhook", **body)
    assert (status, answer["description"]) == (400, f"Bad Request: {words}")
    assert (await wires.telegram("getWebhookInfo"))["result"]["url"] == ""


async def test_a_refused_webhook_has_ended_the_one_before(wires: Wires, receiver: Receiver) -> None:
    await wires.telegram("setWebhook", url=receiver.url)
    too_soon = await wires.telegram("setWebhook", url="http://example.org/")
    assert too_soon["description"] == "Too Many Requests: retry after 1"  # C next_allowed_set_webhook_time_
    await wires.control("clock", advance_s=1)
    await wires.telegram("setWebhook", url="http://example.org/")
    assert (await wires.telegram("getWebhookInfo"))["result"]["url"] == ""


@pytest.mark.parametrize(
    ("certificate", "words"),
    [
        (b"no certificate", "bad webhook: Can't create an SSL context"),  # W on_ssl_context_created
        (bytes((3 << 20) + 1), "certificate size is too big (3145729 bytes)"),  # C do_set_webhook
    ],
)
async def test_a_certificate_that_is_refused(wires: Wires, certificate: bytes, words: str) -> None:
    form = FormData({"url": "https://127.0.0.1:8443/hook"})
    form.add_field("certificate", certificate, filename="cert.pem")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/setWebhook", data=form) as response:
        answer = await response.json()
    assert answer["description"].startswith(f"Bad Request: {words}")
