"""OpenAI chat/completions as cbc speaks it: request → Turn, Answer → JSON body or SSE chunks."""

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.script import Answer, Fail, Text, ToolCall, Turn
from tests.fakes.transcript import Transcript

_ids = itertools.count(1)


def read_turn(body: Mapping[str, Any]) -> Turn:
    transcript = Transcript()
    for message in body.get("messages", []):
        match message.get("role"):
            case "user":
                transcript.user_said(_plain(message.get("content")))
            case "assistant":
                calls = message.get("tool_calls") or []
                transcript.assistant_said({call["id"]: _read_call(call) for call in calls})
            case "tool" if not message.get("skipRun"):  # cbc's empty answer to a call that it never ran
                transcript.tool_said(message.get("tool_call_id", ""), _plain(message.get("content")))
    return transcript.turn((tool["function"]["name"] for tool in body.get("tools") or []), body)


def _read_call(call: Mapping[str, Any]) -> ToolCall:
    return ToolCall(call["function"]["name"], json.loads(call["function"]["arguments"] or "{}"))


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
    return ""


def message_body(answer: Text | ToolCall, model: str) -> dict[str, Any]:
    """The whole answer as one JSON object, for requests without `stream`."""
    message: dict[str, Any] = {"role": "assistant", "content": _said(answer)}
    if isinstance(answer, ToolCall):
        message["tool_calls"] = [_call(call, index) for index, call in enumerate(answer.calls)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer)}
    return {**_head(model, "chat.completion"), "choices": [choice], "usage": _USAGE}


def stream_chunks(answer: Text | ToolCall, model: str) -> Iterator[str]:
    """The same answer as SSE events; a text goes out word by word."""
    head = _head(model, "chat.completion.chunk")
    yield _event(head, {"role": "assistant", "content": ""})
    if isinstance(answer, Text) and answer.thinking:
        yield _event(head, {"reasoning_content": answer.thinking})
    for word in _words(_said(answer)):
        yield _event(head, {"content": word})
    if isinstance(answer, ToolCall):
        for index, call in enumerate(answer.calls):
            yield _event(head, {"tool_calls": [_call(call, index)]})
    yield _event(head, {}, _finish(answer))
    yield "data: " + json.dumps({**head, "choices": [], "usage": _USAGE}) + "\n\n"
    yield "data: [DONE]\n\n"


def error_body(failure: Fail) -> dict[str, Any]:
    return {"error": {"message": failure.message, "type": "server_error", "code": str(failure.status)}}


def _said(answer: Answer) -> str:
    match answer:
        case Text(text=text):
            return text
        case ToolCall(say=say):
            return say
        case Fail():
            return ""


def _words(text: str) -> list[str]:
    return [word for word in text.replace(" ", " \0").split("\0") if word]


def _finish(answer: Answer) -> str:
    return "tool_calls" if isinstance(answer, ToolCall) else "stop"


def _call(call: ToolCall, index: int) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.input, ensure_ascii=False)}
    return {"index": index, "id": f"call_{next(_ids):012x}", "type": "function", "function": function}


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{next(_ids)}", "object": kind, "created": 1_700_000_000, "model": model}


def _event(head: Mapping[str, Any], delta: Mapping[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return "data: " + json.dumps({**head, "choices": [choice]}) + "\n\n"


_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
