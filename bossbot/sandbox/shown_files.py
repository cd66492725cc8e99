"""Files for the page: what bots and people have sent, without a token. Only pictures show; all else is saved.

The name and the kind that a bot gave a file are not believed: a picture is told by its first bytes.
"""

from typing import Final
from urllib.parse import quote

from aiohttp import web

from bossbot.sandbox.control import ControlError
from bossbot.sandbox.world import WORLD, World

PICTURES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


def routes() -> list[web.RouteDef]:
    return [web.get("/sandbox/file/{platform}/{file_id}", shown_file)]


async def shown_file(request: web.Request) -> web.Response:
    """A file's bytes: a picture as one, anything else as a download that no browser opens by itself."""
    platform, file_id = request.match_info["platform"], request.match_info["file_id"]
    name, data = _find(request.app[WORLD], platform, file_id)
    kind = next((kind for begin, kind in PICTURES.items() if data.startswith(begin)), None)
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "no-store",
    }
    if kind is None:
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return web.Response(body=data, content_type=kind or "application/octet-stream", headers=headers)


def _find(world: World, platform: str, file_id: str) -> tuple[str, bytes]:
    if platform == "telegram" and (file := world.telegram.files.find(file_id)) is not None:
        return file.path.rsplit("/", 1)[-1], file.data
    if platform == "slack" and (sent := world.slack.files.get(file_id)) is not None and sent.data is not None:
        return sent.name, sent.data
    raise ControlError(404, f"{platform} has no file {file_id!r}")
