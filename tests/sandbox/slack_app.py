"""An app on a bare socket: it keeps what comes and acknowledges it, with an answer where a test has laid one down."""

import asyncio
import contextlib
from types import TracebackType
from typing import Any

import aiohttp

from tests.sandbox.wires import PATIENCE_S, Wires, until

Json = dict[str, Any]
Envelope = dict[str, Any]


class SocketApp:
    """`heard` are the payloads of interactions and commands, `events` the events; `answers` go to interactions."""

    def __init__(self, wires: Wires) -> None:
        self._wires = wires
        self.heard: list[Json] = []
        self.events: list[Json] = []
        self.answers: list[Json | None] = []

    async def __aenter__(self) -> "SocketApp":
        self._ws = await self._wires.socket()
        self._reading = asyncio.create_task(self._read(self._ws))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading
        await self._ws.close()

    async def last(self, kind: str) -> Json:
        """The newest interaction of this type."""

        async def found() -> list[Json]:
            return [payload for payload in self.heard if payload.get("type") == kind]

        return (await until(found))[-1]

    async def event(self, kind: str) -> Json:
        """The newest event callback of this type, its envelope included."""

        async def found() -> list[Json]:
            return [payload for payload in self.events if payload["event"]["type"] == kind]

        return (await until(found))[-1]

    async def _read(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in ws:
            body = frame.json()
            if "envelope_id" not in body:
                continue
            ack: Json = {"envelope_id": body["envelope_id"]}
            if body["type"] == "events_api":
                self.events.append(body["payload"])
            else:
                self.heard.append(body["payload"])
                answer = self.answers.pop(0) if self.answers else {}
                if answer is None:  # it never answers this one
                    continue
                if answer:
                    ack["payload"] = answer
            await ws.send_json(ack)


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def option(name: str) -> Json:
    return {"text": plain(name.title()), "value": name}


def modal(*blocks: Json, **fields: Any) -> Json:
    return {"type": "modal", "title": plain("Title"), "submit": plain("Send"), "blocks": list(blocks), **fields}


def field_block(name: str, kind: str = "plain_text_input", **fields: Any) -> Json:
    """An input block called `name`, its element too."""
    optional = fields.pop("optional", False)
    element = {"type": kind, "action_id": name, **fields}
    return {"type": "input", "block_id": f"b-{name}", "label": plain(name), "element": element, "optional": optional}


async def trigger(wires: Wires, app: SocketApp, user: str = "U0ADA") -> str:
    """A trigger of this person's, fresh from a shortcut."""
    await wires.control("slack/shortcut", user=user, callback_id="go", wait_s=PATIENCE_S)
    found: str = (await app.last("shortcut"))["trigger_id"]
    return found


async def opened(wires: Wires, app: SocketApp, view: Json, user: str = "U0ADA") -> Json:
    """A modal that was opened for this person."""
    answer = await wires.slack("views.open", trigger_id=await trigger(wires, app, user), view=view)
    assert answer["ok"], answer
    found: Json = answer["view"]
    return found


async def receive(ws: aiohttp.ClientWebSocketResponse, ack: bool = True) -> Envelope:
    """The next frame, acknowledged if it is an envelope."""
    envelope: Envelope = await ws.receive_json(timeout=PATIENCE_S)
    if ack and "envelope_id" in envelope:
        await ws.send_json({"envelope_id": envelope["envelope_id"]})
    return envelope


async def quiet(ws: aiohttp.ClientWebSocketResponse, for_s: float = 0.2) -> bool:
    """Does nothing come for a while?"""
    try:
        await ws.receive(timeout=for_s)
    except TimeoutError:
        return True
    return False


async def say(wires: Wires, text: str, channel: str = "D0ADA", **more: Any) -> str:
    """Ada says something; the ts."""
    said = await wires.control("slack/say", channel=channel, user="U0ADA", text=text, **more)
    ts: str = said["ts"]
    return ts


async def card(wires: Wires, channel: str = "C0BOSS") -> str:
    """A message with one button, Approve."""
    element = {"type": "button", "text": {"type": "plain_text", "text": "Approve"}, "action_id": "ok", "value": "v1"}
    posted = await wires.slack(
        "chat.postMessage", channel=channel, text="?", blocks=[{"type": "actions", "elements": [element]}]
    )
    ts: str = posted["ts"]
    return ts
