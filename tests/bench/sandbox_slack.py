"""How many chat.postMessage calls the sandbox takes in a second, all checks on, next to a bare aiohttp handler.

Two server processes in turns, each loaded from this one over raw keep-alive connections: the sandbox with its whole
validation (a card of sections, rich text and buttons), and a handler that reads the same body and does nothing. The
goal counts the server's own processor time, so that it means one core of this machine, whoever else is busy on it;
the rate by the clock is shown beside it.
"""

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import IO, Any

GOAL_PER_S = 1_000.0
CONNECTIONS = 8
CALLS = 1_600
ROUNDS = 3
ROOT = Path(__file__).resolve().parents[2]
START = """
import asyncio, json, sys, time
async def serve(port):
    print(port, flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(time.process_time(), flush=True)
"""
SANDBOX = """
from bossbot.sandbox.server import start_sandbox
async def main():
    running = await start_sandbox(port=0)
    running.world.switches.rate_limits = False
    await serve(running.base_url.rpartition(":")[2])
asyncio.run(main())
"""
BARE = """
from aiohttp import web
async def answer(request):
    json.loads(await request.read())
    return web.Response(body=b'{"ok":true}', content_type="application/json")
async def main():
    app = web.Application()
    app.router.add_post("/slack/api/{method}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    await serve(runner.addresses[0][1])
asyncio.run(main())
"""


@dataclass(frozen=True)
class Rate:
    """Calls in a second of the server's processor time, and of the clock."""

    by_processor: float
    by_clock: float


def main() -> int:
    """Prints both rates and their ratio; 1 when the sandbox misses the goal."""
    ours, bare = [], []
    for _ in range(ROUNDS):
        ours.append(_measured(SANDBOX))
        bare.append(_measured(BARE))
    best, plain = (max(found, key=lambda rate: rate.by_processor) for found in (ours, bare))
    print(_line("chat.postMessage with validation", best), f"(goal ≥ {GOAL_PER_S:,.0f})")
    print(_line("bare aiohttp handler, same body", plain))
    print(f"  {best.by_processor / plain.by_processor:.0%} of the bare handler's rate")
    return 0 if best.by_processor >= GOAL_PER_S else 1


def _line(name: str, rate: Rate) -> str:
    return f"{name}: {rate.by_processor:,.0f} calls/s of one core, {rate.by_clock:,.0f} by the clock"


def _measured(program: str) -> Rate:
    """One server's rate, after a fifth as many calls to warm it up."""
    command = [sys.executable, "-c", START + program]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        port = int(server.stdout.readline())
        asyncio.run(_load(port, CALLS // 5))
        begun, used = perf_counter(), _used_s(server.stdin, server.stdout)
        asyncio.run(_load(port, CALLS))
        return Rate(CALLS / (_used_s(server.stdin, server.stdout) - used), CALLS / (perf_counter() - begun))
    finally:
        server.kill()
        server.communicate()


def _used_s(ask: IO[str], answer: IO[str]) -> float:
    """The server's processor time so far."""
    ask.write("\n")
    ask.flush()
    return float(answer.readline())


async def _load(port: int, calls: int) -> None:
    request = _request()
    await asyncio.gather(*(_caller(port, request, calls // CONNECTIONS) for _ in range(CONNECTIONS)))


async def _caller(port: int, request: bytes, calls: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(calls):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        body = await reader.readexactly(int(length.partition(b":")[2]))
        if not json.loads(body)["ok"]:
            raise RuntimeError(f"refused: {body.decode()}")
    writer.close()


def _request() -> bytes:
    body = json.dumps({"channel": "C0BOSS", "text": "May I?", "blocks": _card()}).encode()
    head = (
        "POST /slack/api/chat.postMessage HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer xoxb-0123456789\r\n"
        f"Content-Type: application/json; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _card() -> list[dict[str, Any]]:
    def plain(text: str) -> dict[str, Any]:
        return {"type": "plain_text", "text": text, "emoji": False}

    code = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "rm -rf build/cache\n" * 10}]}
    buttons = [
        {"type": "button", "text": plain(label), "action_id": label.lower(), "value": "req-1" * 10}
        for label in ("Approve", "Reject", "Always")
    ]
    return [
        {"type": "header", "text": plain("Approve this command?")},
        {"type": "section", "text": plain("The agent wants to clean the build folder. " * 4)},
        {"type": "rich_text", "elements": [code]},
        {"type": "context", "elements": [plain("ps_1"), plain("risk: low")]},
        {"type": "actions", "elements": buttons},
    ]


if __name__ == "__main__":
    sys.exit(main())
