"""The end of what a program says on stderr: bounded, and without secrets."""

from collections.abc import Iterable

from bossbot.text.redaction import redact

KEPT_BYTES = 16 * 1024
LINES, CHARS = 3, 400
"""What is worth telling a person of it."""


class Tail:
    """Keeps the last bytes of a stream."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = tuple(secrets)
        self._bytes = bytearray()
        self._cut = False

    def add(self, chunk: bytes) -> None:
        self._bytes += chunk
        if len(self._bytes) > KEPT_BYTES:
            del self._bytes[:-KEPT_BYTES]
            self._cut = True

    def text(self) -> str:
        """What is kept. Of a cut stream the first line is left out: it may begin inside a secret, which then would
        not be known as one."""
        kept = bytes(self._bytes)
        if self._cut:
            kept = kept.partition(b"\n")[2]
        return redact(kept.decode("utf-8", "replace"), self._secrets)

    def last_lines(self) -> str:
        """The last lines in one: `first; second; third`."""
        lines = [" ".join(line.split()) for line in self.text().splitlines()]
        said = "; ".join([line for line in lines if line][-LINES:])
        return said if len(said) <= CHARS else "…" + said[1 - CHARS :]
