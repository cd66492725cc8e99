"""Files: asked for, uploaded, completed, downloaded; the methods files.* and two plain addresses."""

from aiohttp import web

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.slack_call import Call, find_channel, find_thread
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_messages import add_message
from bossbot.sandbox.slack_state import SlackFile, SlackMessage
from bossbot.sandbox.world import WORLD, World


def get_upload_url(call: Call) -> Json:
    """`files.getUploadURLExternal`: where the bytes go; exactly `length` of them."""
    name = call.args.text("filename")
    if not name or not call.args.text("length"):
        raise SlackError("missing_argument")
    length = call.args.integer("length", 0, 0, 1 << 40)
    if length == 0:
        raise SlackError("missing_argument")
    file = SlackFile(call.world.slack.new_id("F"), name, length, title=name, user=call.team.bot_user_id)
    call.world.slack.files[file.id] = file
    return {"upload_url": f"{call.world.base_url}/slack/upload/{file.id}", "file_id": file.id}


def complete_upload(call: Call) -> Json:
    """`files.completeUploadExternal`: share what was uploaded, in a conversation or with nobody."""
    wanted = as_list(call.args.json("files", "invalid_arguments"))
    if not wanted:
        raise SlackError("invalid_arguments", ("[ERROR] missing required field: files",))
    files = [_uploaded(call.world, as_object(item) or {}) for item in wanted]
    shown = [wire(call.world, file) for file in files]
    name = "channel_id" if call.args.has("channel_id") else "channels" if call.args.has("channels") else ""
    channel = find_channel(call, name) if name else None
    for file in files:
        file.shared = True
    if channel is not None:
        thread_ts = find_thread(call, channel)
        text = call.args.text("initial_comment")
        message = SlackMessage(call.world.slack.new_ts(), call.team.bot_user_id, text, [], thread_ts, True, files=shown)
        add_message(call.world, channel, message)
    return {"files": shown}


def wire(world: World, file: SlackFile) -> Json:
    """A file object."""
    address = f"{world.base_url}/slack/files/{file.id}"
    return {
        "id": file.id,
        "name": file.name,
        "title": file.title,
        "size": file.length,
        "user": file.user,
        "mode": "hosted",
        "url_private": address,
        "url_private_download": address,
    }


async def upload(request: web.Request) -> web.StreamResponse:
    """The upload address: the bytes as they are, or as a form's file."""
    file = request.app[WORLD].slack.files.get(request.match_info["file_id"])
    if file is None or file.shared:
        return web.Response(status=404, text="no such upload")
    if request.content_type == "multipart/form-data":
        data = _first_bytes(list((await request.post()).values()))
    else:
        data = await request.read()
    if len(data) != file.length:
        return web.Response(status=400, text=f"expected {file.length} bytes, got {len(data)}")
    file.data = data
    return web.Response(text=f"OK - {file.length}")


async def download(request: web.Request) -> web.StreamResponse:
    """`url_private`: with a bot's token only."""
    file = request.app[WORLD].slack.files.get(request.match_info["file_id"])
    if not request.headers.get("Authorization", "").startswith("Bearer xoxb-"):
        return web.Response(status=403, body=encode({"ok": False, "error": "not_authed"}))
    if file is None or file.data is None:
        return web.Response(status=404)
    return web.Response(body=file.data, content_type="application/octet-stream")


def routes() -> list[web.RouteDef]:
    return [
        web.post("/slack/upload/{file_id}", upload),
        web.put("/slack/upload/{file_id}", upload),
        web.get("/slack/files/{file_id}", download),
    ]


def _uploaded(world: World, wanted: Json) -> SlackFile:
    file = world.slack.files.get(str(wanted.get("id")))
    if file is None or file.data is None:
        raise SlackError("file_not_found")
    title = wanted.get("title")
    if isinstance(title, str) and title:
        file.title = title
    return file


def _first_bytes(parts: list[object]) -> bytes:
    part = parts[0] if parts else ""
    return part.file.read() if isinstance(part, web.FileField) else str(part).encode()


METHODS = {
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
}
