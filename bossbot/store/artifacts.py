"""Artifacts: whole outputs of tools and tasks, too long for the log. Files in one folder, named by their content.

An artifact's id is made of its content's hash, so the same output is one file, no name comes from outside, and a file
that was changed is noticed. Files are for the owner alone; they are bounded one by one and together (the oldest make
room), and end after some days. What cannot be kept is left out: the log has its preview, size and hash.
"""

import hashlib
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bossbot.text.redaction import redact_long

ID = re.compile(r"artifact_[0-9a-f]{32}")
DAY_S = 86_400.0
_LEFT_OVER = re.compile(r"(?:new|long)-[a-z0-9_]{8}")
"""What an earlier process had not finished, ours and the reader's of long lines (`tempfile.mkstemp`)."""


class NoArtifact(Exception):
    """There is no such artifact; the text says why that may be."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An artifact as it lies there. `truncated`: it ends at the bound, there was more."""

    id: str
    size_bytes: int
    sha256: str
    truncated: bool


class ArtifactFiles:
    """The folder. Its methods work on the disk and take time: they are for threads, one call at a time."""

    def __init__(
        self,
        folder: Path,
        *,
        max_file_bytes: int,
        max_total_bytes: int,
        retention_days: float,
        secrets: Iterable[str] = (),
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder, self.max_file_bytes, self._max_total = folder, max_file_bytes, max_total_bytes
        self._retention_s, self._secrets, self._now = retention_days * DAY_S, tuple(secrets), now

    @property
    def incoming(self) -> Path:
        """Where files are written before they are kept; what of ours lies there at the start is deleted."""
        return self._folder / "incoming"

    def open(self) -> int:
        """Makes the folder, and ends what is too old or left over. Returns how many files ended. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.incoming.mkdir(mode=0o700, exist_ok=True)
        os.chmod(self._folder, 0o700)
        ended = [path for path in self.incoming.iterdir() if _LEFT_OVER.fullmatch(path.name)]
        ended += [path for path, stat in self._files() if self._now() - stat.st_mtime > self._retention_s]
        for path in ended:
            path.unlink(missing_ok=True)
        return len(ended)

    def keep_text(self, text: str) -> Kept | None:
        """The text without secrets, as far as the bound allows; None when there is no room for it at all."""
        head = text[: self.max_file_bytes]
        return self._keep(redact_long(head, self._secrets), truncated=len(head) < len(text))

    def keep_bytes(self, data: bytes, *, truncated: bool = False) -> Kept | None:
        """The same of what a file held."""
        head = data[: self.max_file_bytes]
        text = head.decode("utf-8", "replace")
        return self._keep(redact_long(text, self._secrets), truncated=truncated or len(head) < len(data))

    def adopt(self, path: Path) -> Kept | None:
        """The same of a file in `incoming`, which is gone after that."""
        try:
            if path.parent != self.incoming:
                return None
            with path.open("rb") as file:
                return self.keep_bytes(file.read(self.max_file_bytes + 1))
        finally:
            path.unlink(missing_ok=True)

    def read(self, artifact_id: str) -> bytes:
        """The content. Raises `NoArtifact`."""
        if not ID.fullmatch(artifact_id):
            raise NoArtifact("an artifact's id looks like artifact_ and 32 digits and letters from a to f")
        try:
            number = os.open(self._folder / artifact_id, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(number, "rb") as file:
                data = file.read()
        except OSError:
            raise NoArtifact(f"{artifact_id} is not there: it was never kept, or has ended") from None
        if _id(hashlib.sha256(data).hexdigest()) != artifact_id:
            raise NoArtifact(f"{artifact_id} was changed after it was kept")
        return data

    def _keep(self, pieces: Iterable[str], *, truncated: bool) -> Kept | None:
        number, name = tempfile.mkstemp(prefix="new-", dir=self.incoming)
        temporary = Path(name)
        try:
            with os.fdopen(number, "wb") as file:
                digest, size = hashlib.sha256(), 0
                for data in map(str.encode, pieces):
                    data = data[: self.max_file_bytes - size]
                    digest.update(data)
                    size += file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if not self._make_room(size):
                return None
            kept = Kept(_id(digest.hexdigest()), size, digest.hexdigest(), truncated)
            os.replace(temporary, self._folder / kept.id)
            return kept
        finally:
            temporary.unlink(missing_ok=True)

    def _make_room(self, size: int) -> bool:
        """The oldest files make room. False for what is larger than all the room there is."""
        if size > self._max_total:
            return False
        files = sorted(self._files(), key=lambda item: item[1].st_mtime)
        total = sum(stat.st_size for _, stat in files)
        for path, stat in files:
            if total + size <= self._max_total:
                break
            path.unlink(missing_ok=True)
            total -= stat.st_size
        return True

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Our files; what else somebody put into the folder is left alone."""
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if ID.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    yield Path(entry.path), entry.stat(follow_symlinks=False)


def _id(sha256: str) -> str:
    return f"artifact_{sha256[:32]}"
