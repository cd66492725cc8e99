"""Snapshots of a workflow: what a new one says that the last one did not.

A snapshot replaces the one before it; a step's key is its entry type and index. A repeated or stale snapshot says
nothing new: an agent that has ended never starts again.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from bossbot.domain import events as ev
from bossbot.domain.commands import ReportSnapshot, SnapshotEntry
from bossbot.domain.task import StepState, Task

PHASE = "workflow_phase"
AGENT = "workflow_agent"
NAMED = 5
"""So many of the agents that run are named in a summary."""

ENDED = frozenset({"done", "error", "cached"})


def changes(task: Task, entries: Iterable[SnapshotEntry]) -> Iterator[ev.Step]:
    """Step events for what differs from the task's known steps, phases before the agents in them."""
    entries = tuple(entries)
    known = dict(task.steps)
    phases = {e.index: e for e in entries if e.entry_type == PHASE}
    for entry in entries:
        if entry.entry_type != AGENT:
            continue
        phase = phases.get(entry.phase_index) if entry.phase_index is not None else None
        if phase is not None and _key(phase) not in known:
            known[_key(phase)] = _noted(phase, "start")
            yield ev.TaskStepStarted(**_fields(phase))
        yield from _agent(known, entry)
    yield from _finished_phases(known, phases)


def _agent(known: dict[str, StepState], entry: SnapshotEntry) -> Iterator[ev.Step]:
    key = _key(entry)
    before = known.get(key)
    if before is not None and (before.state in ENDED or entry.state not in ENDED):
        return
    if before is None:
        yield ev.TaskStepStarted(**_fields(entry))
    known[key] = _noted(entry, entry.state if entry.state in ENDED else "start")
    if entry.state == "error":
        yield ev.TaskStepFailed(**_fields(entry), error=entry.error or entry.preview or "the agent failed")
    elif entry.state in ENDED:
        yield ev.TaskStepFinished(**_fields(entry), cached=entry.state == "cached")


def _finished_phases(known: dict[str, StepState], phases: dict[int, SnapshotEntry]) -> Iterator[ev.Step]:
    """A phase has no state of its own: it is over when a later one has begun and all its agents have ended."""
    begun = [i for i in phases if f"{PHASE}:{i}" in known]
    for index in begun:
        step = known[f"{PHASE}:{index}"]
        agents = [s for s in known.values() if s.entry_type == AGENT and s.phase_index == index]
        over = bool(agents) and all(s.state in ENDED for s in agents) and index < max(begun)
        if over and step.state not in ENDED:
            known[step.key] = _noted(phases[index], "done")
            yield ev.TaskStepFinished(**_fields(phases[index]))


def summary(task: Task, snapshot: ReportSnapshot) -> ev.TaskProgress | None:
    """The structured summary after a snapshot, or None when it says what was said before."""
    phases = {e.index: e.label for e in snapshot.entries if e.entry_type == PHASE} or dict(task.phases)
    agents = [s for s in task.steps.values() if s.entry_type == AGENT]
    ended = [s for s in agents if s.state in ENDED]
    running = [s.label or s.key for s in agents if s.state not in ENDED]
    begun = {s.index for s in task.steps.values() if s.entry_type == PHASE}
    upcoming = [title for index, title in sorted(phases.items()) if index not in begun]
    percent = 100 * len(ended) // len(agents) if agents else None
    if percent == 100 and upcoming:
        percent = 99
    current = _few(running) or snapshot.current_step
    following = upcoming[0] if upcoming else ""
    if (percent, current, following, phases) == (
        task.progress_percent,
        task.current_step,
        task.next_step,
        dict(task.phases),
    ):
        return None
    return ev.TaskProgress(
        task_id=task.id,
        summary=f"{len(ended)}/{len(agents)} agents" if agents else task.title,
        progress_percent=percent,
        current_step=current,
        next_step=following,
        risk="high" if any(s.state == "error" for s in agents) else "low",
        total_tokens=snapshot.total_tokens,
        tool_uses=snapshot.tool_uses,
        phases=phases,
    )


def _few(names: list[str]) -> str:
    """The first names of many: a summary of two hundred agents is no longer than one of five."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _key(entry: SnapshotEntry) -> str:
    return f"{entry.entry_type}:{entry.index}"


def _fields(entry: SnapshotEntry) -> dict[str, Any]:
    return {
        "step": _key(entry),
        "entry_type": entry.entry_type,
        "index": entry.index,
        "label": entry.label,
        "phase_index": entry.phase_index,
        "phase_title": entry.phase_title,
        "summary": entry.preview,
        "tokens": entry.tokens,
    }


def _noted(entry: SnapshotEntry, state: str) -> StepState:
    return StepState(
        key=_key(entry),
        entry_type=entry.entry_type,
        index=entry.index,
        state=state,
        label=entry.label,
        phase_index=entry.phase_index,
        phase_title=entry.phase_title,
    )
