"""Lines in and lines out: one JSON object each, on stdin and stdout."""

import json
import sys
import threading
from collections.abc import Iterator

from .frames import Frame


class Wire:
    """stdout, shared by the turns' threads. A reader that has gone away is no reason to fail."""

    def __init__(self) -> None:
        self._out = sys.stdout.buffer
        self._lock = threading.Lock()

    def send(self, frame: Frame) -> None:
        line = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._out.write(line)
                self._out.flush()
            except (BrokenPipeError, ValueError):
                return

    def lines(self) -> Iterator[Frame]:
        """What arrives on stdin until it ends. A line that is no JSON object is answered with an error, as cbc does."""
        for line in sys.stdin.buffer:
            if not line.strip():
                continue
            try:
                frame = json.loads(line)
            except ValueError as error:
                self.send({"type": "error", "error": f"Not a JSON line: {error}"})
                continue
            if isinstance(frame, dict):
                yield frame
            else:
                self.send({"type": "error", "error": "Not a JSON object"})
