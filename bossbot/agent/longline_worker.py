"""The process that reads lines of more than a mebibyte, so that the event loop's process never has to.

    python -m bossbot.agent.longline_worker [FOLDER]

On stdin come packets: four bytes of length, then so many bytes. They are a line's parts; an empty packet ends the
line, and `DROP` in place of a length forgets it. For each line one packet of JSON goes out (an `Answer`), then one with
the abridged line. The whole of a tool's output that was cut is written to a file of its own in FOLDER.

It holds one line at a time and gives its memory back by ending, which its owner asks for by ending its stdin. It also
ends when it would take more memory than `MEMORY_BYTES`: a line may be made of nothing but small values.
"""

import gc
import hashlib
import os
import resource
import struct
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bossbot.streamjson.abridge import Unreadable, abridge, checked, texts
from bossbot.streamjson.frames import LongText

LENGTH = struct.Struct(">I")
DROP = 0xFFFF_FFFF
MEMORY_BYTES = 3 * 1024**3
NICE = 10
"""Nobody waits for a long line as for a press of a button: the bot's own process goes first."""


class Answer(Struct, frozen=True):
    """About one line: why it could not be read, or the outputs of tools that were kept of it."""

    error: str = ""
    texts: tuple[LongText, ...] = ()


def main(arguments: list[str]) -> None:
    """Reads lines until stdin ends."""
    os.nice(NICE)
    gc.disable()  # what a line is made of has no cycles, and there are millions of them
    _bound_memory()
    folder = Path(arguments[0]) if arguments else None
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    line = bytearray()
    while head := stdin.read(LENGTH.size):
        (length,) = LENGTH.unpack(head)
        if length == DROP:
            line = bytearray()
        elif length:
            line += stdin.read(length)
        else:
            whole, line = bytes(line), bytearray()
            answer, short = _read(whole, folder)
            del whole
            _packet(stdout, msgspec.json.encode(answer))
            _packet(stdout, short)
            stdout.flush()


def _bound_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MEMORY_BYTES, most)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, most))


def _read(line: bytes, folder: Path | None) -> tuple[Answer, bytes]:
    try:
        line = checked(line)
        return Answer(texts=tuple(_kept(*text, folder) for text in texts(line))), abridge(line)
    except Unreadable as error:
        return Answer(error=str(error)), b""


def _kept(tool_use_id: str, content: bytes, folder: Path | None) -> LongText:
    path = None
    if folder is not None:
        number, path = tempfile.mkstemp(prefix="long-", dir=folder)
        with os.fdopen(number, "wb") as file:
            file.write(content)
    return LongText(tool_use_id, len(content), hashlib.sha256(content).hexdigest(), path)


def _packet(stdout: BinaryIO, data: bytes) -> None:
    stdout.write(LENGTH.pack(len(data)))
    stdout.write(data)


if __name__ == "__main__":
    main(sys.argv[1:])
