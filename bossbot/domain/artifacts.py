"""Artifacts: the log says which output lies in which file, and to which task it belongs."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.decision import Decision
from bossbot.domain.events import Source


def add_artifact(d: Decision, command: c.AddArtifact) -> None:
    """A file was kept. The same file for the same call is no news."""
    told = (command.artifact_id, command.tool_use_id)
    if any((known.id, known.tool_use_id) == told for known in d.state.artifacts):
        return
    task = d.state.by_ref(command.ref, "workflow", "background") if command.ref else d.state.running_native()
    artifact = ev.ArtifactCreated(
        id=command.artifact_id,
        kind=command.kind,
        name=command.name,
        size_bytes=command.size_bytes,
        sha256=command.sha256,
        truncated=command.truncated,
        task_id=task.id if task is not None else None,
        tool_use_id=command.tool_use_id,
    )
    d.emit(Source.SYSTEM, artifact, task.id if task is not None else None)
