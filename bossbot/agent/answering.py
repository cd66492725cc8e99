"""What the CLI asked, answered as bytes: at once (a `Reply`), or by a person's decision on a permission or question."""

from bossbot.agent.reading import Allow, Deny, McpReply, NotServed, Reply
from bossbot.agent.translate import Translator
from bossbot.domain import events as ev
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection

Decided = ev.ApprovalApproved | ev.ApprovalRejected | ev.ApprovalExpired | ev.ApprovalWithdrawn


def reply_line(connection: Connection, reply: Reply) -> bytes:
    """What is to be written."""
    match reply:
        case Allow():
            return connection.allow(reply.request)
        case Deny():
            return connection.deny(reply.request, reply.reason)
        case NotServed():
            return connection.refuse(reply.request_id, reply.reason)
        case McpReply():
            return connection.mcp_response(reply.request_id, reply.response)


def decision_lines(
    connection: Connection, translator: Translator, request: f.ControlRequest, decided: Decided
) -> list[bytes]:
    """What is to be written. A permission that was withdrawn is not answered: the CLI no longer waits for it."""
    if isinstance(request.request, f.McpMessage):
        text, is_error = _told(decided)
        return mcp_lines(connection, translator.answer_call(request.request_id, text, is_error=is_error))
    match decided:
        case ev.ApprovalRejected() | ev.ApprovalExpired():
            return [connection.deny(request, decided.reason)]
        case ev.ApprovalApproved() if decided.answers:
            return [connection.answer(request, translator.as_asked(request, decided.answers))]
        case ev.ApprovalApproved():
            return [connection.allow(request, for_session=decided.action == "approve_for_session")]
        case ev.ApprovalWithdrawn():
            return []


def mcp_lines(connection: Connection, replies: list[McpReply]) -> list[bytes]:
    """The answers of our tool server, except to requests that nobody waits for any more."""
    return [connection.mcp_response(r.request_id, r.response) for r in replies if r.request_id in connection.pending]


def _told(decided: Decided) -> tuple[str, bool]:
    match decided:
        case ev.ApprovalApproved():
            return f"{decided.actor_name or 'They'} answered: {'; '.join(decided.answers.values())}", False
        case ev.ApprovalRejected():
            return f"They will not answer: {decided.reason}", True
        case ev.ApprovalExpired() | ev.ApprovalWithdrawn():
            return f"Nobody answers any more: {decided.reason}", True
