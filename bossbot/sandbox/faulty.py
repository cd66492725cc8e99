"""Playing a fault on one request: connections that are cut, and answers that never come."""

import asyncio
import socket
import struct

from aiohttp import web

from bossbot.sandbox.faults import Fault
from bossbot.sandbox.world import World

HANG_STEP_S = 0.1


async def answered(
    request: web.Request, world: World, fault: Fault | None, answer: web.StreamResponse
) -> web.StreamResponse:
    """The answer, or what a fault puts in its place: nothing, after a while or at once."""
    if fault is not None and fault.kind in ("timeout", "timeout_before"):
        await _hang(request, world)
    elif fault is None or fault.kind != "reset":
        return answer
    _cut(request)
    return answer


def takes_effect(fault: Fault | None) -> bool:
    """Is the call carried out? Under `timeout` it is, and only its answer is lost."""
    return fault is None or fault.kind == "timeout"


def logged_error(error: str | None, fault: Fault | None) -> str | None:
    """What the log says of a call: a fault that kept it from happening counts as its error."""
    if fault is not None and fault.kind in ("reset", "timeout_before"):
        return f"fault: {fault.kind}"
    return error


def _cut(request: web.Request) -> None:
    """Reset the connection (RST, not an orderly end); what is answered then goes nowhere."""
    transport = request.transport
    if transport is not None:
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


async def _hang(request: web.Request, world: World) -> None:
    """Keep the caller waiting until it gives up or the sandbox closes."""
    while not world.closing.is_set():
        transport = request.transport
        if transport is None or transport.is_closing():
            break
        await asyncio.sleep(HANG_STEP_S)
