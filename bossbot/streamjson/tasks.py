"""What the CLI tells about itself and about its background tasks: the `system` lines."""

from functools import lru_cache

from msgspec import Raw, Struct, field

from bossbot.streamjson.base import NO_RAW, Frame, Number
from bossbot.streamjson.lenient import loads


class McpServer(Struct, frozen=True, gc=False):
    name: str = ""
    status: str = ""


class SystemInit(Frame, frozen=True, gc=False, kw_only=True, tag="init", tag_field="subtype"):
    """The CLI tells its session and what it can do. cbc repeats it many times a turn, also for sub-agents."""

    session_id: str
    cwd: str | None = None
    model: str | None = None
    permission_mode: str | None = field(name="permissionMode", default=None)
    mcp_servers: tuple[McpServer, ...] = ()
    claude_code_version: str | None = None
    tools_json: Raw = field(name="tools", default=NO_RAW)
    capabilities_json: Raw = field(name="capabilities", default=NO_RAW)

    @property
    def tools(self) -> tuple[str, ...]:
        return _names(bytes(self.tools_json))

    @property
    def capabilities(self) -> tuple[str, ...]:
        """What of the protocol this Claude Code speaks beyond its first version."""
        return _names(bytes(self.capabilities_json))


@lru_cache(maxsize=16)
def _names(names: bytes) -> tuple[str, ...]:
    """cbc repeats the same long list several times a turn: it is read when asked for, and shared."""
    listed = loads(names) if names else ()
    return tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else ()


class SystemStatus(Frame, frozen=True, gc=False, kw_only=True, tag="status", tag_field="subtype"):
    """What the CLI is busy with (`requesting`, `compacting`, …), None when with nothing of note."""

    status: str | None = None


class ApiRetry(Frame, frozen=True, gc=False, kw_only=True, tag="api_retry", tag_field="subtype"):
    """Claude Code asks the model's provider again, after a pause. No `error_status`: nobody answered at all."""

    attempt: Number = 0
    max_retries: Number | None = None
    retry_delay_ms: Number = 0
    error_status: Number | None = None
    error: str | None = None


class BackgroundTask(Struct, frozen=True, gc=False):
    task_id: str
    task_type: str | None = None
    description: str | None = None


class BackgroundTasksChanged(
    Frame, frozen=True, gc=False, kw_only=True, tag="background_tasks_changed", tag_field="subtype"
):
    """Claude's list of what runs in the background now. The task frames tell the same story with more words."""

    tasks: tuple[BackgroundTask, ...] = ()


class TaskUsage(Struct, frozen=True, gc=False):
    total_tokens: Number = 0
    tool_uses: Number = 0
    duration_ms: Number = 0


class TaskStarted(Frame, frozen=True, gc=False, kw_only=True, tag="task_started", tag_field="subtype"):
    """A background task began. `task_type` tells a workflow (`local_workflow`) from an agent or a shell command."""

    task_id: str
    tool_use_id: str | None = None
    description: str | None = None
    task_type: str | None = None
    workflow_name: str | None = None
    subagent_type: str | None = None
    prompt: str | None = None


class WorkflowPhase(Struct, frozen=True, gc=False, tag="workflow_phase", tag_field="type"):
    index: int
    title: str | None = None


class WorkflowAgent(Struct, frozen=True, gc=False, tag="workflow_agent", tag_field="type", rename="camel"):
    """One agent of a workflow. Times are milliseconds since the epoch; `started_at` 0 means it never started."""

    index: int
    agent_id: str | None = None
    state: str | None = None
    label: str | None = None
    phase_index: int | None = None
    phase_title: str | None = None
    started_at: Number | None = None
    ended_at: Number | None = None
    duration_ms: Number | None = None
    tokens: Number | None = None
    tool_calls: Number | None = None
    attempt: int | None = None
    error: str | None = None
    prompt_preview: str | None = None
    result_preview: str | None = None


class UnknownEntry(Struct, frozen=True, gc=False, tag="(unknown)", tag_field="type"):
    """A timeline entry of a kind we do not know, or of a shape that does not fit; it is kept, not understood."""

    kind: str
    raw: bytes


TimelineEntry = WorkflowPhase | WorkflowAgent | UnknownEntry


class TaskProgress(Frame, frozen=True, gc=False, kw_only=True, tag="task_progress", tag_field="subtype"):
    """A snapshot of a background task: it replaces the last one whole. No timeline means: not a workflow's."""

    task_id: str
    tool_use_id: str | None = None
    description: str | None = None
    summary: str | None = None
    last_tool_name: str | None = None
    usage: TaskUsage | None = None
    workflow_progress: tuple[TimelineEntry, ...] | None = None


class TaskPatch(Struct, frozen=True, gc=False):
    status: str | None = None
    end_time: Number | None = None
    error: str | None = None


class TaskUpdated(Frame, frozen=True, gc=False, kw_only=True, tag="task_updated", tag_field="subtype"):
    task_id: str
    patch: TaskPatch = TaskPatch()


class TaskNotification(Frame, frozen=True, gc=False, kw_only=True, tag="task_notification", tag_field="subtype"):
    """The one authoritative end of a background task."""

    task_id: str
    status: str
    tool_use_id: str | None = None
    summary: str | None = None
    output_file: str | None = None
    usage: TaskUsage | None = None
