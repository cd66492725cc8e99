"""One conversation with one agent CLI, without I/O: bytes in, frames out; wishes in, bytes out.

    connection = Connection(CBC)
    pipe.write(connection.initialize())
    for frame in connection.feed(pipe.read()): ...

It knows what the two sides owe each other: which requests of the CLI wait for our answer, whose turn it is, and
which session is the main one. What a frame means for a project is not its business.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import read_pieces
from bossbot.streamjson.dialects import Dialect, Json, SessionAllow, session_permissions
from bossbot.streamjson.errors import NotPendingError
from bossbot.streamjson.framing import DEFAULT_MAX_LINE_BYTES, LineFramer
from bossbot.streamjson.lenient import repair
from bossbot.streamjson.states import Sign, Turn, after

NO_CONVERSATION = "No conversation found with session ID"
"""Both CLIs say this when asked to resume what they do not have."""

_encode = msgspec.json.Encoder().encode


class Connection:
    """Our side of the pipe. Not for two tasks at once."""

    def __init__(self, dialect: Dialect, *, max_line_bytes: int = DEFAULT_MAX_LINE_BYTES) -> None:
        self.dialect = dialect
        self.session_id: str | None = None
        """The main session: from the first `system/init`. Later ones with another id are sub-agents'."""
        self.turn = Turn.IDLE
        self.turn_begun = False
        """The CLI has shown that it works on what it was told last."""
        self.pending: dict[str, f.ControlRequest] = {}
        """The CLI's requests that wait for our answer, by request id, oldest first."""
        self.resume_failed = False
        """The CLI does not have the session that it was to resume; this conversation leads nowhere."""
        self._framer = LineFramer(max_line_bytes)
        self._seen: set[str] = set()
        self._sent = 0

    # --- what the CLI says ---

    def feed(self, chunk: bytes) -> list[f.AnyFrame]:
        """The frames that this chunk completes, however long their lines are."""
        return self.hear(read_pieces(self._framer.feed(chunk)))

    def close(self) -> list[f.AnyFrame]:
        """The pipe has ended: the frame in what was left without a newline, if any."""
        return self.hear(read_pieces(self._framer.close()))

    def hear(self, frames: Iterable[f.AnyFrame]) -> list[f.AnyFrame]:
        """Takes note of frames that were read elsewhere. A request that the CLI repeats is handed on once."""
        return [frame for frame in frames if self._take(frame)]

    def _take(self, frame: f.AnyFrame) -> bool:
        """Keeps the books; False for a frame that was heard before."""
        match frame:
            case f.Long():
                return self._take(frame.frame)
            case f.SystemInit():
                if self.session_id is None:
                    self.session_id = frame.session_id
                self.turn_begun = self.turn_begun or self.dialect.turn_sign == "init"
            case f.SystemStatus():
                self._follow(frame)
                self.turn_begun = self.turn_begun or self.dialect.turn_sign == "status"
            case f.Assistant() | f.User() if frame.parent_tool_use_id is None and self._is_main(frame):
                self._main_agent(frame)
            case f.Result():
                self._result(frame)
            case f.ControlRequest():
                return self._requested(frame)
            case f.ControlCancelRequest():
                self.pending.pop(frame.request_id, None)
            case f.CliError() if NO_CONVERSATION in frame.text:
                self.resume_failed = True
        return True

    def _is_main(self, frame: f.Frame) -> bool:
        return frame.session_id is None or frame.session_id == self.session_id

    def _follow(self, frame: f.SystemStatus | f.Result) -> None:
        """cbc has been seen to go on in a new session after an interrupt. Sub-agents send neither of these frames."""
        if self.session_id is not None and frame.session_id:
            self.session_id = frame.session_id

    def _main_agent(self, frame: f.Assistant | f.User) -> None:
        self.turn_begun = True
        echoed = self.dialect.echo_ends_turn and not self.dialect.echoes.isdisjoint(_texts(frame))
        self._sign(Sign.STOP_ECHOED if echoed and self.turn is Turn.STOPPING else Sign.WORKS)

    def _result(self, frame: f.Result) -> None:
        if self.session_id is None and any(NO_CONVERSATION in error for error in frame.errors or ()):
            self.resume_failed = True
        self._follow(frame)
        self._sign(Sign.RESULT)

    def _requested(self, frame: f.ControlRequest) -> bool:
        if frame.request_id in self._seen:
            return False
        self._seen.add(frame.request_id)
        self.pending[frame.request_id] = frame
        if isinstance(frame.request, f.CanUseTool):
            self.turn_begun = True
            self._sign(Sign.WORKS)
        return True

    def _sign(self, sign: Sign) -> None:
        self.turn = after(self.turn, sign)

    # --- what we say ---

    def initialize(self, sdk_mcp_servers: Sequence[str] = ()) -> bytes:
        """The first thing to write; the first user message may follow at once. The servers are played by us."""
        request: Json = {
            "subtype": "initialize",
            "hooks": self.dialect.hooks,
            "capabilities": {"askUserQuestion": True},  # without it cbc tells the model that it cannot ask
            "hasPrompt": True,
        }
        if sdk_mcp_servers:
            request["sdkMcpServers"] = list(sdk_mcp_servers)
        return self._request("init", request)

    def user_message(self, content: str, uuid: str = "") -> bytes:
        """Something for the agent to read: it begins a turn, or does what `dialect.mid_turn` says.

        What becomes of a message that has a `uuid` is told, where the CLI can tell (`command_lifecycle`).
        """
        self.turn_begun = self.turn_begun and self.turn is Turn.RUNNING
        self._sign(Sign.TOLD)
        named = {"uuid": uuid} if uuid else {}
        return _line({"type": "user", **named, "message": {"role": "user", "content": content}})

    def not_begun(self) -> None:
        """The turn that has just ended was not what the CLI was told last: that waits to be read."""
        self.turn_begun = False
        self._sign(Sign.TOLD)

    def interrupt(self, session_id: str | None = None, reason: str = "user cancel") -> bytes:
        """Stop the turn, what joined it, and every background task of the session."""
        self._sign(Sign.STOP_SENT)
        self._sent += 1
        target = session_id or self.session_id or ""
        request = {"subtype": "interrupt", "session_id": target, "reason": reason, **self.dialect.interrupt_also}
        return self._request(f"stop-{self._sent}", request)

    def allow(
        self, request: f.ControlRequest, *, for_session: bool = False, updated_input: Json | None = None
    ) -> bytes:
        """Yes to a `can_use_tool`. `for_session` keeps the CLI from asking again, where it can remember that."""
        tool = _can_use_tool(request)
        remembers = for_session and self.dialect.session_allow is SessionAllow.SUGGESTED
        permissions = session_permissions(tool) if remembers else []
        given = tool.input if updated_input is None else updated_input
        return self._answer(request.request_id, self.dialect.allow(given, permissions))

    def answer(self, request: f.ControlRequest, answers: Mapping[str, str]) -> bytes:
        """The person's answers to an `AskUserQuestion`: question → label, or words of their own."""
        return self.allow(request, updated_input={**_can_use_tool(request).input, "answers": dict(answers)})

    def deny(self, request: f.ControlRequest, reason: str, *, interrupt: bool = False) -> bytes:
        """No to a `can_use_tool`; the model reads the reason. `interrupt` also ends the turn."""
        _can_use_tool(request)
        return self._answer(request.request_id, self.dialect.deny(reason, interrupt))

    def mcp_response(self, request_id: str, response: Json) -> bytes:
        """The JSON-RPC answer of our tool server."""
        return self._answer(request_id, {"mcp_response": response})

    def refuse(self, request_id: str, reason: str) -> bytes:
        """An error for a request that we do not serve or cannot read, so that the CLI does not wait for us."""
        self.pending.pop(request_id, None)
        return _line(
            {"type": "control_response", "response": {"subtype": "error", "request_id": request_id, "error": reason}}
        )

    def _answer(self, request_id: str, answer: Json) -> bytes:
        if self.pending.pop(request_id, None) is None:
            raise NotPendingError(request_id)
        response = {"subtype": "success", "request_id": request_id, "response": answer}
        return _line({"type": "control_response", "response": response})

    def _request(self, request_id: str, request: Json) -> bytes:
        return _line({"type": "control_request", "request_id": request_id, "request": request})


def _line(document: Json) -> bytes:
    """Half a character (a lone surrogate) in what somebody wrote is no reason to keep the rest of it back."""
    try:
        return _encode(document) + b"\n"
    except UnicodeEncodeError:
        return repair(json.dumps(document).encode()) + b"\n"


def _can_use_tool(request: f.ControlRequest) -> f.CanUseTool:
    if not isinstance(request.request, f.CanUseTool):
        raise TypeError(f"control request {request.request_id!r} asks for no tool")
    return request.request


def _texts(frame: f.Assistant | f.User) -> Iterable[Any]:
    """What a message says, as texts; an interrupted tool's result is one of them."""
    for block in frame.message.blocks:
        if isinstance(block, f.TextBlock | f.ToolResultBlock):
            yield block.text
