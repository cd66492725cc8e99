"""What is said between the model and its tools, and the end of a turn."""

from typing import Any

from msgspec import Raw, Struct, field

from bossbot.streamjson.base import NO_RAW, Frame, Number
from bossbot.streamjson.lenient import loads


class TextBlock(Struct, frozen=True, gc=False, tag="text", tag_field="type"):
    text: str


class ThinkingBlock(Struct, frozen=True, gc=False, tag="thinking", tag_field="type"):
    thinking: str


class ToolUseBlock(Struct, frozen=True, gc=False, tag="tool_use", tag_field="type"):
    id: str
    name: str
    input: dict[str, Any]


class ToolResultBlock(Struct, frozen=True, gc=False, tag="tool_result", tag_field="type"):
    tool_use_id: str
    content: str | tuple[dict[str, Any], ...] | None = None
    is_error: bool | None = None
    meta_json: Raw = field(name="_meta", default=NO_RAW)

    @property
    def text(self) -> str:
        """What the model reads, as one text; images and other parts are left out."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        texts = (part.get("text") for part in self.content)
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def raw_response(self) -> Any:
        """cbc's structured outcome of the tool (`_meta.rawResponse`), None without one."""
        meta = loads(bytes(self.meta_json)) if bytes(self.meta_json) else None
        return meta.get("rawResponse") if isinstance(meta, dict) else None


class UnknownBlock(Struct, frozen=True, gc=False, tag="(unknown)", tag_field="type"):
    kind: str
    raw: bytes


Block = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | UnknownBlock


class Message(Struct, frozen=True, gc=False, kw_only=True):
    content: str | tuple[Block, ...] = ()
    id: str | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (TextBlock(self.content),) if isinstance(self.content, str) else self.content

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks if isinstance(block, TextBlock))


class Assistant(Frame, frozen=True, gc=False, kw_only=True, tag="assistant", tag_field="type"):
    """What the model said or wants done. `parent_tool_use_id` names the tool call of the sub-agent that spoke."""

    message: Message
    parent_tool_use_id: str | None = None


class User(Frame, frozen=True, gc=False, kw_only=True, tag="user", tag_field="type"):
    """What the model is told: tool results, and echoes such as an interruption."""

    message: Message
    parent_tool_use_id: str | None = None
    tool_use_result_json: Raw = field(name="tool_use_result", default=NO_RAW)

    @property
    def tool_use_result(self) -> Any:
        """Claude's structured outcome of the tool: an object, a list or a text; None without one."""
        return loads(bytes(self.tool_use_result_json)) if bytes(self.tool_use_result_json) else None


class Usage(Struct, frozen=True, gc=False):
    input_tokens: Number | None = None
    output_tokens: Number | None = None
    cache_creation_input_tokens: Number | None = None
    cache_read_input_tokens: Number | None = None


class PermissionDenial(Struct, frozen=True, gc=False):
    tool_name: str | None = None
    tool_use_id: str | None = None


class Origin(Struct, frozen=True, gc=False):
    """Why a turn ran that nobody asked for, such as `task-notification`."""

    kind: str | None = None


class ErrorInfo(Struct, frozen=True, gc=False):
    """cbc 2.163.0: the provider's HTTP status of an error, 0 when no provider answered."""

    status: Number | None = None


class Result(Frame, frozen=True, gc=False, kw_only=True, tag="result", tag_field="type"):
    """The end of a turn. Background tasks may go on."""

    subtype: str
    is_error: bool = False
    result: str | None = None
    errors: tuple[str, ...] | None = None
    errors_info: tuple[ErrorInfo, ...] | None = None
    api_error_status: Number | None = None
    terminal_reason: str | None = None
    structured_output: Any = None
    duration_ms: Number | None = None
    num_turns: int | None = None
    total_cost_usd: Number | None = None
    usage: Usage | None = None
    permission_denials: tuple[PermissionDenial, ...] | None = None
    origin: Origin | None = None


class Delta(Struct, frozen=True, gc=False):
    type: str | None = None
    text: str | None = None


class StreamPart(Struct, frozen=True, gc=False):
    type: str
    index: int | None = None
    delta: Delta | None = None


class StreamEvent(Frame, frozen=True, gc=False, kw_only=True, tag="stream_event", tag_field="type"):
    """A piece of an answer that is still being written; the whole follows as `Assistant`."""

    event: StreamPart
    parent_tool_use_id: str | None = None

    @property
    def text(self) -> str:
        return (self.event.delta.text or "") if self.event.delta else ""
