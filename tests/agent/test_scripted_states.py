"""States that no recording has, as the protocol describes them: scripted lines, and the Boss events they become."""

import json
from collections import Counter
from typing import Any

from bossbot.domain.events import Event
from bossbot.replay import Replay
from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode

Line = dict[str, Any]


def system(subtype: str, task_id: str = "w1", **more: Any) -> Line:
    return {"type": "system", "subtype": subtype, "task_id": task_id, "session_id": "s", **more}


def begins(task_id: str = "w1", name: str = "survey", **more: Any) -> Line:
    return system("task_started", task_id, task_type="local_workflow", workflow_name=name, **more)


def agent(index: int, state: str, phase: int = 1, **more: Any) -> Line:
    labels = {"label": f"child-{index}", "phaseIndex": phase, "phaseTitle": f"Phase {phase}"}
    return {"type": "workflow_agent", "index": index, "agentId": f"v2:{index:064x}", "state": state, **labels, **more}


def phase(index: int) -> Line:
    return {"type": "workflow_phase", "index": index, "title": f"Phase {index}"}


def snapshot(*entries: Line, task_id: str = "w1") -> Line:
    return system("task_progress", task_id, workflow_progress=list(entries))


def ends(task_id: str = "w1", status: str = "completed") -> Line:
    return system("task_notification", task_id, status=status, summary="over")


def replayed(*lines: Line) -> list[Event]:
    """The events of these lines; the session's own beginning left out."""
    return list(Replay("cbc").events(json.dumps(line).encode() for line in lines))[2:]


def types(events: list[Event], *, of: str = "") -> list[str]:
    """In order; `of` keeps those of one task's title."""
    names = {event.task_id: event.payload.title for event in events if event.type == "task.created"}  # type: ignore[attr-defined]
    told = [event for event in events if event.type.startswith("task.")]
    return [event.type for event in told if not of or names.get(event.task_id) == of]


RUNS = ["task.created", "task.queued", "task.assigned", "task.started"]


def test_a_cached_agent_has_begun_and_ended_and_says_that_it_was_cached() -> None:
    events = replayed(begins(), snapshot(phase(1), agent(1, "cached"), agent(2, "start")), ends())
    steps = [(e.type, e.payload.step, e.payload.cached) for e in events if e.type.startswith("task.step.")]  # type: ignore[attr-defined]
    assert steps == [
        ("task.step.started", "workflow_phase:1", False),
        ("task.step.started", "workflow_agent:1", False),
        ("task.step.finished", "workflow_agent:1", True),
        ("task.step.started", "workflow_agent:2", False),
    ]
    [progress] = [e.payload for e in events if e.type == "task.progress"]
    assert progress.progress_percent == 50  # type: ignore[attr-defined]


def test_a_workflow_pauses_and_goes_on_and_only_its_notification_ends_it() -> None:
    words = ("pending", "running", "paused", "paused", "running", "completed")
    updates = [system("task_updated", patch={"status": word}) for word in words]
    assert types(replayed(begins(), *updates)) == [*RUNS, "task.paused", "task.resumed"]
    assert types(replayed(begins(), *updates, ends()))[-1] == "task.completed"


def test_a_task_that_is_paused_may_end_without_being_resumed() -> None:
    paused = system("task_updated", patch={"status": "paused"})
    assert types(replayed(begins(), paused, ends()))[-2:] == ["task.paused", "task.completed"]
    assert types(replayed(begins(), paused, ends(status="stopped")))[-2:] == ["task.paused", "task.cancelled"]


def test_a_workflow_within_a_workflow_is_a_task_of_its_own() -> None:
    """Each one's snapshot is its own, and the inner one's end is not the outer one's."""
    events = replayed(
        begins(name="outer"),
        snapshot(phase(1), agent(1, "start")),
        begins("w2", "inner", tool_use_id="call_of_child_1"),
        snapshot(phase(1), agent(1, "start"), agent(2, "start"), task_id="w2"),
        snapshot(phase(1), agent(1, "start"), agent(2, "start")),
        snapshot(phase(1), agent(1, "done"), agent(2, "error", error="boom"), task_id="w2"),
        ends("w2", "failed"),
        snapshot(phase(1), agent(1, "done"), agent(2, "done")),
        ends(),
    )
    assert types(events, of="inner")[-1] == "task.failed"
    assert types(events, of="outer")[-1] == "task.completed"
    assert types(events, of="outer").count("task.step.finished") == 2
    assert types(events, of="inner").count("task.step.failed") == 1
    assert types(events).index("task.failed") < types(events).index("task.completed")


def test_a_thousand_agents_are_told_each_once_and_a_change_of_one_is_one_change() -> None:
    number = 1000
    states = ["start"] * number
    lines = [begins(), snapshot(phase(1), *(agent(i, "start") for i in range(1, number + 1)))]
    changed = (1, 500, number)
    for index in changed:
        states[index - 1] = "done"
        lines.append(snapshot(phase(1), *(agent(i, states[i - 1]) for i in range(1, number + 1))))
    before = len(replayed(*lines[:2]))
    events = replayed(*lines)
    counts = Counter(event.type for event in events)
    assert counts["task.step.started"] == number + 1
    assert counts["task.step.finished"] == len(changed)
    assert len(events) - before <= 2 * len(changed)
    summaries = [event.payload.current_step for event in events if event.type == "task.progress"]  # type: ignore[attr-defined]
    assert all(len(summary) < 100 for summary in summaries)
    assert summaries[0] == "child-1, child-2, child-3, child-4, child-5 and 995 more"


def test_what_may_come_one_day_is_kept_and_disturbs_nothing() -> None:
    """§8: new entry types, states, statuses, fields, subtypes and types must be ignored, and can be found again."""
    gate = {"type": "workflow_gate", "index": 1, "needs": ["alpha"]}
    progress = snapshot(phase(1), gate, agent(1, "queued", mood="fine"), agent(2, "done"))
    strange = [system("task_archived"), {"type": "workflow", "session_id": "s"}, ends(status="evaporated")]
    events = replayed(begins(), {**progress, "forecast": "rain"}, strange[0], strange[1], strange[2])
    assert types(events)[-1] == "task.failed"
    assert types(events).count("task.step.started") == 3
    frame = decode(json.dumps({**progress, "forecast": "rain"}).encode())
    assert isinstance(frame, f.TaskProgress)
    assert frame.extra() == {"forecast": "rain"}
    assert frame.document()["workflow_progress"][1] == gate
    assert frame.document()["workflow_progress"][2]["mood"] == "fine"
