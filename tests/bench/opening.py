"""How long a session of 100,000 events takes to open: from a snapshot, and from the whole log as after an upgrade.

The session is one long conversation of 2,500 turns, each with a message, 14 tool calls, a task with a step, a decision.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time

from bossbot.domain import events as ev
from bossbot.ids import EventId, SessionId, TaskId
from bossbot.store.opening import open_store
from bossbot.store.snapshots import encode

EVENTS, AT_ONCE, TAIL = 100_000, 2_000, 500
GOAL_MS = 200.0
SESSION = SessionId("ps_1")
BEGIN = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)


def turn(number: int) -> Iterator[tuple[ev.Payload, TaskId | None]]:
    """What one turn of the conversation leaves in the log: 40 events."""
    task, message, words = TaskId(f"task_{number}"), f"msg_{number}", "please look into the failing login test " * 3
    yield ev.SessionMessageAdded(id=message, role="user", channel="telegram", content=words), None
    yield ev.SessionMessageClassified(message_id=message, intent="message", objective_change=False), None
    yield ev.SessionTurnStarted(turn_id=f"turn_{number}", message_ids=(message,), content=words), None
    yield ev.TaskCreated(title=f"Look into it {number}", kind="implementation", ref=str(number)), task
    yield ev.TaskAssigned(assignment_id=f"wa_{number}", worker_id="w"), task
    yield ev.TaskStarted(), task
    for call in range(14):
        use = f"tool_{number}_{call}"
        yield ev.ToolCallRequested(tool_use_id=use, tool="Bash", input_preview="make test"), None
        yield ev.ToolCallFinished(tool_use_id=use, tool="Bash", output_preview="ok " * 60), None
    asked = {"request_id": f"req_{number}", "tool": "Bash", "summary": "rm -rf cache", "risk_level": "high"}
    asked |= {"id": f"apr_{number}", "session_id": SESSION, "kind": "dangerous_command"}
    yield ev.ApprovalRequested.model_validate(asked), None
    yield ev.ApprovalApproved(id=f"apr_{number}", actor="telegram:1"), None
    yield ev.TaskStepStarted(step="workflow_agent:1", label="reads the log"), task
    yield ev.TaskCompleted(summary="the token had expired"), task
    yield ev.SessionMessageAdded(id=f"said_{number}", role="manager", channel="agent", content=words), None
    yield ev.SessionTurnFinished(turn_id=f"turn_{number}", outcome="success", total_cost_usd=0.1), None


def log() -> list[ev.Event]:
    """The whole session."""
    payloads: list[tuple[ev.Payload, TaskId | None]] = [(ev.SessionCreated(title="A long one"), None)]
    for number in range(EVENTS // 40):
        payloads += turn(number)
    return [
        ev.NewEvent(source=ev.Source.MANAGER, payload=payload, task_id=task).sealed(
            EventId(f"evt_{number}"), SESSION, BEGIN + timedelta(seconds=number)
        )
        for number, (payload, task) in enumerate(payloads[:EVENTS])
    ]


async def measure(path: Path) -> tuple[list[tuple[float, float]], float, int]:
    """Seconds of each opening from a snapshot that is `TAIL` events old, of one from the log, and the state's size.

    Seconds are of the clock, and beside them of the processor: a busy machine changes only the first.
    """
    store = await open_store(path)
    events = log()
    for begin in range(0, EVENTS, AT_ONCE):
        await store.append(SESSION, begin, events[begin : begin + AT_ONCE])
    before = process_time()
    state, version, _ = await store.state(SESSION)
    from_log = process_time() - before
    await store.keep_snapshot(version, state)
    await store.append(
        SESSION, EVENTS, [event.model_copy(update={"id": f"{event.id}_again"}) for event in events[-TAIL:]]
    )
    await store.close()
    times = []
    for _ in range(7):
        store = await open_store(path)
        before, busy = perf_counter(), process_time()
        again, version, begun = await store.state(SESSION)
        times.append((perf_counter() - before, process_time() - busy))
        assert (len(again.tasks), version, begun) == (len(state.tasks), EVENTS + TAIL, EVENTS)
        await store.close()
    return times, from_log, len(encode(state))


def main() -> int:
    """Prints the times; 1 when the goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        times, from_log, size = asyncio.run(measure(Path(folder) / "bossbot.db"))
    p50, busy = (sorted(column)[len(times) // 2] * 1000 for column in zip(*times, strict=True))
    print(f"opening {EVENTS + TAIL:,} events (the state is {size / 1e6:.1f} MB of JSON)")
    print(f"  from a snapshot and {TAIL} events: p50 {p50:.0f} ms, {busy:.0f} ms of processor (goal ≤ {GOAL_MS:g} ms)")
    print(f"  from the whole log, as once after an upgrade: {from_log:.1f} s of processor")
    return 0 if p50 <= GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())
