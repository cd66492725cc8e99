"""Snapshots: a session's state as of one event, kept so that a long session opens fast. Never the truth: the log is.

A snapshot counts only if it was made by the same program (the digest of everything that folds events) and if the event
that it stands on still has the hash that it had then. Otherwise it is passed over, and the log is folded from its
beginning.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from pydantic import BaseModel

from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.store import upcast
from bossbot.store.facts import fact
from bossbot.store.records import Link


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after event `version`, whose hash was `hash`; `digest` names the program that folded it."""

    version: int
    hash: str
    digest: str
    state: str


def encode(state: SessionState) -> str:
    """The state as JSON."""
    try:
        return msgspec.json.encode(state, enc_hook=_to_json).decode()
    except UnicodeEncodeError:  # a program's output may hold half a character: it stays escaped
        return json.dumps(msgspec.to_builtins(state, enc_hook=_to_json, str_keys=True))


def decode(text: str) -> SessionState:
    """The state that `encode` wrote. Raises ValueError if it is none."""
    try:
        return msgspec.json.decode(text, type=SessionState, dec_hook=_from_json)
    except msgspec.DecodeError:
        return msgspec.convert(json.loads(text), SessionState, dec_hook=_from_json, str_keys=True)


def _to_json(value: object) -> object:
    """What msgspec does not know: layered mappings, and parts of events that a state keeps as they are."""
    if isinstance(value, Mapping):
        return dict(value.items())
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise NotImplementedError(f"no JSON of {type(value).__name__}")


def _from_json(kind: type[Any], value: object) -> object:
    if issubclass(kind, BaseModel):
        return kind.model_validate(value)
    raise NotImplementedError(f"no {kind.__name__} from JSON")


def restored(session_id: SessionId, snapshot: Snapshot | None, later: Iterable[Link]) -> SessionState:
    """The state after the snapshot and the events behind it; without one, `later` begins at the first event.

    Raises ValueError when the snapshot cannot be read.
    """
    state = SessionState(id=session_id) if snapshot is None else decode(snapshot.state)
    return fold(state, map(fact, later))


def usable(snapshot: Snapshot | None, hash_there: str | None) -> Snapshot | None:
    """The snapshot if it may be used; `hash_there` is the hash of the event that it stands on, as the log has it."""
    fits = snapshot is not None and snapshot.digest == digest() and snapshot.hash == hash_there
    return snapshot if fits else None


@cache
def digest() -> str:
    """Names what the state follows from: every source file of the domain, and the upcasters."""
    found = sha256()
    for name, source in sorted([*_sources(files("bossbot.domain"), ""), ("upcast", _source(upcast.__name__))]):
        found.update(name.encode() + b"\0" + source + b"\0")
    return found.hexdigest()


def _sources(folder: Traversable, within: str) -> list[tuple[str, bytes]]:
    sources: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        name = f"{within}/{entry.name}"
        if entry.is_dir():
            sources += _sources(entry, name)
        elif entry.name.endswith(".py"):
            sources.append((name, entry.read_bytes()))
    return sources


def _source(module: str) -> bytes:
    package, _, name = module.rpartition(".")
    return files(package).joinpath(f"{name}.py").read_bytes()
