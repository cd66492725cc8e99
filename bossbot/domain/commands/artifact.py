"""What was kept beside the log."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class AddArtifact:
    """The whole output of a tool call, or of the background task `ref` (the agent CLI's id), now lies in a file."""

    artifact_id: str
    kind: Literal["tool_output", "task_output"]
    name: str
    size_bytes: int
    sha256: str
    truncated: bool = False
    tool_use_id: str | None = None
    ref: str = ""
