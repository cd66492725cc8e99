"""Workflows and other background tasks of the agent CLI: their begin, their snapshots, their one end."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bossbot.agent.context import Context, whole
from bossbot.agent.failures import task_retryable
from bossbot.agent.keeping import Output
from bossbot.agent.reading import Reading
from bossbot.agent.speech import NAME_CHARS
from bossbot.agent.summaries import script_name
from bossbot.domain import commands as c
from bossbot.ids import TaskId
from bossbot.streamjson import frames as f

COMMANDS = frozenset({"Bash", "PowerShell", "local_bash"})
"""Background tasks that are a command: whatever it says of its failure, nobody but the manager knows what it meant."""

GRACE_S = 5.0
"""After a task's end its late progress is still taken for so long (protocol, section 6)."""


@dataclass(slots=True)
class Background:
    """Reads the `task_*` frames."""

    context: Context
    _ended_at_s: dict[str, float] = field(default_factory=dict)
    _commands: set[str] = field(default_factory=set)
    _last: dict[str, dict[int, f.WorkflowAgent]] = field(default_factory=dict)
    """Each task's last snapshot, so that of two hundred agents only the one that changed is looked at."""

    def started(self, frame: f.TaskStarted, out: Reading) -> None:
        """`task_started`. A workflow of cbc's called `inline-…` takes the name that its script gives itself."""
        title = frame.workflow_name or frame.description or frame.task_type or "Task"
        if title.startswith("inline-") and frame.tool_use_id in self.context.calls:
            title = script_name(self.context.calls[frame.tool_use_id][1]) or title
        if frame.task_type in COMMANDS:
            self._commands.add(frame.task_id)
        out.commands.append(
            c.StartBackgroundTask(
                task_id=TaskId(self.context.mint("task")),
                assignment_id=self.context.mint("wa"),
                worker_id=self.context.worker_id,
                ref=frame.task_id,
                task_type=frame.task_type or "background",
                title=self.context.clean(title),
                tool_use_id=frame.tool_use_id,
            )
        )

    def progress(self, frame: f.TaskProgress, at_s: float, out: Reading) -> None:
        """`task_progress`: the snapshot as it is now, also a late one."""
        ended_at_s = self._ended_at_s.get(frame.task_id)
        if ended_at_s is not None and at_s - ended_at_s > GRACE_S:
            self._last.pop(frame.task_id, None)
            return
        usage = frame.usage
        out.commands.append(
            c.ReportSnapshot(
                ref=frame.task_id,
                entries=tuple(map(self._entry, self._news(frame))),
                total_tokens=whole(usage.total_tokens) if usage is not None else None,
                tool_uses=whole(usage.tool_uses) if usage is not None else None,
                current_step=self.context.clean(frame.description or "") if frame.workflow_progress is None else "",
            )
        )

    def _news(self, frame: f.TaskProgress) -> Iterator[f.WorkflowPhase | f.WorkflowAgent]:
        """The agents that are not as they were, and all phases: these are few, and the agents are read by them."""
        before = self._last.get(frame.task_id, {})
        now: dict[int, f.WorkflowAgent] = {}
        for entry in frame.workflow_progress or ():
            if type(entry) is f.WorkflowAgent:
                now[entry.index] = entry
                if before.get(entry.index) != entry:
                    yield entry
            elif type(entry) is f.WorkflowPhase:
                yield entry
        self._last[frame.task_id] = now

    def _entry(self, entry: f.WorkflowPhase | f.WorkflowAgent) -> c.SnapshotEntry:
        clean = self.context.clean
        match entry:
            case f.WorkflowPhase():
                return c.SnapshotEntry("workflow_phase", entry.index, label=clean(entry.title or ""))
            case f.WorkflowAgent():
                return c.SnapshotEntry(
                    "workflow_agent",
                    entry.index,
                    state=entry.state or "",
                    label=clean(entry.label or ""),
                    phase_index=entry.phase_index,
                    phase_title=clean(entry.phase_title or ""),
                    tokens=whole(entry.tokens),
                    preview=clean(entry.result_preview or ""),
                    error=clean(entry.error or ""),
                )

    def ended(self, frame: f.TaskNotification, at_s: float, out: Reading) -> None:
        """`task_notification`: the one end."""
        for task_id, ended_at_s in self._ended_at_s.items():
            if at_s - ended_at_s > GRACE_S:
                self._last.pop(task_id, None)
        self._ended_at_s[frame.task_id] = at_s
        out.commands.append(
            c.EndBackgroundTask(
                ref=frame.task_id,
                status=frame.status,
                next_turn_id=self.context.mint("turn"),
                summary=self.context.clean(frame.summary or ""),
                output_file=frame.output_file,
                retryable=self._retryable(frame),
            )
        )
        if frame.output_file:
            name = self.context.clean(frame.summary or "")[:NAME_CHARS]
            kept = Output("task_output", name or "a task", ref=frame.task_id, output_file=frame.output_file)
            out.outputs.append(kept)
        if not self.context.turn and frame.status != "stopped":
            # Both CLIs now tell the model, unasked. A message that came before its first word would count as one in
            # mid-turn, for which cbc drops the turn and opens another session (capture `midturn`).
            self.context.turn = "due"
            out.commands.append(c.BeginOwnTurn(self.context.mint("turn")))

    def _retryable(self, frame: f.TaskNotification) -> bool:
        errors = (agent.error for agent in self._last.get(frame.task_id, {}).values() if agent.error)
        return frame.task_id not in self._commands and task_retryable(frame, errors)
