"""Every line the agent writes, in cbc's shapes: the same keys in the same order as its recorded streams."""

from collections.abc import Mapping, Sequence

from .marks import new_id, new_uuid, now_ms, timestamp

Frame = dict[str, object]

TOOLS = ("Read", "Write", "Bash", "TaskCreate", "TaskUpdate", "TaskList", "AskUserQuestion", "Workflow")
SUB_AGENT_TOOLS = ("Read", "Bash")


class Frames:
    """Makes the frames of one session. `request_id` is the running turn's, set when a turn begins."""

    def __init__(self, session_id: str, cwd: str, model: str, permission_mode: str) -> None:
        self.session_id, self.cwd = session_id, cwd
        self.model, self.permission_mode = model, permission_mode
        self.request_id = new_id()
        self.more_tools: tuple[str, ...] = ()
        """What the bot's own tool server offers."""

    def init(self, session_id: str = "", tools: Sequence[str] = TOOLS) -> Frame:
        """cbc repeats it many times a turn, and sends one for each sub-agent's session too."""
        return {
            "type": "system",
            "subtype": "init",
            "uuid": session_id or self.session_id,
            "session_id": session_id or self.session_id,
            "apiKeySource": "none",
            "cwd": self.cwd,
            "tools": [*self.more_tools, *tools] if tools is TOOLS else list(tools),
            "mcp_servers": [],
            "model": f"custom-local:{self.model}",
            "permissionMode": self.permission_mode,
            "slash_commands": ["help"],
            "output_style": "default",
            "__timestamp": timestamp(),
        }

    def status(self) -> Frame:
        return {
            "type": "system",
            "subtype": "status",
            "status": None,
            "uuid": new_uuid(),
            "session_id": self.session_id,
            "_meta": self.baggage(),
            "__timestamp": timestamp(),
            "_requestId": self.request_id,
        }

    def text(self, message_id: str, text: str, *, goes_on: bool = False) -> Frame:
        """Assistant text. `goes_on`: a tool call of the same message follows, which then carries the usage."""
        block: Frame = {"type": "text", "text": text}
        frame = self._assistant(message_id, block, None, 0 if goes_on else tokens(text))
        meta = self._meta(message_id)
        meta["codebuddy.ai/messageId"] = new_uuid()
        frame["_meta"] = {**meta, **self.baggage()}
        return _stamped(frame)

    def cli_text(self, text: str) -> Frame:
        """Said by the CLI itself, not by the model: no message of the model's stands behind it."""
        message_id = new_uuid()
        block: Frame = {"type": "text", "text": text}
        frame = self._assistant(message_id, block, None, 0)
        del frame["_messageId"]
        meta = {
            "codebuddy.ai/conversationRequestId": self.request_id,
            "codebuddy.ai/messageId": message_id,
        }
        frame["_meta"] = {**meta, **self.baggage()}
        return _stamped(frame)

    def tool_use(self, message_id: str, call_id: str, name: str, given: Mapping[str, object]) -> Frame:
        block: Frame = {"type": "tool_use", "id": call_id, "name": name, "input": dict(given)}
        frame = self._assistant(message_id, block, "tool_use", tokens(str(given)))
        frame["_meta"] = {**self._meta(message_id), **self.baggage()}
        return _stamped(frame)

    def tool_result(
        self,
        message_id: str | None,
        call_id: str,
        text: str,
        *,
        is_error: bool = False,
        meta: Mapping[str, object] | None = None,
    ) -> Frame:
        """What a tool gave back. `message_id` is None for a refused call: the tool itself was never reached."""
        block: Frame = {
            "type": "tool_result",
            "tool_use_id": call_id,
            "content": [{"type": "text", "text": text}],
            "is_error": is_error,
        }
        if meta is not None:
            block["_meta"] = dict(meta)
        frame: Frame = {
            "type": "user",
            "uuid": new_uuid(),
            "session_id": self.session_id,
            "message": {"content": [block], "role": "user"},
            "parent_tool_use_id": None,
            "_requestId": self.request_id,
        }
        if message_id is None:
            frame["_meta"] = {"codebuddy.ai/conversationRequestId": self.request_id, **self.baggage()}
        else:
            frame["_messageId"] = message_id
            frame["_meta"] = {**self._meta(message_id), **self.baggage()}
        return _stamped(frame)

    def permission(self, request_id: str, call_id: str, name: str, given: Mapping[str, object]) -> Frame:
        return {
            "type": "control_request",
            "request_id": request_id,
            "request": {
                "subtype": "can_use_tool",
                "tool_name": name,
                "input": dict(given),
                "tool_use_id": call_id,
            },
            "_meta": self.baggage(),
        }

    def file_history(self, files: Mapping[str, object] | None = None) -> Frame:
        message_id = new_uuid()
        return {
            "type": "file-history-snapshot",
            "messageId": message_id,
            "timestamp": now_ms(),
            "isSnapshotUpdate": bool(files),
            "snapshot": {"messageId": message_id, "trackedFileBackups": dict(files or {})},
            "__timestamp": timestamp(),
            "_requestId": self.request_id,
        }

    def task(self, subtype: str, task_id: str, **fields: object) -> Frame:
        """One of the `task_*` frames; `fields` are its own, in cbc's order."""
        return {
            "type": "system",
            "subtype": subtype,
            "task_id": task_id,
            **fields,
            "uuid": new_uuid(),
            "session_id": self.session_id,
            "__timestamp": timestamp(),
            "_requestId": self.request_id,
        }

    def stream_event(self, message_id: str, event: Frame) -> Frame:
        meta = self._meta(message_id)
        if event["type"] in ("content_block_start", "content_block_delta"):
            meta["codebuddy.ai/messageId"] = message_id
        return _stamped(
            {
                "type": "stream_event",
                "event": event,
                "session_id": self.session_id,
                "parent_tool_use_id": None,
                "uuid": new_uuid(),
                "_requestId": self.request_id,
                "_messageId": message_id,
                "_meta": {**meta, **self.baggage()},
            }
        )

    def _assistant(self, message_id: str, block: Frame, stop_reason: str | None, output_tokens: int) -> Frame:
        return {
            "type": "assistant",
            "uuid": new_uuid(),
            "session_id": self.session_id,
            "message": {
                "id": message_id,
                "content": [block],
                "model": self.model,
                "role": "assistant",
                "stop_reason": stop_reason,
                "stop_sequence": None,
                "type": "message",
                "usage": usage(output_tokens and 100, output_tokens),
            },
            "parent_tool_use_id": None,
            "_requestId": self.request_id,
            "_messageId": message_id,
        }

    def _meta(self, message_id: str) -> Frame:
        return {
            "codebuddy.ai/conversationRequestId": self.request_id,
            "codebuddy.ai/modelRequestId": message_id,
            "codebuddy.ai/llmMessageId": message_id,
        }

    def baggage(self) -> Frame:
        session, request = self.session_id, self.request_id
        return {
            "baggage": f"codebuddy.session_id={session},codebuddy.conversation_request_id={request}",
        }


def usage(input_tokens: int, output_tokens: int) -> Frame:
    return {
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": None,
        "server_tool_use": None,
        "service_tier": None,
    }


def tokens(text: str) -> int:
    """About four characters a token: good enough for a usage line that nobody pays for."""
    return len(text) // 4 + 1


def _stamped(frame: Frame) -> Frame:
    frame["__timestamp"] = timestamp()
    return frame
