"""The driver: one session's agent. Events go in and become bytes for the CLI; its frames become commands.

One task does everything that starts, tells or ends the process, so that four messages at once start one process. A
second one, the pump, reads, and wakes the first when there is no more, so that no event falls between two processes.
The driver remembers nothing that the log does not know, but what dies with the process.
"""

import asyncio
import logging
from collections.abc import Awaitable, Sequence

from bossbot.agent.answering import Decided, decision_lines, mcp_lines
from bossbot.agent.hired import Hired
from bossbot.agent.host import this_host
from bossbot.agent.keeping import Output
from bossbot.agent.live import Live
from bossbot.agent.longlines import FrameReader
from bossbot.agent.process import AgentProcess
from bossbot.agent.translate import Translator
from bossbot.agent.workplace import workplace
from bossbot.agent.writing import Writing
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.recap import recap
from bossbot.domain.state import SessionState
from bossbot.ids import ApprovalId, SessionId, WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.errors import NotPendingError

log = logging.getLogger(__name__)


class Driver:
    """One session's agent. `run` is its task; `react` may be called at any time and does not block."""

    def __init__(self, session_id: SessionId, hired: Hired) -> None:
        self._id, self._hired = session_id, hired
        self._worker_id = WorkerId(f"worker_{session_id.removeprefix('ps_')}")
        self._work: asyncio.Queue[tuple[Sequence[ev.Event], SessionState]] = asyncio.Queue()
        self._live: Live | None = None
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
                await self._survive("its end", self._ended())
                for event in events:
                    await self._survive(event.type, self._one(event, state))
                    await self._survive("its end", self._ended())
        finally:
            await self.close()

    async def _survive(self, what: str, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception:  # the session outlives what could not be handled
            log.exception("agent of %s: %s could not be handled", self._id, what)

    async def close(self) -> None:
        """Ends the process, politely first."""
        live, self._live = self._live, None
        if live is None:
            return
        live.given_up = True
        live.forget_timers()
        await live.process.close()
        if live.pump is not None:
            live.pump.cancel()
            await asyncio.gather(live.pump, return_exceptions=True)

    async def _close_if_idle(self) -> None:
        if self._live is not None and not self._state.busy:
            log.info("agent of %s: idle, closed", self._id)
            await self.close()

    # --- events → bytes ---

    async def _one(self, event: ev.Event, state: SessionState) -> None:
        try:
            match event.payload:
                case ev.SessionTurnStarted(turn_id=turn_id, content=content) if content:
                    live = self._live or await self._start(state)
                    live.turn_id = turn_id
                    await live.tell(content)
                case ev.ApprovalApproved() | ev.ApprovalRejected() | ev.ApprovalExpired() | ev.ApprovalWithdrawn():
                    await self._answer(event.payload, state)
                case ev.ToolCallAnswered():
                    await self._answer_call(event.payload)
                case ev.SessionTurnSteered(how="joined", content=content):
                    if self._live is not None:
                        await self._live.join(content)
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

    async def _answer(self, payload: Decided, state: SessionState) -> None:
        approval = state.approvals.get(ApprovalId(payload.id))
        live = self._live
        request = live.translator.pending.pop(approval.request_id, None) if live and approval else None
        if live is None or request is None:
            return
        for line in decision_lines(live.connection, live.translator, request, payload):
            await live.write(line)

    async def _answer_call(self, payload: ev.ToolCallAnswered) -> None:
        """The session has decided on a call of one of our own tools."""
        live = self._live
        if live is not None:
            answers = live.translator.answer_call(payload.request_id, payload.text, is_error=payload.is_error)
            for line in mcp_lines(live.connection, answers):
                await live.write(line)

    async def _interrupt(self, reason: str) -> None:
        if self._live is None:
            await self._gone("the agent was not running")
        else:
            await self._live.interrupt(reason)

    # --- the process ---

    async def _start(self, state: SessionState, *, fresh: bool = False) -> Live:
        """Starts the CLI, resuming the session that it had, and begins to read."""
        hired = self._hired
        dialect = hired.program.dialect
        worker = state.worker
        same = worker is not None and worker.dialect == dialect.name
        resume = worker.agent_session_id if worker is not None and same and not fresh else ""
        process = await AgentProcess.start(hired.program, hired.settings, resume=resume, secrets=hired.secrets)
        live = Live(
            name=self._id,
            process=process,
            connection=Connection(dialect),
            translator=Translator(
                hired.mint,
                hired.policy,
                self._worker_id,
                dialect.name,
                secrets=hired.secrets,
                echoes=dialect.echoes,
                host=this_host(),
                workspace=workplace(hired.settings.workspace, hired.secrets),
            ),
            resumed=bool(resume),
            patience=hired.patience,
            later=self._submit_later,
            busy=lambda: self._state.busy,
            keep=self._keep,
            write_on=self._write_on,
        )
        self._live = live
        live.pump = asyncio.create_task(self._pump(live), name=f"agent {self._id}")
        await live.write(live.connection.initialize(hired.tool_servers))
        return live

    async def _pump(self, live: Live) -> None:
        """Reads until the CLI ends, then wakes the other task."""
        try:
            reader = FrameReader(live.process, self._hired.long_lines, self._hired.settings.max_line_bytes)
            async for frames in reader.batches():
                await self._hear(live, frames)
        except Exception:  # the session outlives what could not be handled: its agent is ended, and that is told
            log.exception("agent of %s: its output could not be handled", self._id)
            live.process.kill()
        live.code = await live.exit_code()
        live.forget_timers()
        self._work.put_nowait(((), self._state))

    async def _hear(self, live: Live, frames: Sequence[f.AnyFrame]) -> None:
        commands: list[c.Command] = []
        for frame in live.connection.hear(frames):
            commands += await live.hear(frame)
        if commands:
            await self._hired.submit(self._id, commands)

    async def _ended(self) -> None:
        """Tells the end of the agent, if it has ended; a session that could not be resumed is begun anew instead."""
        live = self._live
        if live is None or live.code is None:
            return
        live.given_up = True
        self._live = None
        if live.deaf:
            await self._begin_anew(live)
        else:
            await self._gone(live.connection.dialect.explained(live.process.last_words(live.code)), live.turn_id)

    async def _begin_anew(self, live: Live) -> None:
        """The CLI does not know its old session: a new one starts from a recap of the log."""
        log.info("agent of %s: cannot resume; starting anew from a recap", self._id)
        content = "\n\n".join((recap(self._state), *live.unheard))
        try:
            fresh = await self._start(self._state, fresh=True)
            fresh.turn_id = live.turn_id
            fresh.translator.told()
            await fresh.write(fresh.connection.user_message(content))
        except OSError as error:
            if self._live is None:
                await self._gone(f"the agent could not be started: {error}")

    async def _gone(self, reason: str, told_turn_id: str = "") -> None:
        exited = c.AgentExited(self._worker_id, reason, self._hired.mint("turn"), told_turn_id)
        await self._hired.submit(self._id, [exited])

    def _write_on(self, writing: Writing) -> None:
        if self._hired.write is not None:
            self._hired.write(self._id, writing)

    def _keep(self, output: Output) -> None:
        if self._hired.keep is not None:
            self._hired.keep(self._id, output, self._hired.output_folders)

    def _submit_later(self, commands: Sequence[c.Command]) -> None:
        task = asyncio.ensure_future(self._hired.submit(self._id, commands))
        self._submitting.add(task)
        task.add_done_callback(self._submitting.discard)


_RELEVANT = (
    ev.SessionTurnStarted,
    ev.SessionTurnSteered,
    ev.ApprovalApproved,
    ev.ApprovalRejected,
    ev.ApprovalExpired,
    ev.ApprovalWithdrawn,
    ev.ToolCallAnswered,
    ev.SessionInterruptRequested,
    ev.SessionClosed,
)
