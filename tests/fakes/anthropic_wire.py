"""Anthropic messages as Claude Code speaks it: request → Turn, Answer → JSON body or SSE events."""

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.script import Fail, Text, ToolCall, Turn
from tests.fakes.transcript import Transcript

_ids = itertools.count(1)


def read_turn(body: Mapping[str, Any]) -> Turn:
    transcript = Transcript()
    for message in body.get("messages", []):
        blocks = _blocks(message.get("content"))
        match message.get("role"):
            case "assistant":
                uses = (block for block in blocks if block.get("type") == "tool_use")
                transcript.assistant_said({use["id"]: ToolCall(use["name"], use["input"]) for use in uses})
            case "user":  # Claude Code also puts messages of role "system" in between
                for block in blocks:
                    if block.get("type") == "tool_result":
                        text = _text(_blocks(block.get("content")))
                        transcript.tool_said(block["tool_use_id"], text, bool(block.get("is_error")))
                transcript.user_said(_text(blocks))
    return transcript.turn((tool["name"] for tool in body.get("tools") or []), body)


def _text(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(block.get("text", "") for block in blocks if block.get("type") == "text")


def _blocks(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def message_body(answer: Text | ToolCall, model: str) -> dict[str, Any]:
    """The whole answer as one JSON object, for requests without `stream`."""
    stop = "tool_use" if isinstance(answer, ToolCall) else "end_turn"
    return {**_head(model), "content": _content(answer), "stop_reason": stop, "usage": _USAGE}


def stream_chunks(answer: Text | ToolCall, model: str) -> Iterator[str]:
    """The same answer as SSE events; a text goes out word by word."""
    yield _event("message_start", message={**_head(model), "content": [], "usage": _USAGE})
    for index, block in enumerate(_content(answer)):
        if block["type"] == "text":
            yield _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            for word in _words(block["text"]):
                yield _event("content_block_delta", index=index, delta={"type": "text_delta", "text": word})
        elif block["type"] == "thinking":
            empty = {"type": "thinking", "thinking": "", "signature": ""}
            yield _event("content_block_start", index=index, content_block=empty)
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            yield _event("content_block_delta", index=index, delta=thought)
            signed = {"type": "signature_delta", "signature": block["signature"]}
            yield _event("content_block_delta", index=index, delta=signed)
        else:
            yield _event("content_block_start", index=index, content_block={**block, "input": {}})
            arguments = json.dumps(block["input"], ensure_ascii=False)
            delta = {"type": "input_json_delta", "partial_json": arguments}
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    stop = "tool_use" if isinstance(answer, ToolCall) else "end_turn"
    yield _event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=_USAGE)
    yield _event("message_stop")


def error_body(failure: Fail) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "api_error", "message": failure.message}}


def _content(answer: Text | ToolCall) -> list[dict[str, Any]]:
    if isinstance(answer, Text):
        thought = [{"type": "thinking", "thinking": answer.thinking, "signature": "c2ln"}] if answer.thinking else []
        return [*thought, {"type": "text", "text": answer.text}]
    said = [{"type": "text", "text": answer.say}] if answer.say else []
    calls = [
        {"type": "tool_use", "id": f"toolu_{next(_ids):020x}", "name": call.name, "input": dict(call.input)}
        for call in answer.calls
    ]
    return [*said, *calls]


def _words(text: str) -> list[str]:
    return [word for word in text.replace(" ", " \0").split("\0") if word]


def _head(model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{next(_ids):020x}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


_USAGE = {"input_tokens": 100, "output_tokens": 20}
