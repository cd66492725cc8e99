"""The driver: one session's agent. Events go in and become bytes for the CLI; its frames become commands.

One task does everything that starts, tells or ends the process, so that four messages at once start one process. A
second one, the pump, reads. The driver remembers nothing that the log does not know, but what dies with the process.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bossbot.agent.discovery import Program
from bossbot.agent.process import AgentProcess
from bossbot.agent.reading import Allow, Deny, McpReply, NotServed, Reading, Reply
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.policy import Policy
from bossbot.domain.recap import recap
from bossbot.domain.state import SessionState
from bossbot.ids import ApprovalId, Mint, SessionId, WorkerId
from bossbot.settings import AgentSettings
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.errors import NotPendingError
from bossbot.streamjson.states import Turn

log = logging.getLogger(__name__)

INTERRUPT_PATIENCE_S = 20.0
"""An interrupted agent that still works after so long is ended by force."""

ACK_PATIENCE_S = 3.0
"""How long a message waits for the answer to an interrupt that was sent before it."""

ECHO_PATIENCE_S = 2.0
"""After the echo of an interrupt, how long to wait for the turn's result before taking the echo for its end."""

OWN_TURN_PATIENCE_S = 30.0
"""After a background task's end the CLI begins a turn of its own; without a word of it for so long there is none."""

RESUME_PATIENCE_S = 15.0
"""cbc, asked to resume a session that it does not have on disk, says nothing at all; a good one answers in 2 s."""

WRITE_PATIENCE_S = 60.0
"""A CLI that reads nothing for so long, while its pipe is full, will not read at all and is ended."""

EXIT_PATIENCE_S = 10.0
"""A CLI that has closed its stdout can say nothing more; one that lives on for so long is ended."""

Submit = Callable[[SessionId, Sequence[c.Command]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Hired:
    """What all drivers share: the program, its settings, the rules, the secrets, and where commands go."""

    program: Program
    settings: AgentSettings
    policy: Policy
    secrets: tuple[str, ...]
    mint: Mint
    submit: Submit


@dataclass(slots=True)
class _Live:
    """A running process and what belongs to it. `unheard`: what was told before the CLI has shown any session."""

    process: AgentProcess
    connection: Connection
    translator: Translator
    resumed: bool
    unheard: list[str]
    pump: "asyncio.Task[None] | None" = None
    stopping: "asyncio.TimerHandle | None" = None
    echoed: "asyncio.TimerHandle | None" = None
    interrupt: str | None = None
    stopped_tasks: bool = False
    interrupted: asyncio.Event = field(default_factory=asyncio.Event)
    quiet_until_s: float = 0.0
    expected: bool = False


class Driver:
    """One session's agent. `run` is its task; `react` may be called at any time and does not block."""

    def __init__(self, session_id: SessionId, hired: Hired) -> None:
        self._id, self._hired = session_id, hired
        self._work: asyncio.Queue[tuple[Sequence[ev.Event], SessionState]] = asyncio.Queue()
        self._live: _Live | None = None
        self._submitting: set[asyncio.Future[None]] = set()
        self._state = SessionState(id=session_id)

    def react(self, events: Sequence[ev.Event], state: SessionState) -> None:
        """Told after each commit."""
        if any(type(event.payload) in _RELEVANT for event in events):
            self._work.put_nowait((events, state))
        self._state = state

    async def run(self) -> None:
        """Works until cancelled; then the process is ended."""
        try:
            while True:
                try:
                    async with asyncio.timeout(self._hired.settings.idle_close_s):
                        events, state = await self._work.get()
                except TimeoutError:
                    await self._close_if_idle()
                    continue
                for event in events:
                    try:
                        await self._one(event, state)
                    except Exception:  # the session outlives what could not be handled
                        log.exception("agent of %s: %s could not be handled", self._id, event.type)
        finally:
            await self.close()

    async def close(self) -> None:
        """Ends the process, politely first."""
        live, self._live = self._live, None
        if live is None:
            return
        live.expected = True
        await live.process.close()
        if live.pump is not None:
            live.pump.cancel()
            await asyncio.gather(live.pump, return_exceptions=True)

    # --- events → bytes ---

    async def _one(self, event: ev.Event, state: SessionState) -> None:
        try:
            match event.payload:
                case ev.SessionTurnStarted(content=content) if content:
                    await self._tell(content, state)
                case ev.ApprovalApproved() | ev.ApprovalRejected():
                    await self._answer(event.payload, state)
                case ev.ApprovalWithdrawn(id=approval_id):
                    self._forget(approval_id, state)
                case ev.SessionInterruptRequested(reason=reason):
                    await self._interrupt(reason)
                case ev.SessionClosed():
                    await self.close()
        except NotPendingError as error:
            log.info("agent of %s: a decision came too late: %s", self._id, error)
        except (ConnectionError, OSError) as error:
            # The process is ending or could not be started; its exit says more, unless it never began.
            log.warning("agent of %s: %s", self._id, error)
            if self._live is None:
                await self._gone(f"the agent could not be started: {error}")

    async def _tell(self, content: str, state: SessionState) -> None:
        live = self._live or await self._start(state)
        if not live.connection.session_id:
            live.unheard.append(content)
            if live.resumed and len(live.unheard) == 1:
                asyncio.get_running_loop().call_later(RESUME_PATIENCE_S, self._give_up_resuming, live)
        await self._settle(live)
        live.translator.told()
        await self._write(live, live.connection.user_message(content))

    async def _settle(self, live: _Live) -> None:
        """Waits until the CLI can hear: an interrupt is answered, and the last turn's end is some moments ago."""
        if live.stopping is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(live.interrupted.wait(), ACK_PATIENCE_S)
        pause_s = live.quiet_until_s - asyncio.get_running_loop().time()
        if pause_s > 0:
            await asyncio.sleep(pause_s)

    def _give_up_resuming(self, live: _Live) -> None:
        """Ends a process that does not take up its old session; its end then begins a new one."""
        if live is self._live and live.unheard and not live.connection.session_id:
            log.warning("agent of %s: no sign of its session after %g s", self._id, RESUME_PATIENCE_S)
            live.process.kill()

    async def _answer(self, payload: ev.ApprovalApproved | ev.ApprovalRejected, state: SessionState) -> None:
        approval = state.approvals.get(ApprovalId(payload.id))
        live = self._live
        request = live.translator.pending.pop(approval.request_id, None) if live and approval else None
        if live is None or request is None:
            return
        match payload:
            case ev.ApprovalRejected():
                line = live.connection.deny(request, payload.reason)
            case ev.ApprovalApproved() if payload.answers:
                line = live.connection.answer(request, payload.answers)
            case ev.ApprovalApproved():
                line = live.connection.allow(request, for_session=payload.action == "approve_for_session")
        await self._write(live, line)

    def _forget(self, approval_id: str, state: SessionState) -> None:
        approval = state.approvals.get(ApprovalId(approval_id))
        if self._live is not None and approval is not None:
            self._live.translator.pending.pop(approval.request_id, None)

    async def _interrupt(self, reason: str) -> None:
        """Once the CLI has told its session. One that does not stop is ended by force: its exit is then the end."""
        live = self._live
        if live is None:
            await self._gone("the agent was not running")
            return
        if live.stopping is None:
            loop = asyncio.get_running_loop()
            live.stopping = loop.call_later(INTERRUPT_PATIENCE_S, self._stop_by_force, live)
        if not live.connection.session_id:
            live.interrupt = reason
            return
        live.interrupted.clear()
        live.stopped_tasks = False
        await self._write(live, live.connection.interrupt(live.connection.session_id, reason))

    def _stop_by_force(self, live: _Live) -> None:
        live.stopping = None
        if live is self._live and self._state.busy:
            log.warning("agent of %s: not stopped %g s after the interrupt; ended", self._id, INTERRUPT_PATIENCE_S)
            live.process.kill()

    # --- the process ---

    async def _start(self, state: SessionState, *, fresh: bool = False) -> _Live:
        """Starts the CLI, resuming the session that it had, and begins to read."""
        hired = self._hired
        worker = state.worker
        same = worker is not None and worker.dialect == hired.program.dialect.name
        resume = worker.agent_session_id if worker is not None and same and not fresh else ""
        process = await AgentProcess.start(hired.program, hired.settings, resume=resume, secrets=hired.secrets)
        worker_id = WorkerId(f"worker_{self._id.removeprefix('ps_')}")
        translator = Translator(
            hired.mint,
            hired.policy,
            worker_id,
            hired.program.dialect.name,
            secrets=hired.secrets,
            echoes=hired.program.dialect.echoes,
        )
        live = _Live(process, Connection(hired.program.dialect), translator, bool(resume), [])
        self._live = live
        live.pump = asyncio.create_task(self._pump(live), name=f"agent {self._id}")
        await self._write(live, live.connection.initialize())
        return live

    async def _pump(self, live: _Live) -> None:
        """Reads until the CLI ends, then says so; a session that could not be resumed is begun anew instead."""
        try:
            while chunk := await live.process.read():
                await self._frames(live, live.connection.feed(chunk))
            await self._frames(live, live.connection.close())
        except Exception:  # the session outlives what could not be handled: its agent is ended, and that is told
            log.exception("agent of %s: its output could not be handled", self._id)
            live.process.kill()
        await self._ended(live)

    async def _frames(self, live: _Live, frames: Sequence[f.AnyFrame]) -> None:
        commands: list[c.Command] = []
        for frame in frames:
            if live.connection.resume_failed:
                live.process.kill()  # Claude ends by itself, cbc says it and stays
                continue
            commands += await self._one_frame(live, frame)
        if commands:
            await self._hired.submit(self._id, commands)

    async def _one_frame(self, live: _Live, frame: f.AnyFrame) -> list[c.Command]:
        """What a frame means for the session; what it means for the pipe is done on the way."""
        commands = live.translator.follow(live.connection.session_id)
        reading = live.translator.read(frame, asyncio.get_running_loop().time())
        await self._reply(live, reading)
        await self._noted(live, frame)
        return [*commands, *reading.commands]

    async def _reply(self, live: _Live, reading: Reading) -> None:
        for reply in reading.replies:
            try:
                await self._write(live, _line(live.connection, reply))
            except ConnectionError:
                return  # it is ending; reading on tells how

    async def _noted(self, live: _Live, frame: f.AnyFrame) -> None:
        """What a frame means for the process itself."""
        loop = asyncio.get_running_loop()
        match frame:
            case f.SystemInit():
                await self._heard(live)
                if live.echoed is not None and live.stopped_tasks:
                    self._await_end(live, OWN_TURN_PATIENCE_S)  # cbc goes on: it tells the model what was stopped
            case f.ControlResponse():
                live.interrupted.set()
            case f.TaskNotification() if live.stopping is not None:
                live.stopped_tasks = True
            case f.TaskNotification() if live.translator.turn == "due":
                loop.call_later(OWN_TURN_PATIENCE_S, self._give_up_own_turn, live)
            case f.Result():
                self._await_end(live, None)
                live.quiet_until_s = loop.time() + self._hired.program.dialect.settle_s
                if live.stopping is not None:
                    live.stopping.cancel()
                    live.stopping = None
            case f.User() if live.stopping is not None and live.connection.turn is Turn.IDLE:
                self._await_end(live, ECHO_PATIENCE_S)  # cbc, stopped in a tool: the tool's result may be its last word
            case f.Assistant() if live.stopping is not None:
                echo = frame.message.text in self._hired.program.dialect.echoes
                self._await_end(live, ECHO_PATIENCE_S if echo else None)

    def _await_end(self, live: _Live, patience_s: float | None) -> None:
        """After the echo of an interrupt a result may follow, or a turn more, or nothing: then the turn is over."""
        if live.echoed is not None:
            live.echoed.cancel()
        loop = asyncio.get_running_loop()
        live.echoed = loop.call_later(patience_s, self._end_by_echo, live) if patience_s is not None else None

    def _end_by_echo(self, live: _Live) -> None:
        live.echoed = None
        if live.stopping is not None:
            live.stopping.cancel()
            live.stopping = None
        if live is self._live:
            self._submit_later(live.translator.stopped())

    def _submit_later(self, commands: Sequence[c.Command]) -> None:
        task = asyncio.ensure_future(self._hired.submit(self._id, commands))
        self._submitting.add(task)
        task.add_done_callback(self._submitting.discard)

    def _give_up_own_turn(self, live: _Live) -> None:
        commands = live.translator.give_up_own_turn() if live is self._live else []
        if commands:
            self._submit_later(commands)

    async def _heard(self, live: _Live) -> None:
        """The CLI has a session now: what was told is in its hands, and an early interrupt can be sent."""
        live.unheard.clear()
        if live.interrupt is not None:
            reason, live.interrupt = live.interrupt, None
            await self._interrupt(reason)

    async def _ended(self, live: _Live) -> None:
        code = await self._exit_code(live)
        if live.stopping is not None:
            live.stopping.cancel()
        if live.expected or live is not self._live:
            return
        self._live = None
        deaf = live.connection.resume_failed or not live.connection.session_id
        if live.resumed and live.unheard and deaf and live.interrupt is None:
            await self._begin_anew(live)
            return
        await self._gone(live.process.last_words(code))

    async def _exit_code(self, live: _Live) -> int:
        if not live.expected:
            with suppress(TimeoutError):
                return await asyncio.wait_for(live.process.wait(), EXIT_PATIENCE_S)
            log.warning("agent of %s: closed its output and did not end; ended", self._id)
            live.process.kill()
        return await live.process.wait()

    async def _write(self, live: _Live, data: bytes) -> None:
        """Raises ConnectionError when the CLI is ending; its exit says more."""
        try:
            async with asyncio.timeout(WRITE_PATIENCE_S):
                await live.process.write(data)
        except TimeoutError:
            log.warning("agent of %s: does not read; ended", self._id)
            live.process.kill()

    async def _begin_anew(self, live: _Live) -> None:
        """The CLI does not know its old session: a new one starts from a recap of the log."""
        log.info("agent of %s: cannot resume; starting anew from a recap", self._id)
        content = "\n\n".join((recap(self._state), *live.unheard))
        try:
            fresh = await self._start(self._state, fresh=True)
            fresh.translator.told()
            await self._write(fresh, fresh.connection.user_message(content))
        except OSError as error:
            await self._gone(f"the agent could not be started: {error}")

    async def _gone(self, reason: str) -> None:
        worker_id = WorkerId(f"worker_{self._id.removeprefix('ps_')}")
        await self._hired.submit(self._id, [c.AgentExited(worker_id, reason, self._hired.mint("turn"))])

    async def _close_if_idle(self) -> None:
        if self._live is not None and not self._state.busy:
            log.info("agent of %s: idle, closed", self._id)
            await self.close()


_RELEVANT = (
    ev.SessionTurnStarted,
    ev.ApprovalApproved,
    ev.ApprovalRejected,
    ev.ApprovalWithdrawn,
    ev.SessionInterruptRequested,
    ev.SessionClosed,
)


def _line(connection: Connection, reply: Reply) -> bytes:
    match reply:
        case Allow():
            return connection.allow(reply.request)
        case Deny():
            return connection.deny(reply.request, reply.reason)
        case NotServed():
            return connection.refuse(reply.request_id, reply.reason)
        case McpReply():
            return connection.mcp_response(reply.request_id, reply.response)
