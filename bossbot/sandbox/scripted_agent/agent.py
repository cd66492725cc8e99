"""The agent itself: reads what the bot writes, runs one turn at a time, keeps the workflows of the background."""

import threading
from collections.abc import Callable

from . import control
from .boss import SERVER, Boss
from .frames import Frame, Frames
from .history import History, UnknownSession
from .interrupted import end_interrupted
from .marks import new_uuid
from .options import Options
from .plan_change import is_plan_change
from .session import Session
from .stories import choose, tell
from .turn import CLOSED, INTERRUPT, REPLACED, AgentFailure, Stop, Stopped, Turn
from .wire import Wire
from .words import RESTART_MARK, language_of
from .workflow import RUNNING, Run
from .workflow_stories import after_workflow

BACKGROUND_S = 4.0
"""How long a workflow in the background works in silence."""


class Agent:
    """One process, one session. Turns and background workflows are threads; the main thread only reads."""

    def __init__(self, options: Options, folder: str) -> None:
        self._wire = Wire()
        self._refused = ""
        resumed = options.values.get("--resume", "")
        session_id = resumed or options.values.get("--session-id") or new_uuid()
        try:
            history = History.resumed(folder, session_id) if resumed else History(folder, session_id)
        except UnknownSession as error:
            history, self._refused = History(folder, session_id), str(error)
        frames = Frames(session_id, folder, options.model, options.permission_mode)
        self._session = Session(self._wire, frames, history)
        self._boss = self._session.boss = Boss(self._session)
        self._turn: Turn | None = None
        self._thread: threading.Thread | None = None
        self._runs: list[Run] = []
        self._killed: list[Run] = []
        self._partial = "--include-partial-messages" in options.flags

    def run(self) -> None:
        """Until stdin ends. A running command dies with its turn; nothing waits for anything after that."""
        if self._refused:
            self._wire.send({"type": "error", "error": self._refused})
        for frame in self._wire.lines():
            self._take(frame)
        self._stop(Stop(CLOSED))
        if self._thread is not None:
            self._thread.join(timeout=1.0)

    def _take(self, frame: Frame) -> None:
        match frame:
            case {"type": "control_request", "request_id": str(request_id), "request": dict(request)}:
                self._control(request_id, request)
            case {"type": "control_response", "response": {"request_id": str(request_id), **response}}:
                answer = response.get("response")
                self._session.answered(request_id, answer if isinstance(answer, dict) else {})
            case {"type": "user", "message": {"content": content}}:
                if not self._refused:
                    self._hear(_plain(content))
            case _:
                self._wire.send({"type": "error", "error": f"Unknown message type: {frame.get('type')}"})

    def _control(self, request_id: str, request: Frame) -> None:
        match request.get("subtype"):
            case "initialize":
                servers = request.get("sdkMcpServers")
                self._boss.wanted = isinstance(servers, list) and SERVER in servers
                self._wire.send(control.initialized(self._session.frames, request_id))
            case "interrupt":
                self._interrupt(request_id, str(request.get("reason", "")))
            case subtype:
                self._wire.send(control.refused(request_id, f"Unknown control request subtype: {subtype}"))

    def _interrupt(self, request_id: str, reason: str) -> None:
        """A running turn ends itself. Without one cbc only acknowledges: a workflow's end is told in the next turn."""
        with self._session.changed:
            turn = self._turn
            idle = turn is None or turn.over
            if turn is not None and not idle and turn.stop is None and not turn.ending:
                turn.halt(Stop(INTERRUPT, request_id, reason))
                return
            if idle:
                self._killed += [run for run in self._runs if run.state == RUNNING]
                self._runs = []
                self._session.changed.notify_all()
        self._wire.send(control.interrupted(self._session.frames, request_id, reason))

    def _hear(self, text: str) -> None:
        """A new message. One in mid-turn drops that turn, as in cbc: one result for both."""
        name, language = self._choose(text)
        self._stop(Stop(REPLACED))
        self._session.history.record("said", text=text)
        turn = self._new_turn(text, language)
        self._start(turn, lambda: tell(name, turn, self._background))

    def _new_turn(self, text: str, language: str) -> Turn:
        return Turn(self._session, text, language, partial=self._partial)

    def _choose(self, text: str) -> tuple[str, str]:
        """The story for a message, and its language when the message does not say it.

        What a kill cut off is taken up first: an undecided permission, else a message that got no result.
        """
        history = self._session.history
        fresh = self._thread is None
        if is_plan_change(text):
            return "plan_change", ""
        if fresh and history.asked is not None:
            return str(history.asked["story"]), str(history.asked["language"])
        if fresh and history.unanswered and text.startswith(RESTART_MARK):
            text = history.unanswered
        return choose(text, has_tasks=bool(self._session.tasks.open)), language_of(text)

    def _stop(self, stop: Stop) -> None:
        with self._session.changed:
            if self._turn is not None:
                self._turn.halt(stop)

    def _start(self, turn: Turn, story: Callable[[], None]) -> None:
        with self._session.changed:
            before, self._turn = self._thread, turn
            self._thread = threading.Thread(target=self._play, args=(turn, story, before), daemon=True)
            self._thread.start()

    def _play(self, turn: Turn, story: Callable[[], None], before: threading.Thread | None) -> None:
        if before is not None:
            before.join()
        try:
            if self._boss.wanted:
                self._boss.connect(lambda: turn.stop is not None)
            turn.begin()
            self._tell_kills()
            self._tell(turn, story)
        except Stopped:
            self._end_early(turn)
        finally:
            with self._session.changed:
                if self._turn is turn:
                    self._turn = None
                self._session.changed.notify_all()

    def _tell(self, turn: Turn, story: Callable[[], None]) -> None:
        try:
            story()
        except AgentFailure as failure:
            turn.fail(str(failure))

    def _end_early(self, turn: Turn) -> None:
        stop = turn.stop
        if stop is None or stop.kind != INTERRUPT:
            if turn.open_call is not None and not turn.open_call.shown:
                turn.show(turn.open_call)
            return
        turn.ending = True
        try:
            end_interrupted(turn, stop, self._runs)
        except Stopped:
            return

    def _tell_kills(self) -> None:
        with self._session.changed:
            killed, self._killed = self._killed, []
        for run in killed:
            run.kill()

    def _background(self, run: Run, held: bool) -> None:
        """A story started a workflow. If its turn does not wait for it, a thread does."""
        self._runs.append(run)
        if not held:
            threading.Thread(target=self._finish_in_background, args=(run,), daemon=True).start()

    def _finish_in_background(self, run: Run) -> None:
        """cbc says nothing until the end, and then starts a turn of its own to tell it."""
        with self._session.changed:
            if not self._session.changed.wait_for(lambda: run not in self._runs, BACKGROUND_S / 2):
                run.sub_agent_init()
            self._session.changed.wait_for(lambda: run not in self._runs, BACKGROUND_S / 2)
            self._session.changed.wait_for(lambda: self._turn is None)
            if run not in self._runs or run.state != RUNNING:
                return
            self._runs.remove(run)
            turn = self._new_turn("", run.language)
            self._start(turn, lambda: after_workflow(turn, run))


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
