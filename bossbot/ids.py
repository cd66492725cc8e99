"""Names of things: who, where and which, as small values that every layer may hold.

An id is a string with a prefix from the Boss protocol (`ps_`, `msg_`, `task_`, `evt_`, `apr_`, …).
Ids are minted at the edge by an injected function, never inside the domain.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NewType

SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", str)
TaskId = NewType("TaskId", str)
EventId = NewType("EventId", str)
ApprovalId = NewType("ApprovalId", str)
DiffId = NewType("DiffId", str)
WorkerId = NewType("WorkerId", str)

SESSION_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
"""What a session may be called that somebody else names: it may become the name of a file, or a database's text."""

Mint = Callable[[str], str]
"""Makes a fresh id: `mint("task")` → `"task_…"`. Deterministic in replay, random in life."""


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """Where a conversation happens: a chat of a channel and, where the platform has them, a thread or topic in it."""

    channel: str
    chat: str
    thread: str | None = None

    def __str__(self) -> str:
        return f"{self.channel}:{self.chat}" + (f":{self.thread}" if self.thread else "")


@dataclass(frozen=True, slots=True)
class ActorRef:
    """A person on a channel. `user` is the platform's stable id, never a display name."""

    channel: str
    user: str

    def __str__(self) -> str:
        return f"{self.channel}:{self.user}"


@dataclass(frozen=True, slots=True)
class PostRef:
    """Something we posted: one card or answer, which may have needed several platform messages (`ids`, in order)."""

    channel: str
    chat: str
    ids: tuple[str, ...]
    thread: str | None = None
