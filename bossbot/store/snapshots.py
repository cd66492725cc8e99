"""Snapshots: a session's state as of one event, kept so that a long session opens fast. Never the truth: the log is.

A snapshot counts only if it was made by the same program (the digest of everything that folds events) and if the event
that it stands on still has the hash that it had then. Otherwise it is passed over, and the log is folded from its
beginning.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.store import upcast
from bossbot.store.chain import event_from_json
from bossbot.store.records import Link

if TYPE_CHECKING:
    from pydantic import TypeAdapter


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
        return _adapter().dump_json(state).decode()
    except ValueError:  # a program's output may hold half a character: it stays escaped
        return json.dumps(_adapter().dump_python(state, mode="json"))


def decode(text: str) -> SessionState:
    """The state that `encode` wrote. Raises ValueError if it is none."""
    try:
        return _adapter().validate_json(text)
    except ValueError:
        return _adapter().validate_python(json.loads(text))


def restored(session_id: SessionId, snapshot: Snapshot | None, later: Iterable[Link]) -> SessionState:
    """The state after the snapshot and the events behind it; without one, `later` begins at the first event."""
    state = SessionState(id=session_id) if snapshot is None else decode(snapshot.state)
    return fold(state, [event_from_json(link.envelope, link.payload_version) for link in later])


def usable(snapshot: Snapshot | None, hash_there: str | None) -> Snapshot | None:
    """The snapshot if it may be used; `hash_there` is the hash of the event that it stands on, as the log has it."""
    if snapshot is None or snapshot.digest != digest() or snapshot.hash != hash_there:
        return None
    try:
        decode(snapshot.state)
    except ValueError:
        return None
    return snapshot


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


@cache
def _adapter() -> "TypeAdapter[SessionState]":
    """Made when first needed: it takes a moment."""
    from pydantic import TypeAdapter

    return TypeAdapter(SessionState)
