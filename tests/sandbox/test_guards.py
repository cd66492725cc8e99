"""Who may talk to the sandbox: this machine's programs and its own page, nobody else."""

from itertools import product

import aiohttp
import pytest

from bossbot.sandbox.guards import SandboxNotLoopbackError, is_local_host, require_loopback
from bossbot.sandbox.server import start_sandbox
from tests.sandbox.wires import APP_TOKEN, TOKEN, Wires

ROUTES = [
    ("GET", "/"),
    ("GET", "/page/app.js"),
    ("GET", "/sandbox/state"),
    ("GET", "/sandbox/events"),
    ("GET", "/sandbox/calls?platform=slack"),
    ("POST", "/sandbox/telegram/press"),
    ("POST", "/sandbox/slack/press"),
    ("POST", "/sandbox/reset"),
    ("GET", f"/telegram/bot{TOKEN}/getMe"),
    ("POST", f"/telegram/bot{TOKEN}/sendMessage"),
    ("POST", "/slack/api/auth.test"),
    ("GET", "/slack/socket?ticket=x"),
    ("GET", "/no/such/route"),
]
FOREIGN = [
    {"Host": "evil.example"},
    {"Host": "evil.example:80"},
    {"Host": "localhost.evil.example"},
    {"Host": "127.0.0.1.evil.example"},
    {"Host": "user@localhost"},
    {"Host": "0.0.0.0:8700"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:1"},
    {"Origin": "file://"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route[1])
async def test_a_foreign_host_or_origin_is_refused_on_every_route(wires: Wires, route: tuple[str, str]) -> None:
    method, path = route
    for headers in FOREIGN:
        async with wires.session.request(method, wires.base_url + path, headers=headers) as response:
            assert response.status == 403, (headers, await response.text())
            assert (await response.json())["ok"] is False


async def test_a_socket_with_a_foreign_origin_is_refused_and_its_ticket_stays_good(wires: Wires) -> None:
    url = (await wires.slack("apps.connections.open", APP_TOKEN))["url"]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await wires.session.ws_connect(url, origin="https://evil.example")
    assert refused.value.status == 403
    async with wires.session.ws_connect(url) as ws:
        assert (await ws.receive_json(timeout=60))["type"] == "hello"


async def test_a_page_elsewhere_cannot_press_with_a_form(wires: Wires) -> None:
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="sure?", reply_markup=KEYBOARD))["result"]
    form = {"chat_id": "1001", "message_id": str(sent["message_id"]), "label": "Approve", "user_id": "1001"}
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        body = str(form).replace("'", '"')
        async with wires.session.post(
            f"{wires.base_url}/sandbox/telegram/press", data=body, headers={"Content-Type": kind}
        ) as response:
            assert response.status == 400
            assert "application/json" in (await response.json())["error"]
    assert (await wires.state("telegram"))["pending_updates"] == 0


async def test_the_page_itself_and_its_own_requests_are_served(wires: Wires) -> None:
    port = wires.base_url.rsplit(":", 1)[1]
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"):
        headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        async with wires.session.post(f"{wires.base_url}/sandbox/reset", json={}, headers=headers) as response:
            assert response.status == 200, await response.text()


async def test_a_link_elsewhere_may_lead_to_the_page_and_to_nothing_else(wires: Wires) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    async with wires.session.get(f"{wires.base_url}/", headers=headers) as response:
        assert response.status == 200
    async with wires.session.get(f"{wires.base_url}/sandbox/state", headers=headers) as response:
        assert response.status == 403
    framed = {**headers, "Sec-Fetch-Dest": "iframe"}
    async with wires.session.get(f"{wires.base_url}/", headers=framed) as response:
        assert response.status == 403


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "127.0.0.2", "192.168.1.5", "example.org", ""])  # noqa: S104
async def test_it_listens_on_this_machine_only(host: str) -> None:
    with pytest.raises(SandboxNotLoopbackError, match=r"127\.0\.0\.1"):
        await start_sandbox(host, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_addresses_are_taken(host: str) -> None:
    require_loopback(host)


def test_only_the_three_local_names_are_local_hosts() -> None:
    for name, port in product(("localhost", "127.0.0.1", "[::1]"), ("", ":80", ":8700")):
        assert is_local_host(name + port)
    for host in ("", "localhost:", "localhost:x", "localhost:99999", "::1", "localhost/", "127.1", "localhost."):
        assert is_local_host(host) is (host == "localhost:"), host


KEYBOARD = {"inline_keyboard": [[{"text": "Approve", "callback_data": "a"}]]}
