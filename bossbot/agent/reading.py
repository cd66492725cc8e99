"""What one frame meant: commands for the session, and what the CLI must be answered at once."""

from dataclasses import dataclass, field
from typing import Any

from bossbot.agent.keeping import Output
from bossbot.agent.writing import Writing
from bossbot.domain import commands as c
from bossbot.streamjson import frames as f


@dataclass(frozen=True, slots=True)
class Allow:
    """Answer: run it, as asked."""

    request: f.ControlRequest


@dataclass(frozen=True, slots=True)
class Deny:
    """Answer: do not run it; the agent reads the reason."""

    request: f.ControlRequest
    reason: str


@dataclass(frozen=True, slots=True)
class NotServed:
    """Answer: this kind of request is not served here."""

    request_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class McpReply:
    """Answer: the JSON-RPC response of our own tool server."""

    request_id: str
    response: dict[str, Any]


Reply = Allow | Deny | NotServed | McpReply


@dataclass(slots=True)
class Reading:
    """What one frame meant."""

    commands: list[c.Command] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    """Whole outputs, to be kept in files."""
    writing: Writing | None = None
    """The text that has grown."""
