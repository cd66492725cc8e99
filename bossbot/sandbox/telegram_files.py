"""Files that bots and people have sent: kept for the life of the sandbox, known by their file_id."""

import itertools
from dataclasses import dataclass
from pathlib import PurePosixPath

from bossbot.sandbox.json_types import Json


@dataclass(frozen=True, slots=True)
class File:
    """One file. `media` is what a message with it carries: `{"document": …}` or `{"photo": […]}`."""

    file_id: str
    unique_id: str
    path: str
    media: Json
    data: bytes

    def wire(self) -> Json:
        """The Bot API's `File`."""
        return {
            "file_id": self.file_id,
            "file_unique_id": self.unique_id,
            "file_size": len(self.data),
            "file_path": self.path,
        }


class Files:
    """All files. Numbers are never used again."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._by_id: dict[str, File] = {}
        self._by_path: dict[str, File] = {}

    def clear(self) -> None:
        self._by_id.clear()
        self._by_path.clear()

    def find(self, file_id: str) -> File | None:
        return self._by_id.get(file_id)

    def at(self, path: str) -> File | None:
        """The file that a download address names."""
        return self._by_path.get(path)

    def add_document(self, name: str, mime_type: str, data: bytes) -> File:
        number = next(self._numbers)
        file_id, unique_id = f"SANDBOXFILE{number:08d}", f"SBX{number:08d}"
        document: Json = {
            "file_id": file_id,
            "file_unique_id": unique_id,
            "file_name": name,
            "mime_type": mime_type,
            "file_size": len(data),
        }
        return self._add(file_id, unique_id, f"documents/file_{number}{_suffix(name)}", {"document": document}, data)

    def add_photo(self, width: int, height: int, suffix: str, data: bytes) -> File:
        """A picture in one size, its own: the sandbox makes no smaller ones."""
        number = next(self._numbers)
        file_id, unique_id = f"SANDBOXPHOTO{number:08d}", f"SBP{number:08d}"
        size: Json = {
            "file_id": file_id,
            "file_unique_id": unique_id,
            "width": width,
            "height": height,
            "file_size": len(data),
        }
        return self._add(file_id, unique_id, f"photos/file_{number}{suffix}", {"photo": [size]}, data)

    def _add(self, file_id: str, unique_id: str, path: str, media: Json, data: bytes) -> File:
        file = File(file_id, unique_id, path, media, data)
        self._by_id[file_id] = self._by_path[path] = file
        return file


def _suffix(name: str) -> str:
    suffix = PurePosixPath(name).suffix
    return suffix if suffix[1:].isalnum() and suffix.isascii() and len(suffix) <= 16 else ""
