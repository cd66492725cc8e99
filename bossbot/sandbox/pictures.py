"""The size of a picture, read from its first bytes: PNG, JPEG and GIF, which Telegram takes as photos."""

import struct
from typing import NamedTuple

_JPEG_SIZES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})


class Picture(NamedTuple):
    """Width and height in pixels, and the suffix of its kind."""

    width: int
    height: int
    suffix: str


def read_picture(data: bytes) -> Picture | None:
    """What kind of picture this is and how large; None when it is none."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return Picture(width, height, ".png")
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return Picture(width, height, ".gif")
    return _read_jpeg(data) if data.startswith(b"\xff\xd8") else None


def _read_jpeg(data: bytes) -> Picture | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _JPEG_SIZES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Picture(width, height, ".jpg")
        at += 2 + max(length, 2)
    return None
