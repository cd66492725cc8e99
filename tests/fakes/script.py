"""What the scripted model says: rules that look at a conversation and give the next answer.

A rule is data given by the test: which user text it is for, and the answers in the order of the
model's rounds. The round is counted from the conversation itself (assistant messages with tool calls
after the last real user text), so a restarted CLI with the same history gets the same answer.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, object]


@dataclass(frozen=True)
class Text:
    """The model answers with text, which ends its turn.

    `hold` keeps the answer back until the test sets the event; `delay_s` waits before the first byte;
    `word_delay_s` waits between the words of a streamed answer; `thinking` is what the model thinks before it.
    """

    text: str
    delay_s: float = 0.0
    hold: asyncio.Event | None = None
    word_delay_s: float = 0.0
    thinking: str = ""


@dataclass(frozen=True)
class ToolCall:
    """The model calls a tool, after saying `say`; `also` are further calls of the same message."""

    name: str
    input: Json
    say: str = ""
    also: tuple["ToolCall", ...] = ()
    delay_s: float = 0.0
    hold: asyncio.Event | None = None

    @property
    def calls(self) -> tuple["ToolCall", ...]:
        return (self, *self.also)


@dataclass(frozen=True)
class Fail:
    """The endpoint refuses the request, as a provider in trouble does."""

    status: int = 500
    message: str = "scripted failure"
    delay_s: float = 0.0
    hold: asyncio.Event | None = None


Answer = Text | ToolCall | Fail


@dataclass(frozen=True)
class ToolResult:
    """What the CLI told the model about one tool call. `name` is empty when the call is unknown."""

    name: str
    content: str
    call_id: str
    is_error: bool | None = None


@dataclass(frozen=True)
class Turn:
    """A conversation as the script sees it, the same for both wires.

    `text` is the last thing the person (or the CLI in the person's place) said, without wrappers;
    `results` are the tool results after it, `rounds` the model's messages with tool calls after it;
    `earlier` the person's texts before it; `dangling` are the tool calls that nobody ran, as a resumed
    conversation has them after its CLI was killed in the middle of one.
    """

    text: str
    results: tuple[ToolResult, ...] = ()
    rounds: int = 0
    earlier: tuple[str, ...] = ()
    dangling: tuple[ToolCall, ...] = ()
    tools: frozenset[str] = frozenset()
    request: Json = field(default_factory=dict)

    @property
    def last_result(self) -> str:
        return self.results[-1].content if self.results else ""

    @property
    def is_notification(self) -> bool:
        """The CLI itself started this turn, to tell the model that a background task has ended."""
        return NOTIFICATION in self.text

    @property
    def wants_structured(self) -> bool:
        """The CLI runs with `--json-schema`: both then offer a StructuredOutput tool, and insist on it."""
        return STRUCTURED_TOOL in self.tools

    @property
    def wants_data(self) -> bool:
        """The tool, as it is offered, takes the answer in a parameter `data`."""
        tools: Any = self.request.get("tools")
        offered = [tool.get("function", tool) for tool in tools or []]
        [schema] = [t.get("parameters") or t.get("input_schema") for t in offered if t["name"] == STRUCTURED_TOOL]
        return "data" in schema.get("required", ())


NOTIFICATION = "<task-notification>"
STRUCTURED_TOOL = "StructuredOutput"

Step = Answer | Callable[[Turn], Answer]
Match = str | Callable[[Turn], bool]


@dataclass(frozen=True)
class Rule:
    """`match` is a predicate over the turn, or words that the person's text must contain (any case)."""

    match: Match
    steps: Sequence[Step]

    def fits(self, turn: Turn) -> bool:
        if isinstance(self.match, str):
            return self.match.casefold() in turn.text.casefold() and not turn.is_notification
        return self.match(turn)

    def answer(self, turn: Turn) -> Answer:
        """The step of this round; past the last one the model says how many results it has seen."""
        if turn.rounds >= len(self.steps):
            return Text(f"Done after {len(turn.results)} tool result(s).")
        step = self.steps[turn.rounds]
        return step if isinstance(step, Text | ToolCall | Fail) else step(turn)


@dataclass
class Script:
    """The rules in order of precedence; the first that fits answers. Tests may append while it runs."""

    rules: list[Rule] = field(default_factory=list)
    structured: Callable[[str], Json] | None = None

    def answer(self, turn: Turn) -> Answer:
        if turn.wants_structured:
            return self._structured_answer(turn)
        for rule in (*self.rules, *DEFAULT_RULES):
            if rule.fits(turn):
                return rule.answer(turn)
        return Text(f"Scripted answer to: {turn.text[:200]}")

    def _structured_answer(self, turn: Turn) -> Answer:
        if turn.rounds:
            return Text("Structured output given.")
        if self.structured is None:
            return Fail(400, "the script has no structured answer")
        answer = self.structured(turn.text)
        return ToolCall(STRUCTURED_TOOL, {"data": answer} if turn.wants_data else answer)


def repeat_dangling(turn: Turn) -> Answer:
    """A step for resumed conversations: call again what was cut off, else say that nothing was."""
    return turn.dangling[-1] if turn.dangling else Text("Nothing was cut off.")


DEFAULT_RULES = (
    Rule(lambda turn: turn.is_notification, [Text("The workflow finished: all good.")]),
    Rule(lambda turn: turn.text.startswith("sub "), [lambda turn: Text(f"sub result for {turn.text[:80]}")]),
)
