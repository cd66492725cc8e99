"""What the model says and does: its texts, its tool calls, and its own list of tasks."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bossbot.agent.context import Context
from bossbot.agent.keeping import Output
from bossbot.agent.reading import Reading
from bossbot.agent.summaries import OUTPUT_CHARS
from bossbot.agent.writing import Writing
from bossbot.domain import commands as c
from bossbot.ids import MessageId, TaskId
from bossbot.streamjson import frames as f

TEXT_CHARS = 40_000
"""Of one text of the manager so much is kept and shown."""

NAME_CHARS = 120
"""Of what an artifact is called."""

_TASK_NUMBER = re.compile(r"[Tt]ask #(\d+)")


@dataclass(slots=True)
class Speech:
    """Reads `assistant` and `user` frames. `echoes`: what the CLI says in the model's name that it never said."""

    context: Context
    echoes: frozenset[str] = frozenset()
    _writing: Writing | None = None

    def assistant(self, frame: f.Assistant, out: Reading) -> None:
        """Texts and tool calls, the manager's and its sub-agents'."""
        within = self.context.within(frame)
        for block in frame.message.blocks:
            match block:
                case f.TextBlock() if within is None and block.text.strip() and block.text not in self.echoes:
                    self.context.works(out)
                    text = self.context.clip(block.text, TEXT_CHARS, _cut_here(block.text))
                    out.commands.append(c.AddManagerText(self._message_id(), text))
                case f.ToolUseBlock():
                    if within is None:
                        self.context.works(out)
                    self.context.announce(block.id, *self.context.meant(block.name, block.input), within, out)
                case _:
                    pass

    def writes(self, frame: f.StreamEvent, out: Reading) -> None:
        """A piece of the manager's text: its whole comes later, as a message with the same id."""
        if self.context.within(frame) is not None:
            return
        if frame.event.type in ("message_start", "content_block_start"):
            self._writing = None
        elif frame.text:
            if self._writing is None:
                self._writing = Writing(MessageId(self.context.mint("msg")), self.context.clean)
            self._writing.add(frame.text)
            out.writing = self._writing

    def _message_id(self) -> MessageId:
        writing, self._writing = self._writing, None
        return writing.message_id if writing is not None else MessageId(self.context.mint("msg"))

    def user(self, frame: f.User, out: Reading) -> None:
        """The results of tools."""
        within = self.context.within(frame)
        for block in frame.message.blocks:
            if isinstance(block, f.ToolResultBlock):
                self._result(frame, block, within, out)

    def _result(self, frame: f.User, block: f.ToolResultBlock, within: str | None, out: Reading) -> None:
        calls = self.context.calls
        text = block.text
        raw = text.encode()
        if block.tool_use_id in calls:
            self.context.announce(block.tool_use_id, *calls[block.tool_use_id], within, out)
        out.commands.append(
            c.FinishToolCall(
                tool_use_id=block.tool_use_id,
                is_error=block.is_error is True,
                output_preview=self.context.clip(text, OUTPUT_CHARS),
                output_bytes=len(raw),
                output_sha256=hashlib.sha256(raw).hexdigest(),
                within=within,
            )
        )
        if len(text) > OUTPUT_CHARS:
            shown = self.context.called(block.tool_use_id, NAME_CHARS)
            out.outputs.append(Output("tool_output", shown or "a tool", block.tool_use_id, text=text))
        name, tool_input = calls.pop(block.tool_use_id, ("", {}))
        if block.is_error is not True and within is None:
            self._native_task(frame, block, name, tool_input, out)

    def _native_task(
        self, frame: f.User, block: f.ToolResultBlock, name: str, tool_input: Mapping[str, Any], out: Reading
    ) -> None:
        context = self.context
        outcome = block.raw_response or frame.tool_use_result
        if name == "TaskCreate":
            number = _task_number(outcome, block.text)
            if number:
                out.commands.append(
                    c.CreateNativeTask(
                        task_id=TaskId(context.mint("task")),
                        assignment_id=context.mint("wa"),
                        plan_id=context.mint("plan"),
                        ref=number,
                        title=context.clean(str(tool_input.get("subject") or f"Task #{number}")),
                        tool_use_id=block.tool_use_id,
                    )
                )
        elif name == "TaskUpdate" and not (isinstance(outcome, dict) and outcome.get("success") is False):
            out.commands.append(
                c.UpdateNativeTask(
                    ref=str(tool_input.get("taskId") or ""),
                    worker_id=context.worker_id,
                    assignment_id=context.mint("wa"),
                    status=str(tool_input.get("status") or ""),
                    title=context.clean(str(tool_input.get("subject") or "")),
                )
            )


def _cut_here(text: str) -> str:
    """Nobody reads more in a chat, and the renderers' time and the log's size depend on it."""
    return f"\n\n… (cut here: {len(text)} characters in all)"


def _task_number(outcome: object, text: str) -> str:
    task = outcome.get("task") if isinstance(outcome, dict) else None
    if isinstance(task, dict) and task.get("id") is not None:
        return str(task["id"])
    match = _TASK_NUMBER.search(text)
    return match[1] if match is not None else ""
