"""What all readers of one agent process share: fresh ids, whose worker it is, secrets to remove, whose turn runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bossbot.agent.reading import Reading
from bossbot.agent.summaries import INPUT_CHARS, told_input
from bossbot.domain import commands as c
from bossbot.ids import Mint, WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.dialects import DIALECTS
from bossbot.text.redaction import redact

SECRET_CHARS = 512
"""Of a secret that is known by its form so much is enough to know it."""


@dataclass(slots=True)
class Context:
    """`turn` is `asked`, `own`, `due` or empty: whose turn runs. `due`: the CLI will begin one of its own any moment.

    `calls` holds what each open tool call was given, until its result. `unread`: messages that were written into a
    running turn and that the CLI has not taken up yet, by their uuid. `dialect` may become known late, or never.
    """

    mint: Mint
    worker_id: WorkerId
    secrets: tuple[str, ...] = ()
    dialect: str = ""
    agent_session_id: str = ""
    turn: str = ""
    calls: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    _announced: set[str] = field(default_factory=set)
    _of_turn: set[str] = field(default_factory=set)
    """The manager's own calls since its turn began."""

    def clean(self, text: str) -> str:
        """Without secrets: those that we know (`secrets`) and those that look like one."""
        return redact(text, self.secrets) if text else text

    def clip(self, text: str, most_chars: int, end: str = "…") -> str:
        """Its beginning, without secrets. They are looked for in more of it than is shown, and of what was looked at
        the end is not shown: so no secret is cut in half and passed on as something else.
        """
        if len(text) <= most_chars:
            return self.clean(text)
        margin = max(SECRET_CHARS, *map(len, self.secrets), 0)
        looked_at = text[: most_chars + margin]
        clean = self.clean(looked_at)
        sure = len(clean) - margin if len(looked_at) < len(text) else len(clean)
        return clean[: max(0, min(most_chars - len(end), sure))] + end

    def meant(self, tool: str, tool_input: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The tool that a call is for, where it goes through another one."""
        dialect = DIALECTS.get(self.dialect)
        return dialect.meant(tool, tool_input) if dialect is not None else (tool, tool_input)

    def works(self, out: Reading) -> None:
        """The manager does something; when no turn runs, it has begun one of its own."""
        if not self.turn:
            out.commands.append(c.BeginOwnTurn(self.mint("turn")))
        if self.turn != "asked":
            self.turn = "own"

    def within(self, frame: f.Assistant | f.User | f.StreamEvent) -> str | None:
        """The sub-agent that speaks: the tool call it belongs to, or its own session; None for the manager."""
        if frame.parent_tool_use_id is not None:
            return frame.parent_tool_use_id
        if frame.session_id is not None and self.agent_session_id and frame.session_id != self.agent_session_id:
            return frame.session_id
        return None

    def announce(
        self, tool_use_id: str, tool: str, tool_input: Mapping[str, Any], within: str | None, out: Reading
    ) -> None:
        """A tool call begins. cbc may tell its permission request, and even its result, before the call itself."""
        if tool_use_id not in self._announced:
            self._announced.add(tool_use_id)
            if within is None:
                self._of_turn.add(tool_use_id)
            self.calls.setdefault(tool_use_id, (tool, tool_input))
            preview = self.clip(told_input(tool, tool_input), INPUT_CHARS)
            out.commands.append(c.RequestToolCall(tool_use_id, tool, preview, within))

    def called(self, tool_use_id: str, most_chars: int) -> str:
        """An open call in a few words: the tool, and what it was given."""
        tool, tool_input = self.calls.get(tool_use_id, ("", {}))
        return self.clip(f"{tool} {told_input(tool, tool_input)}".strip(), most_chars)

    def turn_over(self, *, stopped: bool) -> None:
        """No call of the turn is open any more, and none at all when everything was stopped: cbc tells no result of
        some calls beside one that was denied, and none of what it was stopped in."""
        for tool_use_id in tuple(self.calls) if stopped else self._of_turn:
            self.calls.pop(tool_use_id, None)
        self._of_turn.clear()


def whole(number: "f.Number | None") -> int | None:
    """A count that JSON may have made a float."""
    return int(number) if number is not None else None
