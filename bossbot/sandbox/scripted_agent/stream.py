"""The `stream_event` frames' inner events: one text block, as cbc sends them with --include-partial-messages."""

from .frames import Frame, tokens


def whole(message_id: str, model: str, text: str) -> list[Frame]:
    return [*begin(message_id, model), delta(text), *end(text)]


def begin(message_id: str, model: str) -> list[Frame]:
    usage = {
        "input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 0,
        "service_tier": "standard",
    }
    message = {
        "model": model,
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": ""}],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    return [{"type": "message_start", "message": message}, block]


def delta(text: str) -> Frame:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}


def end(text: str) -> list[Frame]:
    usage = {
        "input_tokens": 100,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": tokens(text),
    }
    stop = {"stop_reason": "end_turn", "stop_sequence": None}
    return [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": usage},
        {"type": "message_stop"},
    ]
