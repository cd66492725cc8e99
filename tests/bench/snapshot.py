"""What one change in a workflow costs downstream, when one agent runs and when two hundred do.

The same change (one agent ends) is taken from the frame to the events and into the state, as a living session does it.
The line itself is longer with two hundred agents, so its decoding is measured apart.
"""

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from statistics import median
from time import perf_counter

from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain.evolve import evolve
from bossbot.domain.policy import Policy
from bossbot.domain.session import decide
from bossbot.domain.state import SessionState
from bossbot.ids import EventId, SessionId, WorkerId
from bossbot.streamjson.decoder import decode

AGENTS, CHANGES = 200, 40
AT = datetime(2026, 1, 1, tzinfo=UTC)
GOAL_BYTES, GOAL_TIME = 1.2, 2.5


def main() -> int:
    """Prints what a change costs; 1 when two hundred agents cost more than the goals allow."""
    alone, crowd = cost(1, 1), cost(AGENTS, CHANGES)
    for name, each in ((f"{1:>4} agent ", alone), (f"{AGENTS:>4} agents", crowd)):
        print(
            f"  {name}: {each.events:.1f} events, {each.event_bytes:.0f} bytes, {each.downstream_us:.0f} µs downstream"
            f" (line of {each.line_bytes / 1024:.1f} KiB decoded in {each.decode_us:.0f} µs)"
        )
    size, time = crowd.event_bytes / alone.event_bytes, crowd.downstream_us / alone.downstream_us
    print(f"  {size:.2f}x the bytes (goal ≤ {GOAL_BYTES:g}x), {time:.2f}x the time (goal ≤ {GOAL_TIME:g}x)")
    return 0 if crowd.events <= alone.events and size <= GOAL_BYTES and time <= GOAL_TIME else 1


@dataclass(frozen=True)
class Cost:
    """Medians of one change: a busy machine makes some of them slow."""

    events: float
    event_bytes: float
    downstream_us: float
    decode_us: float
    line_bytes: float


def cost(agents: int, changes: int) -> Cost:
    """Of `changes` changes in workflows of so many agents; the median of each."""
    session = _Session()
    seen = []
    runs = [(f"w{run}", change) for run in range(CHANGES // changes) for change in range(1, changes + 1)]
    for task, change in runs:
        if change == 1:
            session.tell(started(task))
            session.tell(line(task, agents, 0))
        seen.append(session.tell(line(task, agents, change)))
    return Cost(*(median(values) for values in zip(*seen, strict=True)))


def line(task: str, agents: int, done: int) -> bytes:
    """A snapshot in which the first `done` agents have ended."""
    entries: list[dict[str, object]] = [{"type": "workflow_phase", "index": 1, "title": "Gather"}]
    for index in range(1, agents + 1):
        ended = {"state": "done", "tokens": 900, "resultPreview": f"result {index}: " + "found it. " * 30}
        entries.append(
            {
                "type": "workflow_agent",
                "index": index,
                "agentId": f"v2:{index:064x}",
                "state": "start",
                "startedAt": 1_785_000_000_000,
                "label": f"child-{index:03}",
                "phaseIndex": 1,
                "phaseTitle": "Gather",
                **(ended if index <= done else {}),
            }
        )
    frame = {"type": "system", "subtype": "task_progress", "task_id": task, "session_id": "s"}
    return json.dumps({**frame, "workflow_progress": entries}).encode()


def started(task: str) -> bytes:
    frame = {"type": "system", "subtype": "task_started", "task_id": task, "task_type": "local_workflow"}
    return json.dumps({**frame, "workflow_name": "gather"}).encode()


class _Session:
    def __init__(self) -> None:
        self._numbers = count(1)
        self._translator = Translator(self._mint, Policy(), WorkerId("w"), "cbc")
        self._state = SessionState(id=SessionId("ps_bench"))
        for event in decide(self._state, c.OpenSession("Bench", "bench", "bench", None)):
            self._state = evolve(self._state, event.sealed(EventId("evt_0"), self._state.id, AT))

    def _mint(self, prefix: str) -> str:
        return f"{prefix}_{next(self._numbers)}"

    def tell(self, data: bytes) -> tuple[int, int, float, float, int]:
        """(events, their bytes, µs downstream, µs of decoding, bytes of the line)."""
        begin = perf_counter()
        frame = decode(data)
        decoded = perf_counter()
        events = []
        for command in self._translator.read(frame, 0.0).commands:
            for new in decide(self._state, command):
                event = new.sealed(EventId(self._mint("evt")), self._state.id, AT)
                self._state = evolve(self._state, event)
                events.append(event.model_dump_json())
        end = perf_counter()
        size = sum(map(len, events))
        return len(events), size, (end - decoded) * 1e6, (decoded - begin) * 1e6, len(data)


if __name__ == "__main__":
    sys.exit(main())
