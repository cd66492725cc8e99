"""What the turns of one session share: the pipe, the memory, and one place where all waiting happens."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from .frames import Frame, Frames
from .history import History
from .marks import now_ms
from .task_list import TaskList
from .wire import Wire

if TYPE_CHECKING:
    from .boss import Boss


class Session:
    """`changed` guards and announces everything that a turn may wait for: answers, stops, the end of a turn."""

    def __init__(self, wire: Wire, frames: Frames, history: History) -> None:
        self.wire, self.frames, self.history = wire, frames, history
        self.tasks = TaskList(history)
        self.changed = threading.Condition()
        self._answers: dict[str, Frame] = {}
        self._permissions = 0
        self.boss: Boss | None = None

    @property
    def folder(self) -> str:
        return self.frames.cwd

    @property
    def asks(self) -> bool:
        """Whether tools need a person's permission."""
        return self.frames.permission_mode != "bypassPermissions"

    def send(self, frame: Frame) -> None:
        self.wire.send(frame)

    def new_permission_id(self) -> str:
        self._permissions += 1
        return f"perm_{now_ms()}_{self._permissions}"

    def answered(self, request_id: str, response: Frame) -> None:
        """A control response arrived. One that nobody waits for is kept and never looked at."""
        with self.changed:
            self._answers[request_id] = response
            self.changed.notify_all()

    def answer(self, request_id: str, stopped: Callable[[], bool]) -> Frame | None:
        """Waits for the answer to a request; None when the turn is stopped first."""
        with self.changed:
            self.changed.wait_for(lambda: request_id in self._answers or stopped())
            return None if stopped() else self._answers.pop(request_id)
