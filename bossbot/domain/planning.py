"""The plan: the board of tasks, what a message means for it, and the plan diff that waits for Apply or Keep plan."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.assignments import put_off_unbegun
from bossbot.domain.decision import Decision
from bossbot.domain.errors import AlreadyDecided, DomainError, NotFound
from bossbot.domain.events import Source
from bossbot.domain.people import must_be_open
from bossbot.domain.plan import told_to_manager
from bossbot.domain.state import Diff, DiffStatus, SessionState
from bossbot.domain.steering import hand_over
from bossbot.domain.stopping import request_interrupt
from bossbot.domain.task import TaskStatus
from bossbot.domain.turns import start_turn_if_idle
from bossbot.ids import DiffId, TaskId


def close_task_set(d: Decision) -> None:
    """The first set of tasks becomes the plan; later sets extend it. It ends when the manager does something else, and
    its tasks then wait for a worker.
    """
    fresh = [d.state.tasks[i] for i in d.state.unplanned]
    if not fresh:
        return
    tasks = tuple(ev.PlannedTask(id=t.id, title=t.title, kind=t.kind, priority=t.priority) for t in fresh)
    if not d.state.plan_id:
        plan_id = f"plan_{d.state.id.removeprefix('ps_')}"
        d.emit(Source.MANAGER, ev.PlanCreated(plan_id=plan_id, tasks=tasks))
    else:
        d.emit(Source.MANAGER, ev.PlanUpdated(plan_id=d.state.plan_id, added=tasks))
    for task in fresh:
        if task.status is TaskStatus.PLANNING:
            d.emit(Source.MANAGER, ev.TaskQueued(), task.id)


def classify_message(d: Decision, command: c.ClassifyMessage) -> None:
    """A held message gets its meaning: it goes on to the manager, or becomes a plan diff that waits."""
    said = d.state.held.get(command.message_id)
    if said is None:
        raise NotFound(f"message {command.message_id} is not waiting to be judged")
    d.emit(
        Source.SYSTEM,
        ev.SessionMessageClassified(
            message_id=command.message_id,
            intent=command.intent,
            objective_change=command.objective_change,
            judged_by=command.judged_by,
            note=command.note,
            condition=command.condition,
        ),
    )
    if command.intent == "constraint":
        d.emit(Source.USER, ev.SessionConstraintAdded(message_id=command.message_id, content=said.content))
    diff = _diff(d, command)
    previous = d.state.objective
    if diff is not None:
        d.emit(Source.SYSTEM, diff)
    if command.objective_change and (diff is not None or command.objective):
        d.emit(
            Source.USER,
            ev.SessionObjectiveUpdated(
                active_objective=command.objective or previous,
                previous=previous,
                change_reason=command.change_reason,
                message_id=command.message_id,
            ),
        )
    if diff is None:
        hand_over(d, command.turn_id, said.steering, actor=said.author, actor_name=said.author_name)


def _diff(d: Decision, command: c.ClassifyMessage) -> ev.PlanDiffGenerated | None:
    """The protocol's plan diff. `continue_tasks` is computed here: live tasks neither cancelled nor paused."""
    live = [t.id for t in d.state.live_tasks]
    named = (*command.cancel_tasks, *command.pause_tasks, *command.reprioritize_tasks)
    unknown = [i for i in named if i not in live]
    if unknown:
        raise DomainError(f"the plan diff names tasks that are not on the board: {', '.join(unknown)}")
    if set(command.cancel_tasks) & set(command.pause_tasks):
        raise DomainError("the plan diff cancels and pauses the same task")
    if not named and not command.create_tasks:
        return None
    gone = {*command.cancel_tasks, *command.pause_tasks}
    return ev.PlanDiffGenerated(
        id=command.diff_id,
        session_id=d.state.id,
        change_reason=command.change_reason,
        cancel_tasks=tuple(dict.fromkeys(command.cancel_tasks)),
        pause_tasks=tuple(dict.fromkeys(command.pause_tasks)),
        continue_tasks=tuple(i for i in live if i not in gone),
        reprioritize_tasks=tuple(i for i in dict.fromkeys(command.reprioritize_tasks) if i not in gone),
        create_tasks=command.create_tasks,
        message_id=command.message_id,
        judged_by=command.judged_by,
        condition=command.condition,
    )


def apply_plan_diff(d: Decision, command: c.ApplyPlanDiff) -> None:
    """Moves the tasks and tells the manager. What runs and is to end or rest needs an interrupt: no stop is finer."""
    diff = _pending(d, command.diff_id)
    proposal = diff.proposal
    if len(command.task_ids) != len(proposal.create_tasks):
        raise DomainError("the plan diff needs one fresh id for each new task")
    gone = [TaskId(i) for i in (*proposal.cancel_tasks, *proposal.pause_tasks)]
    interrupts = _needs_interrupt(d, gone)
    d.emit(
        Source.USER,
        ev.PlanDiffApplied(id=proposal.id, actor=command.actor, actor_name=command.actor_name, interrupts=interrupts),
    )
    told = told_to_manager(d.state, diff, by=command.actor_name, interrupted=interrupts)
    for task_id in map(TaskId, proposal.cancel_tasks):
        if d.task(task_id).live:
            d.emit(Source.USER, ev.TaskCancelled(reason=proposal.change_reason), task_id)
    for task_id in map(TaskId, proposal.pause_tasks):
        if d.task(task_id).live and d.task(task_id).status is not TaskStatus.PAUSED:
            d.emit(Source.USER, ev.TaskPaused(reason=proposal.change_reason), task_id)
    for task_id in map(TaskId, proposal.reprioritize_tasks):
        if put_off_unbegun(d.task(task_id)):  # what was begun is resumed when the manager says so
            d.emit(Source.USER, ev.TaskQueued(reason=proposal.change_reason), task_id)
    for task_id, new in zip(command.task_ids, proposal.create_tasks, strict=True):
        created = ev.TaskCreated(title=new.title, kind=new.kind, priority=new.priority, origin="plan")
        d.emit(Source.USER, created, task_id)
    _update_plan(d, diff, command.task_ids)
    if interrupts:
        request_interrupt(d, reason="the plan changed", actor=command.actor, turn_id=command.turn_id, then_tell=told)
    else:
        d.emit(Source.SYSTEM, ev.SessionNoteQueued(content=told, at_once=True))
        start_turn_if_idle(d, command.turn_id)


def _needs_interrupt(d: Decision, gone: list[TaskId]) -> bool:
    tasks = [d.state.tasks[i] for i in gone if i in d.state.tasks]
    if any(t in d.state.running_background for t in tasks):
        return True
    active = (TaskStatus.ASSIGNED, TaskStatus.RUNNING, TaskStatus.WAITING_APPROVAL)
    return d.state.turn is not None and any(t.status in active for t in tasks)


def _update_plan(d: Decision, diff: Diff, created: tuple[TaskId, ...]) -> None:
    close_task_set(d)
    order = (*diff.proposal.reprioritize_tasks, *created)
    if order and d.state.plan_id:
        d.emit(
            Source.USER,
            ev.PlanUpdated(plan_id=d.state.plan_id, order=order, reason=diff.proposal.change_reason),
        )


def keep_plan(d: Decision, command: c.KeepPlan) -> None:
    """Nothing changes. The manager reads of it with the next message, so that the words are not lost."""
    diff = _pending(d, command.diff_id)
    d.emit(
        Source.USER,
        ev.PlanDiffRejected(id=diff.proposal.id, actor=command.actor, actor_name=command.actor_name),
    )
    mine = d.state.objective_from is not None and d.state.objective_from == diff.proposal.message_id
    before = _before(d.state, diff)
    if mine and d.state.objective != before.previous_objective:
        d.emit(
            Source.USER,
            ev.SessionObjectiveUpdated(
                active_objective=before.previous_objective,
                previous=d.state.objective,
                change_reason="the plan was kept",
                message_id=before.previous_from,
            ),
        )
    if diff.message is not None:
        note = (
            f"{diff.message.author_name or 'The person'} wrote “{diff.message.content}” and then decided to keep the"
            " plan as it is. Do not change the plan because of it."
        )
        d.emit(Source.SYSTEM, ev.SessionNoteQueued(content=note))


def _before(state: SessionState, diff: Diff) -> Diff:
    """The diff whose previous objective holds again when this one is turned down: that of an earlier one if this
    one's had come from it, and it was turned down meanwhile.
    """
    kept = {other.proposal.message_id: other for other in state.diffs.values() if other.status is DiffStatus.KEPT}
    while diff.previous_from is not None and (earlier := kept.pop(diff.previous_from, None)) is not None:
        diff = earlier
    return diff


def _pending(d: Decision, diff_id: DiffId) -> Diff:
    must_be_open(d)
    diff = d.diff(diff_id)
    if diff.status is not DiffStatus.PENDING:
        word = "applied" if diff.status is DiffStatus.APPLIED else "turned down"
        raise AlreadyDecided(f"This plan change was already {word} by {diff.decided_by}.")
    return diff
