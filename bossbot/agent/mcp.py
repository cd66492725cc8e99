"""Our side of the Model Context Protocol: the server `boss`, played over `control_request` `mcp_message`. Sans-I/O.

A call of a tool is answered later, when the session has decided (or a person has); everything else at once. The same
call sent twice, under whatever request id, happens once and is answered alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bossbot import __version__
from bossbot.agent.own_tools import OWN_TOOLS, BadArguments, OwnTool, parse_arguments, tool_list
from bossbot.domain.own_tools import SERVER

Json = dict[str, Any]

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions of the protocol that differ in nothing we use, newest first."""

INSTRUCTIONS = (
    "These tools reach the people who steer you from a chat. Put a plan of several steps on their board with"
    " plan_create, keep it true with task_update, report turning points with report_progress, and ask with ask_user"
    " what only they can decide."
)
INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32600, -32601, -32602
REMEMBERED_CALLS = 200
"""Calls whose answer is kept for a repetition."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A JSON-RPC response to send under `request_id`."""

    request_id: str
    response: Json


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of our tools that fits its schema. `request_id` is the control request's, to answer under."""

    request_id: str
    arguments: OwnTool


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The agent CLI no longer waits for the call of `request_id`. `noted` acknowledges the notification."""

    request_id: str
    noted: Answer


@dataclass(slots=True)
class _Open:
    """A call and everybody who asked for it: (control request id, JSON-RPC id); `result` once it is answered."""

    said: Json
    askers: list[tuple[str, str | int]] = field(default_factory=list)
    result: Json | None = None


class BossServer:
    """One agent process's connection to our tools."""

    def __init__(self) -> None:
        self._calls: dict[str | int, _Open] = {}

    def read(self, request_id: str, message: Mapping[str, Any]) -> Call | Cancelled | Answer | None:
        """What a message of the client wants; None when its answer comes with that of a call which waits already.

        Never raises: what is wrong with it is the answer.
        """
        method, rpc_id = message.get("method"), message.get("id")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return _error(request_id, rpc_id, INVALID_REQUEST, "not a JSON-RPC 2.0 request")
        if "id" not in message:
            return self._notified(request_id, method, message.get("params"))
        if not isinstance(rpc_id, str | int) or isinstance(rpc_id, bool):
            return _error(request_id, None, INVALID_REQUEST, "an id must be a text or a whole number")
        params = message.get("params", {})
        if not isinstance(params, dict):
            return _error(request_id, rpc_id, INVALID_PARAMS, "params must be an object")
        if method == "tools/call":
            return self._called(request_id, rpc_id, params)
        serve = _AT_ONCE.get(method)
        if serve is None:
            return _error(request_id, rpc_id, METHOD_NOT_FOUND, f"there is no method {method[:80]}")
        return _result(request_id, rpc_id, serve(params))

    def answer(self, request_id: str, text: str, *, is_error: bool = False) -> list[Answer]:
        """The responses to everybody who waits for the call of `request_id`; none if nobody does any more."""
        call = next(
            (call for call in self._calls.values() if any(asker[0] == request_id for asker in call.askers)), None
        )
        if call is None or call.result is not None:
            return []
        call.result = tool_result(text, is_error=is_error)
        askers, call.askers = call.askers, []
        return [_result(waiting, rpc_id, call.result) for waiting, rpc_id in askers]

    def _called(self, request_id: str, rpc_id: str | int, params: Json) -> Call | Answer | None:
        said = {"name": params.get("name"), "arguments": params.get("arguments", {})}
        known = self._calls.get(rpc_id)
        if known is not None and known.said == said:
            if known.result is not None:
                return _result(request_id, rpc_id, known.result)
            known.askers.append((request_id, rpc_id))
            return None
        if known is not None and known.result is None:
            return _error(request_id, rpc_id, INVALID_REQUEST, "another call waits under this id")
        tool = OWN_TOOLS.get(said["name"]) if isinstance(said["name"], str) else None
        if tool is None:
            return _error(request_id, rpc_id, INVALID_PARAMS, f"there is no tool {str(said['name'])[:80]}")
        try:
            arguments = parse_arguments(tool, said["arguments"])
        except BadArguments as error:
            return _result(request_id, rpc_id, tool_result(f"Nothing was done. {error}", is_error=True))
        self._remember(rpc_id, _Open(said, [(request_id, rpc_id)]))
        return Call(request_id, arguments)

    def _notified(self, request_id: str, method: str, params: object) -> Cancelled | Answer:
        """A notification has no answer of its own; the control request that brought it has, without an id."""
        noted = Answer(request_id, NOTED)
        if method == "notifications/cancelled" and isinstance(params, dict) and _is_id(params.get("requestId")):
            call = self._calls.get(params["requestId"])
            if call is not None and call.result is None and call.askers:
                return Cancelled(call.askers[0][0], noted)
        return noted

    def _remember(self, rpc_id: str | int, call: _Open) -> None:
        """Keeps what waits, and of what was answered the newest."""
        self._calls[rpc_id] = call
        answered = [key for key, kept in self._calls.items() if kept.result is not None]
        for key in answered[: max(0, len(answered) - REMEMBERED_CALLS)]:
            del self._calls[key]


NOTED: Json = {"jsonrpc": "2.0", "result": {}}
"""How both CLIs' own SDKs acknowledge a notification (capture `mcptool`)."""


def tool_result(text: str, *, is_error: bool = False) -> Json:
    """What a tool gives back: a text, and whether the call failed."""
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _result(request_id: str, rpc_id: object, result: Json) -> Answer:
    return Answer(request_id, {"jsonrpc": "2.0", "id": rpc_id, "result": result})


def _error(request_id: str, rpc_id: object, code: int, message: str) -> Answer:
    known = rpc_id if _is_id(rpc_id) else None
    return Answer(request_id, {"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": message}})


def _initialized(params: Json) -> Json:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": SERVER, "version": __version__},
        "instructions": INSTRUCTIONS,
    }


_AT_ONCE: Mapping[str, Callable[[Json], Json]] = {
    "initialize": _initialized,
    "ping": lambda params: {},
    "tools/list": lambda params: {"tools": tool_list()},
}
