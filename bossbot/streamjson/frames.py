"""The vocabulary of the pipe, gathered: every kind of line the agent CLI may write, as one closed union.

Both dialects speak it; fields that only one of them sends are optional. New kinds of lines arrive as `Unknown`,
unreadable ones as `Malformed`.
"""

from typing import Any

from msgspec import Raw, Struct, field

from bossbot.streamjson.base import NO_RAW, Frame, Number
from bossbot.streamjson.control import (
    CanUseTool,
    CommandLifecycle,
    ControlCancelRequest,
    ControlRequest,
    ControlResponse,
    McpMessage,
    UnknownRequest,
)
from bossbot.streamjson.lenient import loads
from bossbot.streamjson.speech import (
    Assistant,
    Block,
    Delta,
    Message,
    Origin,
    PermissionDenial,
    Result,
    StreamEvent,
    StreamPart,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UnknownBlock,
    Usage,
    User,
)
from bossbot.streamjson.tasks import (
    ApiRetry,
    BackgroundTask,
    BackgroundTasksChanged,
    McpServer,
    SystemInit,
    SystemStatus,
    TaskNotification,
    TaskPatch,
    TaskProgress,
    TaskStarted,
    TaskUpdated,
    TaskUsage,
    TimelineEntry,
    UnknownEntry,
    WorkflowAgent,
    WorkflowPhase,
)

__all__ = [
    "NO_RAW",
    "AnyFrame",
    "ApiRetry",
    "Assistant",
    "BackgroundTask",
    "BackgroundTasksChanged",
    "Block",
    "CanUseTool",
    "CliError",
    "CommandLifecycle",
    "ControlCancelRequest",
    "ControlRequest",
    "ControlResponse",
    "Delta",
    "Frame",
    "Long",
    "LongText",
    "Malformed",
    "McpMessage",
    "McpServer",
    "Message",
    "Number",
    "Origin",
    "PermissionDenial",
    "Result",
    "StreamEvent",
    "StreamPart",
    "SystemInit",
    "SystemStatus",
    "TaskNotification",
    "TaskPatch",
    "TaskProgress",
    "TaskStarted",
    "TaskUpdated",
    "TaskUsage",
    "TextBlock",
    "ThinkingBlock",
    "TimelineEntry",
    "ToolResultBlock",
    "ToolUseBlock",
    "Unknown",
    "UnknownBlock",
    "UnknownEntry",
    "UnknownRequest",
    "Usage",
    "User",
    "WorkflowAgent",
    "WorkflowPhase",
]


class Unknown(Frame, frozen=True, gc=False, kw_only=True):
    """A line of a kind we do not know (yet)."""

    type: str
    subtype: str | None = None


class CliError(Frame, frozen=True, gc=False, kw_only=True, tag="error", tag_field="type"):
    """cbc says that something failed and stays alive; `error` is a text or an object that holds one."""

    error_json: Raw = field(name="error", default=NO_RAW)

    @property
    def text(self) -> str:
        error = loads(bytes(self.error_json)) if bytes(self.error_json) else ""
        message = error.get("message") if isinstance(error, dict) else error
        return message if isinstance(message, str) else ""


class Malformed(Frame, frozen=True, gc=False, kw_only=True):
    """A line that could not be read. `raw` is empty on purpose: nobody can tell what secrets such bytes hold.

    `type` and `request_id` are filled when the line was JSON and only its shape was wrong.
    """

    length: int
    sha256: str
    head: str
    reason: str
    type: str | None = None
    request_id: str | None = None


class LongText(Struct, frozen=True, gc=False):
    """The whole of a tool's output of which a long line's frame has the beginning; `path` is a file that holds it."""

    tool_use_id: str
    size_bytes: int
    sha256: str
    path: str | None = None


class Long(Frame, frozen=True, gc=False, kw_only=True):
    """A line of more than a mebibyte. `frame` is what it says, with long texts cut; `raw` is empty, it is nowhere kept.

    `length` and `sha256` are the whole line's.
    """

    frame: Any
    length: int
    sha256: str
    texts: tuple[LongText, ...] = ()


AnyFrame = (
    SystemInit
    | SystemStatus
    | ApiRetry
    | BackgroundTasksChanged
    | TaskStarted
    | TaskProgress
    | TaskUpdated
    | TaskNotification
    | Assistant
    | User
    | Result
    | ControlRequest
    | ControlCancelRequest
    | ControlResponse
    | StreamEvent
    | CommandLifecycle
    | CliError
    | Unknown
    | Malformed
    | Long
)
