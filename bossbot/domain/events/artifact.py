"""The artifact's event: an output that is too long for the log lies in a file beside it."""

from typing import Literal

from bossbot.domain.events.base import Payload


class ArtifactCreated(Payload):
    """(ours) A file holds the whole output of a tool call, or of a task. `id` and `sha256` are made of its content.

    `truncated`: the output was longer than a file may be. `name` is for reading only, and untrusted.
    """

    TYPE = "artifact.created"
    id: str
    kind: Literal["tool_output", "task_output"]
    name: str
    size_bytes: int
    sha256: str
    truncated: bool = False
    task_id: str | None = None
    tool_use_id: str | None = None
