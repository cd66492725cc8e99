"""A running agent: its process, what is said on the pipe, and the moments at which it must act by itself.

Everything here dies with the process. Its timers end waits that the CLI may never end: for the stop that was asked
for, for the turn after a background task, for the session that was to be resumed.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import uuid4

from bossbot.agent.answering import reply_line
from bossbot.agent.keeping import Output
from bossbot.agent.long_frames import read_long
from bossbot.agent.patience import Patience
from bossbot.agent.process import AgentProcess
from bossbot.agent.readiness import Readiness
from bossbot.agent.reading import Reading
from bossbot.agent.translate import Translator
from bossbot.agent.unseen import Unseen
from bossbot.agent.writing import Writing
from bossbot.domain import commands as c
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import MidTurn
from bossbot.streamjson.states import Turn

log = logging.getLogger(__name__)

SAY_AGAIN = "[bossbot] Your last answer did not reach anybody. Give it again, in words only: do nothing a second time."
"""To the agent, whose answer its CLI has lost."""


@dataclass(slots=True)
class Live:
    """One agent process of a session.

    `later` hands commands to the session without waiting; `busy` tells whether the session still has something running.
    `unheard`: what was told before the CLI has shown any session.
    """

    name: str
    process: AgentProcess
    connection: Connection
    translator: Translator
    resumed: bool
    patience: Patience
    later: Callable[[Sequence[c.Command]], None]
    busy: Callable[[], bool]
    write_on: Callable[[Writing], None] = lambda writing: None
    """Takes a text that has grown, without waiting."""
    keep: Callable[[Output], None] = lambda output: None
    """Takes whole outputs, without waiting."""
    unheard: list[str] = field(default_factory=list)
    turn_id: str = ""
    """The last turn that it was told."""
    given_up: bool = False
    """The session has let go of it: it may end in silence."""
    pump: "asyncio.Task[None] | None" = None
    code: int | None = None
    """How it ended, once it has and all that it said was heard."""
    interrupt_wanted: str | None = None
    """The reason of an interrupt that waits until the CLI can hear it."""
    _stopping: "asyncio.TimerHandle | None" = None
    _echoed: "asyncio.TimerHandle | None" = None
    _due: "asyncio.TimerHandle | None" = None
    _sending: "asyncio.Future[None] | None" = None
    _started: bool = False
    _interrupted: bool = False
    _reason: str = ""
    _tasks: set[str] = field(default_factory=set)
    """The background tasks whose end the CLI has not told yet."""
    _draining: set[str] = field(default_factory=set)
    """Those of them that an interrupt was to end."""
    _stopped_tasks: bool = False
    _acknowledged: asyncio.Event = field(default_factory=asyncio.Event)
    _readiness: Readiness = field(init=False)
    _unseen: Unseen = field(init=False)

    def __post_init__(self) -> None:
        self._readiness = Readiness(self.connection.dialect, self.patience.own_turn_s)
        self._unseen = Unseen(self._answer_lost)

    # --- to the CLI ---

    async def tell(self, content: str) -> None:
        """A user message, once the CLI can hear it. Raises ConnectionError when the CLI is ending."""
        if not self.connection.session_id:
            self.unheard.append(content)
            if self.resumed and len(self.unheard) == 1:
                patience_s = self.patience.resume_s if self._started else self.patience.start_s
                asyncio.get_running_loop().call_later(patience_s, self._give_up_resuming)
        await self._settle()
        self.translator.told()
        self._interrupted = False
        breaks = self.connection.dialect.mid_turn is MidTurn.BREAKS  # only such a CLI loses what is told beside a turn
        self._unseen.told(after_stop=breaks and bool(self._draining))
        await self.write(self.connection.user_message(content))

    async def join(self, content: str) -> None:
        """A user message in mid-turn, for a CLI that takes one: the running turn reads it, or a turn right behind it.

        Raises ConnectionError when the CLI is ending; the turn is then taken up again with it.
        """
        if not self.connection.session_id:
            self.unheard.append(content)
        uuid = str(uuid4())
        self.translator.joined(uuid)
        await self.write(self.connection.user_message(content, uuid))

    async def interrupt(self, reason: str) -> None:
        """Stops everything, once the CLI has told its session; once a run. One that does not stop, or does not tell the
        end of every task that it had begun, is ended by force: its exit is then the end."""
        if self.connection.turn is Turn.IDLE:
            await self._readiness.settled()
        if self._interrupted and self._stopping is not None:
            return
        self._reason = reason
        if self._stopping is None:
            self._stopping = asyncio.get_running_loop().call_later(self.patience.interrupt_s, self._stop_by_force)
        if not self._hears_interrupts:
            self.interrupt_wanted = reason
            asyncio.get_running_loop().call_later(self.patience.begin_s, self._begins_no_more)
            return
        self.interrupt_wanted = None
        self._interrupted = True
        self._draining |= self._tasks
        self._acknowledged.clear()
        self._stopped_tasks = False
        await self.write(self.connection.interrupt(self.connection.session_id, reason))

    @property
    def _hears_interrupts(self) -> bool:
        """It has told its session, and begun with what it was told: an interrupt in between would be forgotten."""
        connection = self.connection
        return bool(connection.session_id) and (connection.turn_begun or connection.turn is not Turn.RUNNING)

    async def write(self, data: bytes) -> None:
        """Raises ConnectionError when the CLI is ending; its exit says more."""
        try:
            async with asyncio.timeout(self.patience.write_s):
                await self.process.write(data)
        except TimeoutError:
            log.warning("agent of %s: does not read; ended", self.name)
            self.process.kill()

    async def _settle(self) -> None:
        """Waits until the CLI can hear: an interrupt is answered, and the last turn's end is some moments ago."""
        if self._stopping is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.patience.ack_s):  # `wait_for` of Python 3.11 may swallow a cancellation
                    await self._acknowledged.wait()
        await self._readiness.free()

    # --- from the CLI ---

    async def hear(self, frame: f.AnyFrame) -> list[c.Command]:
        """What a frame means for the session; what it means for the pipe and the process is done on the way."""
        if self.connection.resume_failed:
            self.process.kill()  # Claude ends by itself, cbc says it and stays
            return []
        commands = self.translator.follow(self.connection.session_id)
        at_s = asyncio.get_running_loop().time()
        if isinstance(frame, f.Long):
            reading = read_long(self.translator, frame, at_s)
        else:
            reading = self.translator.read(frame, at_s)
        await self._reply(reading)
        for output in reading.outputs:
            self.keep(output)
        if reading.writing is not None:
            self.write_on(reading.writing)
        await self._note(frame)
        return [*commands, *reading.commands]

    async def _reply(self, reading: Reading) -> None:
        for reply in reading.replies:
            try:
                await self.write(reply_line(self.connection, reply))
            except ConnectionError:
                return  # it is ending; reading on tells how

    async def _note(self, frame: f.AnyFrame) -> None:
        """What a frame means for the process itself."""
        loop = asyncio.get_running_loop()
        if self.interrupt_wanted is not None and self._hears_interrupts:
            await self.interrupt(self.interrupt_wanted)
        if isinstance(frame, f.Result):
            self._readiness.turn_ended()
            self._unseen.ended()
            self._note_stopped_tasks()
        match frame:
            case f.Long():
                await self._note(frame.frame)
            case f.SystemInit():
                self.unheard.clear()
                if frame.session_id == self.connection.session_id:
                    self._unseen.init(self._readiness.settle_s)
                if self._echoed is not None and self._stopped_tasks:
                    self._await_end(self.patience.own_turn_s)  # cbc goes on: it tells the model what was stopped
            case f.SystemStatus() if self.connection.dialect.turn_sign == "status":
                self._readiness.turn_begun()
                self._unseen.shown()
            case f.ControlResponse():
                self._acknowledged.set()
                self._note_stopped_tasks()
                if not self._started:
                    self._started = True
                    self._readiness.started()
                    if self.resumed and self.unheard:
                        loop.call_later(self.patience.resume_s, self._give_up_resuming)
            case f.TaskStarted():
                self._tasks.add(frame.task_id)
            case f.TaskNotification():
                self._task_ended(frame.task_id)
            case f.Result() if self.translator.turn == "asked":
                await self._another_turn_ended()
            case f.Result():
                self._await_end(None)
                self._interrupted = False
                self._stopped()
                self._await_own_turn()
            case f.User() if self._stopping is not None and self.connection.turn is Turn.IDLE:
                self._await_end(self.patience.echo_s)  # cbc, stopped in a tool: its result may be its last word
            case f.Assistant() if self._stopping is not None:
                echo = frame.message.text in self.connection.dialect.echoes
                self._await_end(self.patience.echo_s if echo else None)

    def _note_stopped_tasks(self) -> None:
        """Of what an interrupt ends in the background the CLI is still to tell its model."""
        if self._stopping is not None and self._draining:
            self._readiness.stopped()

    async def _another_turn_ended(self) -> None:
        """It was the CLI's own: what it was told comes now, and is stopped anew if a stop is wanted."""
        self.connection.not_begun()
        if self._interrupted:
            self._interrupted = False
            await self._interrupt_at_last(self._reason)

    def _task_ended(self, task_id: str) -> None:
        self._tasks.discard(task_id)
        if task_id in self._draining:
            self._draining.discard(task_id)
            if self.connection.turn is Turn.IDLE:
                self._stopped()
        if self._stopping is not None:
            self._stopped_tasks = True
        else:
            self._await_own_turn()

    # --- its end ---

    async def exit_code(self) -> int:
        """The code, once it has ended; one that has closed its output and lives on is ended."""
        if not self.given_up:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.patience.exit_s):
                    return await self.process.wait()
            log.warning("agent of %s: closed its output and did not end; ended", self.name)
            self.process.kill()
        return await self.process.wait()

    def forget_timers(self) -> None:
        """It is over: nothing is awaited any more."""
        self._draining.clear()
        self._stopped()
        self._unseen.forget()
        self._await_end(None)

    @property
    def deaf(self) -> bool:
        """It was to go on with a session that it does not have, and was told things that it never took up."""
        lost = self.connection.resume_failed or not self.connection.session_id
        return self.resumed and bool(self.unheard) and lost and self.interrupt_wanted is None

    # --- timers ---

    def _stopped(self) -> None:
        """The turn is over: so is the stop, unless a task is still to tell its end."""
        if self._stopping is not None and not self._draining:
            self._stopping.cancel()
            self._stopping = None

    def _stop_by_force(self) -> None:
        self._stopping = None
        if self.given_up or not self.busy():
            return
        log.warning("agent of %s: not stopped %g s after the interrupt; ended", self.name, self.patience.interrupt_s)
        stopped = self.translator.ended_by_force(sorted(self._draining))
        if stopped:
            self.later(stopped)  # before its exit is told: what was to stop is not to be taken up again
        self.process.kill()

    def _begins_no_more(self) -> None:
        """No sign of the turn: it may have begun in silence, so the interrupt is sent now."""
        if self.interrupt_wanted is not None and self.connection.session_id and not self.given_up:
            self.connection.turn_begun = True
            self._sending = asyncio.ensure_future(self._interrupt_at_last(self.interrupt_wanted))

    def _answer_lost(self) -> None:
        if not self.given_up and self.connection.turn is Turn.IDLE:
            log.warning("agent of %s: an answer was lost in the CLI; asked for it again", self.name)
            self._sending = asyncio.ensure_future(self._ask_again())

    async def _ask_again(self) -> None:
        """In a turn that counts as the CLI's own: what it was told has ended for the session."""
        with suppress(ConnectionError):
            await self.write(self.connection.user_message(SAY_AGAIN))

    async def _interrupt_at_last(self, reason: str) -> None:
        with suppress(ConnectionError):
            await self.interrupt(reason)

    def _await_end(self, patience_s: float | None) -> None:
        """After the echo of an interrupt a result may follow, or a turn more, or nothing: then the turn is over."""
        if self._echoed is not None:
            self._echoed.cancel()
        loop = asyncio.get_running_loop()
        self._echoed = loop.call_later(patience_s, self._end_by_echo) if patience_s is not None else None

    def _end_by_echo(self) -> None:
        self._echoed = None
        self._readiness.turn_ended()
        self._stopped()
        if not self.given_up:
            self.later(self.translator.stopped())

    def _await_own_turn(self) -> None:
        """The CLI is to begin a turn by itself: a task has ended, or a message came too late for the last one."""
        if self.translator.turn == "due":
            if self._due is not None:
                self._due.cancel()
            self._due = asyncio.get_running_loop().call_later(self.patience.own_turn_s, self._give_up_own_turn)

    def _give_up_own_turn(self) -> None:
        commands = [] if self.given_up else self.translator.give_up_own_turn()
        if commands:
            self.later(commands)

    def _give_up_resuming(self) -> None:
        """Ends a process that does not take up its old session; its end then begins a new one."""
        if not self.given_up and self.unheard and not self.connection.session_id:
            log.warning("agent of %s: no sign of its session after %g s", self.name, self.patience.resume_s)
            self.process.kill()
