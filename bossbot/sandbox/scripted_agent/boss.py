"""The bot's own tools, as cbc calls them: an MCP client over `control_request` `mcp_message` (capture `mcptool`)."""

import json
from collections.abc import Callable, Mapping

from .acts import refused
from .frames import Frame
from .marks import now_ms
from .session import Session
from .tools import Outcome
from .turn import Turn

SERVER = "boss"
VERSION = "2025-11-25"


class Boss:
    """The connection to the server. It is made before the first turn, if the bot has named it in `initialize`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._requests = 0
        self._rpc_id = 0
        self.wanted = False
        self.tools: tuple[str, ...] = ()

    def connect(self, stopped: Callable[[], bool]) -> None:
        """Says hello and asks for the tools. A server that does not answer offers none."""
        self.wanted = False
        client = {"name": SERVER, "version": "1.0.0"}
        self._request("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}, stopped)
        self._send({"method": "notifications/initialized", "jsonrpc": "2.0"})
        listed = self._request("tools/list", None, stopped).get("tools")
        names = [tool.get("name") for tool in listed if isinstance(tool, dict)] if isinstance(listed, list) else []
        self.tools = tuple(f"mcp__{SERVER}__{name}" for name in names if isinstance(name, str))
        self._session.frames.more_tools = self.tools

    def call(self, turn: Turn, tool: str, given: Mapping[str, object]) -> Outcome | None:
        """A call with permission, which the bot gives by itself. None when it was refused: that is said already."""
        call = turn.call(f"mcp__{SERVER}__{tool}", given)
        turn.show(call)
        decision = turn.permit(call)
        if not decision.allowed:
            refused(turn, call, decision)
            return None
        turn.init()
        self._session.history.record("asked", story=turn.story, language=turn.language, tool=call.name)
        params: Frame = {"name": tool, "arguments": decision.given, "_meta": {"modelId": turn.session.frames.model}}
        result = self._request("tools/call", params, lambda: turn.stop is not None)
        turn.check()
        self._session.history.record("decided")
        content = result.get("content")
        text = "".join(str(part.get("text", "")) for part in content) if isinstance(content, list) else ""
        outcome = Outcome(text, is_error=result.get("isError") is True)
        turn.give(call, Outcome(json.dumps(content, ensure_ascii=False), is_error=outcome.is_error))
        return outcome

    def _request(self, method: str, params: Frame | None, stopped: Callable[[], bool]) -> Frame:
        """The result; nothing for an error, or when the bot answers none of it."""
        message: Frame = {"method": method, "jsonrpc": "2.0", "id": self._rpc_id}
        self._rpc_id += 1
        request_id = self._send({**message, "params": params} if params is not None else message)
        answer = self._session.answer(request_id, stopped)
        response = answer.get("mcp_response") if answer is not None else None
        result = response.get("result") if isinstance(response, dict) else None
        return result if isinstance(result, dict) else {}

    def _send(self, message: Frame) -> str:
        self._requests += 1
        request_id = f"mcp_{now_ms()}_{self._requests}"
        request: Frame = {"subtype": "mcp_message", "server_name": SERVER, "message": message}
        self._session.send({"type": "control_request", "request_id": request_id, "request": request})
        return request_id
