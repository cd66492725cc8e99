"""The manager's plan, as it puts it on the board: new tasks and sub-tasks, their order, what they share."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.decision import Decision
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Source
from bossbot.domain.finding import find, folded, listed
from bossbot.domain.planning import close_task_set
from bossbot.domain.state import SessionState
from bossbot.domain.task import NATIVE, TaskStatus
from bossbot.ids import TaskId

SUMMARY = ".summary"
"""What a task has found, as a shared context names it: `task_202.summary`."""

ARTIFACT = "artifact_"


def make_plan(d: Decision, command: c.CreatePlan) -> str:
    """The tasks that the board does not have, and the order of all; what the manager is answered."""
    close_task_set(d)
    ids = _ids(d.state, command)
    for entry in command.entries:
        task_id = ids[folded(entry.title)]
        if task_id not in d.state.tasks:
            d.emit(Source.MANAGER, _created(d.state, ids, entry), task_id)
    close_task_set(d)
    order = tuple(ids.values())
    if d.state.order[: len(order)] != order:
        d.emit(Source.MANAGER, ev.PlanUpdated(plan_id=d.state.plan_id, order=order, reason="the manager's plan"))
    if command.objective and command.objective != d.state.objective:
        objective = ev.SessionObjectiveUpdated(
            active_objective=command.objective, previous=d.state.objective, change_reason="the manager's plan"
        )
        d.emit(Source.MANAGER, objective)
    return f"The plan is on the board. {listed([d.state.tasks[i] for i in order])}"


def _created(state: SessionState, ids: dict[str, TaskId], entry: c.PlanEntry) -> ev.TaskCreated:
    return ev.TaskCreated(
        title=entry.title,
        kind=entry.kind,
        priority=entry.priority,
        risk_level=entry.risk_level,
        parent_task_id=_parent(state, ids, entry) if entry.parent else None,
        origin="plan",
        depends_on=tuple(_depends_on(state, ids, entry, name) for name in entry.depends_on),
        execution_mode=entry.execution_mode,
        shared_context_refs=tuple(_shared(state, ids, ref) for ref in entry.shared_context_refs),
        handoff_expected=entry.handoff_expected,
    )


def _ids(state: SessionState, command: c.CreatePlan) -> dict[str, TaskId]:
    """Title → task: the one on the board with this title, live or done, else the new one.

    Raises when a title stands there twice.
    """
    done = [task for task in state.tasks.values() if task.status is TaskStatus.COMPLETED]
    known = {folded(task.title): task.id for task in (*done, *state.live_tasks) if task.origin in NATIVE}
    ids: dict[str, TaskId] = {}
    for entry in command.entries:
        title = folded(entry.title)
        if not title:
            raise DomainError("a task needs a title")
        if title in ids:
            raise DomainError(f"the plan lists “{entry.title}” twice; give each task a title of its own")
        ids[title] = known.get(title, entry.task_id)
    return ids


def _depends_on(state: SessionState, ids: dict[str, TaskId], entry: c.PlanEntry, name: str) -> str:
    found = _named(state, ids, name)
    if found == ids[folded(entry.title)]:
        raise DomainError(f"“{entry.title}” cannot depend on itself")
    return found


def _parent(state: SessionState, ids: dict[str, TaskId], entry: c.PlanEntry) -> str:
    """The parent is there before its sub-tasks, so no task can be its own ancestor."""
    found = _named(state, ids, entry.parent)
    if found not in state.tasks:
        raise DomainError(f"list “{entry.parent}” before “{entry.title}”, which is a part of it")
    return found


def _shared(state: SessionState, ids: dict[str, TaskId], ref: str) -> str:
    """An artifact, or what a task has found, by the task's id."""
    if ref.startswith(ARTIFACT):
        return ref
    return f"{_named(state, ids, ref.removesuffix(SUMMARY))}{SUMMARY}"


def _named(state: SessionState, ids: dict[str, TaskId], name: str) -> TaskId:
    return ids.get(folded(name)) or find(state, name).id


def shared_context(state: SessionState, refs: tuple[str, ...]) -> str:
    """What others have found, for whoever begins a task that builds on it."""
    return "\n".join(_shared_line(state, ref) for ref in refs)


def _shared_line(state: SessionState, ref: str) -> str:
    task = state.tasks.get(TaskId(ref.removesuffix(SUMMARY)))
    if task is None:
        kept = next((artifact for artifact in state.artifacts if artifact.id == ref), None)
        return f"- {ref}: {kept.name if kept is not None else 'a file that was kept'}"
    return f"- “{task.title}” ({task.status.value}): {task.summary or 'nothing was reported yet'}"
