"""The bytes of Slack's files: the address that an upload is sent to, and the one that a file is downloaded from.

Faults meet both, as the methods `upload` and `download`, and both are in the log of calls.
"""

from collections.abc import Awaitable, Callable

from aiohttp import web

from bossbot.sandbox.faulty import answered, begun, logged_error
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_files import find_file
from bossbot.sandbox.slack_params import read_form
from bossbot.sandbox.slack_response import refused
from bossbot.sandbox.world import WORLD, World

UPLOAD, DOWNLOAD = "upload", "download"
Work = Callable[[World, web.Request], Awaitable[web.Response]]


def routes() -> list[web.RouteDef]:
    return [
        web.post("/slack/upload/{file_id}", upload),
        web.put("/slack/upload/{file_id}", upload),
        web.get("/slack/files/{file_id}", download),
    ]


async def upload(request: web.Request) -> web.StreamResponse:
    """The upload address: the bytes as they are, or as a form's file."""
    return await _played(request, UPLOAD, _take)


async def download(request: web.Request) -> web.StreamResponse:
    """`url_private`: with a token of the bot's for the file's workspace only, and the scope to read files."""
    return await _played(request, DOWNLOAD, _give)


async def _played(request: web.Request, name: str, work: Work) -> web.StreamResponse:
    """The work, or what a fault makes of it, and its entry in the log."""
    world = request.app[WORLD]
    world.connections.note("slack", request)
    arrived_at, fault = world.clock.now(), world.faults.take_for_call("slack", name)
    answer = web.Response()
    try:
        if begun(world, fault):
            answer = await work(world, request)
    except SlackError as refusal:
        answer = refused(refusal)
    error = None if answer.status == 200 else answer.text
    kind = None if fault is None else fault.kind
    world.calls.add("slack", arrived_at, name, dict(request.match_info), logged_error(error, fault), kind)
    return await answered(request, world, fault, answer)


async def _take(world: World, request: web.Request) -> web.Response:
    file = world.slack.files.get(request.match_info["file_id"])
    if file is None or file.shared:
        return web.Response(status=404, text="no such upload")
    if request.content_type == "multipart/form-data":
        data = _first_bytes([part for _, part in await read_form(request)])
    else:
        data = await request.read()
    if len(data) != file.length:
        return web.Response(status=400, text=f"expected {file.length} bytes, got {len(data)}")
    file.data = data
    return web.Response(text=f"OK - {file.length}")


async def _give(world: World, request: web.Request) -> web.Response:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.startswith("xoxb-"):
        raise SlackError("not_authed", status=403)
    file = find_file(world, request.match_info["file_id"], world.slack.team_of(token))
    if "files:read" not in world.slack.manifest.scopes:
        raise SlackError("missing_scope", status=403)
    if file is None or file.data is None:
        return web.Response(status=404, text="no such file")
    return web.Response(body=file.data, content_type="application/octet-stream")


def _first_bytes(parts: list[object]) -> bytes:
    part = parts[0] if parts else ""
    return part.file.read() if isinstance(part, web.FileField) else str(part).encode()
