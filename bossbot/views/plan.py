"""The board of tasks, and the plan diff with Apply and Keep plan."""

from collections.abc import Mapping

from bossbot.channel import Action, Block, Button, ButtonStyle, Card, Note, Plain, Row, Rows, Tone, Verb
from bossbot.domain.state import Diff, DiffStatus, Progress, SessionState
from bossbot.domain.task import Task, TaskStatus
from bossbot.ids import TaskId

DETAIL_CHARS = 300

TONES = {
    TaskStatus.PLANNING: Tone.NEUTRAL,
    TaskStatus.QUEUED: Tone.NEUTRAL,
    TaskStatus.ASSIGNED: Tone.NEUTRAL,
    TaskStatus.RUNNING: Tone.RUNNING,
    TaskStatus.BLOCKED: Tone.BAD,
    TaskStatus.PAUSED: Tone.STOPPED,
    TaskStatus.WAITING_APPROVAL: Tone.WAITING,
    TaskStatus.COMPLETED: Tone.GOOD,
    TaskStatus.FAILED: Tone.BAD,
    TaskStatus.CANCELLED: Tone.STOPPED,
}


def status_word(status: TaskStatus) -> str:
    """A status as people say it."""
    return status.value.replace("_", " ").replace("waiting approval", "waiting for approval")


def board_card(state: SessionState) -> Card:
    """The plan: its tasks in their order, with their states. Workflows have cards of their own."""
    tasks = [state.tasks[i] for i in state.order if i in state.plan_tasks]
    titles = {task.id: task.title for task in tasks if task.status is not TaskStatus.COMPLETED}
    done = sum(t.status is TaskStatus.COMPLETED for t in tasks)
    blocks: list[Block] = [Rows(tuple(_row(t, titles, _depth(state, t)) for t in tasks))]
    if state.objective and state.objective != state.title:
        blocks.append(Note(f"Objective: {state.objective}"))
    over = all(not t.live for t in tasks)
    return Card(
        title=f"Plan · {done}/{len(tasks)} done",
        tone=Tone.GOOD if over else Tone.NEUTRAL,
        blocks=tuple(blocks),
        fallback=f"Plan: {done} of {len(tasks)} tasks done",
    )


def _depth(state: SessionState, task: Task) -> int:
    """How far it is indented: a part of a part is no further in than a part, since phones are narrow."""
    return int(task.parent_task_id is not None and task.parent_task_id in state.plan_tasks)


def _row(task: Task, open_titles: Mapping[TaskId, str], level: int) -> Row:
    """A task in one line: its state and how far it is; while it waits, how urgent it is and what comes before it."""
    before = [open_titles[TaskId(i)] for i in task.depends_on if i in open_titles]
    parts = [
        "" if task.status is TaskStatus.QUEUED else status_word(task.status),
        f"priority {task.priority}" if task.live and task.priority != "normal" else "",
        f"risk {task.risk_level}" if task.live and task.risk_level == "high" and not task.risk else "",
        f"after {', '.join(before)}" if before and task.live else "",
        progress_line(task) if task.live else task.summary or task.reason,
    ]
    return Row(task.title, TONES[task.status], _short(" · ".join(filter(None, parts))), level)


def progress_line(progress: Task | Progress) -> str:
    """The structured summary in one line, the number first."""
    parts = [
        f"{progress.progress_percent}%" if progress.progress_percent is not None else "",
        progress.summary,
        f"now: {progress.current_step}" if progress.current_step else "",
        f"next: {progress.next_step}" if progress.next_step else "",
        f"risk {progress.risk}" if progress.risk in ("medium", "high") else "",
    ]
    return " · ".join(" ".join(part.split()) for part in parts if part)


def _short(line: str) -> str:
    return line if len(line) <= DETAIL_CHARS else line[: DETAIL_CHARS - 1] + "…"


def diff_card(state: SessionState, diff: Diff) -> Card:
    """What a change of mind would do to the board; it waits for Apply or Keep plan."""
    p = diff.proposal
    rows = [Row(_title(state, i), Tone.BAD, "cancel") for i in p.cancel_tasks]
    rows += [Row(_title(state, i), Tone.STOPPED, "pause") for i in p.pause_tasks]
    rows += [Row(new.title, Tone.GOOD, f"new · {new.kind}") for new in p.create_tasks]
    rows += [Row(_title(state, i), Tone.NEUTRAL, _place(n)) for n, i in enumerate(p.reprioritize_tasks, 1)]
    rows += [Row(_title(state, i), Tone.NEUTRAL, "continue") for i in p.continue_tasks if i not in p.reprioritize_tasks]
    blocks: list[Block] = []
    if diff.message is not None:
        blocks.append(Plain(f"“{diff.message.content}”"))
    blocks.append(Rows(tuple(rows)))
    if p.change_reason and (diff.message is None or p.change_reason != diff.message.content):
        blocks.append(Note(p.change_reason))
    if p.condition:
        blocks.append(Note(f"Noted for later, not applied: {p.condition}"))
    match diff.status:
        case DiffStatus.PENDING:
            blocks.append(Note(_consequence(state, diff)))
            title, tone = "Change the plan?", Tone.WAITING
        case DiffStatus.APPLIED:
            stopped = " What ran was stopped; the manager takes up again what continues." if diff.interrupts else ""
            blocks.append(Note(f"Applied by {diff.decided_by}. The manager was told.{stopped}"))
            title, tone = "Plan changed", Tone.GOOD
        case DiffStatus.KEPT:
            blocks.append(Note(f"Plan kept by {diff.decided_by}. Nothing changed."))
            title, tone = "Plan kept", Tone.STOPPED
    buttons = (_buttons(diff),) if diff.status is DiffStatus.PENDING else ()
    return Card(title=title, tone=tone, blocks=tuple(blocks), buttons=buttons, fallback=title)


def _buttons(diff: Diff) -> tuple[Button, ...]:
    return (
        Button("Apply", Action(Verb.APPLY_DIFF, diff.proposal.id).encode(), ButtonStyle.PRIMARY),
        Button("Keep plan", Action(Verb.KEEP_PLAN, diff.proposal.id).encode()),
    )


def _consequence(state: SessionState, diff: Diff) -> str:
    """How the change reaches the agent: a workflow can only be stopped with everything else that runs."""
    gone = [state.tasks[TaskId(i)] for i in (*diff.proposal.cancel_tasks, *diff.proposal.pause_tasks)]
    if any(t.live and t.origin in ("workflow", "background") for t in gone):
        return "Apply stops everything that runs: no workflow can be stopped alone. What continues is taken up again."
    if any(t.status in (TaskStatus.RUNNING, TaskStatus.WAITING_APPROVAL) for t in gone) and state.turn is not None:
        return "Apply interrupts the manager and tells it what to drop and what to take up again."
    return "Apply tells the manager; nothing that runs is stopped."


def _place(number: int) -> str:
    return "comes first" if number == 1 else f"comes as number {number}"


def _title(state: SessionState, task_id: str) -> str:
    task = state.tasks.get(TaskId(task_id))
    return task.title if task is not None else task_id
