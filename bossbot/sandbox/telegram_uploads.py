"""Files that come with a call: what becomes of them, as a document or as a photo.

Sources: T = tdlib/td; S = Telegram's own server, as others saw it; D = Telegram's documentation.
"""

from typing import Literal

from bossbot.sandbox.pictures import read_picture
from bossbot.sandbox.tdlib_judge import judge
from bossbot.sandbox.telegram_call import Call
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_files import File
from bossbot.sandbox.telegram_params import Upload

MediaKind = Literal["document", "photo"]
PHOTO_BYTES = 10 * 1024 * 1024
"""A photo that is uploaded (T `check_full_local_location`)."""
PHOTO_SIDES = 10_000
PHOTO_RATIO = 20
"""Width and height together, and the one by the other (D sendPhoto)."""


def kept_upload(call: Call, kind: MediaKind, upload: Upload) -> File:
    """A file that came with the call, as a document or a photo. Raises the server's refusal of what is none."""
    if not upload.data:
        raise refused("File must be non-empty")  # T check_full_local_location
    files = call.world.telegram.files
    if kind == "document":
        return files.add_document(*judge().told_of(upload.name), upload.data)
    if len(upload.data) > PHOTO_BYTES:
        size = len(upload.data)
        raise refused(f"File of size {size} bytes is too big for a photo; the maximum size is {PHOTO_BYTES} bytes")
    picture = read_picture(upload.data)
    if picture is None:
        raise refused("IMAGE_PROCESS_FAILED")  # S
    sides = sorted((picture.width, picture.height))
    if sides[0] < 1 or sum(sides) > PHOTO_SIDES or sides[1] > PHOTO_RATIO * sides[0]:
        raise refused("PHOTO_INVALID_DIMENSIONS")  # S
    return files.add_photo(*picture, upload.data)
