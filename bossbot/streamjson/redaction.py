"""What may be kept of a line that holds account data, or of a line that could not be read.

The answer to `initialize` carries the account: a bearer token, e-mail addresses, enterprise ids. None of that may
outlive the decoder, so `scrub` takes it out before anybody keeps the line. A line that cannot be decoded
may be a piece of that very answer, cut anywhere; `safe_head` therefore shows only words it knows.
"""

import re
from typing import Any

_SECRET_KEY = re.compile(
    r"^account$|^uid$|user_?id$|user_?name$|nick_?name$|token$|e-?mail|enterprise|organi[sz]ation|jwt|secret|passw|credential|authorization|api_?key$|phone",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+")
"""Each begins where a word does, so that a word of a megabyte is read once and not from each of its letters."""


def scrub(value: Any) -> Any:
    """The same JSON value without account data, wherever it sits."""
    if isinstance(value, dict):
        return {key: scrub(inner) for key, inner in value.items() if not _SECRET_KEY.search(key)}
    if isinstance(value, list):
        return [scrub(inner) for inner in value]
    if isinstance(value, str) and ("@" in value or "eyJ" in value):
        return _SECRET_TEXT.sub("[removed]", value)
    return value


_HEAD_CHARS = 160
_WORDS = frozenset(
    {
        "type", "subtype", "request", "request_id", "response", "session_id", "message", "content", "role", "text",
        "name", "input", "tool_name", "tool_use_id", "task_id", "patch", "status", "usage", "error", "errors",
        "result", "is_error", "event", "uuid", "id", "index", "state", "label", "title", "description", "system",
        "init", "assistant", "user", "control_request", "control_response", "control_cancel_request", "stream_event",
        "success", "can_use_tool", "mcp_message", "task_started", "task_progress", "task_updated",
        "task_notification", "workflow_progress", "workflow_phase", "workflow_agent", "tool_use", "tool_result",
        "thinking", "parent_tool_use_id", "commands", "agents", "models", "account", "true", "false", "null",
    }
)  # fmt: skip
_TOKEN = re.compile(r'[{}\[\]:,\s]+|"|[^{}\[\]:,\s"]+')


def safe_head(line: bytes) -> str:
    """The beginning of an unreadable line, fit for a log: structure and protocol words, every other word masked.

    Quoting cannot be trusted here (a cut line may begin inside a string), so what decides is the vocabulary. Plain
    text without quotes or braces (a crash message on stdout) is kept, but for its long or number-like words.
    """
    text = line[: 4 * _HEAD_CHARS].decode("utf-8", "replace")
    known = _WORDS.__contains__ if '"' in text or "{" in text else _is_plain_word
    masked = "".join(_mask(token, known) for token in _TOKEN.findall(text))
    return masked if len(masked) <= _HEAD_CHARS else masked[: _HEAD_CHARS - 1] + "…"


def _mask(token: str, known: Any) -> str:
    if token == '"' or token[0] in "{}[]:," or token.isspace():
        return token if token.isprintable() else " "
    return token if known(token) else "…"


def _is_plain_word(word: str) -> bool:
    return len(word) < 20 and word.isprintable() and "@" not in word and sum(map(str.isdigit, word)) < 4
