"""A conversation read from the top, as either wire tells it, and folded into the turn the script sees."""

import re
from collections.abc import Iterable

from tests.fakes.script import NOTIFICATION, Json, ToolCall, ToolResult, Turn

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
_SUB_AGENT = re.compile(r"\A# Workflow context\n.*?\n---\n\n\[[^\]\n]*\]\n\n", re.DOTALL)


def unwrapped(text: str) -> str:
    """What was asked: without reminders, cbc's `<user_query>` and its preface for a workflow's agents."""
    text = _REMINDER.sub("", text)
    query = _QUERY.findall(text)
    return _SUB_AGENT.sub("", (query[-1] if query else text).strip())


class Transcript:
    """Everything after the last user message with words of its own belongs to the running turn."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._results: list[ToolResult] = []
        self._rounds = 0
        self._answered = True
        self._names: dict[str, str] = {}
        self._unanswered: dict[str, ToolCall] = {}

    def user_said(self, text: str) -> None:
        text = unwrapped(text)
        if not text:
            return
        if NOTIFICATION in text and not self._answered:
            return  # rides along with a person's message that nobody has answered yet: that one is the turn's text
        self._texts.append(text)
        self._results, self._rounds, self._answered = [], 0, False

    def assistant_said(self, calls: dict[str, ToolCall]) -> None:
        self._answered = True
        self._rounds += bool(calls)
        self._unanswered.update(calls)
        self._names.update({call_id: call.name for call_id, call in calls.items()})

    def tool_said(self, call_id: str, content: str, is_error: bool | None = None) -> None:
        self._unanswered.pop(call_id, None)
        self._results.append(ToolResult(self._names.get(call_id, ""), content, call_id, is_error))

    def turn(self, tools: Iterable[str], request: Json) -> Turn:
        return Turn(
            text=self._texts[-1] if self._texts else "",
            results=tuple(self._results),
            rounds=self._rounds,
            earlier=tuple(self._texts[:-1]),
            dangling=tuple(self._unanswered.values()),
            tools=frozenset(tools),
            request=request,
        )
