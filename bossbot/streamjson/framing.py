"""Bytes in, lines out: newline-delimited JSON as a pipe really delivers it.

A chunk may hold many lines, half a line or one byte. Work is linear in the bytes fed, whatever the cuts: only
the new chunk is searched, and a pending line grows in place. A line above the bound is never held in memory;
it becomes an `Oversize` (how long, which hash, how it began) and the stream goes on behind it.

A framer with a `part_bytes` holds no long line either: beyond that length a line is handed on in `Part`s as it
comes, closed by a `PartsEnd`, so that somebody else may put it together.
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


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a long line. More follow, until `PartsEnd`, or `Oversize` if the line grows above the bound."""

    data: bytes


@dataclass(frozen=True, slots=True)
class PartsEnd:
    """A long line is complete: its length in bytes (without the newline), its SHA-256 and its first bytes."""

    length: int
    sha256: str
    head: bytes


Piece = bytes | Part | PartsEnd | Oversize


class _Measured:
    """The inside of a line that is not held: measured and hashed."""

    def __init__(self) -> None:
        self._head = b""
        self._hash = hashlib.sha256()
        self.length = 0

    def add(self, part: bytes | bytearray) -> None:
        self._head += part[: _HEAD_BYTES - len(self._head)]
        self._hash.update(part)
        self.length += len(part)

    def end(self, limit: int) -> PartsEnd | Oversize:
        if self.length > limit:
            return Oversize(self.length, self._hash.hexdigest(), self._head, limit)
        return PartsEnd(self.length, self._hash.hexdigest(), self._head)


class LineFramer:
    """Cuts a byte stream into lines; blank lines vanish and a carriage return before the newline is dropped.

    Without `part_bytes` every line up to the bound comes whole, as `bytes`.
    """

    def __init__(self, max_line_bytes: int = DEFAULT_MAX_LINE_BYTES, part_bytes: int | None = None) -> None:
        if max_line_bytes < 1:
            raise ValueError(f"max_line_bytes must be positive, not {max_line_bytes}")
        self._limit = max_line_bytes
        self._hands_on = part_bytes is not None
        self._held_bytes = max_line_bytes if part_bytes is None else min(part_bytes, max_line_bytes)
        self._pending = bytearray()
        self._measured: _Measured | None = None

    @property
    def pending_bytes(self) -> int:
        """How much of an unfinished line is held in memory."""
        return len(self._pending)

    def feed(self, chunk: bytes) -> list[Piece]:
        """The lines that this chunk completes, in order, and the parts of long ones."""
        whole: list[Piece] = []
        lines = chunk.split(b"\n")
        tail = lines.pop()
        if not lines:
            self._extend(tail, whole)
            return whole
        if self._pending or self._measured:
            self._extend(lines.pop(0), whole)
            self._finish(whole)
        if len(chunk) > self._held_bytes or b"\r" in chunk or (lines and min(lines) < _FIRST_VISIBLE):
            for line in lines:
                self._add(line, whole)
        else:
            whole += lines
        if tail:
            self._extend(tail, whole)
        return whole

    def close(self) -> list[Piece]:
        """The stream ended: what was left without a newline, if anything."""
        lines: list[Piece] = []
        if self._pending or self._measured:
            self._finish(lines)
        return lines

    def _extend(self, part: bytes, out: list[Piece]) -> None:
        if self._measured:
            self._measure(part, out)
            return
        self._pending += part
        if len(self._pending) > self._held_bytes:
            self._measured = _Measured()
            held, self._pending = bytes(self._pending), bytearray()
            self._measure(held, out)

    def _measure(self, part: bytes, out: list[Piece]) -> None:
        measured = self._measured
        assert measured is not None
        measured.add(part)
        if self._hands_on and part and measured.length <= self._limit:
            out.append(Part(part))

    def _finish(self, out: list[Piece]) -> None:
        if self._measured:
            out.append(self._measured.end(self._limit))
            self._measured = None
        else:
            line, self._pending = bytes(self._pending), bytearray()
            self._add(line, out)

    def _add(self, line: bytes, out: list[Piece]) -> None:
        if len(line) > self._held_bytes:
            self._measured = _Measured()
            self._measure(line, out)
            self._finish(out)
            return
        if line.endswith(b"\r"):
            line = line[:-1]
        if line and not line.isspace():
            out.append(line)
