"""From frame to command: what the agent CLI says, in the session's words. Sans-I/O and deterministic.

The one clock is `at_s`, seconds on any steady clock, given with each frame: `bossbot replay` passes a recording's own.
What the CLI must be answered at once (a call that the rules allow or deny, a request we do not serve) comes back as
`Reply` beside the commands.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bossbot.agent.summaries import input_preview, output_preview, script_name
from bossbot.domain import commands as c
from bossbot.domain.policy import Policy, Ruling
from bossbot.domain.risk import QUESTION_TOOL, assess, parse_questions
from bossbot.ids import ApprovalId, MessageId, Mint, TaskId, WorkerId
from bossbot.streamjson import frames as f
from bossbot.text.redaction import redact

GRACE_S = 5.0
"""After a task's end its late progress is still taken for so long (protocol, section 6)."""

TEXT_CHARS = 40_000
"""Of one text of the manager so much is kept and shown."""

TURN_WAS_STOPPED = frozenset({"aborted_streaming", "aborted_tools"})
_TASK_NUMBER = re.compile(r"[Tt]ask #(\d+)")


@dataclass(frozen=True, slots=True)
class Allow:
    """Answer: run it, as asked."""

    request: f.ControlRequest


@dataclass(frozen=True, slots=True)
class Deny:
    """Answer: do not run it; the agent reads the reason."""

    request: f.ControlRequest
    reason: str


@dataclass(frozen=True, slots=True)
class NotServed:
    """Answer: this kind of request is not served here."""

    request_id: str
    reason: str


Reply = Allow | Deny | NotServed


@dataclass(slots=True)
class Reading:
    """What one frame meant."""

    commands: list[c.Command] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)


@dataclass(slots=True)
class Translator:
    """Reads the frames of one agent process, in order.

    `pending` holds the requests that wait for a person, by request id, as the CLI sent them: their input never leaves
    this process.
    """

    mint: Mint
    policy: Policy
    worker_id: WorkerId
    dialect: str
    secrets: tuple[str, ...] = ()
    agent_session_id: str = ""
    pending: dict[str, f.ControlRequest] = field(default_factory=dict)
    turn: str = ""
    """`asked`, `own`, `due` or empty: whose turn runs. `due`: the CLI will begin one of its own any moment."""
    echoes: frozenset[str] = frozenset()
    """What the CLI says in the model's name that the model never said."""
    _calls: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    _announced: set[str] = field(default_factory=set)
    _capabilities: c.UpdateCapabilities | None = None
    _ended_at_s: dict[str, float] = field(default_factory=dict)

    def told(self) -> None:
        """A user message was written to the CLI: the turn that follows was asked for."""
        self.turn = "asked"

    def follow(self, session_id: str | None) -> list[c.Command]:
        """The pipe's main session. It may change (cbc goes on in a new one after some interrupts), and is recorded."""
        if not session_id or session_id == self.agent_session_id:
            return []
        self.agent_session_id = session_id
        if self._capabilities is None:
            return []
        self._capabilities = replace(self._capabilities, agent_session_id=session_id)
        return [self._capabilities]

    def stopped(self) -> list[c.Command]:
        """The turn was interrupted, and the CLI will say no more of it."""
        self.turn = ""
        return [c.EndTurn(next_turn_id=self.mint("turn"), outcome="interrupted")]

    def read(self, frame: f.AnyFrame, at_s: float) -> Reading:
        """What this frame means. Frames that mean nothing to a session give an empty reading."""
        out = Reading()
        match frame:
            case f.SystemInit():
                self._init(frame, out)
            case f.Assistant():
                self._assistant(frame, out)
            case f.User():
                self._user(frame, out)
            case f.ControlRequest():
                self._request(frame, out)
            case f.ControlCancelRequest():
                self.pending.pop(frame.request_id, None)
                out.commands.append(c.WithdrawApproval(frame.request_id, "the agent took the request back"))
            case f.TaskStarted():
                self._task_started(frame, out)
            case f.TaskProgress():
                self._task_progress(frame, at_s, out)
            case f.TaskUpdated():
                if frame.patch.status is not None:
                    out.commands.append(c.UpdateBackgroundTask(frame.task_id, frame.patch.status))
            case f.TaskNotification():
                self._task_ended(frame, at_s, out)
            case f.Result():
                self._result(frame, out)
            case f.Malformed() if frame.request_id is not None and frame.type == "control_request":
                out.replies.append(NotServed(frame.request_id, f"this request could not be read: {frame.reason}"))
            case _:
                pass
        return out

    # --- session and turn ---

    def _init(self, frame: f.SystemInit, out: Reading) -> None:
        """The first init names the main session; cbc's later ones with another id belong to sub-agents."""
        if not self.agent_session_id:
            self.agent_session_id = frame.session_id
        if frame.session_id != self.agent_session_id:
            return
        self._capabilities = c.UpdateCapabilities(
            worker_id=self.worker_id,
            capabilities=frame.tools,
            agent_session_id=frame.session_id,
            dialect=self.dialect,
            model=frame.model or "",
            workflows="Workflow" in frame.tools,
        )
        out.commands.append(self._capabilities)

    def _result(self, frame: f.Result, out: Reading) -> None:
        """The end of a turn; the end of a turn that the CLI started itself does not end the one that we asked for."""
        if frame.origin is not None and frame.origin.kind and self.turn == "asked":
            return
        self.turn = ""
        usage = frame.usage
        failed = frame.is_error or frame.subtype != "success"
        stopped = frame.terminal_reason in TURN_WAS_STOPPED
        out.commands.append(
            c.EndTurn(
                next_turn_id=self.mint("turn"),
                outcome="interrupted" if stopped else "error" if failed else "success",
                result=self._clean(frame.result or ""),
                errors=tuple(self._clean(error) for error in frame.errors or ()) if failed else (),
                duration_ms=_whole(frame.duration_ms),
                total_cost_usd=frame.total_cost_usd,
                input_tokens=_whole(usage.input_tokens) if usage is not None else None,
                output_tokens=_whole(usage.output_tokens) if usage is not None else None,
            )
        )

    def _works(self, out: Reading) -> None:
        if not self.turn:
            out.commands.append(c.BeginOwnTurn(self.mint("turn")))
        if self.turn != "asked":
            self.turn = "own"

    def give_up_own_turn(self) -> list[c.Command]:
        """The turn that was due did not come: the session is idle after all."""
        if self.turn != "due":
            return []
        self.turn = ""
        return [c.EndTurn(next_turn_id=self.mint("turn"), outcome="success")]

    # --- what the model says and does ---

    def _within(self, frame: f.Assistant | f.User) -> str | None:
        """The sub-agent that speaks: the tool call it belongs to, or its own session; None for the manager."""
        if frame.parent_tool_use_id is not None:
            return frame.parent_tool_use_id
        if frame.session_id is not None and self.agent_session_id and frame.session_id != self.agent_session_id:
            return frame.session_id
        return None

    def _assistant(self, frame: f.Assistant, out: Reading) -> None:
        within = self._within(frame)
        for block in frame.message.blocks:
            match block:
                case f.TextBlock() if within is None and block.text.strip() and block.text not in self.echoes:
                    self._works(out)
                    text = self._clean(_bounded(block.text))
                    out.commands.append(c.AddManagerText(MessageId(self.mint("msg")), text))
                case f.ToolUseBlock():
                    if within is None:
                        self._works(out)
                    self._announce(block.id, block.name, block.input, within, out)
                case _:
                    pass

    def _announce(
        self, tool_use_id: str, tool: str, tool_input: Mapping[str, Any], within: str | None, out: Reading
    ) -> None:
        """A tool call begins. cbc may tell its permission request, and even its result, before the call itself."""
        if tool_use_id not in self._announced:
            self._announced.add(tool_use_id)
            self._calls.setdefault(tool_use_id, (tool, tool_input))
            preview = self._clean(input_preview(tool, tool_input))
            out.commands.append(c.RequestToolCall(tool_use_id, tool, preview, within))

    def _user(self, frame: f.User, out: Reading) -> None:
        within = self._within(frame)
        for block in frame.message.blocks:
            if isinstance(block, f.ToolResultBlock):
                text = block.text
                raw = text.encode()
                if block.tool_use_id in self._calls:
                    self._announce(block.tool_use_id, *self._calls[block.tool_use_id], within, out)
                out.commands.append(
                    c.FinishToolCall(
                        tool_use_id=block.tool_use_id,
                        is_error=block.is_error is True,
                        output_preview=self._clean(output_preview(text)),
                        output_bytes=len(raw),
                        output_sha256=hashlib.sha256(raw).hexdigest(),
                        within=within,
                    )
                )
                name, tool_input = self._calls.pop(block.tool_use_id, ("", {}))
                if block.is_error is not True and within is None:
                    self._native_task(frame, block, name, tool_input, out)

    def _native_task(
        self, frame: f.User, block: f.ToolResultBlock, name: str, tool_input: Mapping[str, Any], out: Reading
    ) -> None:
        outcome = block.raw_response or frame.tool_use_result
        if name == "TaskCreate":
            number = _task_number(outcome, block.text)
            if number:
                out.commands.append(
                    c.CreateNativeTask(
                        task_id=TaskId(self.mint("task")),
                        assignment_id=self.mint("wa"),
                        plan_id=self.mint("plan"),
                        ref=number,
                        title=self._clean(str(tool_input.get("subject") or f"Task #{number}")),
                        tool_use_id=block.tool_use_id,
                    )
                )
        elif name == "TaskUpdate" and not (isinstance(outcome, dict) and outcome.get("success") is False):
            out.commands.append(
                c.UpdateNativeTask(
                    ref=str(tool_input.get("taskId") or ""),
                    worker_id=self.worker_id,
                    assignment_id=self.mint("wa"),
                    status=str(tool_input.get("status") or ""),
                    title=self._clean(str(tool_input.get("subject") or "")),
                )
            )

    # --- requests ---

    def _request(self, frame: f.ControlRequest, out: Reading) -> None:
        match frame.request:
            case f.CanUseTool():
                self._can_use_tool(frame, frame.request, out)
            case f.McpMessage():
                out.replies.append(NotServed(frame.request_id, f"no server {frame.request.server_name} here"))
            case f.UnknownRequest():
                out.replies.append(NotServed(frame.request_id, f"{frame.request.kind} is not served"))

    def _can_use_tool(self, frame: f.ControlRequest, request: f.CanUseTool, out: Reading) -> None:
        if request.tool_use_id is not None:
            self._calls.setdefault(request.tool_use_id, (request.tool_name, request.input))
        match self.policy.rule(request.tool_name, request.input):
            case Ruling.ALLOW:
                out.replies.append(Allow(frame))
            case Ruling.DENY:
                out.replies.append(Deny(frame, f"{request.tool_name} is denied by the rules of this bot"))
            case Ruling.ASK if request.tool_name == QUESTION_TOOL and not parse_questions(request.input):
                # Nobody could answer it: the card would show nothing, and the agent would wait for ever.
                out.replies.append(Deny(frame, "no question could be read; ask again, with a question and options"))
            case Ruling.ASK:
                self.pending[frame.request_id] = frame
                out.commands.append(self._approval(frame, request))

    def _approval(self, frame: f.ControlRequest, request: f.CanUseTool) -> c.RequestApproval:
        risk = assess(request.tool_name, request.input)
        description = request.input.get("description") or request.description or ""
        return c.RequestApproval(
            approval_id=ApprovalId(self.mint("apr")),
            request_id=frame.request_id,
            tool=request.tool_name,
            kind=risk.kind,
            summary=self._clean(risk.summary),
            risk_level=risk.level,
            fingerprint=fingerprint(request.tool_name, request.input),
            tool_use_id=request.tool_use_id,
            description=self._clean(str(description)),
            detail=self._clean(risk.detail),
            detail_language=risk.language,
            questions=risk.questions,
            risks=risk.reasons,
        )

    # --- background tasks ---

    def _task_started(self, frame: f.TaskStarted, out: Reading) -> None:
        title = frame.workflow_name or frame.description or frame.task_type or "Task"
        if title.startswith("inline-") and frame.tool_use_id in self._calls:
            title = script_name(self._calls[frame.tool_use_id][1]) or title
        out.commands.append(
            c.StartBackgroundTask(
                task_id=TaskId(self.mint("task")),
                assignment_id=self.mint("wa"),
                worker_id=self.worker_id,
                ref=frame.task_id,
                task_type=frame.task_type or "background",
                title=self._clean(title),
                tool_use_id=frame.tool_use_id,
            )
        )

    def _task_progress(self, frame: f.TaskProgress, at_s: float, out: Reading) -> None:
        ended_at_s = self._ended_at_s.get(frame.task_id)
        if ended_at_s is not None and at_s - ended_at_s > GRACE_S:
            return
        usage = frame.usage
        out.commands.append(
            c.ReportSnapshot(
                ref=frame.task_id,
                entries=tuple(filter(None, map(self._entry, frame.workflow_progress or ()))),
                total_tokens=_whole(usage.total_tokens) if usage is not None else None,
                tool_uses=_whole(usage.tool_uses) if usage is not None else None,
                current_step=self._clean(frame.description or "") if frame.workflow_progress is None else "",
            )
        )

    def _entry(self, entry: f.TimelineEntry) -> c.SnapshotEntry | None:
        match entry:
            case f.WorkflowPhase():
                return c.SnapshotEntry("workflow_phase", entry.index, label=self._clean(entry.title or ""))
            case f.WorkflowAgent():
                return c.SnapshotEntry(
                    "workflow_agent",
                    entry.index,
                    state=entry.state or "",
                    label=self._clean(entry.label or ""),
                    phase_index=entry.phase_index,
                    phase_title=self._clean(entry.phase_title or ""),
                    tokens=_whole(entry.tokens),
                    preview=self._clean(entry.result_preview or ""),
                    error=self._clean(entry.error or ""),
                )
            case f.UnknownEntry():
                return None

    def _task_ended(self, frame: f.TaskNotification, at_s: float, out: Reading) -> None:
        self._ended_at_s[frame.task_id] = at_s
        out.commands.append(
            c.EndBackgroundTask(
                ref=frame.task_id,
                status=frame.status,
                next_turn_id=self.mint("turn"),
                summary=self._clean(frame.summary or ""),
                output_file=frame.output_file,
            )
        )
        if not self.turn and frame.status != "stopped":
            # Both CLIs now tell the model, unasked. A message that came before its first word would count as one in
            # mid-turn, for which cbc drops the turn and opens another session (capture `midturn`).
            self.turn = "due"
            out.commands.append(c.BeginOwnTurn(self.mint("turn")))

    def _clean(self, text: str) -> str:
        """Without secrets: those that we know (`secrets`) and those that look like one."""
        return redact(text, self.secrets) if text else text


def fingerprint(tool: str, tool_input: Mapping[str, Any]) -> str:
    """Tells one tool call from another by the whole of its input, less the model's own words about it."""
    said = {key: value for key, value in tool_input.items() if key != "description"}
    canonical = json.dumps([tool, said], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _bounded(text: str) -> str:
    """Nobody reads more in a chat, and the renderers' time and the log's size depend on it."""
    if len(text) <= TEXT_CHARS:
        return text
    return f"{text[:TEXT_CHARS]}\n\n… (cut here: {len(text)} characters in all)"


def _task_number(outcome: object, text: str) -> str:
    task = outcome.get("task") if isinstance(outcome, dict) else None
    if isinstance(task, dict) and task.get("id") is not None:
        return str(task["id"])
    match = _TASK_NUMBER.search(text)
    return match[1] if match is not None else ""


def _whole(number: "f.Number | None") -> int | None:
    return int(number) if number is not None else None
