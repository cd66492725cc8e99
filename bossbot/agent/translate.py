"""From frame to command: what the agent CLI says, in the session's words. Sans-I/O and deterministic.

The one clock is `at_s`, seconds on any steady clock, given with each frame: `bossbot replay` passes a recording's own.
What the CLI must be answered at once (a call that the rules allow or deny, a request we do not serve) comes back as
`Reply` beside the commands. Here stand the session and its turns; each other topic has a file of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bossbot.agent.background import Background
from bossbot.agent.context import Context, whole
from bossbot.agent.failures import retryable
from bossbot.agent.own_calls import OwnCalls
from bossbot.agent.permissions import Permissions
from bossbot.agent.reading import McpReply, NotServed, Reading
from bossbot.agent.speech import NAME_CHARS, Speech
from bossbot.domain import commands as c
from bossbot.domain.events import NOWHERE, Workspace
from bossbot.domain.policy import Policy
from bossbot.ids import Mint, WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.dialects import DIALECTS, MidTurn

JOIN_MID_TURN = frozenset(name for name, dialect in DIALECTS.items() if dialect.mid_turn is MidTurn.JOINS)
TELLS_READING = "msg_lifecycle_v1"
"""Claude Code 2.1.220: it tells when it takes up a message that has a uuid."""
ERROR_CHARS = 200
TURN_WAS_STOPPED = frozenset({"aborted_streaming", "aborted_tools"})


class Translator:
    """Reads the frames of one agent process, in order."""

    def __init__(
        self,
        mint: Mint,
        policy: Policy,
        worker_id: WorkerId,
        dialect: str,
        *,
        secrets: tuple[str, ...] = (),
        echoes: frozenset[str] = frozenset(),
        host: c.Host | None = None,
        workspace: Workspace = NOWHERE,
    ) -> None:
        self._host, self._workspace = host or c.Host(), workspace
        self._context = Context(mint, worker_id, secrets, dialect)
        self._speech = Speech(self._context, echoes)
        self._permissions = Permissions(self._context, policy)
        self._own_calls = OwnCalls(self._context, self._permissions.pending)
        self._background = Background(self._context)
        self._capabilities: c.UpdateCapabilities | None = None
        self._tells_reading = False

    @property
    def dialect(self) -> str:
        """The name of the CLI's dialect; a recording tells it with its first frames."""
        return self._context.dialect

    @dialect.setter
    def dialect(self, name: str) -> None:
        self._context.dialect = name

    @property
    def pending(self) -> dict[str, f.ControlRequest]:
        """The requests that wait for a person, by request id."""
        return self._permissions.pending

    @property
    def turn(self) -> str:
        """Whose turn runs: `asked`, `own`, `due` or empty."""
        return self._context.turn

    @property
    def open_calls(self) -> frozenset[str]:
        """The tool calls whose input is kept, because their result has not come."""
        return frozenset(self._context.calls)

    def called(self, tool_use_id: str) -> str:
        """An open call in a few words; empty if there is none."""
        return self._context.called(tool_use_id, NAME_CHARS)

    def answer_call(self, request_id: str, text: str, *, is_error: bool = False) -> list[McpReply]:
        """The session (or a person) has answered a call of one of our own tools: what is to be written."""
        return self._own_calls.answer(request_id, text, is_error=is_error)

    def as_asked(self, request: f.ControlRequest, answers: Mapping[str, str]) -> dict[str, str]:
        """Answers in the CLI's own words."""
        return self._permissions.as_asked(request, answers)

    def told(self) -> None:
        """A user message was written to the CLI: the turn that follows was asked for."""
        self._context.turn = "asked"

    def joined(self, uuid: str) -> None:
        """A user message was written into the running turn: the turn lasts until it was read, and answered."""
        if self._tells_reading:
            self._context.unread.add(uuid)

    def follow(self, session_id: str | None) -> list[c.Command]:
        """The pipe's main session. It may change (cbc goes on in a new one after some interrupts), and is recorded."""
        if not session_id or session_id == self._context.agent_session_id:
            return []
        self._context.agent_session_id = session_id
        if self._capabilities is None:
            return []
        self._capabilities = replace(self._capabilities, agent_session_id=session_id)
        return [self._capabilities]

    def stopped(self) -> list[c.Command]:
        """The turn was interrupted, and the CLI will say no more of it."""
        self._context.turn = ""
        self._context.turn_over(stopped=True)
        return [c.EndTurn(next_turn_id=self._context.mint("turn"), outcome="interrupted")]

    def ended_by_force(self, task_ids: Iterable[str]) -> list[c.Command]:
        """An interrupt was to end these background tasks, and they end with the CLI's process now."""
        reason = "ended with the agent's process, since it did not stop by itself"
        mint = self._context.mint
        return [c.EndBackgroundTask(ref, "stopped", next_turn_id=mint("turn"), summary=reason) for ref in task_ids]

    def give_up_own_turn(self) -> list[c.Command]:
        """The turn that was due did not come: the session is idle after all."""
        if self._context.turn != "due":
            return []
        self._context.turn = ""
        self._context.unread.clear()
        return [c.EndTurn(next_turn_id=self._context.mint("turn"), outcome="success")]

    def read(self, frame: f.AnyFrame, at_s: float) -> Reading:
        """What this frame means. Frames that mean nothing to a session give an empty reading."""
        out = Reading()
        match frame:
            case f.SystemInit():
                self._init(frame, out)
            case f.Assistant():
                self._speech.assistant(frame, out)
            case f.User():
                self._speech.user(frame, out)
            case f.StreamEvent():
                self._speech.writes(frame, out)
            case f.ControlRequest():
                self._request(frame, out)
            case f.ControlCancelRequest():
                self._permissions.cancelled(frame.request_id, out)
            case f.TaskStarted():
                self._background.started(frame, out)
            case f.TaskProgress():
                self._background.progress(frame, at_s, out)
            case f.TaskUpdated():
                if frame.patch.status is not None:
                    out.commands.append(c.UpdateBackgroundTask(frame.task_id, frame.patch.status))
            case f.TaskNotification():
                self._background.ended(frame, at_s, out)
            case f.Result():
                self._result(frame, out)
            case f.ApiRetry():
                out.commands.append(self._delayed(frame))
            case f.CommandLifecycle() if frame.state != "queued":
                self._taken_up(frame)
            case f.Malformed() if frame.request_id is not None and frame.type == "control_request":
                out.replies.append(NotServed(frame.request_id, f"this request could not be read: {frame.reason}"))
            case _:
                pass
        return out

    def _init(self, frame: f.SystemInit, out: Reading) -> None:
        """The first init names the main session; cbc's later ones with another id belong to sub-agents."""
        context = self._context
        if not context.agent_session_id:
            context.agent_session_id = frame.session_id
        if frame.session_id != context.agent_session_id:
            return
        self._tells_reading = TELLS_READING in frame.capabilities
        self._capabilities = c.UpdateCapabilities(
            worker_id=context.worker_id,
            capabilities=frame.tools,
            agent_session_id=frame.session_id,
            dialect=self.dialect,
            model=frame.model or "",
            workflows="Workflow" in frame.tools,
            joins_mid_turn=self.dialect in JOIN_MID_TURN,
            host=self._host,
            workspace=self._workspace,
        )
        out.commands.append(self._capabilities)

    def _result(self, frame: f.Result, out: Reading) -> None:
        """The end of a turn; the end of a turn that the CLI started itself does not end the one that we asked for.

        A message that was written into the turn too late to be read in it is answered right behind it, as one turn.
        """
        context = self._context
        if frame.origin is not None and frame.origin.kind and context.turn == "asked":
            return
        usage = frame.usage
        failed = frame.is_error or frame.subtype != "success"
        stopped = frame.terminal_reason in TURN_WAS_STOPPED
        if context.unread and not failed and not stopped:
            context.turn = "due"
            return
        context.turn = ""
        context.unread.clear()
        context.turn_over(stopped=stopped)
        out.commands.append(
            c.EndTurn(
                next_turn_id=context.mint("turn"),
                outcome="interrupted" if stopped else "error" if failed else "success",
                result=context.clean(frame.result or ""),
                errors=tuple(map(context.clean, self._errors(frame))) if failed else (),
                duration_ms=whole(frame.duration_ms),
                total_cost_usd=frame.total_cost_usd,
                input_tokens=whole(usage.input_tokens) if usage is not None else None,
                output_tokens=whole(usage.output_tokens) if usage is not None else None,
                retryable=retryable(frame),
            )
        )

    def _delayed(self, frame: f.ApiRetry) -> c.DelayTurn:
        return c.DelayTurn(
            attempt=whole(frame.attempt) or 0,
            max_retries=whole(frame.max_retries),
            retry_delay_ms=whole(frame.retry_delay_ms) or 0,
            error_status=whole(frame.error_status),
            error=self._context.clean(frame.error or "")[:ERROR_CHARS],
        )

    def _errors(self, frame: f.Result) -> tuple[str, ...]:
        """What went wrong, with what to do about it: the CLI's own text says it to somebody at its own prompt."""
        told = frame.errors or ((frame.result,) if frame.result else ())
        dialect = DIALECTS.get(self.dialect)
        return tuple(map(dialect.explained, told)) if dialect is not None else tuple(told)

    def _taken_up(self, frame: f.CommandLifecycle) -> None:
        context = self._context
        if frame.command_uuid in context.unread:
            context.unread.discard(frame.command_uuid)
            context.turn = "own" if context.turn == "due" and frame.state == "started" else context.turn

    def _request(self, frame: f.ControlRequest, out: Reading) -> None:
        match frame.request:
            case f.CanUseTool():
                self._permissions.asked(frame, frame.request, out)
            case f.McpMessage():
                self._own_calls.read(frame, frame.request, out)
            case f.UnknownRequest():
                out.replies.append(NotServed(frame.request_id, f"{frame.request.kind} is not served"))
