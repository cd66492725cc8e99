"""What both real CLIs wrote and were told, as recorded."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import CBC, CLAUDE, Dialect

CAPTURES = Path(__file__).parents[1] / "captures"
FOLDERS = {"cbc-2.163.0": CBC, "claude-code-2.1.220": CLAUDE}


@dataclass(frozen=True)
class Recording:
    name: str
    dialect: Dialect
    records: tuple[dict[str, Any], ...]

    @property
    def lines(self) -> list[bytes]:
        """The CLI's lines, as compact as it writes them."""
        return [compact(record["msg"]) for record in self.records if record["dir"] == "out"]

    @property
    def told(self) -> list[dict[str, Any]]:
        """What the CLI was told; a copy, for tests to change."""
        return [json.loads(compact(record["msg"])) for record in self.records if record["dir"] == "in"]

    def replayed(self) -> "Replayed":
        """A connection that has heard and said everything in the recorded order."""
        replayed = Replayed(Connection(self.dialect))
        for record in self.records:
            if record["dir"] == "out":
                replayed.connection.feed(compact(record["msg"]) + b"\n")
            elif record["dir"] == "in":
                replayed.say(record["msg"])
            replayed.turns.append(replayed.connection.turn.name)
        return replayed


@dataclass
class Replayed:
    connection: Connection
    turns: list[str]

    def __init__(self, connection: Connection) -> None:
        self.connection, self.turns = connection, ["IDLE"]

    def say(self, message: dict[str, Any]) -> None:
        connection = self.connection
        if message["type"] == "user":
            connection.user_message(message["message"]["content"])
        elif message["type"] == "control_request" and message["request"]["subtype"] == "interrupt":
            connection.interrupt(message["request"]["session_id"], message["request"]["reason"])
        elif message["type"] == "control_response":
            connection.pending.pop(message["response"]["request_id"], None)

    @property
    def story(self) -> list[str]:
        """The states of the turn, each as long as it lasted."""
        return [turn for index, turn in enumerate(self.turns) if index == 0 or turn != self.turns[index - 1]]


def compact(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


def recording(folder: str, name: str) -> Recording:
    text = (CAPTURES / folder / f"{name}.ndjson").read_text(encoding="utf-8")
    return Recording(f"{folder}/{name}", FOLDERS[folder], tuple(map(json.loads, text.splitlines())))


def cbc(name: str) -> Recording:
    return recording("cbc-2.163.0", name)


def claude(name: str) -> Recording:
    return recording("claude-code-2.1.220", name)


def all_recordings() -> list[Recording]:
    paths = sorted(path for folder in FOLDERS for path in (CAPTURES / folder).glob("*.ndjson"))
    return [recording(path.parent.name, path.stem) for path in paths]


ALL = all_recordings()
LINES = [line for each in ALL for line in each.lines]
