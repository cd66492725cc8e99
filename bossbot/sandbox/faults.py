"""Trouble on demand: the next calls fail, hang or are cut, the next updates come twice."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

Kind = Literal["429", "500", "reset", "timeout", "timeout_before", "disconnect", "duplicate"]
REQUEST_KINDS = frozenset({"429", "500", "reset", "timeout", "timeout_before"})


@dataclass(slots=True)
class Fault:
    """`count` more times, for calls of `method` (None: of any method) on one platform.

    - `429`: refused with `retry_after` seconds; `500`: the platform's internal error;
    - `reset`: the connection is cut with nothing sent, and nothing was done;
    - `timeout`: the call takes effect, and its answer never comes;
    - `timeout_before`: nothing is done and no answer comes;
    - `duplicate`: an update or event is delivered twice.
    """

    platform: str
    kind: Kind
    count: int
    method: str | None = None
    retry_after: int = 1


class Faults:
    """The faults that are still to be played, oldest first."""

    def __init__(self) -> None:
        self._waiting: deque[Fault] = deque()

    def add(self, fault: Fault) -> None:
        self._waiting.append(fault)

    def clear(self) -> None:
        self._waiting.clear()

    def take_for_call(self, platform: str, method: str) -> Fault | None:
        """The fault to play on this call, used up by one."""
        for fault in self._waiting:
            if fault.platform == platform and fault.kind in REQUEST_KINDS and fault.method in (None, method):
                return self._use(fault)
        return None

    def take_duplicate(self, platform: str) -> bool:
        """Is the next delivery to come twice? Uses the fault up by one."""
        for fault in self._waiting:
            if fault.platform == platform and fault.kind == "duplicate":
                self._use(fault)
                return True
        return False

    def waiting(self) -> list[Fault]:
        return list(self._waiting)

    def _use(self, fault: Fault) -> Fault:
        fault.count -= 1
        if fault.count <= 0:
            self._waiting.remove(fault)
        return fault
