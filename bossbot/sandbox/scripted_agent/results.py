"""The end of a turn: what it took, and the `result` frame that says so."""

from .frames import Frame, Frames, tokens, usage
from .marks import new_uuid, now_ms, timestamp


class Totals:
    """Counts one turn. `messages` are assistant texts, tool calls and tool results together, as cbc counts."""

    def __init__(self) -> None:
        self.began_ms = now_ms()
        self.messages = 1
        self.input_tokens = 0
        self.output_tokens = 0
        self.denials: list[Frame] = []

    def said(self, text: str) -> None:
        self.messages += 1
        self.input_tokens += 100
        self.output_tokens += tokens(text)

    def success(self, frames: Frames, text: str) -> Frame:
        head = {"type": "result", "subtype": "success", "is_error": False, "result": text}
        context = {
            "codebuddy.ai/contextUsed": 100 + self.output_tokens,
            "codebuddy.ai/usageByCategory": {
                "systemPrompt": 7,
                "conversation": 1,
                "tools": 92,
                "mcp": 0,
                "skills": 0,
                "version": 1,
            },
        }
        end = {"_meta": {**context, **frames.baggage()}, "_requestId": frames.request_id}
        return {**head, **self._common(frames), **end, "__timestamp": timestamp()}

    def aborted(self, frames: Frames) -> Frame:
        """Interrupted while the model was answering: a success without words, as cbc has it."""
        self.input_tokens = self.output_tokens = 0
        head = {"type": "result", "subtype": "success", "is_error": False, "result": ""}
        end: Frame = {"terminal_reason": "aborted_streaming", "_requestId": frames.request_id}
        end["_meta"] = frames.baggage()
        return {**head, **self._common(frames), **end, "__timestamp": timestamp()}

    def failure(self, frames: Frames, error: str) -> Frame:
        head = {"type": "result", "subtype": "error_during_execution", "is_error": True}
        errors = {"errors": [error], "errors_info": [{"status": 500, "code": 0, "details": error}]}
        end = {"_requestId": frames.request_id, "_meta": frames.baggage(), "__timestamp": timestamp()}
        return {**head, **self._common(frames), **errors, **end}

    def _common(self, frames: Frames) -> Frame:
        took_ms = now_ms() - self.began_ms
        model = {
            "inputTokens": self.input_tokens,
            "outputTokens": self.output_tokens,
            "cacheReadInputTokens": 0,
            "cacheCreationInputTokens": 0,
            "contextWindow": 200_000,
            "maxOutputTokens": 8192,
        }
        return {
            "uuid": new_uuid(),
            "session_id": frames.session_id,
            "duration_ms": took_ms,
            "duration_api_ms": took_ms,
            "num_turns": self.messages,
            "total_cost_usd": 0,
            "usage": usage(self.input_tokens, self.output_tokens),
            "permission_denials": self.denials,
            "modelUsage": {f"custom-local:{frames.model}": model},
        }
