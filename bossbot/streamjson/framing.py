"""Bytes in, lines out: newline-delimited JSON as a pipe really delivers it.

A chunk may hold many lines, half a line or one byte. Work is linear in the bytes fed, whatever the cuts: only
the new chunk is searched, and a pending line grows in place. A line above the bound is never held in memory;
it becomes an `Oversize` (how long, which hash, how it began) and the stream goes on behind it.
"""

import hashlib
from dataclasses import dataclass

DEFAULT_MAX_LINE_BYTES = 65 * 1024 * 1024
"""Tool output travels inside one line, and tens of megabytes of it have been seen: 64 MiB, and one for its frame."""

_HEAD_BYTES = 512
_FIRST_VISIBLE = b"!"
"""Sorts above every blank line, so that one `min` over a chunk's lines tells whether any is blank."""


@dataclass(frozen=True, slots=True)
class Oversize:
    """A line that exceeded the bound: its length in bytes (without the newline), its SHA-256 and its first bytes."""

    length: int
    sha256: str
    head: bytes
    limit: int


class _Skipping:
    """The inside of a line that is already too long: measured and hashed, not kept."""

    def __init__(self, start: bytes | bytearray, limit: int) -> None:
        self._head = bytes(start[:_HEAD_BYTES])
        self._hash = hashlib.sha256(start)
        self._length = len(start)
        self._limit = limit

    def add(self, part: bytes) -> None:
        self._head += part[: _HEAD_BYTES - len(self._head)]
        self._hash.update(part)
        self._length += len(part)

    def end(self) -> Oversize:
        return Oversize(self._length, self._hash.hexdigest(), self._head, self._limit)


class LineFramer:
    """Cuts a byte stream into lines; blank lines vanish and a carriage return before the newline is dropped."""

    def __init__(self, max_line_bytes: int = DEFAULT_MAX_LINE_BYTES) -> None:
        if max_line_bytes < 1:
            raise ValueError(f"max_line_bytes must be positive, not {max_line_bytes}")
        self._limit = max_line_bytes
        self._pending = bytearray()
        self._skipping: _Skipping | None = None

    @property
    def pending_bytes(self) -> int:
        """How much of an unfinished line is held in memory."""
        return len(self._pending)

    def feed(self, chunk: bytes) -> list[bytes | Oversize]:
        """The lines that this chunk completes, in order."""
        whole: list[bytes | Oversize] = []
        lines = chunk.split(b"\n")
        tail = lines.pop()
        if not lines:
            self._extend(tail)
            return whole
        if self._pending or self._skipping:
            self._extend(lines.pop(0))
            self._finish(whole)
        if len(chunk) > self._limit or b"\r" in chunk or (lines and min(lines) < _FIRST_VISIBLE):
            for line in lines:
                self._add(line, whole)
        else:
            whole += lines
        if tail:
            self._extend(tail)
        return whole

    def close(self) -> list[bytes | Oversize]:
        """The stream ended: what was left without a newline, if anything."""
        lines: list[bytes | Oversize] = []
        if self._pending or self._skipping:
            self._finish(lines)
        return lines

    def _extend(self, part: bytes) -> None:
        if self._skipping:
            self._skipping.add(part)
            return
        self._pending += part
        if len(self._pending) > self._limit:
            self._skipping = _Skipping(self._pending, self._limit)
            self._pending = bytearray()

    def _finish(self, lines: list[bytes | Oversize]) -> None:
        if self._skipping:
            lines.append(self._skipping.end())
            self._skipping = None
        else:
            self._add(bytes(self._pending), lines)
            self._pending = bytearray()

    def _add(self, line: bytes, lines: list[bytes | Oversize]) -> None:
        if len(line) > self._limit:
            lines.append(_Skipping(line, self._limit).end())
            return
        if line.endswith(b"\r"):
            line = line[:-1]
        if line and not line.isspace():
            lines.append(line)
