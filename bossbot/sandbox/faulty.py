"""Playing a fault on one request: connections that are cut, and answers that never come."""

import asyncio
import socket
import struct
from typing import NoReturn

from aiohttp import web

from bossbot.sandbox.faults import Fault
from bossbot.sandbox.world import World

HANG_STEP_S = 0.1


async def play_end(request: web.Request, world: World, fault: Fault | None) -> None:
    """Play the faults that show in place of an answer; the others were played before it was made."""
    if fault is not None and fault.kind == "reset":
        cut(request)
    if fault is not None and fault.kind in ("timeout", "timeout_before"):
        await hang(request, world)


def takes_effect(fault: Fault | None) -> bool:
    """Is the call carried out? Under `timeout` it is, and only its answer is lost."""
    return fault is None or fault.kind == "timeout"


def logged_error(error: str | None, fault: Fault | None) -> str | None:
    """What the log says of a call: a fault that kept it from happening counts as its error."""
    if fault is not None and fault.kind in ("reset", "timeout_before"):
        return f"fault: {fault.kind}"
    return error


class ConnectionCutError(ConnectionResetError):
    """The sandbox itself has cut the connection; there is nothing left to answer."""


def cut(request: web.Request) -> NoReturn:
    """Reset the connection (RST, not an orderly end) with nothing sent."""
    transport = request.transport
    if transport is not None:
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    raise ConnectionCutError


async def hang(request: web.Request, world: World) -> NoReturn:
    """Keep the caller waiting until it gives up or the sandbox closes."""
    while not world.closing.is_set():
        transport = request.transport
        if transport is None or transport.is_closing():
            break
        await asyncio.sleep(HANG_STEP_S)
    cut(request)
