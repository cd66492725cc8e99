"""Playing a fault on one request: connections that are cut, and answers that never come."""

import asyncio

from aiohttp import web

from bossbot.sandbox.connections import cut
from bossbot.sandbox.faults import Fault
from bossbot.sandbox.world import World

HANG_STEP_S = 0.1


def begun(world: World, fault: Fault | None) -> bool:
    """Play the beginning of a fault, and tell whether the call is to be carried out.

    Raises the platform's own exception for kinds that refuse the call.
    """
    if fault is None:
        return True
    if fault.spec.before is not None:
        fault.spec.before(world, fault)
    if fault.spec.refusal is not None:
        raise fault.spec.refusal(fault)
    return fault.spec.carried_out


async def answered(
    request: web.Request, world: World, fault: Fault | None, answer: web.StreamResponse
) -> web.StreamResponse:
    """The answer, or what a fault puts in its place: nothing, after a while or at once."""
    if fault is None or fault.spec.answer == "given":
        return answer
    if fault.spec.answer == "none":
        await _hang(request, world)
    _cut(request)
    return answer


def logged_error(error: str | None, fault: Fault | None) -> str | None:
    """What the log says of a call: a fault that kept it from happening counts as its error."""
    if fault is not None and fault.spec.answer != "given" and not fault.spec.carried_out:
        return f"fault: {fault.kind}"
    return error


def _cut(request: web.Request) -> None:
    if request.transport is not None:
        cut(request.transport)


async def _hang(request: web.Request, world: World) -> None:
    """Keep the caller waiting until it gives up or the sandbox closes."""
    while not world.closing.is_set():
        transport = request.transport
        if transport is None or transport.is_closing():
            break
        await asyncio.sleep(HANG_STEP_S)
