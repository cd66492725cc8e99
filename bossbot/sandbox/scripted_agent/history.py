"""What the agent remembers of a session: a file of lines in its folder, appended to before anything is said.

After a kill -9 the last lines tell what was cut off: a permission that was asked for and never decided, or a message
that never got its result.
"""

import json
import os
import re

from .frames import Frame

FOLDER = ".scripted-agent"
_SESSION_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class UnknownSession(Exception):
    """There is no such session in this folder."""


class History:
    """One session's file. `asked` is the undecided permission, `unanswered` the message without a result."""

    def __init__(self, folder: str, session_id: str) -> None:
        self.home = os.path.join(folder, FOLDER)
        self._path = os.path.join(self.home, f"{session_id}.jsonl")
        self.tasks: list[Frame] = []
        self.asked: Frame | None = None
        self.unanswered = ""

    @classmethod
    def resumed(cls, folder: str, session_id: str) -> "History":
        """Reads the file again. A torn last line is skipped: it is what the kill interrupted."""
        history = cls(folder, session_id)
        if not _SESSION_ID.fullmatch(session_id) or not os.path.isfile(history._path):
            raise UnknownSession(f"No conversation found with session ID: {session_id}")
        with open(history._path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                history._take(record)
        return history

    def record(self, kind: str, **fields: object) -> None:
        """Appends one line, and lets it count from now on."""
        record: Frame = {"kind": kind, **fields}
        self._take(record)
        os.makedirs(self.home, exist_ok=True)
        with open(self._path, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")

    def _take(self, record: Frame) -> None:
        match record.get("kind"):
            case "said":
                self.unanswered = str(record.get("text", ""))
            case "asked":
                self.asked = record
            case "decided":
                self.asked = None
            case "tasks":
                tasks = record.get("tasks")
                self.tasks = tasks if isinstance(tasks, list) else []
            case "result":
                self.asked, self.unanswered = None, ""
