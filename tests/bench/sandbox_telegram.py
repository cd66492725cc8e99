"""How many messages a second the local Telegram takes, with all its validation, next to a bare aiohttp handler.

A load test of a bot must measure the bot and not the sandbox. The sandbox and the bare handler run in a process of
their own; this process sends over loopback on a few connections, one request after the other on each, and only
counts answers. Each kind of request is sent in several short windows in turn, and the best of each counts.

Two rates are taken: by the clock, and by the processor time of the sandbox's process, which is what a second would
hold if nothing else ran on its core. A goal is reached by either: other programs that are busy on the machine slow
the first and not the sandbox.
"""

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlencode

CONNECTIONS = 8
WINDOW_S = 0.3
ROUNDS = 8
GOAL_PER_S = {"json": 2000.0, "urlencoded": 2000.0, "multipart": 1000.0}
TOKEN = "123456789:AAbbccddeeffgghhiijjkkllmmnnooppqqr"
MARKUP = json.dumps({"inline_keyboard": [[{"text": "Approve", "callback_data": "approve:42"}]]})
TEXT = "<b>Tests</b> of the parser ran: 42 passed, see <code>make test</code>. Shall I go on? 你好 😀"
MESSAGES = {
    "plain text": {
        "chat_id": "1001",
        "text": "Tests of the parser ran: 42 passed, see make test. Shall I go on? 你好 😀",
    },
    "HTML and a keyboard": {"chat_id": "1001", "text": TEXT, "parse_mode": "HTML", "reply_markup": MARKUP},
}
"""What is sent. The goals are those of the first; the second says what formatting and buttons cost."""
SERVER = """
import asyncio, time
from aiohttp import web
from bossbot.sandbox.server import start_sandbox

async def bare(request):
    await request.read()
    return web.json_response({"ok": True})

async def spent(request):
    return web.json_response(time.process_time())

async def main():
    sandbox = await start_sandbox(port=0)
    app = web.Application()
    app.router.add_post("/", bare)
    app.router.add_get("/spent", spent)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(sandbox.base_url, runner.addresses[0][1], flush=True)
    await asyncio.to_thread(input)

asyncio.run(main())
"""


def request(path: str, content_type: str, body: bytes) -> bytes:
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join((*lines, "", "")).encode() + body


def bodies(fields: dict[str, str]) -> dict[str, tuple[str, bytes]]:
    """A message in the three ways in which bots send it."""
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
    )
    return {
        "json": ("application/json", json.dumps({**fields, "chat_id": 1001}).encode()),
        "urlencoded": ("application/x-www-form-urlencoded", urlencode(fields).encode()),
        "multipart": ("multipart/form-data; boundary=x", (parts + "--x--\r\n").encode()),
    }


class Sender(asyncio.Protocol):
    """One connection that sends the next request as soon as an answer has come."""

    def __init__(self, payload: bytes) -> None:
        self.count = 0
        self.failed: bytes | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._payload = payload
        self._pending = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._payload)

    def data_received(self, data: bytes) -> None:
        self._pending += data
        head, blank, rest = self._pending.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        if not blank or len(rest) < length:
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self.failed = self._pending
        self.count += 1
        self._pending = b""
        if self.ended.done():
            self._transport.close()
        else:
            self._transport.write(self._payload)


class Rate(NamedTuple):
    """Answers a second: by the clock, and by the server's processor time."""

    clock: float
    processor: float

    def best(self, other: "Rate") -> "Rate":
        return Rate(max(self.clock, other.clock), max(self.processor, other.processor))


async def rate(port: int, payload: bytes, spent_s: Callable[[], float]) -> Rate:
    """What one window shows."""
    loop = asyncio.get_running_loop()
    senders = [
        (await loop.create_connection(lambda: Sender(payload), "127.0.0.1", port))[1] for _ in range(CONNECTIONS)
    ]
    await asyncio.sleep(0.05)
    begin, spent, counted = perf_counter(), await asyncio.to_thread(spent_s), sum(sender.count for sender in senders)
    await asyncio.sleep(WINDOW_S)
    done = sum(sender.count for sender in senders) - counted
    found = Rate(done / (perf_counter() - begin), done / (await asyncio.to_thread(spent_s) - spent))
    for sender in senders:
        sender.ended.set_result(None)
    await asyncio.sleep(0.05)
    failed = next((sender.failed for sender in senders if sender.failed), None)
    if failed is not None:
        raise RuntimeError(f"the sandbox refused: {failed.decode()}")
    return found


def control(base_url: str, path: str, body: object) -> None:
    data = json.dumps(body).encode()
    asked = urllib.request.Request(f"{base_url}/sandbox/{path}", data, {"Content-Type": "application/json"})
    urllib.request.urlopen(asked).read()


async def measured(base_url: str, bare_port: int, fields: dict[str, str]) -> dict[str, Rate]:
    """The best rates of each kind of request, and those of the bare handler."""
    port = int(base_url.rsplit(":", 1)[1])

    def spent_s() -> float:
        return float(urllib.request.urlopen(f"http://127.0.0.1:{bare_port}/spent").read())

    best = dict.fromkeys((*GOAL_PER_S, "bare"), Rate(0.0, 0.0))
    for _ in range(ROUNDS):
        for kind, (content_type, body) in bodies(fields).items():
            payload = request(f"/telegram/bot{TOKEN}/sendMessage", content_type, body)
            best[kind] = best[kind].best(await rate(port, payload, spent_s))
            await asyncio.to_thread(control, base_url, "reset", {})
            await asyncio.to_thread(control, base_url, "settings", {"rate_limits": False})
        bare = request("/", "application/json", bodies(fields)["json"][1])
        best["bare"] = best["bare"].best(await rate(bare_port, bare, spent_s))
    return best


def main() -> int:
    """Prints the rates; 1 when a goal is missed."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        base_url, bare_port = server.stdout.readline().split()
        control(base_url, "settings", {"rate_limits": False})
        best = {name: asyncio.run(measured(base_url, int(bare_port), fields)) for name, fields in MESSAGES.items()}
    finally:
        server.communicate("\n")
    for name, rates in best.items():
        report(name, rates)
    reached = best["plain text"]
    return 0 if all(max(reached[kind]) >= goal for kind, goal in GOAL_PER_S.items()) else 1


def report(message: str, best: dict[str, Rate]) -> None:
    bare = best["bare"]
    print(f"sandbox, Telegram: sendMessage, {message}, {CONNECTIONS} connections")
    print(f"  bare aiohttp handler: {bare.clock:.0f}/s, {bare.processor:.0f} a processor second")
    for kind, goal in GOAL_PER_S.items():
        found = best[kind]
        goal_words = f" (goal ≥ {goal:.0f} of either)" if message == "plain text" else ""
        share = found.processor / bare.processor
        print(
            f"  {kind}: {found.clock:.0f}/s, {found.processor:.0f} a processor second{goal_words}, "
            f"{share:.0%} of the bare handler"
        )


if __name__ == "__main__":
    sys.exit(main())
