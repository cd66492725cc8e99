"""Execution steps: what happens inside a task, and the tool calls."""

from typing import Literal

from bossbot.domain.events.base import Payload


class Step(Payload):
    """A phase or an agent of a workflow. `step` is its key in the task: entry type and index, `workflow_agent:1`."""

    step: str
    entry_type: str = ""
    index: int | None = None
    label: str = ""
    phase_index: int | None = None
    phase_title: str = ""
    summary: str = ""
    tokens: int | None = None
    cached: bool = False


class TaskStepStarted(Step):
    TYPE = "task.step.started"


class TaskStepFinished(Step):
    TYPE = "task.step.finished"


class TaskStepFailed(Step):
    TYPE = "task.step.failed"
    error: str = ""


class ToolCallRequested(Payload):
    """The manager calls a tool. `input_preview` is bounded; `within` is the tool call of the sub-agent that does."""

    TYPE = "tool.call.requested"
    tool_use_id: str
    tool: str
    input_preview: str = ""
    within: str | None = None


class ToolCallFinished(Payload):
    """`output_preview` is bounded; size in bytes and sha256 are of the whole output."""

    TYPE = "tool.call.finished"
    tool_use_id: str
    tool: str = ""
    is_error: bool = False
    output_preview: str = ""
    output_bytes: int = 0
    output_sha256: str = ""
    within: str | None = None


class ToolCallAnswered(Payload):
    """(ours) What the manager's call of one of our own tools was answered. `request_id` is the agent CLI's."""

    TYPE = "tool.call.answered"
    request_id: str
    tool: str
    text: str
    is_error: bool = False


class ToolCallRuled(Payload):
    """(ours) The rules decided on a call, and nobody was asked. `detail` is what it would do, without secrets."""

    TYPE = "tool.call.ruled"
    tool: str
    ruling: Literal["allow", "deny"]
    tool_use_id: str | None = None
    request_id: str = ""
    summary: str = ""
    detail: str = ""
