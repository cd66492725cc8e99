"""Reads a file that the agent CLI names, and only one that lies where such files lie.

The name is not trusted: it may lead out of the allowed folders by `..` or a link, name a pipe or a device, somebody
else's file, or one without end. So the way is walked from the folder down without following a link.
"""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

MAX_NAME_CHARS = 4_096


def read_inside(name: str, folders: Sequence[Path], max_bytes: int) -> tuple[bytes, bool] | None:
    """The first `max_bytes` of the file and whether there was more; None for a file that must not or cannot be read."""
    if not name.startswith("/") or "\0" in name or len(name) > MAX_NAME_CHARS or ".." in name.split("/"):
        return None
    for folder in folders:
        inner = _inner(name, folder)
        if inner is not None:
            try:
                return _read(os.path.realpath(folder), inner, max_bytes)
            except OSError:
                return None
    return None


def _inner(name: str, folder: Path) -> list[str] | None:
    """The parts of the name below the folder, however the folder itself is spelt."""
    path = os.path.normpath(name)
    for root in (os.path.realpath(folder), str(folder)):
        if path.startswith(root.rstrip("/") + "/"):
            return path[len(root.rstrip("/")) + 1 :].split("/")
    return None


def _read(root: str, parts: list[str], max_bytes: int) -> tuple[bytes, bool]:
    """Raises OSError for whatever is in the way."""
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = below
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(parts[-1], flags, dir_fd=here), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
                raise PermissionError("not a plain file of ours")
            data = file.read(max_bytes + 1)
    finally:
        os.close(here)
    return data[:max_bytes], len(data) > max_bytes
