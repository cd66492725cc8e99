"""Playing a fault on one request: connections that are cut, and answers that never come."""

import asyncio
import socket
import struct
from typing import NoReturn

from aiohttp import web

from bossbot.sandbox.world import World

HANG_STEP_S = 0.1


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
