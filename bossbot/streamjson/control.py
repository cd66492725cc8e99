"""Requests and answers beside the conversation: may this tool run, a message to our tools, an acknowledgement."""

from typing import Any

from msgspec import Struct

from bossbot.streamjson.base import Frame


class CanUseTool(Struct, frozen=True, gc=False, tag="can_use_tool", tag_field="subtype", kw_only=True):
    """May this tool run with this input? Questions to the person (`AskUserQuestion`) come this way too."""

    tool_name: str
    input: dict[str, Any]
    tool_use_id: str | None = None
    description: str | None = None
    blocked_path: str | None = None
    permission_suggestions: tuple[dict[str, Any], ...] | None = None


class McpMessage(Struct, frozen=True, gc=False, tag="mcp_message", tag_field="subtype", kw_only=True):
    """JSON-RPC for a tool server that we play ourselves."""

    server_name: str
    message: dict[str, Any]


class UnknownRequest(Struct, frozen=True, gc=False, tag="(unknown)", tag_field="subtype"):
    """A request of a kind we do not serve. It is answered with an error, so that the CLI does not wait."""

    kind: str
    raw: bytes


class ControlRequest(Frame, frozen=True, gc=False, kw_only=True, tag="control_request", tag_field="type"):
    request_id: str
    request: CanUseTool | McpMessage | UnknownRequest


class ControlCancelRequest(Frame, frozen=True, gc=False, kw_only=True, tag="control_cancel_request", tag_field="type"):
    """The CLI no longer waits for our answer to `request_id`."""

    request_id: str


class CommandLifecycle(Frame, frozen=True, gc=False, kw_only=True, tag="command_lifecycle", tag_field="type"):
    """What became of a user message that was written with a `uuid`: `queued`, `started` (a turn reads it), then
    `completed`, `cancelled` or `discarded`."""

    command_uuid: str
    state: str


class ControlResponse(Frame, frozen=True, gc=False, kw_only=True):
    """The answer to a request of ours, without account data (also in `raw`)."""

    subtype: str
    request_id: str
    error: str | None = None
    signed_in: bool | None = None
    """Whether there is an account or a key; None when the answer says nothing of it. That much is left of them."""

    @property
    def payload(self) -> dict[str, Any]:
        """What was answered; empty when nothing was."""
        outer = self.document().get("response")
        payload = outer.get("response") if isinstance(outer, dict) else None
        return payload if isinstance(payload, dict) else {}
